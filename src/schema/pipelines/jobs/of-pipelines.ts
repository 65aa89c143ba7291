import { parent } from '../../../database/list.ts';
import { listOfEach, nestedList } from '../../engine/list.ts';
import { CiJobStatus, Pipeline } from '../pipelines/types.ts';
import { readsJobsIn } from './read.ts';
import { jobOrders, jobsOf, type JobFilter } from './statements.ts';
import { CiJob } from './types.ts';

/** The jobs of pipelines. */

const ofEach = listOfEach((_context, filter: JobFilter) => jobsOf(parent, filter));

nestedList(Pipeline, 'jobs', {
  type: CiJob,
  nullable: true,
  description:
    'Its jobs and reported statuses, the newest first. Only the statuses, if you don’t read its jobs; null if you ask only for those.',
  orders: { id: jobOrders.id },
  by: 'id_desc',
  args: (t) => ({
    statuses: t.field({ type: [CiJobStatus], description: 'Only those with one of these.' }),
    retried: t.boolean({
      description: 'Those in whose place a later one counts, or only the others; the others if omitted.',
      defaultValue: false,
    }),
    external: t.boolean({ description: 'Only reported statuses, or only jobs.' }),
  }),
  rows: async (context, { statuses, retried, external }, _info, { id, projectId }) => {
    const readsJobs = await readsJobsIn(context, projectId);
    if (!readsJobs && external === false) return null;
    return ofEach(context, id, {
      statuses,
      retried: retried ?? false,
      ...((external != null || !readsJobs) && { kind: external === false ? 'job' : 'status' }),
    });
  },
});
