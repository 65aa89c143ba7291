import { statement } from '../../database/index.ts';

interface HostKeyRow {
  readonly sealed: Buffer;
  readonly shown: string;
}

/** $1 the type. */
export const findHostKey = statement<HostKeyRow>(
  'find_host_key',
  'select private_key as sealed, public_key as shown from ssh_host_keys where type = $1',
);

/** Keeps a new key, unless another process was faster. $1 type, $2 the private key, sealed, $3 the public key. */
export const insertHostKey = statement<object>(
  'insert_host_key',
  'insert into ssh_host_keys (type, private_key, public_key) values ($1, $2, $3) on conflict (type) do nothing',
);

/** Seals a key again. $1 type, $2 as it was sealed, $3 as it is sealed now. */
export const resealHostKey = statement<object>(
  'reseal_host_key',
  'update ssh_host_keys set private_key = $3 where type = $1 and private_key = $2 returning type',
);

/** Forgets a key. $1 type, $2 as it is sealed. */
export const forgetHostKey = statement<object>(
  'forget_host_key',
  'delete from ssh_host_keys where type = $1 and private_key = $2',
);

/** Forgets all keys. */
export const forgetHostKeys = statement<object>('forget_host_keys', 'delete from ssh_host_keys');
