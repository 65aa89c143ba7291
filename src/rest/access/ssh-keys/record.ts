import { KnownUser, knownUserFields, type KnownUserData } from '../../accounts/users/record.ts';
import { objectSchema, type Record } from '../../engine/record.ts';
import { moment } from '../../engine/schemas.ts';

export interface SshKeyData {
  readonly id: number;
  readonly title: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly key: string;
  readonly usageType: string;
}
export const sshKeyFields = 'id: databaseId title createdAt expiresAt key usageType';

/** What a key is for, by its names on the wire. */
export const usages: Readonly<{ [wire: string]: string }> = {
  auth: 'AUTH',
  signing: 'SIGNING',
  auth_and_signing: 'AUTH_AND_SIGNING',
};

const properties = {
  id: { type: 'integer' },
  title: { type: 'string' },
  created_at: moment,
  expires_at: { ...moment, type: ['string', 'null'] },
  key: { type: 'string', description: 'Type, Base64, and the name of the user and the host as comment.' },
  usage_type: { type: 'string', enum: Object.keys(usages) },
};

const present = ({ id, title, createdAt, expiresAt, key, usageType }: SshKeyData) => ({
  id,
  title,
  created_at: createdAt,
  expires_at: expiresAt,
  key,
  usage_type: usageType.toLowerCase(),
});

/** The public half of a user’s SSH key. */
export const SshKey: Record<SshKeyData> = { name: 'SSHKey', schema: objectSchema(properties), present };

export interface SshKeyWithUserData extends SshKeyData {
  readonly user: KnownUserData | null;
}
export const sshKeyWithUserFields = `${sshKeyFields} user { ${knownUserFields} }`;

/** A key, and whose it is. */
export const SshKeyWithUser: Record<SshKeyWithUserData> = {
  name: 'SSHKeyWithUser',
  schema: objectSchema({ ...properties, user: { anyOf: [KnownUser.schema, { type: 'null' }] } }),
  present: ({ user, ...key }) => Object.assign(present(key), { user: user && KnownUser.present(user) }),
};
