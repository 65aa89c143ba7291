import { listRoute, ordering } from '../../engine/list-route.ts';
import type { Declaration, Parameter, Values } from '../../engine/parameters.ts';
import { recordOf } from '../../engine/record.ts';
import {
  administers,
  CurrentUser,
  currentUserFields,
  ListedUser,
  listedUserFields,
  singleUserFields,
  User,
  type CurrentUserData,
  type SingleUserData,
} from './record.ts';
import { customAttributes, matchingNothing } from '../../engine/custom-attributes.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

const tag = 'Users';

const flag = (name: string, description: string): Parameter => ({ name, type: 'boolean', default: false, description });

const order = ordering(
  { id: 'id', name: 'name', username: 'username', created_at: 'created', updated_at: 'updated' },
  'id',
  'desc',
  { toSort: (name) => name.toUpperCase() },
);

const listParameters: readonly Declaration[] = [
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
  { name: 'public_email', type: 'string', description: 'Only the user who shows this address; case doesn’t matter.' },
  {
    name: 'extern_uid',
    type: 'string',
    description: 'Only the user with this name at `provider` (administrators only).',
  },
  { name: 'provider', type: 'string', description: 'The provider of `extern_uid`.' },
  { rule: 'all or none', of: ['extern_uid', 'provider'] },
  flag('active', 'Only active users.'),
  flag('blocked', 'Only blocked users.'),
  flag('exclude_active', 'Without active users.'),
  flag('exclude_internal', 'Without internal users.'),
  flag('without_project_bots', 'Without bots of projects; there are none.'),
  flag('humans', 'Only human users: without internal ones.'),
  flag('exclude_humans', 'Only internal users, such as the ghost.'),
  flag('external', 'Only external users.'),
  flag('exclude_external', 'Without external users.'),
  flag('admins', 'Only administrators. This and all that follow are ignored unless you are an administrator.'),
  { name: 'created_after', type: 'date-time', description: 'Only users created after this time.' },
  { name: 'created_before', type: 'date-time', description: 'Only users created before this time.' },
  flag('without_projects', 'Only users without a project of their own and without a direct membership in one.'),
  customAttributes,
  {
    name: 'two_factor',
    type: 'string',
    values: ['enabled', 'disabled'],
    description: 'Only users with two-factor authentication, or without it.',
  },
  ...order.parameters,
];

const everyState = ['active', 'blocked', 'deactivated', 'banned', 'blocked_pending_approval'];

/** The states that pass every state filter: each filter removes states. */
function states({
  active,
  blocked,
  exclude_active: inactive,
  external,
  exclude_external: excludeExternal,
}: Values): string[] | undefined {
  if (external && excludeExternal) return [];
  if (!active && !blocked && !inactive) return undefined;
  return everyState.filter(
    (state) =>
      (!active || state === 'active') && (!blocked || state === 'blocked') && (!inactive || state !== 'active'),
  );
}

export const readUserRoutes: readonly AnyRoute[] = [
  route<{ currentUser: CurrentUserData }>({
    method: 'GET',
    path: '/api/v4/user',
    summary: 'Get the authenticated user',
    tag,
    parameters: [],
    operation: `query ($administers: Boolean = false) { currentUser { ${currentUserFields} } }`,
    variables: () => ({}),
    ofViewer: administers,
    person: 401,
    record: recordOf(CurrentUser, (data) => data.currentUser),
    dialect: 'version 4',
  }),
  listRoute({
    path: '/api/v4/users',
    summary: 'List users; administrators see more fields',
    tag,
    of: 'User',
    keyset: () => true,
    cursor: true,
    parameters: listParameters,
    field: 'users',
    args: {
      ids: '[ID!]',
      usernames: '[String!]',
      search: 'String',
      states: '[UserState!]',
      admins: 'Boolean',
      external: 'Boolean',
      humans: 'Boolean',
      excludeHumans: 'Boolean',
      publicEmail: 'String',
      identity: 'UserIdentityFilter',
      withoutProjects: 'Boolean',
      createdAfter: 'Time',
      createdBefore: 'Time',
      twoFactor: 'Boolean',
      sort: 'Sort',
    },
    selection: listedUserFields,
    selects: { administers: 'Boolean = false' },
    ofViewer: (viewer, values) => ({ ...administers(viewer), ...matchingNothing(viewer, values) }),
    variables: (values) => ({
      usernames: values.username == null ? undefined : [values.username],
      search: values.search,
      states: states(values),
      admins: values.admins,
      external: values.external ? true : values.exclude_external ? false : undefined,
      humans: values.humans || values.exclude_internal || undefined,
      excludeHumans: values.exclude_humans || undefined,
      publicEmail: values.public_email,
      identity:
        values.extern_uid == null && values.provider == null
          ? undefined
          : { externUid: values.extern_uid ?? '', provider: values.provider ?? '' },
      withoutProjects: values.without_projects,
      createdAfter: values.created_after,
      createdBefore: values.created_before,
      twoFactor: values.two_factor === 'enabled' ? true : values.two_factor === 'disabled' ? false : undefined,
      ...order.variables(values),
    }),
    record: ListedUser,
  }),
  route<{ user: SingleUserData }>({
    method: 'GET',
    path: '/api/v4/users/:id',
    summary: 'Get a user; administrators see more fields',
    tag,
    parameters: [],
    operation: `query ($id: UserID!, $administers: Boolean = false) { user(id: $id) { ${singleUserFields} } }`,
    variables: ({ id }) => ({ id }),
    ofViewer: administers,
    person: 403,
    subject: 'User',
    limits: { name: 'users_get_by_id', viewer: { most: 300, seconds: 600 } },
    record: recordOf(User, (data) => data.user),
    dialect: 'version 4',
  }),
];
