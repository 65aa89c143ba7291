import { listRoute, ordering } from '../../engine/list-route.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import { recordOf } from '../../engine/record.ts';
import {
  CurrentUser,
  currentUserFields,
  ListedUser,
  User,
  userFields,
  type CurrentUserData,
  type UserData,
} from './record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

const tag = 'Users';

const flag = (name: string, description: string): Parameter => ({ name, type: 'boolean', default: false, description });

const order = ordering(
  { id: 'id', name: 'name', username: 'username', created_at: 'created', updated_at: 'updated' },
  'id',
  'desc',
  { toSort: (name) => name.toUpperCase() },
);

const listParameters: readonly Parameter[] = [
  {
    name: 'username',
    type: 'string',
    description: 'Only the user with this name; case doesn’t matter. Required without a token.',
  },
  {
    name: 'search',
    type: 'string',
    description: 'Only users whose name or username contains every word of this, or who have this email address.',
  },
  flag('active', 'Only users who aren’t blocked.'),
  flag('blocked', 'Only blocked users.'),
  flag('exclude_active', 'Only blocked users.'),
  flag('humans', 'Only human users; all users are.'),
  flag('exclude_humans', 'Without human users: the list is empty.'),
  flag('external', 'Only external users.'),
  flag('exclude_external', 'Without external users.'),
  flag('admins', 'Only administrators. This and all that follow are ignored unless you are an administrator.'),
  { name: 'created_after', type: 'date-time', description: 'Only users created after this time.' },
  { name: 'created_before', type: 'date-time', description: 'Only users created before this time.' },
  {
    name: 'two_factor',
    type: 'string',
    values: ['enabled', 'disabled'],
    description: 'Only users with two-factor authentication, or without it.',
  },
  ...order.parameters,
];

/** The states that pass every state filter: each filter removes states. */
function states({
  active,
  blocked,
  exclude_active: inactive,
  exclude_humans: excludeHumans,
  external,
  exclude_external: excludeExternal,
}: Values): string[] | undefined {
  if (excludeHumans || (external && excludeExternal)) return [];
  if (!active && !blocked && !inactive) return undefined;
  return [...(blocked || inactive ? [] : ['active']), ...(active ? [] : ['blocked'])];
}

export const readUserRoutes: readonly AnyRoute[] = [
  route<{ currentUser: CurrentUserData }>({
    method: 'GET',
    path: '/api/v4/user',
    summary: 'Get the authenticated user',
    tag,
    parameters: [],
    operation: `query { currentUser { ${currentUserFields} } }`,
    variables: () => ({}),
    person: 401,
    record: recordOf(CurrentUser, (data) => data.currentUser),
    dialect: 'version 4',
  }),
  listRoute({
    path: '/api/v4/users',
    summary: 'List users; administrators see more fields',
    tag,
    of: 'User',
    parameters: listParameters,
    field: 'users',
    args: {
      usernames: '[String!]',
      search: 'String',
      states: '[UserState!]',
      admins: 'Boolean',
      external: 'Boolean',
      createdAfter: 'Time',
      createdBefore: 'Time',
      twoFactor: 'Boolean',
      sort: 'Sort',
    },
    selection: userFields,
    variables: (values) => ({
      usernames: values.username == null ? undefined : [values.username],
      search: values.search,
      states: states(values),
      admins: values.admins,
      external: values.external ? true : values.exclude_external ? false : undefined,
      createdAfter: values.created_after,
      createdBefore: values.created_before,
      twoFactor: values.two_factor === 'enabled' ? true : values.two_factor === 'disabled' ? false : undefined,
      ...order.variables(values),
    }),
    record: ListedUser,
  }),
  route<{ user: UserData }>({
    method: 'GET',
    path: '/api/v4/users/:id',
    summary: 'Get a user; administrators see more fields',
    tag,
    parameters: [],
    operation: `query ($id: UserID!) { user(id: $id) { ${userFields} } }`,
    variables: ({ id }) => ({ id }),
    person: 403,
    subject: 'User',
    limits: { name: 'users_get_by_id', viewer: { most: 300, seconds: 600 } },
    record: recordOf(User, (data) => data.user),
    dialect: 'version 4',
  }),
];
