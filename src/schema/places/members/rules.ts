import type { AuditKind } from '../../../values/kinds/audit-kinds.ts';
import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { hasOwner, inheritedRoles } from './statements/changes.ts';
import { Forbidden } from '../../../errors.ts';
import { audit } from '../../../oauth/index.ts';
import { Problems } from '../../engine/input.ts';
import { levelOf, titleOf, type AccessLevelName } from './access-level.ts';
import type { Place } from './place.ts';

/** The values of a new or changed membership. */
export interface NewMembership {
  /** Null if the request named no valid role. */
  readonly accessLevel: AccessLevelName | null;
  /** The first day (UTC) on which the membership is no longer valid. */
  readonly expiresOn: string | null;
}

/**
 * Checks a membership of some people in a place. A role lower than an inherited one is refused: it would have no
 * effect.
 * @throws InvalidFields
 */
export async function checkMembership(
  context: Context,
  place: Place,
  userIds: readonly number[],
  wanted: NewMembership,
): Promise<void> {
  const { accessLevel, expiresOn } = wanted;
  const problems = new Problems();
  if (accessLevel === null) problems.add('accessLevel', ['is not included in the list']);
  else problems.add('accessLevel', await belowInherited(context, place, userIds, levelOf(accessLevel)));
  if (expiresOn !== null && expiresOn < new Date().toISOString().slice(0, 10)) {
    problems.add('expiresAt', ['cannot be a date in the past']);
  }
  problems.refuse();
}

async function belowInherited(
  context: Context,
  { scope, id }: Place,
  userIds: readonly number[],
  level: number,
): Promise<string[]> {
  const rows = await context.database.rows(inheritedRoles[scope], [id, userIds]);
  const higher = rows.find((row) => row.access_level > level);
  return higher
    ? [
        `should be greater than or equal to ${titleOf(higher.access_level)} inherited membership from group ${higher.group_name}`,
      ]
    : [];
}

/**
 * Requires that a group still has an owner. If it had an owner whose membership doesn't expire, it must still have
 * such an owner. Call it in the transaction that locks the group, after an owner changed or left.
 * @param before the day on which the membership was to expire
 * @throws Forbidden
 */
export async function keepAnOwner(sql: Sql, { scope, id }: Place, before: string | null): Promise<void> {
  if (scope === 'project') return;
  const [row] = await sql.rows(hasOwner, [id, before === null]);
  if (!row!.owned) throw new Forbidden('A group can’t do without an owner.');
}

/** Writes the audit event of a change of a membership or of a request for one, in its transaction. */
export async function auditMember(
  sql: Sql,
  { viewer, origin }: Context,
  kind: Extract<AuditKind, `member_${string}` | `access_request_${string}`>,
  { scope, fullPath }: Place,
  userId: number,
  wanted?: NewMembership,
): Promise<void> {
  const as = wanted?.accessLevel ? ` as ${wanted.accessLevel.toLowerCase()}` : '';
  const until = wanted?.expiresOn ? ` until ${wanted.expiresOn}` : '';
  const detail = `${scope} ${fullPath}${as}${until}`;
  await audit({ sql, origin }, { kind, actorId: viewer.person?.id ?? null, userId, detail });
}
