import { changeMember, findMember, lockGroup } from './statements/changes.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { writes } from '../../../policy/index.ts';
import { idIn } from '../../engine/global-id.ts';
import { mutation } from '../../engine/mutation.ts';
import { mergeAllOf } from '../../reviews/merging/when-due.ts';
import { accessLevelOf, AccessLevelEnum, levelOf } from './access-level.ts';
import { dayOf, expiry, placeOf } from './input.ts';
import { existingMember } from './list.ts';
import { memberPlace, requireManaging } from './place.ts';
import { auditMember, checkMembership, keepAnOwner } from './rules.ts';
import { memberPayload } from './payload.ts';

mutation('updateMember', {
  description:
    'Changes a direct membership of a group (for its owners) or a project (for its maintainers, up to their own role). Omitted fields stay as they are.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    ...placeOf(t),
    userId: t.id({ required: true }),
    accessLevel: t.field({
      type: AccessLevelEnum,
      description: 'Null is an error, reported after the group or project and the member were looked up.',
    }),
    expiresAt: expiry(t, 'Null: it doesn’t end.'),
  }),
  payload: memberPayload,
  resolve: async (context, input) => {
    const place = await memberPlace(context, input);
    requireManaging(place);
    const userId = idIn(input.userId, 'User');
    await context.database.transaction(async (sql) => {
      if (place.scope === 'group') await sql.rows(lockGroup, [place.id]);
      const [now] = await sql.rows(findMember[place.scope], [place.id, userId]);
      if (!now) throw new NotFound('Member');
      const wanted = {
        accessLevel: input.accessLevel === undefined ? accessLevelOf(now.access_level) : input.accessLevel,
        expiresOn: input.expiresAt === undefined ? now.expires_at : dayOf(input.expiresAt),
      };
      requireManaging(place, now.access_level, wanted.accessLevel && levelOf(wanted.accessLevel));
      await checkMembership(context, place, [userId], wanted);
      const changed = await sql.rows(changeMember[place.scope], [
        place.id,
        userId,
        levelOf(wanted.accessLevel!),
        wanted.expiresOn,
        context.viewer.person?.id ?? null,
      ]);
      if (changed.length === 0) throw new Forbidden('A person stays the owner of their own place.');
      if (accessLevelOf(now.access_level) === 'OWNER') await keepAnOwner(sql, place, now.expires_at);
      await auditMember(sql, context, 'member_updated', place, userId, wanted);
      await mergeAllOf(sql, [userId]);
    });
    return { member: await existingMember(context, place, input.userId, false) };
  },
});
