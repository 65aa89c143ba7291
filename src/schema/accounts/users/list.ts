import { userList } from './statements/list.ts';
import { Forbidden } from '../../../errors.ts';
import { isAdministrator, reads } from '../../../policy/index.ts';
import { rootList, searchText } from '../../engine/list.ts';
import { User, UserStateType } from './types.ts';

rootList('users', {
  type: User,
  description:
    'People with an account, the latest first. Only administrators can choose the order. Anonymous requests can only look up one person, by username.',
  admission: { class: 'token', scopes: [...reads, 'read_user'], anonymous: true },
  orders: {
    ID: { column: 'u.id', type: 'int' },
    NAME: { column: 'u.name', type: 'text' },
    USERNAME: { column: 'u.username', type: 'text' },
    CREATED_AT: { column: 'u.created_at', type: 'timestamptz' },
    UPDATED_AT: { column: 'u.updated_at', type: 'timestamptz' },
  },
  by: ['ID', 'DESC'],
  mayOrder: ({ viewer }) => isAdministrator(viewer),
  filter: {
    description: 'Filters of a list of people. Omitted or null filters match everyone.',
    fields: (t) => ({
      username: t.string({ description: 'Only the person with this username, case-insensitive.' }),
      search: t.string({
        description:
          'Words that must all occur in the name or the username; or a complete address that the viewer may see.',
      }),
      states: t.field({ type: [UserStateType], description: 'Only those in one of these states.' }),
      createdAfter: t.field({
        type: 'DateTime',
        description: 'For administrators: this filter and those below have no effect for others.',
      }),
      createdBefore: t.field({ type: 'DateTime' }),
      administrators: t.boolean({ description: 'Only administrators.' }),
      twoFactor: t.boolean({ description: 'True: only those with a second factor; false: only those without.' }),
    }),
  },
  rows: ({ viewer }, { filter: { username, search, states, ...others } }) => {
    const administrator = isAdministrator(viewer);
    if (!administrator && viewer.person === null && !username)
      throw new Forbidden('Not authorized to access /api/v4/users');
    return userList({
      username,
      search: searchText(search, 255),
      states,
      everyAddress: administrator,
      ...(administrator && others),
    });
  },
});
