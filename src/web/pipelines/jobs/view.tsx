import { logHtml } from '../../../values/ci/log-html.ts';
import { PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { codePath, commitPath } from '../../repository/code/addresses.ts';
import { Moment } from '../../site/records/day.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Facts } from '../../site/records/records.tsx';
import { lasting } from '../pipelines/list-view.tsx';
import { Status, type ShownStatus } from '../pipelines/status.tsx';
import { JobWays, MayNotRun, WaitsForRunner } from './ways.tsx';

/** A job as its page shows it. */
export interface WholeJob {
  readonly databaseId: number;
  readonly name: string;
  readonly status: string;
  readonly detailedStatus: ShownStatus;
  readonly stageName: string;
  readonly refName: string;
  readonly sha: string;
  readonly duration: number | null;
  readonly coverage: number | null;
  readonly createdAt: string;
  /** When a delayed job starts, while it waits for that. */
  readonly scheduledAt: string | null;
  readonly finishedAt: string | null;
  readonly erasedAt: string | null;
  readonly external: boolean;
  readonly tag: boolean;
  readonly retried: boolean;
  readonly cancelable: boolean;
  readonly retryable: boolean;
  readonly playable: boolean;
  readonly userPermissions: { readonly updateBuild: boolean; readonly eraseBuild: boolean };
  readonly failureReason: string | null;
  readonly user: { readonly name: string; readonly webPath: string } | null;
  readonly pipeline: { readonly iid: string; readonly path: string };
  readonly artifacts: {
    readonly nodes: readonly {
      readonly name: string;
      readonly fileType: string;
      readonly size: number;
      readonly expireAt: string | null;
      readonly downloadPath: string;
    }[];
  };
}

export interface ShownLog {
  readonly size: number;
  readonly text: string;
  /** Whether the beginning is left out. */
  readonly cut: boolean;
}

interface PageProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly job: WholeJob;
  /** Null: it isn’t for the viewer. */
  readonly log: ShownLog | null;
  readonly path: string;
  readonly running: boolean;
}

const units = ['bytes', 'KiB', 'MiB', 'GiB'] as const;

/** A number of bytes in words. */
function sizeWords(bytes: number): string {
  const unit = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1_024 ** unit).toFixed(1))} ${units[unit]}`;
}

/** A job with its log and what it left. */
export function JobPage({ site, place, job, log, path, running }: PageProps) {
  const { updateBuild: mayRun, eraseBuild: mayErase } = job.userPermissions;
  const { name, stageName, refName, sha, user, createdAt, finishedAt, duration, coverage, pipeline } = job;
  const artifacts = job.artifacts.nodes.filter(({ fileType }) => fileType !== 'TRACE' && fileType !== 'METADATA');
  return (
    <PlaceLayout
      site={site}
      place={place}
      title={`${name} · Pipeline #${pipeline.iid} · ${place.name}`}
      current="pipelines"
      {...(running && { load: ['live.js'] as const })}
    >
      <p class="kind">
        <a href={pipeline.path}>Pipeline #{pipeline.iid}</a>
      </p>
      <h1 class="code-title">
        <bdi>{name}</bdi> <Status status={job.detailedStatus} />
      </h1>
      <Facts
        facts={[
          ['Stage', <bdi>{stageName}</bdi>],
          [
            'Branch or tag',
            <a href={codePath(place, 'commits', refName)}>
              <bdi>{refName}</bdi>
            </a>,
          ],
          [
            'Commit',
            <a href={commitPath(place, sha)}>
              <code>{sha.slice(0, 8)}</code>
            </a>,
          ],
          user && [
            'Started by',
            <a href={user.webPath}>
              <bdi>{user.name}</bdi>
            </a>,
          ],
          ['Created', <Moment at={createdAt} />],
          job.scheduledAt !== null && ['Starts', <Moment at={job.scheduledAt} />],
          finishedAt !== null && ['Finished', <Moment at={finishedAt} />],
          duration !== null && ['Duration', lasting(duration)],
          coverage !== null && ['Coverage', `${Number(coverage.toFixed(2))} %`],
          job.status === 'FAILED' && job.failureReason !== null && ['Reason', job.failureReason.replaceAll('_', ' ')],
        ]}
      />
      {job.status === 'PENDING' && !job.external && (
        <WaitsForRunner place={place}>It waits for a runner of this project.</WaitsForRunner>
      )}
      <JobWays site={site} place={place} job={job} mayRun={mayRun} mayErase={mayErase} whole />
      {!job.external && <MayNotRun site={site} place={place} mayRun={mayRun} tag={job.tag} />}
      {artifacts.length > 0 && (
        <section aria-labelledby="artifacts">
          <h2 id="artifacts">Artifacts</h2>
          <ul class="records">
            {artifacts.map((file) => (
              <li>
                <a href={file.downloadPath} download>
                  <bdi>{file.name}</bdi>
                </a>{' '}
                <span class="hint">
                  {sizeWords(file.size)}
                  {file.expireAt !== null && (
                    <>
                      , until <Moment at={file.expireAt} />
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="log">
        <h2 id="log">Log</h2>
        <Log job={job} log={log} path={path} running={running} />
      </section>
    </PlaceLayout>
  );
}

/** What a page without scripts says of a log that grows. */
const later = '. It goes on; load the page again to see more.';

function Log({ job, log, path, running }: Pick<PageProps, 'job' | 'log' | 'path' | 'running'>) {
  if (log === null) return <p class="empty">You can’t see the log of this job.</p>;
  if (job.erasedAt !== null)
    return (
      <p class="empty">
        The log was erased on <Moment at={job.erasedAt} />.
      </p>
    );
  if (log.size === 0 && !running) return <p class="empty">The job wrote no log.</p>;
  return (
    <>
      <p class="hint">
        {log.cut && 'The beginning is left out. '}
        <a href={`${path}/raw`}>The whole log as text</a>, {sizeWords(log.size)}
        {running && (
          <span data-live={`${path}/live`} data-while=". It goes on." data-lost={later} data-follows="">
            {later}
          </span>
        )}
      </p>
      <ol class="job-log" dir="ltr" data-live-content dangerouslySetInnerHTML={{ __html: logHtml(log.text) }} />
    </>
  );
}
