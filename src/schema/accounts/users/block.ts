import type { AuditKind } from '../../../values/audit-kinds.ts';
import { endAll } from '../../../auth/index.ts';
import { Forbidden } from '../../../errors.ts';
import { writes } from '../../../policy/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { publishEndOfAuthorizations } from '../../access/token-info/ended.ts';
import { auditUser } from './audit.ts';
import { existingUser } from './find.ts';
import { keepAnAdministrator } from './last-administrator.ts';
import { userPayload } from './payload.ts';

const BlockPayload = userPayload<{ readonly changed: boolean }>('BlockUserPayload');
builder.objectField(BlockPayload, 'changed', (t) =>
  t.exposeBoolean('changed', { description: 'Whether this call changed anything.' }),
);

const input = builder.inputType('BlockUserInput', { fields: (t) => ({ userId: t.id({ required: true }) }) });

const setState = (state: 'ACTIVE' | 'BLOCKED', kind: AuditKind, description: string) =>
  builder.mutationField(state === 'BLOCKED' ? 'blockUser' : 'unblockUser', (t) =>
    t.field({
      type: BlockPayload,
      nullable: true,
      description,
      admission: { class: 'session', recent: true, personalToken: writes },
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, args, context) => {
        requireAdministrator(context);
        const { id } = await existingUser(context, args.input.userId);
        if (state === 'BLOCKED' && id === context.viewer.person?.id)
          throw new Forbidden('The API initiating user cannot be blocked by the API');
        const { count } = await context.database.prisma.$transaction(async (prisma) => {
          if (state === 'BLOCKED') await keepAnAdministrator(prisma, id);
          return await prisma.user.updateMany({ where: { id, deletingSince: null, NOT: { state } }, data: { state } });
        });
        if (count === 0) return { id, changed: false };
        // Also when unblocking: an interrupted block must not leave credentials that become valid again.
        await endAll(context.database, id, null);
        publishEndOfAuthorizations(context, id);
        await auditUser(context, kind, id);
        return { id, changed: true };
      },
    }),
  );

setState(
  'BLOCKED',
  'user_blocked',
  'Blocks a person: ends their sessions and revokes their OAuth tokens and codes, and no new ones are issued. For administrators.',
);
setState('ACTIVE', 'user_unblocked', 'Unblocks a person; what the block ended stays ended. For administrators.');
