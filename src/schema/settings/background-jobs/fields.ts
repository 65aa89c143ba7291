import {
  countJobs,
  failedJobs,
  retryDead,
  type JobCountRow,
  type JobRow,
} from '../../../jobs/statements/administration.ts';
import { jobKinds, kindOf, type JobName } from '../../../values/kinds/job-kinds.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { idOf, globalId } from '../../engine/global-id.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';

/** Failures that are listed. */
const mostFailures = 100;

const meaningOf = (name: string): string | null => (name in jobKinds ? kindOf(name as JobName).meaning : null);

const JobKind = builder.objectRef<JobCountRow>('BackgroundJobKind').implement({
  description: 'Background jobs of one kind: how many there are.',
  fields: (t) => ({
    name: t.exposeString('name'),
    meaning: t.string({
      nullable: true,
      description: 'What they do; null for a kind of another version.',
      resolve: ({ name }) => meaningOf(name),
    }),
    waiting: t.exposeInt('waiting'),
    running: t.exposeInt('running'),
    dead: t.exposeInt('dead', { description: 'Failed in every attempt.' }),
    overdueSeconds: t.float({
      description: 'For how long the oldest has been waiting to run; 0 if none is due.',
      resolve: ({ overdue }) => Math.max(0, overdue),
    }),
  }),
});

const FailedJob = builder.objectRef<JobRow>('FailedBackgroundJob').implement({
  description: 'A background job that failed, and why.',
  fields: (t) => ({
    id: t.id({ description: 'The global id.', resolve: ({ id }) => globalId('BackgroundJob', BigInt(id)) }),
    name: t.exposeString('name'),
    attempts: t.exposeInt('attempts'),
    error: t.exposeString('last_error', { nullable: true, description: 'Without secrets.' }),
    createdAt: t.expose('created_at', { type: 'Time' }),
    nextAttemptAt: t.field({
      type: 'Time',
      nullable: true,
      description: 'Null: it has failed for good.',
      resolve: ({ dead_at: dead, run_at: next }) => (dead ? null : next),
    }),
  }),
});

const Queue = builder.objectRef<object>('BackgroundJobs').implement({
  description: 'The queue of background jobs.',
  fields: (t) => ({
    kinds: t.field({
      type: [JobKind],
      description: 'Kinds that have jobs now.',
      resolve: (_queue, _args, { database }) => database.rows(countJobs, []),
    }),
    failures: t.field({
      type: [FailedJob],
      description: `Jobs that have failed: those for good first, the latest ${mostFailures}.`,
      resolve: (_queue, _args, { database }) => database.rows(failedJobs, [mostFailures]),
    }),
  }),
});

builder.queryField('backgroundJobs', (t) =>
  t.field({
    type: Queue,
    nullable: true,
    description: 'The queue of background jobs. For administrators.',
    admission: { class: 'session' },
    resolve: (_root, _args, context) => {
      requireAdministrator(context);
      return {};
    },
  }),
);

mutation('retryBackgroundJobs', {
  description: 'Runs background jobs again that have failed for good. For administrators.',
  admission: { class: 'session' },
  input: (t) => ({ id: t.id({ description: 'One of them. Omitted: all.' }) }),
  payload: (t: FieldsOf<{ retried: number }>) => ({ retried: t.exposeInt('retried') }),
  resolve: async (context, { id }) => {
    requireAdministrator(context);
    const [row] = await context.database.rows(retryDead, [id == null ? null : idOf(id, 'BackgroundJob')]);
    return row!;
  },
});
