import { Status, type ShownStatus } from '../../pipelines/pipelines/status.tsx';
import { commitPath, type CodeOf } from '../../repository/code/addresses.ts';
import { Ago } from '../../site/records/day.tsx';

/** A pipeline as the page of a merge request lists it. */
export interface PipelineOfMergeRequest {
  readonly iid: string;
  readonly path: string;
  readonly ref: string;
  readonly sha: string;
  readonly createdAt: string;
  readonly detailedStatus: ShownStatus;
}

export const pipelineFields = 'iid path ref sha createdAt';

interface PipelineListProps {
  readonly of: CodeOf;
  readonly pipelines: readonly PipelineOfMergeRequest[];
}

/** The pipelines of a merge request, the newest first. */
export function PipelineList({ of, pipelines }: PipelineListProps) {
  if (pipelines.length === 0)
    return <p class="empty">No pipelines yet. A status that is reported for one of its commits makes one.</p>;
  return (
    <ul class="records">
      {pipelines.map(({ iid, path, ref, sha, createdAt, detailedStatus }) => (
        <li class="line">
          <div>
            <a href={path}>Pipeline #{iid}</a>
            <p>
              <bdi class="branch">{ref}</bdi> at <a href={commitPath(of, sha)}>{sha.slice(0, 8)}</a> ·{' '}
              <Ago at={createdAt} />
            </p>
          </div>
          <Status status={detailedStatus} />
        </li>
      ))}
    </ul>
  );
}
