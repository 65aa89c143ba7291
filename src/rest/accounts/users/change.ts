import type { Parameter, Values } from '../../engine/parameters.ts';
import { Accepted, type Record } from '../../engine/record.ts';
import { User, userFields, type UserData } from './record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

const tag = 'Users';

const required = (name: string, description: string): Parameter => ({
  name,
  type: 'string',
  required: true,
  notBlank: true,
  description,
});
const text = (name: string, description: string): Parameter => ({ name, type: 'string', description });
const flag = (name: string, description: string): Parameter => ({ name, type: 'boolean', description });

/** The operation of a change, which answers with the person. */
const operation = (name: string, input: string) =>
  `mutation ($input: ${input}!) { changed: ${name}(input: $input) { user { ${userFields} } } }`;

interface Changed {
  readonly changed: { readonly user: UserData };
}
const changed: Record<Changed> = { ...User, present: (data) => User.present(data.changed.user) };

/**
 * Whether the address is known to be the person's own. The old name of the
 * parameter says it the other way round: `confirm=false` skips the confirmation.
 */
const skipsConfirmation = ({ skip_confirmation: skip, confirm }: Values): boolean =>
  skip === true || (skip == null && confirm === false);

/** Answers that are a bare word. */
const word = (name: string, description: string) => ({ name, schema: { type: ['boolean', 'null'], description } });

const stateRoute = (verb: 'block' | 'unblock', record: Record<{ changed: { changed: boolean } }>): AnyRoute =>
  route<{ changed: { changed: boolean } }>({
    method: 'POST',
    path: `/api/v4/users/:id/${verb}`,
    summary: verb === 'block' ? 'Block a user' : 'Let a user in again',
    tag,
    parameters: [],
    operation: `mutation ($input: BlockUserInput!) { changed: ${verb}User(input: $input) { changed } }`,
    variables: ({ id }) => ({ input: { userId: id } }),
    status: 201,
    record,
    dialect: 'version 4',
  });

export const changeUserRoutes: readonly AnyRoute[] = [
  route<Changed>({
    method: 'POST',
    path: '/api/v4/users',
    summary: 'Make a user, as an administrator',
    tag,
    parameters: [
      required('email', 'The primary address.'),
      required('name', 'The name that others read.'),
      required('username', 'The name in addresses.'),
      text('password', 'A password to begin with.'),
      flag('reset_password', 'Sends a link to choose a password.'),
      flag('force_random_password', 'Leaves the account without a password that anybody knows.'),
      { rule: 'at least one', of: ['password', 'reset_password', 'force_random_password'] },
      flag('admin', 'Whether they administer the instance.'),
      flag('skip_confirmation', 'Takes the address for confirmed. Otherwise nobody can sign in until it is.'),
      { ...flag('confirm', 'The old name of `skip_confirmation`, the other way round.'), deprecated: '2017-03-22' },
    ],
    example: {
      email: 'new@example.com',
      name: 'New User',
      username: 'new-user',
      force_random_password: true,
      skip_confirmation: true,
    },
    operation: operation('createUser', 'CreateUserInput'),
    variables: (values) => ({
      input: {
        email: values.email,
        name: values.name,
        username: values.username,
        password: values.password,
        sendPasswordLink: values.reset_password === true,
        administrator: values.admin,
        emailVerified: skipsConfirmation(values),
      },
    }),
    status: 201,
    refusals: [409],
    record: changed,
    dialect: 'version 4',
  }),
  route<Changed>({
    method: 'PUT',
    path: '/api/v4/users/:id',
    summary: 'Change a user, as an administrator',
    tag,
    parameters: [
      text('email', 'A new primary address. Unless confirmed, it is a further one until then.'),
      flag('skip_reconfirmation', 'Takes the new address for confirmed.'),
      text('public_email', 'The address shown to everyone, one of the confirmed ones; empty for none.'),
      text('name', 'The name that others read.'),
      text('username', 'The name in addresses; those of their own projects change too.'),
      text('password', 'A new password.'),
      flag('admin', 'Whether they administer the instance.'),
    ],
    example: { name: 'Another Name' },
    operation: operation('updateUser', 'UpdateUserInput'),
    variables: (values) => ({
      input: {
        userId: values.id,
        email: values.email,
        emailVerified: values.skip_reconfirmation === true,
        publicEmail: values.public_email === null ? '' : values.public_email,
        name: values.name,
        username: values.username,
        password: values.password,
        administrator: values.admin,
      },
    }),
    refusals: [409],
    record: changed,
    dialect: 'version 4',
  }),
  route<{ deleteUser: { finished: boolean } }>({
    method: 'DELETE',
    path: '/api/v4/users/:id',
    summary: 'Remove a user, as an administrator',
    tag,
    parameters: [
      flag('hard_delete', 'Removes groups too that nobody else owns. Otherwise such a group is in the way.'),
    ],
    operation: 'mutation ($input: DeleteUserInput!) { deleteUser(input: $input) { finished } }',
    variables: ({ id, hard_delete: withGroups }, { unmodifiedSince }) => ({
      input: { userId: id, withGroups, unmodifiedSince },
    }),
    conditional: true,
    status: 202,
    settled: ({ deleteUser }) => deleteUser.finished,
    refusals: [409],
    record: Accepted,
    dialect: 'version 4',
  }),
  stateRoute('block', {
    ...word('UserBlocked', '`null` for one who was blocked already.'),
    present: (data) => (data.changed.changed ? true : null),
  }),
  stateRoute('unblock', {
    ...word('UserUnblocked', '`false` for a user who wasn’t blocked.'),
    present: (data) => data.changed.changed,
  }),
];
