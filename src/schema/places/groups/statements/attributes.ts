import { statement, type Sql } from '../../../../database/index.ts';
import { groupAccessLevel } from '../../../../database/access/places.ts';
import { assignments, sendsMail } from '../../../../database/access/group-attributes.ts';
import { storedAttributes } from '../../../../values/attributes/attributes.ts';
import {
  groupAttributes,
  withBranchProtection,
  type GivenGroupAttributes,
  type RunnersSetting,
} from '../../../../values/attributes/group-attributes.ts';

const update = statement<object>(
  'set_group_attributes',
  `update namespaces set attributes = (attributes || $2::jsonb) - $3::text[], ${assignments('$4::jsonb')} where id = $1`,
);

/**
 * Stores the attributes that were sent and aren't refused. Attributes that have their default again aren't stored.
 * @param before what the group said of the runners of the instance
 */
export async function setAttributes(
  sql: Sql,
  id: number,
  given: GivenGroupAttributes,
  before: RunnersSetting,
): Promise<void> {
  const { columns, values, unset } = storedAttributes(groupAttributes, withBranchProtection(given));
  if (unset.length + Object.keys(columns).length + Object.keys(values).length === 0) return;
  await sql.rows(update, [id, JSON.stringify(values), unset, JSON.stringify(columns)]);
  if (columns.shareWithGroupLock === true) await sql.rows(lockSharesBelow, [id]);
  const runners = columns.sharedRunnersSetting as RunnersSetting | undefined;
  if (runners !== undefined) await disableRunners(sql, id, runners, before);
}

/**
 * Disables the runners of the instance in all groups below a group, and in all projects in and below it, unless its
 * setting disabled them before: what was enabled below it since then stays so.
 */
async function disableRunners(sql: Sql, id: number, runners: RunnersSetting, before: RunnersSetting): Promise<void> {
  if (runners === 'enabled' || (before !== 'enabled' && runners !== 'disabled_and_unoverridable')) return;
  await sql.rows(disableRunnersBelow, [id, runners]);
  // A statement of its own, after the groups have their setting: it sees the projects that were being created in them.
  await sql.rows(disableRunnersOfProjects, [id]);
}

/** Sets the lock of shares in all groups below the group $1. */
const lockSharesBelow = statement<object>(
  'lock_shares_below',
  `update namespaces set share_with_group_lock = true
    where ancestry @> array[$1::int] and id <> $1 and not share_with_group_lock`,
);

/** Disables the runners of the instance in all groups below the group $1, as its setting $2 says. */
const disableRunnersBelow = statement<object>(
  'disable_runners_below',
  `update namespaces set shared_runners_setting = $2
    where ancestry @> array[$1::int] and id <> $1
      and shared_runners_setting = any(case when $2 = 'disabled_and_unoverridable'
            then '{enabled,disabled_and_overridable}'::text[] else '{enabled}' end)`,
);

/** Disables the runners of the instance for all projects in and below the group $1. */
const disableRunnersOfProjects = statement<object>(
  'disable_runners_of_projects',
  `update projects set attributes = attributes || '{"sharedRunnersEnabled":false}'
    where namespace_id = any(array(select n.id from namespaces n where n.ancestry @> array[$1::int]))
      and coalesce((attributes->>'sharedRunnersEnabled')::boolean, true)`,
);

/** What the parent of a group says about the attributes of the group. */
export interface ParentAttributes {
  readonly locked: boolean;
  readonly sends_mail: boolean;
  readonly runners: RunnersSetting;
  /** The role of the person in the parent, or in the highest group above it if all from there on are locked. */
  readonly access_level: number | null;
}

/** The parent $1, for the person $2. Who may lift a lock is who may lift those that it comes from. */
export const findParentAttributes = statement<ParentAttributes>(
  'find_parent_attributes',
  `with parent as (
     select n.ancestry, n.share_with_group_lock as locked, ${sendsMail} as sends_mail, n.shared_runners_setting as runners
       from namespaces n where n.id = $1
   ), unlocked as (
     select coalesce(max(array_position(p.ancestry, a.id)), 0) as depth
       from parent p join namespaces a on a.id = any(p.ancestry) and not a.share_with_group_lock
   )
   select p.locked, p.sends_mail, p.runners, ${groupAccessLevel('$2::int')} as access_level
     from parent p, unlocked u, namespaces n
    where n.id = p.ancestry[least(u.depth + 1, cardinality(p.ancestry))]`,
);

/** The parent of the group $1, null at the root, and what the group says of the runners of the instance. */
export const findParentId = statement<{ parent_id: number | null; runners: RunnersSetting }>(
  'find_parent_id',
  'select parent_id, shared_runners_setting as runners from namespaces where id = $1',
);
