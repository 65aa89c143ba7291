import type { Context } from '../../../context.ts';
import { findPeople } from './statements/changes.ts';
import { BadRequest, Conflict, NotFound } from '../../../errors.ts';
import { writes } from '../../../policy/index.ts';
import { idIn } from '../../engine/global-id.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { publishTodos } from '../../planning/live/publish.ts';
import { AccessLevelEnum, levelOf } from './access-level.ts';
import { dayOf, expiry, placeOf } from './input.ts';
import { membersAmong } from './list.ts';
import { makeMembers } from './make.ts';
import type { Member } from './member.ts';
import { memberPlace, requireManaging } from './place.ts';
import { checkMembership } from './rules.ts';
import { MemberInterface } from './types.ts';

/** Maximum number of people in one request. */
const maxPeople = 100;

/**
 * The ids of people who are named by id or by username, without duplicates.
 * @throws BadRequest unless they are named in exactly one way, NotFound if any is missing
 */
async function namedPeople(
  context: Context,
  {
    userIds,
    usernames,
  }: { userIds?: readonly string[] | null | undefined; usernames?: readonly string[] | null | undefined },
): Promise<number[]> {
  if ((userIds == null) === (usernames == null))
    throw new BadRequest('Name people by their numbers or by their usernames.');
  if ((userIds ?? usernames)!.length > maxPeople) throw new BadRequest(`Name no more than ${maxPeople} people.`);
  const ids = [...new Set((userIds ?? []).map((one) => idIn(one, 'User')))];
  const names = [...new Set((usernames ?? []).map((name) => name.toLowerCase()))];
  const people = await context.database.rows(findPeople, [ids, names]);
  if (people.length === 0 || people.length < ids.length + names.length) throw new NotFound('User');
  return people.map(({ id }) => id);
}

mutation('addMembers', {
  description:
    'Adds members to a group (for its owners) or a project (for its maintainers, up to their own role): all of them, or none if one is invalid.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    ...placeOf(t),
    userIds: t.idList({ description: 'Ids of people. Give either these or `usernames`.' }),
    usernames: t.stringList(),
    accessLevel: t.field({
      type: AccessLevelEnum,
      description: 'Null is an error, reported after the group or project and the people were looked up.',
    }),
    expiresAt: expiry(t, 'Omitted or null: it doesn’t end.'),
  }),
  payload: (t: FieldsOf<{ members: Member[] }>) => ({
    members: t.field({ type: [MemberInterface], resolve: ({ members }) => members }),
  }),
  resolve: async (context, input) => {
    const place = await memberPlace(context, input);
    const wanted = { accessLevel: input.accessLevel ?? null, expiresOn: dayOf(input.expiresAt) ?? null };
    requireManaging(place, wanted.accessLevel && levelOf(wanted.accessLevel));
    const userIds = await namedPeople(context, input);
    if ((await membersAmong(context, place, userIds, false)).length > 0) throw new Conflict('Member already exists');
    await checkMembership(context, place, userIds, wanted);
    const { todoOwners } = await context.database.transaction((sql) =>
      makeMembers(sql, context, place, userIds, wanted),
    );
    publishTodos(context, todoOwners, null);
    return { members: await membersAmong(context, place, userIds, false) };
  },
});
