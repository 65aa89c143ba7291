import type { Change, Subscription } from '../../../changes/index.ts';
import type { Context } from '../../../context.ts';
import { reads } from '../../../policy/index.ts';
import { whileReadable } from '../../engine/absent.ts';
import { builder } from '../../engine/builder.ts';
import { requirePerson } from '../../planning/issues/changes/input.ts';
import { pipelineByGlobalId } from '../pipelines/read.ts';
import { Pipeline } from '../pipelines/types.ts';
import { jobOf } from './find.ts';
import { CiJob } from './types.ts';

/** Live subscriptions to a pipeline and to a job, by GitLab’s names. */

const admission = { class: 'token', scopes: reads } as const;

/** The changes of a pipeline and of its jobs. */
const watch = (context: Context, pipeline: number) =>
  context.changes.subscribe(requirePerson(context), ({ subject, id }) => subject === 'PIPELINE' && id === pipeline);

builder.subscriptionField('ciPipelineStatusUpdated', (t) =>
  t.field({
    type: Pipeline,
    nullable: true,
    description:
      'A pipeline, after a change of its status or that of one of its jobs. Quick successive changes may be sent as one event; null if it is gone, or you no longer read it.',
    admission,
    args: { pipelineId: t.arg({ type: 'CiPipelineID', required: true }) },
    subscribe: async (_root, { pipelineId }, context) => {
      const { pipeline } = await pipelineByGlobalId(context, pipelineId);
      return await watch(context, pipeline.id);
    },
    resolve: async (_change, { pipelineId }, context) =>
      (await whileReadable(pipelineByGlobalId(context, pipelineId)))?.pipeline ?? null,
  }),
);

builder.subscriptionField('ciJobStatusUpdated', (t) =>
  t.field({
    type: CiJob,
    nullable: true,
    description:
      'A job, after a change of its status. Quick successive changes may be sent as one event; null if it is gone, or you no longer read it.',
    admission,
    args: { jobId: t.arg({ type: 'JobID', required: true }) },
    subscribe: async (_root, { jobId }, context) => {
      const { job } = await jobOf(context, { id: jobId });
      const statusNow = async () => (await whileReadable(jobOf(context, { id: jobId })))?.job.status;
      return whereDifferent(await watch(context, job.pipelineId), job.status, statusNow);
    },
    resolve: async (_change, { jobId }, context) => (await whileReadable(jobOf(context, { id: jobId })))?.job ?? null,
  }),
);

/**
 * The changes after which a value is another one: those of a pipeline are mostly about other jobs. An object and no
 * generator: `return` of a generator that waits for a change would wait for it, too.
 */
function whereDifferent<T>(changes: Subscription, first: T, read: () => Promise<T>): AsyncIterableIterator<Change> {
  let before = first;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      for (;;) {
        const change = await changes.next();
        if (change.done) return change;
        const now = await read();
        if (now === before) continue;
        before = now;
        return change;
      }
    },
    return: () => changes.return(),
  };
}
