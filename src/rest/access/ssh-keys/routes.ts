import { ParameterProblems } from '../../engine/errors.ts';
import { listRoute } from '../../engine/list-route.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import {
  SshKey,
  sshKeyFields,
  SshKeyWithUser,
  sshKeyWithUserFields,
  usages,
  type SshKeyData,
  type SshKeyWithUserData,
} from './record.ts';

const tag = 'SSH keys';
const dialect = 'version 4';

/** @throws ParameterProblems for an id that isn't a number */
function keyId({ key_id: id }: Values): Values[string] {
  if (!/^\d+$/.test(String(id))) throw new ParameterProblems(['key_id is invalid']);
  return id;
}

const parameters: readonly Parameter[] = [
  { name: 'title', type: 'string', required: true, description: 'Title of the key.' },
  {
    name: 'key',
    type: 'string',
    required: true,
    description: 'The public key: RSA with at least 2048 bits, ECDSA or ED25519.',
  },
  { name: 'expires_at', type: 'date-time', description: 'Time from which the key is refused.' },
  {
    name: 'usage_type',
    type: 'string',
    allowed: Object.keys(usages),
    default: 'auth_and_signing',
    description: 'What the key is for. Git takes no key that only signs.',
  },
];

const input = ({ title, key, expires_at: expiresAt, usage_type: usage }: Values) => ({
  title: title ?? '',
  key: key ?? '',
  expiresAt,
  usageType: usages[String(usage)],
});

/** Keys of one person, by a path. */
const of = (path: string, whose: string, owner: (values: Values) => Values[string]): readonly AnyRoute[] => [
  listRoute({
    path,
    summary: `List ${whose} SSH keys`,
    tag,
    of: 'Key',
    parameters: [],
    field: 'sshKeys',
    args: { userId: 'ID' },
    selection: sshKeyFields,
    variables: (values) => ({ userId: owner(values) }),
    record: SshKey,
  }),
  route<{ sshKey: SshKeyData }>({
    method: 'GET',
    path: `${path}/:key_id`,
    summary: `Get one of ${whose} SSH keys`,
    tag,
    parameters: [],
    operation: `query ($userId: ID, $id: ID!) { sshKey(userId: $userId, id: $id) { ${sshKeyFields} } }`,
    variables: (values) => ({ userId: owner(values), id: keyId(values) }),
    record: recordOf(SshKey, ({ sshKey }) => sshKey),
    dialect,
  }),
  route<{ addSshKey: { sshKey: SshKeyData } }>({
    method: 'POST',
    path,
    summary: `Add an SSH key to ${whose} account`,
    tag,
    parameters,
    example: {
      title: 'Laptop',
      key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHyQdG6h4GPZx9xVFYl0xkHSk0FRqNFJtmQpCYhPRZgx',
    },
    operation: `mutation ($input: AddSshKeyInput!) { addSshKey(input: $input) { sshKey { ${sshKeyFields} } } }`,
    variables: (values) => ({ input: { userId: owner(values), ...input(values) } }),
    status: 201,
    record: recordOf(SshKey, ({ addSshKey }) => addSshKey.sshKey),
    dialect,
  }),
  route<unknown>({
    method: 'DELETE',
    path: `${path}/:key_id`,
    summary: `Remove one of ${whose} SSH keys`,
    tag,
    parameters: [],
    operation: 'mutation ($input: RemoveSshKeyInput!) { removeSshKey(input: $input) { databaseId } }',
    variables: (values) => ({ input: { userId: owner(values), id: keyId(values) } }),
    status: 204,
    record: NoContent,
    dialect,
  }),
];

export const sshKeyRoutes: readonly AnyRoute[] = [
  ...of('/api/v4/user/keys', 'your', () => undefined),
  // Reading is public; changing is for administrators.
  ...of('/api/v4/users/:id/keys', 'a user’s', ({ id }) => id),
  route<{ anySshKey: SshKeyWithUserData }>({
    method: 'GET',
    path: '/api/v4/keys',
    summary: 'Get the SSH key with a fingerprint, and its user (administrators only)',
    tag,
    parameters: [
      { name: 'fingerprint', type: 'string', required: true, description: '`SHA256:…`, or MD5 as `4a:9d:…`.' },
    ],
    operation: `query ($fingerprint: String) { anySshKey(fingerprint: $fingerprint) { ${sshKeyWithUserFields} } }`,
    variables: ({ fingerprint }) => ({ fingerprint }),
    record: recordOf(SshKeyWithUser, ({ anySshKey }) => anySshKey),
    refusals: [404],
    dialect: 'reasons alone',
  }),
  route<{ anySshKey: SshKeyWithUserData }>({
    method: 'GET',
    path: '/api/v4/keys/:key_id',
    summary: 'Get an SSH key and its user (administrators only)',
    tag,
    parameters: [],
    operation: `query ($id: ID) { anySshKey(id: $id) { ${sshKeyWithUserFields} } }`,
    variables: (values) => ({ id: keyId(values) }),
    missing: { 'SSH key': '404 Not found' },
    record: recordOf(SshKeyWithUser, ({ anySshKey }) => anySshKey),
    dialect,
  }),
];
