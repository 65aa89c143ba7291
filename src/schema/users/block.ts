import { endAll } from '../../auth/index.ts';
import { audit } from '../../oauth/index.ts';
import { requireAdministrator } from '../administrators.ts';
import { builder } from '../builder.ts';
import { engineOf } from '../oauth/engine.ts';
import { existingUser } from './find.ts';
import { User } from './types.ts';

const setState = (state: 'ACTIVE' | 'BLOCKED', kind: string, description: string) =>
  builder.mutationField(state === 'BLOCKED' ? 'blockUser' : 'unblockUser', (t) =>
    t.prismaField({
      type: User,
      nullable: true,
      description,
      admission: { class: 'session', recent: true },
      args: { userId: t.arg.id({ required: true }) },
      resolve: async (query, _root, { userId }, context) => {
        requireAdministrator(context);
        const { id } = await existingUser(context, userId);
        const user = await context.database.prisma.user.update({ ...query, where: { id }, data: { state } });
        // Also while unblocking: a block that was cut short must not leave anything to come back.
        await endAll(context.database, id, null);
        await audit(engineOf(context), { kind, actorId: context.viewer.person?.id ?? null, userId: id });
        return user;
      },
    }),
  );

setState('BLOCKED', 'user_blocked', 'Ends every session, OAuth token and code of a person and lets none be made. For administrators.');
setState('ACTIVE', 'user_unblocked', 'Lets a person in again; what the block ended stays ended. For administrators.');
