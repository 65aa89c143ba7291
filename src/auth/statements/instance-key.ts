import { statement } from '../../database/index.ts';

/** The fingerprint of the key that the database knows, and whether there are users, whose secrets it may seal. */
export const findKnownKey = statement<{ fingerprint: string | null; inUse: boolean }>(
  'find_known_key',
  'select (select fingerprint from instance_key where id = 1) as fingerprint, exists (select from users) as "inUse"',
);

/** Notes the key of a new database. $1 its fingerprint. */
export const noteKey = statement<object>(
  'note_key',
  'insert into instance_key (fingerprint) values ($1) on conflict do nothing',
);

/** Replaces the noted key. $1 its fingerprint. */
export const adoptKey = statement<object>(
  'adopt_key',
  'insert into instance_key (fingerprint) values ($1) on conflict (id) do update set fingerprint = excluded.fingerprint, noted_at = now()',
);
