import { ListQuery, parent, type Parent, type Reading } from '../../../database/list.ts';
import { statement } from '../../../database/index.ts';

/** A trigger: a token that starts pipelines of a project. */
export interface TriggerRow {
  readonly id: number;
  readonly projectId: number;
  /** Null for a deleted person. */
  readonly ownerId: number | null;
  readonly description: string | null;
  readonly digest: Buffer;
  readonly sealed: Buffer;
  /** The beginning of the token. */
  readonly start: string;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `t.id, t.project_id as "projectId", t.owner_id as "ownerId", t.description, t.digest, t.sealed, t.start,
  t.expires_at as "expiresAt", t.last_used_at as "lastUsedAt", t.created_at as "createdAt", t.updated_at as "updatedAt"`;

const reading: Reading<TriggerRow> = { columns, from: 'ci_triggers t', id: 't.id' };

export const triggerOrders = { id: { column: 't.id', type: 'int' } } as const;

/** The triggers of a project. */
export function triggerList(project: number | Parent): ListQuery<TriggerRow> {
  const query = new ListQuery<TriggerRow>('ci_triggers t', 't.id', reading);
  return query.where(`t.project_id = ${project === parent ? parent : `${query.key(project)}::int`}`);
}

/** $1 project, $2 id. */
export const findTrigger = statement<TriggerRow>(
  'find_ci_trigger',
  `select ${columns} from ci_triggers t where t.project_id = $1::int and t.id = $2::int`,
);

/** The project of a trigger. $1 id. */
export const findProjectOfTrigger = statement<{ id: number }>(
  'find_project_of_ci_trigger',
  'select project_id as id from ci_triggers where id = $1::int',
);

/**
 * Makes a trigger. No row: the project has as many as it may have. $1 project, $2 owner, $3 description, $4 digest, $5
 * token, sealed, $6 its beginning, $7 expiry, $8 the most that a project may have.
 */
export const insertTrigger = statement<TriggerRow>(
  'insert_ci_trigger',
  `insert into ci_triggers as t (project_id, owner_id, description, digest, sealed, start, expires_at)
   select $1::int, $2::int, $3::text, $4::bytea, $5::bytea, $6::text, $7::timestamptz
    where (select count(*) from ci_triggers other where other.project_id = $1::int) < $8::int
   returning ${columns}`,
);

/** $1 project, $2 id, $3 description. */
export const updateTrigger = statement<TriggerRow>(
  'update_ci_trigger',
  `update ci_triggers t set description = $3::text, updated_at = now()
    where t.project_id = $1::int and t.id = $2::int returning ${columns}`,
);

/** Deletes a trigger, unless it was changed later than a moment. $1 project, $2 id, $3 the moment or null. */
export const deleteTrigger = statement<TriggerRow>(
  'delete_ci_trigger',
  `delete from ci_triggers t where t.project_id = $1::int and t.id = $2::int
      and ($3::timestamptz is null or date_trunc('second', t.updated_at) <= $3::timestamptz) returning ${columns}`,
);

/** A trigger that may start pipelines, with its project. */
export interface UsableTrigger {
  readonly id: number;
  readonly projectId: number;
  /** In lower case. */
  readonly projectPath: string;
  readonly ownerId: number | null;
}

/** The trigger of a token, unless it has expired. $1 the digest. */
export const findTriggerOfToken = statement<UsableTrigger>(
  'find_ci_trigger_of_token',
  `select t.id, t.project_id as "projectId", lower(p.full_path) as "projectPath", t.owner_id as "ownerId"
     from ci_triggers t
     join projects p on p.id = t.project_id
     join namespaces n on n.id = p.namespace_id
    where t.digest = $1 and (t.expires_at is null or t.expires_at > now()) and p.deleting_since is null
      and n.deleting_since is null`,
);

/** Notes that a trigger was used. $1 id. */
export const useTrigger = statement<object>(
  'use_ci_trigger',
  'update ci_triggers set last_used_at = now() where id = $1::int',
);
