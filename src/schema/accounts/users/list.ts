import { userList } from './statements/list.ts';
import { Forbidden } from '../../../errors.ts';
import { isAdministrator, reads } from '../../../policy/index.ts';
import { rootList, searchText } from '../../engine/list.ts';
import { User, UserStateType } from './types.ts';

rootList('users', {
  type: User,
  description:
    'People with an account, the latest first. Order is for administrators. Without a credential only one of them, by name.',
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
    description: 'Which people a list holds. Whatever is left out or null holds nobody off.',
    fields: (t) => ({
      username: t.string({ description: 'Just this one, whatever the case of the name.' }),
      search: t.string({
        description: 'Every word of it in the name or the username; or a whole address that the viewer may see.',
      }),
      states: t.field({ type: [UserStateType], description: 'Only those in one of these states.' }),
      createdAfter: t.field({
        type: 'DateTime',
        description: 'For administrators; of no effect for others, as with all that follow.',
      }),
      createdBefore: t.field({ type: 'DateTime' }),
      administrators: t.boolean({ description: 'Only administrators.' }),
      twoFactor: t.boolean({ description: 'Only those with a second factor, or only those without.' }),
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
