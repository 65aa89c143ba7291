import { statement } from '../../../database/index.ts';

/** The instances that records were imported from, and what was imported. */

/** Begins to import. $1 the address. */
export const insertOrigin = statement<{ id: number }>(
  'insert_origin',
  `insert into origins (url) values ($1) on conflict (url) do update set url = excluded.url returning id`,
);

/** The address of an instance. $1 origin. */
export const findOrigin = statement<{ url: string }>('find_origin', 'select url from origins where id = $1::int');

/** Keeps every other import from this instance out until the transaction ends. $1 origin. */
export const lockOrigin = statement<{ id: number }>(
  'lock_origin',
  'select id from origins where id = $1::int for update',
);

/** What was imported of a record. */
export interface ImportedRow {
  readonly kind: string;
  readonly key: string;
  readonly localId: number | null;
  readonly digest: Buffer | null;
}

/** What was imported before. $1 origin, $2 kinds, $3 keys, in pairs. */
export const findImported = statement<ImportedRow>(
  'find_imported',
  `select r.kind, r.key, r.local_id as "localId", r.digest
     from unnest($2::text[], $3::text[]) wanted(kind, key)
     join imported_records r on r.origin_id = $1::int and r.kind = wanted.kind and r.key = wanted.key`,
);

/** Notes what was imported. $1 origin, $2 kind, $3 keys, $4 local ids, $5 digests, $6 stamps. */
export const storeImported = statement<object>(
  'store_imported',
  `insert into imported_records (origin_id, kind, key, local_id, digest, stamp)
   select $1::int, $2, one.key, one.local_id, one.digest, one.stamp
     from unnest($3::text[], $4::int[], $5::bytea[], $6::text[]) one(key, local_id, digest, stamp)
   on conflict (origin_id, kind, key) do update
     set local_id = excluded.local_id, digest = excluded.digest, stamp = excluded.stamp`,
);

/** Notes that a part is finished. $1 origin, $2 part. */
export const storePart = statement<object>(
  'store_imported_part',
  'insert into imported_parts (origin_id, part) values ($1::int, $2) on conflict do nothing',
);

/** The parts that are finished. $1 origin. */
export const findParts = statement<{ part: string }>(
  'find_imported_parts',
  'select part from imported_parts where origin_id = $1::int order by part',
);

/** Forgets the parts: the next import begins again. $1 origin. */
export const forgetParts = statement<object>(
  'forget_imported_parts',
  'delete from imported_parts where origin_id = $1::int',
);

/** The person of a name. $1 name in lower case. */
export const findPersonNamed = statement<{ id: number }>(
  'find_person_named',
  `select n.owner_id as id from routes r join namespaces n on n.id = r.namespace_id
    where r.path = $1 and n.owner_id is not null and n.deleting_since is null`,
);

const makeSequence = (table: string) =>
  statement<object>(
    `raise_${table}_sequence`,
    `select setval(pg_get_serial_sequence('${table}', 'id'), $1::int) from ${table}_id_seq where last_value < $1::int`,
  );

/**
 * Lets no record get an id up to $1 by itself, so that imported ones keep theirs. Call it before they are inserted.
 */
export const raiseSequence = {
  users: makeSequence('users'),
  namespaces: makeSequence('namespaces'),
  projects: makeSequence('projects'),
  labels: makeSequence('labels'),
  milestones: makeSequence('milestones'),
  issues: makeSequence('issues'),
  merge_requests: makeSequence('merge_requests'),
  notes: makeSequence('notes'),
  snippets: makeSequence('snippets'),
  ssh_keys: makeSequence('ssh_keys'),
  emails: makeSequence('emails'),
  awards: makeSequence('awards'),
  issue_links: makeSequence('issue_links'),
  resource_events: makeSequence('resource_events'),
  protected_branches: makeSequence('protected_branches'),
  ci_triggers: makeSequence('ci_triggers'),
} as const;

export type KeptIds = keyof typeof raiseSequence;

/** Which records have the stamps that they had. $1 origin, $2 kind, $3 keys, $4 stamps, in pairs. */
export const findSame = statement<{ key: string }>(
  'find_imported_with_stamps',
  `select r.key from unnest($3::text[], $4::text[]) wanted(key, stamp)
     join imported_records r on r.origin_id = $1::int and r.kind = $2 and r.key = wanted.key and r.stamp = wanted.stamp`,
);

/** The first free path that begins like $1, and what it ends with. */
export const findFreePath = statement<{ path: string; suffix: string }>(
  'find_free_path',
  `select $1::text as path, '' as suffix where not exists (select from routes r where r.path = lower($1::text))
   union all (
     select path, suffix
       from (select $1::text || n as path, n::text as suffix, n from generate_series(1, 10000) n) paths
      where not exists (select from routes r where r.path = lower(paths.path)) order by n limit 1)
   limit 1`,
);
