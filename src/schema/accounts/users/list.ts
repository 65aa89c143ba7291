import { userList } from './statements/list.ts';
import type { Context } from '../../../context.ts';
import { Forbidden } from '../../../errors.ts';
import { isAdministrator, reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { idOf } from '../../engine/global-id.ts';
import { refuseMany, rootList, searchText } from '../../engine/list.ts';
import { deprecatedUserArguments } from './deprecated-arguments.ts';
import { UserCore, UserStateType } from './types.ts';

const Sort = builder.enumType('Sort', {
  description: 'The order of a list.',
  values: {
    CREATED_ASC: { value: 'created_asc' },
    CREATED_DESC: { value: 'created_desc' },
    UPDATED_ASC: { value: 'updated_asc' },
    UPDATED_DESC: { value: 'updated_desc' },
    ID_ASC: { value: 'id_asc' },
    ID_DESC: { value: 'id_desc' },
    NAME_ASC: { value: 'name_asc' },
    NAME_DESC: { value: 'name_desc' },
    USERNAME_ASC: { value: 'username_asc' },
    USERNAME_DESC: { value: 'username_desc' },
    created_asc: { value: 'created_asc', deprecationReason: 'Use `CREATED_ASC`.' },
    created_desc: { value: 'created_desc', deprecationReason: 'Use `CREATED_DESC`.' },
    updated_asc: { value: 'updated_asc', deprecationReason: 'Use `UPDATED_ASC`.' },
    updated_desc: { value: 'updated_desc', deprecationReason: 'Use `UPDATED_DESC`.' },
  } as const,
});

const identityInput = builder.inputType('UserIdentityFilter', {
  fields: (t) => ({ provider: t.string({ required: true }), externUid: t.string({ required: true }) }),
});

rootList('users', {
  type: UserCore,
  description:
    'People with an account, the latest first. Only administrators can choose the order. Anonymous requests can only look up people by username.',
  admission: { class: 'token', scopes: [...reads, 'read_user'], anonymous: true },
  orders: {
    id: { column: 'u.id', type: 'int' },
    name: { column: 'u.name', type: 'text' },
    username: { column: 'u.username', type: 'text' },
    created: { column: 'u.created_at', type: 'timestamptz' },
    updated: { column: 'u.updated_at', type: 'timestamptz' },
  },
  by: 'id_desc',
  sortType: Sort,
  mayOrder: ({ viewer }) => isAdministrator(viewer),
  args: (t) => ({
    ids: t.idList({ description: 'Only the people with these global ids or numbers.' }),
    usernames: t.stringList({ description: 'Only the people with these usernames, case-insensitive.' }),
    search: t.string({
      description:
        'Words that must all occur in the name or the username; or a complete address that the viewer may see.',
    }),
    states: t.field({ type: [UserStateType], description: 'Only those in one of these states.' }),
    publicEmail: t.string({ description: 'Only the person who shows this address, case-insensitive.' }),
    external: t.boolean({ description: 'True: only external people; false: only the others.' }),
    humans: t.boolean({ description: 'Whether to leave out accounts of the instance itself, such as the ghost.' }),
    excludeHumans: t.boolean({
      description: 'Whether to list only accounts of the instance itself, such as the ghost.',
    }),
    admins: t.boolean({
      description: 'Only administrators. For administrators: this filter and those below have no effect for others.',
    }),
    createdAfter: t.field({ type: 'Time' }),
    createdBefore: t.field({ type: 'Time' }),
    withoutProjects: t.boolean({
      description: 'Only those who have no project: neither one of their own nor a direct membership.',
    }),
    identity: t.field({
      type: identityInput,
      description: 'Only the person who has this name at a provider. Refused for others than administrators.',
    }),
    twoFactor: t.boolean({ description: 'True: only those with a second factor; false: only those without.' }),
  }),
  former: deprecatedUserArguments,
  rows: (
    { viewer },
    { ids, usernames, search, states, external, humans, excludeHumans, publicEmail, identity, ...others },
  ) => {
    const administrator = isAdministrator(viewer);
    if (!administrator && viewer.person === null && !usernames?.length)
      throw new Forbidden('Not authorized to access /api/v4/users');
    refuseMany((ids?.length ?? 0) + (usernames?.length ?? 0), 'people');
    if (identity && !administrator) throw new Forbidden();
    return userList({
      ids: ids?.map((id) => idOf(id, 'User')),
      usernames: usernames?.map((name) => name.toLowerCase()),
      search: searchText(search, 255),
      states: states?.filter((state) => state !== 'LDAP_BLOCKED'),
      everyState: administrator,
      publicEmail: publicEmail?.trim().toLowerCase(),
      identity,
      external,
      humans,
      excludeHumans,
      everyAddress: administrator,
      ...(administrator && others),
    });
  },
});

/** People, for a search: with these words in the name or the username, or with this address. @throws BadRequest */
export const usersMatching = ({ viewer }: Context, search: string) =>
  userList({
    search: searchText(search, 255),
    everyState: isAdministrator(viewer),
    everyAddress: isAdministrator(viewer),
  });
