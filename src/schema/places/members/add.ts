import type { Context } from '../../../context.ts';
import { findPeople, insertMembers, type MemberRow } from './statements.ts';
import { BadRequest, Conflict, NotFound } from '../../../errors.ts';
import { writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { AccessLevelEnum, levelOf } from './access-level.ts';
import { membersAmong, userIdOf } from './list.ts';
import { memberPlace, requireManaging } from './place.ts';
import { auditMember, checkMembership } from './rules.ts';
import { Member } from './types.ts';

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
  const ids = [...new Set((userIds ?? []).map(userIdOf))];
  const names = [...new Set((usernames ?? []).map((name) => name.toLowerCase()))];
  const people = await context.database.rows(findPeople, [ids, names]);
  if (people.length === 0 || people.length < ids.length + names.length) throw new NotFound('User');
  return people.map(({ id }) => id);
}

const AddMembersPayload = builder.objectRef<{ members: MemberRow[] }>('AddMembersPayload').implement({
  fields: (t) => ({ members: t.field({ type: [Member], resolve: ({ members }) => members }) }),
});

builder.mutationField('addMembers', (t) =>
  t.field({
    type: AddMembersPayload,
    nullable: true,
    description:
      'Adds members to a group (for its owners) or a project (for its maintainers, up to their own role): all of them, or none if one is invalid.',
    admission: { class: 'token', scopes: writes },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('AddMembersInput', {
          fields: (field) => ({
            group: field.id({ description: 'Id or full path.' }),
            project: field.id({ description: 'Id or full path.' }),
            userIds: field.idList({ description: 'Ids of people. Give either these or `usernames`.' }),
            usernames: field.stringList(),
            accessLevel: field.field({
              type: AccessLevelEnum,
              description: 'Null is an error, reported after the group or project and the people were looked up.',
            }),
            expiresAt: field.field({
              type: 'Date',
              description: 'The first day (UTC) on which the membership is no longer valid.',
            }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const place = await memberPlace(context, input);
      const wanted = { accessLevel: input.accessLevel ?? null, expiresAt: input.expiresAt ?? null };
      requireManaging(place, wanted.accessLevel && levelOf(wanted.accessLevel));
      const userIds = await namedPeople(context, input);
      if ((await membersAmong(context, place, userIds, false)).length > 0) throw new Conflict('Member already exists');
      await checkMembership(context, place, userIds, wanted);
      await context.database.transaction(async (sql) => {
        const added = await sql.rows(insertMembers[place.scope], [
          place.id,
          userIds,
          levelOf(wanted.accessLevel!),
          wanted.expiresAt,
        ]);
        // A concurrent request did it first.
        if (added.length < userIds.length) throw new Conflict('Member already exists');
        for (const userId of userIds) await auditMember(sql, context, 'member_added', place, userId, wanted);
      });
      return { members: await membersAmong(context, place, userIds, false) };
    },
  }),
);
