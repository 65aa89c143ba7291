import { userAttributes } from '../../../values/attributes/user-attributes.ts';
import { avatarInput, avatarParameter } from '../../places/avatars/parameter.ts';
import { attributeInput, attributeNames, attributeParameters } from '../../engine/attributes.ts';
import { flag, text } from '../../engine/declared.ts';
import type { Declaration, Parameter, Values } from '../../engine/parameters.ts';
import { Accepted, type Record } from '../../engine/record.ts';
import { ChangedUser, changedUserFields, type UserData } from './record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

const tag = 'Users';

const required = (name: string, description: string): Parameter => ({
  name,
  type: 'string',
  required: true,
  description,
});

/** The operation of a change, which returns the user. */
const operation = (name: string, input: string) =>
  `mutation ($input: ${input}!) { changed: ${name}(input: $input) { user { ${changedUserFields} } } }`;

interface Changed {
  readonly changed: { readonly user: UserData };
}
const changed: Record<Changed> = { ...ChangedUser, present: (data) => ChangedUser.present(data.changed.user) };

/**
 * Whether the email address counts as confirmed. The old parameter has the opposite meaning: `confirm=false` skips the
 * confirmation.
 */
const skipsConfirmation = ({ skip_confirmation: skip, confirm }: Values): boolean =>
  skip === true || (skip == null && confirm === false);

/** Parameters besides those that are attributes or have rules of their own in one call. */
const furtherParameters: readonly Declaration[] = [
  text('public_email', 'Confirmed email address to show publicly; empty for none.'),
  text('commit_email', 'Address for commits: a confirmed one, or `_private` for one that receives no mail.'),
  text('extern_uid', 'The account’s name at `provider`. It isn’t used to sign in.'),
  text('provider', 'Provider of `extern_uid`. The names at other providers stay.'),
  { rule: 'all or none', of: ['extern_uid', 'provider'] },
];

const furtherInput = ({ extern_uid: externUid, provider, ...values }: Values) => ({
  publicEmail: values.public_email === null ? '' : values.public_email,
  commitEmail: values.commit_email,
  identity:
    externUid == null && provider == null ? undefined : { externUid: externUid ?? '', provider: provider ?? '' },
});

export const changeUserRoutes: readonly AnyRoute[] = [
  route<Changed>({
    method: 'POST',
    path: '/api/v4/users',
    summary: 'Create a user (administrators only)',
    tag,
    parameters: [
      required('email', 'Primary email address.'),
      required('name', 'Display name.'),
      required('username', 'Username.'),
      text('password', 'Initial password.'),
      flag('reset_password', 'Send the user a link to set a password.'),
      flag('force_random_password', 'Create the account without a usable password.'),
      { rule: 'at least one', of: ['password', 'reset_password', 'force_random_password'] },
      flag('admin', 'Whether the user is an administrator.'),
      avatarParameter,
      ...furtherParameters,
      ...attributeParameters(userAttributes),
      flag('skip_confirmation', 'Treat the email address as confirmed. Otherwise the user can’t sign in until it is.'),
      { ...flag('confirm', 'Old form of `skip_confirmation`, with the opposite meaning.'), deprecated: '2017-03-22' },
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
        email: values.email ?? '',
        name: values.name ?? '',
        username: values.username ?? '',
        password: values.password,
        sendPasswordLink: values.reset_password === true,
        administrator: values.admin,
        emailVerified: skipsConfirmation(values),
        ...avatarInput(values),
        ...furtherInput(values),
        ...attributeInput(userAttributes, values),
      },
    }),
    status: 201,
    fields: attributeNames(userAttributes),
    refusals: [409],
    record: changed,
    dialect: 'version 4',
  }),
  route<Changed>({
    method: 'PUT',
    path: '/api/v4/users/:id',
    summary: 'Change a user (administrators only)',
    tag,
    parameters: [
      text('email', 'New primary email address. It stays secondary until confirmed.'),
      flag('skip_reconfirmation', 'Treat the new email address as confirmed.'),
      text('name', 'Display name.'),
      text('username', 'Username; the addresses of the user’s own projects change too.'),
      text('password', 'New password. Another person has to change it at the next sign-in.'),
      flag('admin', 'Whether the user is an administrator.'),
      avatarParameter,
      ...furtherParameters,
      ...attributeParameters(userAttributes),
    ],
    example: { name: 'Another Name' },
    operation: operation('updateUser', 'UpdateUserInput'),
    variables: (values) => ({
      input: {
        userId: values.id,
        // An account keeps these three: a blank one is refused, not taken for one that wasn't sent.
        email: values.email === null ? '' : values.email,
        emailVerified: values.skip_reconfirmation === true,
        name: values.name === null ? '' : values.name,
        username: values.username === null ? '' : values.username,
        password: values.password,
        administrator: values.admin,
        ...avatarInput(values),
        ...furtherInput(values),
        ...attributeInput(userAttributes, values),
      },
    }),
    fields: attributeNames(userAttributes),
    refusals: [409],
    record: changed,
    dialect: 'version 4',
  }),
  route<{ deleteUser: { finished: boolean } }>({
    method: 'DELETE',
    path: '/api/v4/users/:id',
    summary: 'Delete a user (administrators only)',
    tag,
    parameters: [
      flag('hard_delete', 'Also delete groups that have no other owner. Otherwise such a group prevents the deletion.'),
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
];
