import { Badge } from '../../site/records/records.tsx';

/** A status as pages show it: `detailedStatus` of the schema. */
export interface ShownStatus {
  readonly text: string;
  /** What it is coloured as. */
  readonly group: string;
}

/** The fields that operations select of a status. */
export const statusFields = 'detailedStatus { text group }';

const tones: { readonly [group: string]: 'good' | 'caution' | 'danger' } = {
  success: 'good',
  'success-with-warnings': 'caution',
  running: 'caution',
  pending: 'caution',
  failed: 'danger',
};

/** How a status is coloured; undefined: as what neither goes well nor badly. */
export const toneOf = ({ group }: ShownStatus): 'good' | 'caution' | 'danger' | undefined => tones[group];

/** A status in a word. */
export function Status({ status }: { readonly status: ShownStatus }) {
  const tone = toneOf(status);
  return <Badge {...(tone && { tone })}>{status.text}</Badge>;
}

/** The last pipeline of a commit. */
export interface CommitPipeline {
  readonly path: string;
  readonly detailedStatus: ShownStatus;
}

/** The fields of a commit that `CommitStatus` shows. */
export const commitStatusFields = `latestPipeline { path ${statusFields} }`;

/** The status of a commit, with a link to its last pipeline; nothing without one. */
export function CommitStatus({ pipeline }: { readonly pipeline: CommitPipeline | null | undefined }) {
  if (!pipeline) return null;
  return (
    <a class="commit-status" href={pipeline.path}>
      <span class="hidden">Pipeline: </span>
      <Status status={pipeline.detailedStatus} />
    </a>
  );
}
