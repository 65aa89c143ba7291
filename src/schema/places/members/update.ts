import { changeMember, findMember, lockGroup, type MemberRow } from './statements.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { accessLevelOf, AccessLevelEnum, levelOf } from './access-level.ts';
import { existingMember, userIdOf } from './list.ts';
import { memberPlace, requireManaging } from './place.ts';
import { auditMember, checkMembership, keepAnOwner } from './rules.ts';
import { Member } from './types.ts';

const UpdateMemberPayload = builder.objectRef<{ member: MemberRow }>('UpdateMemberPayload').implement({
  fields: (t) => ({ member: t.field({ type: Member, resolve: ({ member }) => member }) }),
});

builder.mutationField('updateMember', (t) =>
  t.field({
    type: UpdateMemberPayload,
    nullable: true,
    description:
      'Changes a direct membership of a group (for its owners) or a project (for its maintainers, up to their own role). Omitted fields stay as they are.',
    admission: { class: 'token', scopes: writes },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('UpdateMemberInput', {
          fields: (field) => ({
            group: field.id({ description: 'Id or full path.' }),
            project: field.id({ description: 'Id or full path.' }),
            userId: field.id({ required: true }),
            accessLevel: field.field({
              type: AccessLevelEnum,
              description: 'Null is an error, reported after the group or project and the member were looked up.',
            }),
            expiresAt: field.field({
              type: 'Date',
              description: 'The first day (UTC) on which the membership is no longer valid; null: it doesn’t expire.',
            }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const place = await memberPlace(context, input);
      requireManaging(place);
      const userId = userIdOf(input.userId);
      await context.database.transaction(async (sql) => {
        if (place.scope === 'group') await sql.rows(lockGroup, [place.id]);
        const [now] = await sql.rows(findMember[place.scope], [place.id, userId]);
        if (!now) throw new NotFound('Member');
        const wanted = {
          accessLevel: input.accessLevel === undefined ? accessLevelOf(now.access_level) : input.accessLevel,
          expiresAt: input.expiresAt === undefined ? now.expires_at : input.expiresAt,
        };
        requireManaging(place, now.access_level, wanted.accessLevel && levelOf(wanted.accessLevel));
        await checkMembership(context, place, [userId], wanted);
        const changed = await sql.rows(changeMember[place.scope], [
          place.id,
          userId,
          levelOf(wanted.accessLevel!),
          wanted.expiresAt,
        ]);
        if (changed.length === 0) throw new Forbidden('A person stays the owner of their own place.');
        if (accessLevelOf(now.access_level) === 'OWNER') await keepAnOwner(sql, place, now.expires_at);
        await auditMember(sql, context, 'member_updated', place, userId, wanted);
      });
      return { member: await existingMember(context, place, input.userId, false) };
    },
  }),
);
