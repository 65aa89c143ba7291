import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../../context.ts';
import { Forbidden } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { activeStatuses } from '../../../values/ci/statuses.ts';
import { logHtml } from '../../../values/ci/log-html.ts';
import { below } from '../../places/place/layout.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { fileAnswer, type FileBytes } from '../../site/records/file-answer.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { isRecordNumber } from '../../site/paths.ts';
import type { Visit } from '../../site/visit.ts';
import { statusFields } from '../pipelines/status.tsx';
import { live } from '../live.ts';
import { jobActions } from './actions.tsx';
import { JobPage, type ShownLog, type WholeJob } from './view.tsx';

/** How much of the end of a log a page shows, in bytes. */
const shownBytes = 262_144;

type Sent = FileBytes & { readonly name: string };

const isRunning = (status: string) => (activeStatuses as readonly string[]).includes(status.toLowerCase());

/** Pages of jobs. */
export function jobPages(schema: GraphQLSchema): PlaceRoute[] {
  const readJob = compileOperation<{ readonly job: WholeJob }>(
    schema,
    `query ($project: ID!, $id: JobID!) {
      job(project: $project, id: $id) {
        databaseId name status ${statusFields} stageName refName sha duration coverage createdAt scheduledAt finishedAt erasedAt failureReason
        external tag retried cancelable retryable playable userPermissions { updateBuild eraseBuild }
        user { name webPath } pipeline { iid path }
        artifacts { nodes { name fileType size expireAt downloadPath } }
      }
    }`,
  );
  const readLog = compileOperation<{ readonly jobTrace: { readonly size: number; readonly end: ShownLog } }>(
    schema,
    `query ($project: ID!, $id: JobID!, $bytes: Int!, $watched: Boolean) {
      jobTrace(project: $project, job: $id, watched: $watched) { size end(bytes: $bytes) { text cut } }
    }`,
  );
  const readRaw = compileOperation<{ readonly jobTrace: { readonly bytes: Sent } }>(
    schema,
    'query ($project: ID!, $id: JobID!) { jobTrace(project: $project, job: $id) { bytes } }',
  );
  const readFile = compileOperation<{ readonly jobArtifact: { readonly bytes: Sent } }>(
    schema,
    'query ($project: ID!, $id: JobID!, $kind: String!) { jobArtifact(project: $project, job: $id, fileType: $kind) { bytes } }',
  );

  /** The end of the log; null if it isn’t for the viewer. */
  async function logOf({ context, named }: Visit, { fullPath }: PlaceHead, watched: boolean): Promise<ShownLog | null> {
    const variables = { project: fullPath, id: named.id, bytes: shownBytes, watched };
    try {
      const { jobTrace } = await readLog.execute(context, variables);
      return { size: jobTrace.size, text: jobTrace.end.text, cut: jobTrace.end.cut };
    } catch (error) {
      if (domainError(error) instanceof Forbidden) return null;
      throw error;
    }
  }

  const jobOf = async ({ context, named }: Visit, { fullPath }: PlaceHead): Promise<WholeJob> =>
    (await readJob.execute(context, { project: fullPath, id: named.id })).job;

  const isJob = ({ named }: Visit) => isRecordNumber(named.id);

  return [
    ...jobActions(schema),
    {
      path: '/jobs/:id',
      name: 'job',
      of: 'project',
      async get(visit, place) {
        if (!isJob(visit)) return null;
        const job = await jobOf(visit, place);
        const running = isRunning(job.status);
        const log = await logOf(visit, place, running);
        const page = (
          <JobPage
            site={visit.site}
            place={place}
            job={job}
            log={log}
            path={below(place, `/jobs/${job.databaseId}`)}
            running={running}
          />
        );
        return toAnswer(page, 200, running ? { scripts: true, requests: true } : {});
      },
    },
    {
      path: '/jobs/:id/raw',
      name: 'log of a job',
      of: 'project',
      async get(visit, { fullPath }) {
        if (!isJob(visit)) return null;
        const { jobTrace } = await readRaw.execute(visit.context, { project: fullPath, id: visit.named.id });
        return await fileAnswer(
          visit.exchange,
          jobTrace.bytes.name,
          jobTrace.bytes,
          'text/plain; charset=utf-8',
          'inline',
        );
      },
    },
    {
      path: '/jobs/:id/live',
      name: 'live log of a job',
      of: 'project',
      forPeople: true,
      async get(visit, place) {
        if (!isJob(visit)) return null;
        await jobOf(visit, place);
        const read = async () => {
          const [job, log] = await Promise.all([jobOf(visit, place), logOf(visit, place, true)]);
          return {
            state: `${job.status} ${log?.size}`,
            running: isRunning(job.status),
            html: log && (() => logHtml(log.text)),
          };
        };
        return live(visit.exchange, read);
      },
    },
    {
      path: '/jobs/:id/artifacts/download',
      name: 'artifacts of a job',
      of: 'project',
      async get(visit, { fullPath }) {
        if (!isJob(visit)) return null;
        const kind = readQuery(visit.exchange).file_type ?? 'archive';
        if (kind === 'trace') {
          const { jobTrace } = await readRaw.execute(visit.context, { project: fullPath, id: visit.named.id });
          return await fileAnswer(
            visit.exchange,
            jobTrace.bytes.name,
            jobTrace.bytes,
            'text/plain; charset=utf-8',
            'attachment',
          );
        }
        const variables = { project: fullPath, id: visit.named.id, kind };
        const { jobArtifact } = await readFile.execute(visit.context, variables);
        return await fileAnswer(
          visit.exchange,
          jobArtifact.bytes.name,
          jobArtifact.bytes,
          'application/octet-stream',
          'attachment',
        );
      },
    },
  ];
}
