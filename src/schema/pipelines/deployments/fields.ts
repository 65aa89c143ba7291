import { BadRequest } from '../../../errors.ts';
import { holds, readEnvironments, reads } from '../../../policy/index.ts';
import { parent } from '../../../database/list.ts';
import { builder } from '../../engine/builder.ts';
import { listOfEach, nestedList, rootList } from '../../engine/list.ts';
import { Project } from '../../places/place/types.ts';
import { factsOf } from '../../places/projects/permissions.ts';
import { environmentsIn, prefetchEnvironments } from '../environments/read.ts';
import { Environment } from '../environments/types.ts';
import { deploymentIn, deploymentNumbered, lastDeployment } from './read.ts';
import { deploymentOrders, deploymentsOf, deploymentsTo, type DeploymentFilter } from './statements/reading.ts';
import { Deployment, DeploymentStatusEnum } from './types.ts';

/** The deployments of projects and environments. */

const statusesArg = builder.args((t) => ({
  statuses: t.field({ type: [DeploymentStatusEnum], description: 'Only those with one of these.' }),
}));

const filterArgs = builder.args((t) => ({
  environment: t.string({ description: 'Only those to the environment with this name.' }),
  updatedAfter: t.field({ type: 'Time', description: 'Only in the order of `updated_at`.' }),
  updatedBefore: t.field({ type: 'Time', description: 'Only in the order of `updated_at`.' }),
  finishedAfter: t.field({ type: 'Time', description: 'Only successful ones, in the order of `finished_at`.' }),
  finishedBefore: t.field({ type: 'Time', description: 'Only successful ones, in the order of `finished_at`.' }),
}));

const list = { type: Deployment, orders: deploymentOrders, by: 'id_asc' } as const;

/** A range of times is found along the index of its order only. @throws BadRequest */
function checked(filter: DeploymentFilter, orderBy: string): DeploymentFilter {
  const byUpdate = filter.updatedAfter != null || filter.updatedBefore != null;
  const byEnd = filter.finishedAfter != null || filter.finishedBefore != null;
  const pair = (field: string) => `\`${field}\` filter and \`${field}\` sorting must be paired`;
  if (byUpdate && byEnd) throw new BadRequest('Both `updated_at` filter and `finished_at` filter can not be specified');
  if (byUpdate && orderBy !== 'updated_at') throw new BadRequest(pair('updated_at'));
  if (byEnd && orderBy !== 'finished_at') throw new BadRequest(pair('finished_at'));
  if (byEnd && (filter.statuses?.length !== 1 || filter.statuses[0] !== 'success'))
    throw new BadRequest('`finished_at` filter must be combined with `success` status filter.');
  return filter;
}

rootList('deployments', {
  ...list,
  description: 'The deployments of a project.',
  admission: { class: 'token', scopes: reads, anonymous: true, job: true },
  prefetch: prefetchEnvironments,
  args: (t) => ({
    project: t.id({ required: true, description: 'Full path, global id or number.' }),
    ...filterArgs,
    ...statusesArg,
  }),
  rows: async (context, { project, orderBy, ...filter }) => {
    const { id } = await environmentsIn(context, project);
    return deploymentsOf(id, checked(filter, orderBy));
  },
});

const ofEach = listOfEach((_context, filter: Pick<DeploymentFilter, 'statuses'>) => deploymentsTo(parent, filter));

nestedList(Environment, 'deployments', {
  ...list,
  by: 'id_desc',
  nullable: true,
  description: 'The deployments to it, the newest first.',
  args: () => statusesArg,
  rows: (context, { statuses }, _info, { id }) => ofEach(context, id, { statuses }),
});

builder.objectField(Environment, 'lastDeployment', (t) =>
  t.field({
    type: Deployment,
    nullable: true,
    description: 'The newest deployment to it with a status: with `SUCCESS`, what is there now.',
    args: { status: t.arg({ type: DeploymentStatusEnum, defaultValue: 'success' }) },
    resolve: ({ id }, { status }, context) => lastDeployment(context, id, status ?? 'success'),
  }),
);

builder.queryField('deployment', (t) =>
  t.field({
    type: Deployment,
    nullable: true,
    description: 'A deployment of a project.',
    admission: { class: 'token', scopes: reads, anonymous: true, job: true },
    prefetch: prefetchEnvironments,
    args: {
      project: t.arg.id({ required: true, description: 'Full path, global id or number.' }),
      id: t.arg.id({ required: true }),
    },
    resolve: async (_root, { project, id }, context) => (await deploymentIn(context, project, id)).deployment,
  }),
);

builder.objectField(Project, 'deployment', (t) =>
  t.field({
    type: Deployment,
    nullable: true,
    description: 'One of its deployments; null if it is missing or you don’t see it.',
    args: { iid: t.arg.id({ required: true, description: 'Its number in the project.' }) },
    resolve: async (record, { iid }, context) =>
      holds(readEnvironments, context.viewer, await factsOf(context, record))
        ? await deploymentNumbered(context, record.id, iid)
        : null,
  }),
);
