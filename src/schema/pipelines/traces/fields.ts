import { holds, readJobs, readPrivateJobFiles, reads } from '../../../policy/index.ts';
import { summaryHtml } from '../../../values/ci/log-html.ts';
import { builder } from '../../engine/builder.ts';
import { rightsById } from '../../places/projects/permissions.ts';
import { prefetchRepository } from '../../repository/repositories/look-up.ts';
import { traceFor } from '../job-files/find.ts';
import { jobIn } from '../jobs/find.ts';
import { CiJob } from '../jobs/types.ts';
import { readEnd, readTrace, traceOf, type Trace, type TraceEnd } from './read.ts';
import { watch } from './watched.ts';

/** The log of a job. */

interface TraceRecord {
  readonly jobId: number;
  /** Undefined: the job has written nothing yet. */
  readonly trace: Trace | undefined;
}

const CiJobTraceEnd = builder.objectRef<TraceEnd>('CiJobTraceEnd').implement({
  description: 'The last lines of a log.',
  fields: (t) => ({
    text: t.exposeString('text'),
    cut: t.exposeBoolean('cut', { description: 'Whether there is more before them.' }),
  }),
});

/** Most bytes of a log that are read at once. */
const mostBytes = 1_048_576;

/** Of a summary. */
const most = { bytes: 16_384, lines: 100 };

const CiJobTrace = builder.objectRef<TraceRecord>('CiJobTrace').implement({
  description: 'What a job writes while it runs. What is secret in it is masked.',
  fields: (t) => ({
    size: t.float({
      description: 'How many bytes its runner has sent.',
      direct: true,
      resolve: ({ trace }) => trace?.size ?? 0,
    }),
    end: t.field({
      type: CiJobTraceEnd,
      description: 'Its last whole lines.',
      args: { bytes: t.arg.int({ required: true, description: `How much at most: up to ${mostBytes}.` }) },
      resolve: ({ trace }, { bytes }, context) =>
        trace ? readEnd(context, trace, Math.max(0, Math.min(bytes, mostBytes))) : { text: '', cut: false },
    }),
    htmlSummary: t.string({
      description: `Its last lines as HTML, of at most ${most.bytes} bytes.`,
      args: { lastLines: t.arg.int({ defaultValue: 10, description: `How many: at most ${most.lines}.` }) },
      resolve: async ({ trace }, { lastLines }, context) => {
        const { text } = trace ? await readEnd(context, trace, most.bytes) : { text: '' };
        return summaryHtml(text, Math.max(1, Math.min(lastLines ?? 10, most.lines)));
      },
    }),
    bytes: t.field({
      type: 'Bytes',
      description: 'All of it, as its runner sent it.',
      resolve: ({ jobId, trace }, _args, context) => ({
        name: `${jobId}.log`,
        ...(!trace && { bytes: Buffer.alloc(0) }),
        open: () => readTrace(context, trace!),
      }),
    }),
  }),
});

builder.queryField('jobTrace', (t) =>
  t.field({
    type: CiJobTrace,
    nullable: true,
    description: 'The log of a job.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    prefetch: prefetchRepository,
    args: {
      project: t.arg.id({ required: true, description: 'Full path, global id or number.' }),
      job: t.arg({ type: 'JobID', required: true }),
      watched: t.arg.boolean({
        description: 'Whether someone looks at it as it grows: its runner then sends it more often.',
      }),
    },
    resolve: async (_root, { project, job, watched }, context) => {
      const found = await jobIn(context, project, job);
      if (watched) watch(context, found.job.id);
      return { jobId: found.job.id, trace: await traceFor(context, found) };
    },
  }),
);

builder.objectField(CiJob, 'trace', (t) =>
  t.field({
    type: CiJobTrace,
    nullable: true,
    description: 'Its log; null if it wrote none, and if you don’t read it.',
    resolve: async ({ id: jobId, kind, projectId }, _args, context) => {
      if (kind !== 'job') return null;
      const [trace, project] = await Promise.all([traceOf(context, jobId), rightsById(context, projectId)]);
      if (!trace || trace.size === 0 || !project) return null;
      const rule = trace.debug ? readPrivateJobFiles : readJobs;
      return holds(rule, context.viewer, project.facts) ? { jobId, trace } : null;
    },
  }),
);
