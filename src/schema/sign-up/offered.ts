import type { Context } from '../../context.ts';
import { builder } from '../builder.ts';

/** Whether strangers may make accounts: where an administrator said so, and otherwise as the gateway was started. */
async function isOpen({ database, signUp }: Context): Promise<boolean> {
  const instance = await database.prisma.instance.findUnique({ where: { id: 1 }, select: { settings: true } });
  const chosen = (instance?.settings as { signUp?: unknown } | undefined)?.signUp;
  return typeof chosen === 'boolean' ? chosen : signUp;
}

/** Whether there is a page to sign up at. Nobody can confirm an address without mail. */
export const offersSignUp = async (context: Context): Promise<boolean> => context.mail.configured && (await isOpen(context));

const Entrance = builder.objectRef<{ signUp: boolean; mail: boolean }>('Entrance').implement({
  description: 'What the gateway offers to people who aren’t signed in.',
  fields: (t) => ({
    signUp: t.exposeBoolean('signUp', { description: 'Whether they may make an account.' }),
    mail: t.exposeBoolean('mail', { description: 'Whether messages are sent, as for a forgotten password.' }),
  }),
});

builder.queryField('entrance', (t) =>
  t.field({
    type: Entrance,
    nullable: true,
    description: 'What the gateway offers to people who aren’t signed in.',
    admission: { class: 'session', anonymous: true },
    resolve: async (_root, _args, context) => ({ signUp: await offersSignUp(context), mail: context.mail.configured }),
  }),
);
