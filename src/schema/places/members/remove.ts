import { deleteMember, deleteMembersBelow, findMember, lockGroup, unassign } from './statements/changes.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { writes } from '../../../policy/index.ts';
import { idIn } from '../../engine/global-id.ts';
import { mutation } from '../../engine/mutation.ts';
import { accessLevelOf } from './access-level.ts';
import { placeOf } from './input.ts';
import { existingMember } from './list.ts';
import { memberPlace, requireManaging } from './place.ts';
import { forgetUnseen } from '../../settings/notification-settings/forget.ts';
import { auditMember, keepAnOwner } from './rules.ts';
import { memberPayload } from './payload.ts';

mutation('removeMember', {
  description:
    'Removes a direct member of a group (for its owners) or a project (for its maintainers, up to their own role); anyone may leave. Also removes the person’s notification settings for places that they no longer see.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    ...placeOf(t),
    userId: t.id({ required: true }),
    keepBelow: t.boolean({
      defaultValue: false,
      description: 'For a group: whether the person stays a direct member of its subgroups and projects.',
    }),
    unassign: t.boolean({
      defaultValue: false,
      description: 'Whether the person is no longer the assignee of its issues and merge requests.',
    }),
  }),
  payload: memberPayload,
  resolve: async (context, input) => {
    const place = await memberPlace(context, input);
    const userId = idIn(input.userId, 'User');
    const own = userId === context.viewer.person?.id;
    if (!own) requireManaging(place);
    const member = await existingMember(context, place, input.userId, false);
    const actorId = context.viewer.person?.id ?? null;
    await context.database.transaction(async (sql) => {
      if (place.scope === 'group') await sql.rows(lockGroup, [place.id]);
      const [now] = await sql.rows(findMember[place.scope], [place.id, userId]);
      if (!now) throw new NotFound('Member');
      if (!own) requireManaging(place, now.access_level);
      const removed = await sql.rows(deleteMember[place.scope], [place.id, userId, actorId]);
      if (removed.length === 0) throw new Forbidden('A person stays the owner of their own place.');
      if (accessLevelOf(now.access_level) === 'OWNER') await keepAnOwner(sql, place, now.expires_at);
      if (place.scope === 'group' && !input.keepBelow) await sql.rows(deleteMembersBelow, [place.id, userId, actorId]);
      if (input.unassign) await sql.rows(unassign[place.scope], [place.id, userId]);
      await forgetUnseen(sql, userId, place);
      await auditMember(sql, context, 'member_removed', place, userId);
    });
    return { member };
  },
});
