import { NotFound } from '../../../errors.ts';
import { groupAttributes } from '../../../values/attributes/group-attributes.ts';
import { attributeInput, attributeParameters } from '../../engine/attributes.ts';
import { listRoute, ordering } from '../../engine/list-route.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import {
  Group,
  GroupDetail,
  groupDetailFields,
  groupFields,
  projectsOfGroup,
  statisticsFields,
  type SingleGroupData,
} from './record.ts';
import { Project } from '../projects/record.ts';
import { Accepted, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { avatarInput, avatarParameter } from '../avatars/parameter.ts';
import { accessLevels } from '../members/record.ts';
import { groupProjectParameters, projectListRoute } from '../projects/list.ts';

const tag = 'Groups';

const visibility: Parameter = {
  name: 'visibility',
  type: 'string',
  allowed: ['private', 'internal', 'public'],
  description: 'Who can see the group.',
};

const order = ordering({ name: 'name', path: 'path', id: 'id', similarity: 'similarity' }, 'name', 'asc', {
  description: 'Field to sort by; `similarity`, the most similar first, needs a search, otherwise it means the name.',
});

/** The order of a list: what resembles a search most comes first, whatever `sort` says. */
const orderOf = (values: Values) =>
  values.order_by !== 'similarity'
    ? order.variables(values)
    : values.search
      ? { sort: 'similarity_desc' }
      : order.variables({ ...values, order_by: 'name' });

const statistics: Parameter = {
  name: 'statistics',
  type: 'boolean',
  default: false,
  description: 'Include sizes; for administrators.',
};

/** The parameters of every list of groups. */
const listParameters: readonly Parameter[] = [
  { name: 'skip_groups', type: 'integers', description: 'Without these groups.' },
  {
    name: 'all_available',
    type: 'boolean',
    description: 'All groups that you can see, not only those that you are a member of.',
  },
  { ...visibility, description: 'Only groups with this visibility.' },
  { name: 'search', type: 'string', description: 'Only groups whose name or path contains every word of this.' },
  { name: 'owned', type: 'boolean', default: false, description: 'Only groups that you own.' },
  ...order.parameters,
  {
    name: 'min_access_level',
    type: 'integer',
    allowed: ['10', '15', '20', '30', '40', '50'],
    description: 'Only groups in which you have at least this role.',
  },
  {
    name: 'archived',
    type: 'boolean',
    description: 'False: only groups that aren’t archived, as all are. True: only archived ones.',
  },
  {
    name: 'active',
    type: 'boolean',
    description: 'True: only groups that are neither archived nor being deleted, as all are. False: only the others.',
  },
  statistics,
  { name: 'top_level_only', type: 'boolean', default: false, description: 'Only top-level groups.' },
];

/**
 * A list of groups.
 * @param narrowing the types of the arguments that the path sets
 * @param narrowed their values
 */
export function groupListRoute(
  path: string,
  summary: string,
  narrowing: Readonly<Record<string, string>> = {},
  narrowed: (values: Values) => Record<string, unknown> = () => ({}),
): AnyRoute {
  return listRoute({
    path,
    summary,
    tag,
    of: 'Group',
    keyset: () => true,
    cursor: true,
    parameters: listParameters,
    field: 'groups',
    args: {
      skip: '[ID!]',
      allAvailable: 'Boolean',
      visibilityLevel: 'VisibilityLevelsEnum',
      search: 'String',
      ownedOnly: 'Boolean',
      minAccessLevel: 'AccessLevelEnum',
      topLevelOnly: 'Boolean',
      archived: 'Boolean',
      active: 'Boolean',
      sort: 'String',
      ...narrowing,
    },
    selection: `${groupFields} ${statisticsFields}`,
    selects: { statistics: 'Boolean!' },
    variables: (values) => ({
      ...orderOf(values),
      skip: values.skip_groups,
      allAvailable: values.all_available,
      visibilityLevel: values.visibility,
      search: values.search,
      ownedOnly: values.owned,
      minAccessLevel: accessLevels[values.min_access_level as number],
      topLevelOnly: values.top_level_only,
      archived: values.archived,
      active: values.active,
      statistics: values.statistics ?? false,
      ...narrowed(values),
    }),
    record: Group,
  });
}

const inGroup = projectListRoute(
  '/api/v4/groups/:id/projects',
  'List the projects of a group',
  { group: 'ID', includeSubgroups: 'Boolean', includeAncestorGroups: 'Boolean', withShared: 'Boolean' },
  (values) => ({
    group: values.id,
    includeSubgroups: values.include_subgroups,
    includeAncestorGroups: values.include_ancestor_groups,
    withShared: values.with_shared ?? true,
  }),
  groupProjectParameters,
  Project,
);

/** Parameters for both creating and changing a group. */
const settings: readonly Parameter[] = [
  { name: 'description', type: 'string', description: 'Description of the group.' },
  visibility,
  avatarParameter,
  ...attributeParameters(groupAttributes),
];

/** The input of the operation: only sent values, so that an omitted one doesn't change. */
const toInput = (values: Values) => ({
  ...('name' in values && { name: values.name }),
  ...('path' in values && { path: values.path }),
  ...('description' in values && { description: values.description }),
  ...(values.visibility != null && { visibility: values.visibility }),
  ...avatarInput(values),
  ...attributeInput(groupAttributes, values),
});

export const groupRoutes: readonly AnyRoute[] = [
  groupListRoute('/api/v4/groups', 'List groups that you can see or are a member of'),
  route<{ group: SingleGroupData | null }>({
    method: 'GET',
    path: '/api/v4/groups/:id',
    summary: 'Get a group',
    tag,
    parameters: [
      { name: 'with_projects', type: 'boolean', default: true, description: 'Include up to 100 of its projects.' },
      statistics,
    ],
    operation: `query ($id: ID!, $withProjects: Boolean!, $statistics: Boolean!) {
      group(fullPath: $id) {
        ${groupDetailFields} runnersToken ${statisticsFields}
        ... @include(if: $withProjects) { ${projectsOfGroup} }
      }
    }`,
    variables: (values) => ({
      id: values.id,
      withProjects: values.with_projects ?? true,
      statistics: values.statistics ?? false,
    }),
    record: recordOf(GroupDetail, ({ group }: { group: SingleGroupData | null }) => {
      if (!group) throw new NotFound('Group');
      return { group };
    }),
    dialect: 'version 4',
  }),
  groupListRoute(
    '/api/v4/groups/:id/subgroups',
    'List the direct subgroups of a group',
    { parentPath: 'ID' },
    ({ id: parentPath }) => ({ parentPath }),
  ),
  groupListRoute(
    '/api/v4/groups/:id/descendant_groups',
    'List all subgroups of a group, at any depth',
    { parentPath: 'ID', includeDescendants: 'Boolean' },
    ({ id: parentPath }) => ({
      parentPath,
      includeDescendants: true,
    }),
  ),
  inGroup,
  route<{ createGroup: { group: SingleGroupData } }>({
    method: 'POST',
    path: '/api/v4/groups',
    summary: 'Create a group, at the top level or in a group',
    tag,
    parameters: [
      { name: 'name', type: 'string', required: true, description: 'Display name.' },
      { name: 'path', type: 'string', required: true, description: 'Path of the group in addresses.' },
      {
        name: 'parent_id',
        type: 'integer',
        description: 'ID of the parent group. Default: none, a top-level group.',
      },
      ...settings,
    ],
    example: { name: 'Design', path: 'design', visibility: 'private' },
    status: 201,
    refusals: [404],
    operation: `mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { ${groupDetailFields} } } }`,
    variables: (values) => ({
      input: { ...toInput(values), name: values.name ?? '', path: values.path ?? '', parent: values.parent_id },
    }),
    record: recordOf(GroupDetail, ({ createGroup }: { createGroup: { group: SingleGroupData } }) => createGroup),
    dialect: 'making a group',
  }),
  route<{ groupUpdate: { group: SingleGroupData } }>({
    method: 'PUT',
    path: '/api/v4/groups/:id',
    summary: 'Change a group',
    tag,
    parameters: [
      { name: 'name', type: 'string', description: 'Display name.' },
      {
        name: 'path',
        type: 'string',
        description: 'Path of the group in addresses. Addresses of its subgroups and projects change too.',
      },
      ...settings,
    ],
    example: { name: 'Design and art' },
    operation: `mutation ($input: GroupUpdateInput!) {
      groupUpdate(input: $input) { group { ${groupDetailFields} runnersToken ${projectsOfGroup} } }
    }`,
    variables: (values) => ({ input: { fullPath: values.id, ...toInput(values) } }),
    record: recordOf(GroupDetail, ({ groupUpdate }: { groupUpdate: { group: SingleGroupData } }) => groupUpdate),
    dialect: 'version 4',
  }),
  route({
    method: 'DELETE',
    path: '/api/v4/groups/:id',
    summary: 'Delete a group with its subgroups and projects',
    tag,
    parameters: [],
    status: 202,
    conditional: true,
    operation: 'mutation ($input: DeleteGroupInput!) { deleteGroup(input: $input) { group { id } } }',
    variables: ({ id }, { unmodifiedSince }) => ({ input: { group: id, unmodifiedSince } }),
    record: Accepted,
    dialect: 'version 4',
  }),
];
