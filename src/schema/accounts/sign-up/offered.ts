import type { Context } from '../../../context.ts';
import { builder } from '../../engine/builder.ts';

/** Whether people can sign up. It needs mail, to confirm addresses. */
export const offersSignUp = ({ mail, settings }: Context): boolean => mail.configured && settings.signUp;

const Entrance = builder
  .objectRef<{ signUp: boolean; approval: boolean; mail: boolean; greeting: string | null }>('Entrance')
  .implement({
    description: 'What the gateway offers to people who aren’t signed in.',
    fields: (t) => ({
      signUp: t.exposeBoolean('signUp', { description: 'Whether they may make an account.' }),
      approval: t.exposeBoolean('approval', { description: 'Whether an administrator approves new accounts.' }),
      greeting: t.exposeString('greeting', {
        nullable: true,
        description: 'The greeting of the instance; null if none is set.',
      }),
      mail: t.exposeBoolean('mail', { description: 'Whether mail is sent, for example for forgotten passwords.' }),
    }),
  });

builder.queryField('entrance', (t) =>
  t.field({
    type: Entrance,
    nullable: true,
    description: 'What the gateway offers to people who aren’t signed in.',
    admission: { class: 'session', anonymous: true },
    resolve: (_root, _args, context) => ({
      signUp: offersSignUp(context),
      approval: context.settings.requireAdminApprovalAfterUserSignup,
      mail: context.mail.configured,
      greeting: context.settings.greeting || null,
    }),
  }),
);
