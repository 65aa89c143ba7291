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

const order = ordering(['id', 'name', 'username', 'created_at', 'updated_at'], 'id', 'desc');

const listParameters: readonly Parameter[] = [
  {
    name: 'username',
    type: 'string',
    description: 'Just this one, whatever the case of the name. Needed without a token.',
  },
  {
    name: 'search',
    type: 'string',
    description: 'Only those in whose name or username every word of this is, or who have this address.',
  },
  flag('active', 'Only those who aren’t blocked.'),
  flag('blocked', 'Only those who are blocked.'),
  flag('exclude_active', 'Only those who are blocked.'),
  flag('humans', 'Only people; everyone is one.'),
  flag('exclude_humans', 'Nobody: there are no accounts but people’s.'),
  flag(
    'admins',
    'Only administrators. For administrators, as all that follow; others may send them, and they count for nothing.',
  ),
  { name: 'created_after', type: 'date-time', description: 'Only accounts made after this.' },
  { name: 'created_before', type: 'date-time', description: 'Only accounts made before this.' },
  {
    name: 'two_factor',
    type: 'string',
    values: ['enabled', 'disabled'],
    description: 'Only those with a second factor, or without.',
  },
  ...order.parameters,
];

/** Each of these takes something away. */
function states({ active, blocked, exclude_active: inactive, exclude_humans: nobody }: Values): string[] | undefined {
  if (!active && !blocked && !inactive && !nobody) return undefined;
  if (nobody) return [];
  return [...(blocked || inactive ? [] : ['ACTIVE']), ...(active ? [] : ['BLOCKED'])];
}

export const readUserRoutes: readonly AnyRoute[] = [
  route<{ currentUser: CurrentUserData }>({
    method: 'GET',
    path: '/api/v4/user',
    summary: 'The user whose credential the request carries',
    tag,
    parameters: [],
    operation: `query { currentUser { ${currentUserFields} } }`,
    variables: () => ({}),
    record: recordOf(CurrentUser, (data) => data.currentUser),
    dialect: 'version 4',
  }),
  listRoute({
    path: '/api/v4/users',
    summary: 'Users; administrators see more of each',
    tag,
    of: 'User',
    parameters: listParameters,
    field: 'users',
    args: { filter: 'UserFilter', orderBy: 'UserOrder', direction: 'SortDirection' },
    selection: userFields,
    variables: (values) => ({
      filter: {
        username: values.username,
        search: values.search,
        states: states(values),
        administrators: values.admins,
        createdAfter: values.created_after,
        createdBefore: values.created_before,
        twoFactor: values.two_factor === 'enabled' ? true : values.two_factor === 'disabled' ? false : undefined,
      },
      ...order.variables(values),
    }),
    record: ListedUser,
  }),
  route<{ user: UserData }>({
    method: 'GET',
    path: '/api/v4/users/:id',
    summary: 'A user; administrators see more',
    tag,
    parameters: [],
    operation: `query ($id: ID!) { user(id: $id) { ${userFields} } }`,
    variables: ({ id }) => ({ id }),
    subject: 'User',
    limits: { name: 'users_get_by_id', viewer: { most: 300, seconds: 600 } },
    record: recordOf(User, (data) => data.user),
    dialect: 'version 4',
  }),
];
