import type { Context } from '../../../context.ts';
import { builder } from '../../engine/builder.ts';
import { DetailedStatus } from '../pipelines/types.ts';
import { mayUpdate } from '../pipelines/rights.ts';
import { isCancelable, isPlayable, isRetryable } from './states-of-one.ts';
import type { JobRecord } from './statements.ts';
import { pathOfJob } from './types.ts';

/** The buttons beside the statuses of jobs. */

/** What the buttons do: the last part of the path, the icon and the words. */
const actions = {
  unschedule: ['time-out', 'Unschedule', 'Unschedule job'],
  play: ['play', 'Run', 'Run this job'],
  cancel: ['cancel', 'Cancel', 'Cancel this job'],
  retry: ['retry', 'Retry', 'Retry this job'],
} as const satisfies Record<string, readonly [icon: string, title: string, button: string]>;
type Way = keyof typeof actions;

/** What a button beside a job does. That a person may start it counts for more than that it can be canceled. */
function wayOf(job: JobRecord): Way | undefined {
  if (job.kind !== 'job') return undefined;
  if (job.status === 'scheduled') return 'unschedule';
  if (isPlayable(job)) return 'play';
  if (isCancelable(job)) return 'cancel';
  return isRetryable(job) ? 'retry' : undefined;
}

interface Action {
  readonly job: JobRecord;
  readonly way: Way;
}

const StatusAction = builder.objectRef<Action>('StatusAction').implement({
  description: 'A button beside the status of a job.',
  fields: (t) => ({
    id: t.id({
      description: 'Differs between jobs, and between what is done with one.',
      direct: true,
      resolve: ({ job, way }) => `${way}-${job.id}`,
    }),
    title: t.string({
      nullable: true,
      description: 'A word: `Retry`.',
      direct: true,
      resolve: ({ way }) => actions[way][1],
    }),
    buttonTitle: t.string({
      nullable: true,
      description: 'What it does: `Retry this job`.',
      direct: true,
      resolve: ({ way }) => actions[way][2],
    }),
    confirmationMessage: t.string({
      nullable: true,
      description: 'Null: nothing has to be confirmed.',
      direct: true,
      resolve: () => null,
    }),
    icon: t.string({
      nullable: true,
      description: 'The name of an icon.',
      direct: true,
      resolve: ({ way }) => actions[way][0],
    }),
    method: t.string({
      nullable: true,
      description: 'The method of the request.',
      direct: true,
      resolve: () => 'post',
    }),
    path: t.string({
      nullable: true,
      description: 'Where a form of the pages does it.',
      direct: true,
      resolve: ({ job, way }) => `${pathOfJob(job)}/${way}`,
    }),
  }),
});

async function actionOf(context: Context, job: JobRecord | null): Promise<Action | null> {
  const way = job ? wayOf(job) : undefined;
  return job && way && (await mayUpdate(context, job)) ? { job, way } : null;
}

builder.objectField(DetailedStatus, 'action', (t) =>
  t.field({
    type: StatusAction,
    nullable: true,
    description: 'What you can do with the job that has it; null if you may not, and for more than one job.',
    resolve: ({ job }, _args, context) => actionOf(context, job),
  }),
);
