import type { Context } from '../../../context.ts';
import { batched } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { latestJobsOf, type JobRecord } from '../jobs/read.ts';
import { CiJob } from '../jobs/types.ts';
import { Pipeline } from '../pipelines/types.ts';
import { findWithoutRunner } from './statements.ts';

/** What waits for a runner, and no runner takes it. */

/** Whether no runner takes a job that waits; those of a page are looked up in one statement. */
const lacksRunner = batched<true>(async ({ database }, jobs) => {
  const rows = await database.rows(findWithoutRunner, [jobs]);
  return new Map(rows.map(({ id }) => [id, true]));
});

const isStuck = async (context: Context, { id, kind, status }: JobRecord): Promise<boolean> =>
  kind === 'job' && status === 'pending' && (await lacksRunner(context, id)) === true;

builder.objectField(CiJob, 'stuck', (t) =>
  t.boolean({
    description:
      'Whether it waits for a runner, and none that asked for jobs in the last two hours may carry it out: by its tags, by whether it is of a protected branch or tag, and by the project.',
    resolve: (job, _args, context) => isStuck(context, job),
  }),
);

builder.objectField(Pipeline, 'stuck', (t) =>
  t.boolean({
    description: 'Whether one of its jobs is stuck, of those that you read.',
    resolve: async (pipeline, _args, context) => {
      const jobs = await latestJobsOf(context, pipeline);
      return (await Promise.all(jobs.map((job) => isStuck(context, job)))).includes(true);
    },
  }),
);
