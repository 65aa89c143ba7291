import type { Context } from '../../../context.ts';
import { parent } from '../../../database/list.ts';
import { isAdministrator, reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { listOfEach, nestedList, rootList } from '../../engine/list.ts';
import { CiJobStatus } from '../pipelines/types.ts';
import { mayAdminister, namedRunner } from '../runners/place.ts';
import { CiRunner } from '../runners/types.ts';
import { jobOrders, jobsOfRunner, type RunnerJobFilter } from './statements.ts';
import { CiJob } from './types.ts';

/** The jobs of runners. */

const filters = builder.args((t) => ({
  statuses: t.field({ type: [CiJobStatus], description: 'Only those with one of these.' }),
  systemId: t.string({ description: 'Only those of this machine of it.' }),
}));

const list = { type: CiJob, orders: { id: jobOrders.id }, by: 'id_desc' } as const;

/** Whose projects limit the jobs that are shown; null for administrators, who see all. */
const readerOf = ({ viewer }: Context): number | null => (isAdministrator(viewer) ? null : viewer.person!.id);

rootList('runnerJobs', {
  ...list,
  description:
    'The jobs that a runner carries out, or did, for those who administer it: those of projects that they read.',
  admission: { class: 'token', scopes: reads },
  args: (t) => ({ runner: t.field({ type: 'CiRunnerID', required: true }), ...filters }),
  rows: async (context, { runner: given, statuses, systemId }) => {
    const { id } = await namedRunner(context, given, 'administer');
    return jobsOfRunner(id, readerOf(context), { statuses, systemId });
  },
});

const ofRunners = listOfEach((context, filter: RunnerJobFilter) => jobsOfRunner(parent, readerOf(context), filter));

nestedList(CiRunner, 'jobs', {
  ...list,
  nullable: true,
  description: 'The jobs that it carries out, or did, of projects that you read; null if you don’t administer it.',
  args: () => filters,
  rows: async (context, { statuses, systemId }, _info, runner) =>
    (await mayAdminister(context, runner)) ? ofRunners(context, runner.id, { statuses, systemId }) : null,
});
