import { BadRequest, NotFound, PlainBadRequest } from '../../../errors.ts';
import { holds, readEnvironments, reads } from '../../../policy/index.ts';
import { environmentStates } from '../../../values/ci/environments.ts';
import { builder } from '../../engine/builder.ts';
import { nestedList, rootList } from '../../engine/list.ts';
import { factsOf } from '../../places/projects/permissions.ts';
import { Project } from '../../places/place/types.ts';
import { environmentByName, environmentsIn, namedEnvironment, prefetchEnvironments } from './read.ts';
import { environmentList, environmentOrders, type EnvironmentFilter } from './statements/reading.ts';
import { Environment } from './types.ts';

/** The environments of projects. */

const shortestSearch = 3;

/** @throws BadRequest, PlainBadRequest */
function checked(filter: EnvironmentFilter): EnvironmentFilter {
  if (filter.name != null && filter.search != null) throw new PlainBadRequest('name, search cannot be used together');
  if (filter.search && filter.search.length < shortestSearch)
    throw new BadRequest(`Search query is less than ${shortestSearch} characters`);
  const wrong = filter.states?.filter((state) => !(environmentStates as readonly string[]).includes(state)) ?? [];
  if (wrong.length > 0) throw new BadRequest(`Requested states are invalid: ${wrong.join(', ')}`);
  return filter;
}

const filterArgs = builder.args((t) => ({
  name: t.string({ description: 'Only the one with this name.' }),
  search: t.string({ description: 'Only those with this in their name; at least three characters.' }),
  states: t.stringList({ description: 'Only those in one of these: `available`, `stopping`, `stopped`.' }),
  type: t.string({ description: 'Only those whose name has this before its first slash.' }),
}));

const list = { type: Environment, orders: environmentOrders, by: 'name_asc' } as const;

rootList('environments', {
  ...list,
  description: 'The environments of a project, by name.',
  admission: { class: 'token', scopes: reads, anonymous: true, job: true },
  prefetch: prefetchEnvironments,
  args: (t) => ({ project: t.id({ required: true, description: 'Full path, global id or number.' }), ...filterArgs }),
  rows: async (context, { project, ...filter }) => {
    const { id } = await environmentsIn(context, project);
    return environmentList(id, checked(filter));
  },
});

nestedList(Project, 'environments', {
  ...list,
  nullable: true,
  description: 'Its environments, by name; null if you don’t see them.',
  args: () => filterArgs,
  rows: async (context, filter, _info, record) => {
    if (!holds(readEnvironments, context.viewer, await factsOf(context, record))) return null;
    return environmentList(record.id, checked(filter));
  },
});

builder.queryField('environment', (t) =>
  t.field({
    type: Environment,
    nullable: true,
    description: 'An environment of a project.',
    admission: { class: 'token', scopes: reads, anonymous: true, job: true },
    prefetch: prefetchEnvironments,
    args: {
      project: t.arg.id({ required: true, description: 'Full path, global id or number.' }),
      id: t.arg({ type: 'EnvironmentID', required: true }),
    },
    resolve: async (_root, named, context) => (await namedEnvironment(context, named)).environment,
  }),
);

builder.objectField(Project, 'environment', (t) =>
  t.field({
    type: Environment,
    nullable: true,
    description: 'One of its environments; null if it is missing or you don’t see it.',
    args: { name: t.arg.string(), id: t.arg({ type: 'EnvironmentID' }) },
    resolve: async (record, { name, id }, context) => {
      if (!holds(readEnvironments, context.viewer, await factsOf(context, record))) return null;
      if (name != null) return (await environmentByName(context, record.id, name)) ?? null;
      if (id == null) return null;
      try {
        return (await namedEnvironment(context, { project: String(record.id), id })).environment;
      } catch (error) {
        if (error instanceof NotFound) return null;
        throw error;
      }
    },
  }),
);
