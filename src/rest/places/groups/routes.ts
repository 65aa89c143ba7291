import { NotFound } from '../../../errors.ts';
import { listRoute, ordering } from '../../engine/list-route.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import { Group, GroupDetail, groupFields, type GroupData, type GroupDetailData } from './record.ts';
import { projectFields } from '../projects/record.ts';
import { Accepted, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { projectListRoute } from '../projects/list.ts';

const tag = 'Groups';

const visibility: Parameter = {
  name: 'visibility',
  type: 'string',
  allowed: ['private', 'internal', 'public'],
  description: 'Who can see it.',
};
const upperCase = (value: Values[string]) => (typeof value === 'string' ? value.toUpperCase() : undefined);

const order = ordering(
  ['name', 'path', 'id', 'similarity'],
  'name',
  'asc',
  'What the list is ordered by; `similarity` means the name.',
);

/** The parameters of every list of groups. */
const listParameters: readonly Parameter[] = [
  { name: 'skip_groups', type: 'integers', description: 'Not these groups.' },
  {
    name: 'all_available',
    type: 'boolean',
    description: 'All that you can see, rather than those of which you are a member.',
  },
  { ...visibility, description: 'Only those of this visibility.' },
  { name: 'search', type: 'string', description: 'Only those in whose name or path every word of this is.' },
  { name: 'owned', type: 'boolean', default: false, description: 'Only those that you own yourself.' },
  ...order.parameters,
  {
    name: 'min_access_level',
    type: 'integer',
    allowed: ['10', '20', '30', '40', '50'],
    description: 'Only those in which your role is at least this.',
  },
  { name: 'top_level_only', type: 'boolean', default: false, description: 'Only those that lie in no other.' },
];

/** A list of groups. @param narrowed what its path says of the filter */
function groupListRoute(
  path: string,
  summary: string,
  narrowed: (values: Values) => Record<string, unknown> = () => ({}),
): AnyRoute {
  return listRoute({
    path,
    summary,
    tag,
    of: 'Group',
    parameters: listParameters,
    field: 'groups',
    args: { filter: 'GroupFilter', orderBy: 'GroupOrder', direction: 'SortDirection' },
    selection: groupFields,
    variables: (values) => ({
      ...order.variables(values.order_by === 'similarity' ? { ...values, order_by: 'name' } : values),
      filter: {
        skip: values.skip_groups,
        allAvailable: values.all_available,
        visibility: upperCase(values.visibility),
        search: values.search,
        owned: values.owned,
        minAccessLevel: values.min_access_level,
        topLevelOnly: values.top_level_only,
        ...narrowed(values),
      },
    }),
    record: Group,
  });
}

const inGroup = projectListRoute(
  '/api/v4/groups/:id/projects',
  'The projects of a group',
  ({ id, include_subgroups: includeSubgroups }) => ({
    group: id,
    includeSubgroups,
  }),
);

/** What both making and changing a group takes. */
const settings: readonly Parameter[] = [
  { name: 'description', type: 'string', description: 'What it is for.' },
  visibility,
];

/** Only what was sent: what is left out keeps its value. */
const toInput = (values: Values) => ({
  ...('name' in values && { name: values.name }),
  ...('path' in values && { path: values.path }),
  ...('description' in values && { description: values.description }),
  ...(values.visibility != null && { visibility: upperCase(values.visibility) }),
});

export const groupRoutes: readonly AnyRoute[] = [
  groupListRoute('/api/v4/groups', 'Groups that you can see, or of which you are a member'),
  route<{ group: GroupData | null; projects?: GroupDetailData['projects'] }>({
    method: 'GET',
    path: '/api/v4/groups/:id',
    summary: 'A group',
    tag,
    parameters: [
      { name: 'with_projects', type: 'boolean', default: true, description: 'With up to 100 of its projects.' },
    ],
    operation: `query ($id: ID!, $withProjects: Boolean!) {
      group(id: $id) { ${groupFields} }
      projects(filter: { group: $id }, first: 100) @include(if: $withProjects) { nodes { ${projectFields} } }
    }`,
    variables: ({ id, with_projects: withProjects }) => ({ id, withProjects: withProjects ?? true }),
    record: recordOf(
      GroupDetail,
      ({ group, projects }: { group: GroupData | null; projects?: GroupDetailData['projects'] }) => {
        if (!group) throw new NotFound('Group');
        return { group, ...(projects && { projects }) };
      },
    ),
    dialect: 'version 4',
  }),
  groupListRoute('/api/v4/groups/:id/subgroups', 'The groups directly in a group', ({ id }) => ({ parent: id })),
  groupListRoute('/api/v4/groups/:id/descendant_groups', 'All groups below a group', ({ id }) => ({
    parent: id,
    includeDescendants: true,
  })),
  {
    ...inGroup,
    parameters: [
      { name: 'include_subgroups', type: 'boolean', default: false, description: 'Those of the groups below it too.' },
      ...inGroup.parameters,
    ],
  },
  route<{ createGroup: { group: GroupData } }>({
    method: 'POST',
    path: '/api/v4/groups',
    summary: 'Make a group, at the root or in a group',
    tag,
    parameters: [
      { name: 'name', type: 'string', required: true, description: 'As people read it.' },
      { name: 'path', type: 'string', required: true, description: 'As addresses have it.' },
      {
        name: 'parent_id',
        type: 'integer',
        description: 'The number of the group to make it in; left out: at the root.',
      },
      ...settings,
    ],
    example: { name: 'Design', path: 'design', visibility: 'private' },
    status: 201,
    refusals: [404],
    operation: `mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { ${groupFields} } } }`,
    variables: (values) => ({
      input: { ...toInput(values), name: values.name ?? '', path: values.path ?? '', parent: values.parent_id },
    }),
    record: recordOf(Group, ({ createGroup }: { createGroup: { group: GroupData } }) => createGroup.group),
    dialect: 'making a group',
  }),
  route<{ updateGroup: { group: GroupData } }>({
    method: 'PUT',
    path: '/api/v4/groups/:id',
    summary: 'Change a group',
    tag,
    parameters: [
      { name: 'name', type: 'string', description: 'As people read it.' },
      { name: 'path', type: 'string', description: 'As addresses have it: all that lies in it moves along.' },
      ...settings,
    ],
    example: { name: 'Design and art' },
    operation: `mutation ($input: UpdateGroupInput!) { updateGroup(input: $input) { group { ${groupFields} } } }`,
    variables: (values) => ({ input: { group: values.id, ...toInput(values) } }),
    record: recordOf(Group, ({ updateGroup }: { updateGroup: { group: GroupData } }) => updateGroup.group),
    dialect: 'version 4',
  }),
  route({
    method: 'DELETE',
    path: '/api/v4/groups/:id',
    summary: 'Remove a group with all that lies in it',
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
