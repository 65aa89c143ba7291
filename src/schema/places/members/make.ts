import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { Conflict } from '../../../errors.ts';
import { mergeAllOf } from '../../reviews/merging/when-due.ts';
import { mailAnswer } from '../access-requests/answer.ts';
import { holdAskers } from '../access-requests/hold.ts';
import { insertMembers } from './statements/changes.ts';
import { levelOf } from './access-level.ts';
import type { Place } from './place.ts';
import { auditMember, type NewMembership } from './rules.ts';

/**
 * Makes people members of a place, with a role that `checkMembership` accepted. That ends what they asked for there, and a
 * message to them says so.
 * @returns the people who had asked, and whose to-dos about that are done
 * @throws Conflict if a concurrent request did it first
 */
export async function makeMembers(
  sql: Sql,
  context: Context,
  place: Place,
  userIds: readonly number[],
  wanted: NewMembership,
): Promise<{ readonly askers: readonly number[]; readonly todoOwners: readonly number[] }> {
  await holdAskers(sql, userIds);
  const added = await sql.rows(insertMembers[place.scope], [
    place.id,
    userIds,
    levelOf(wanted.accessLevel!),
    wanted.expiresOn,
    context.viewer.person?.id ?? null,
  ]);
  if (added.length < userIds.length) throw new Conflict('Member already exists');
  for (const userId of userIds) await auditMember(sql, context, 'member_added', place, userId, wanted);
  const granted = added.flatMap(({ user_id: userId, request_id: id }) => (id === null ? [] : [{ id, userId }]));
  await mailAnswer(sql, context, place, 'ACCESS_GRANTED', granted);
  await mergeAllOf(sql, userIds);
  return { askers: granted.map(({ userId }) => userId), todoOwners: added[0]?.todoOwners ?? [] };
}
