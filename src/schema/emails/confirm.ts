import { digest } from '../../auth/index.ts';
import { findMailedToken, verifyByToken } from '../../database/statements/mailed-tokens.ts';
import { NotFound } from '../../errors.ts';
import { audit } from '../../oauth/index.ts';
import { builder } from '../builder.ts';
import { engineOf } from '../oauth/engine.ts';

/** What a link in a message is about. */
const MailedLink = builder.objectRef<{ username: string; address: string }>('MailedLink').implement({
  description: 'What a link in a message is about, said to whoever has it.',
  fields: (t) => ({ username: t.exposeString('username'), address: t.exposeString('address') }),
});

const MailedLinkKind = builder.enumType('MailedLinkKind', { values: ['VERIFY_EMAIL', 'RESET_PASSWORD'] as const });

builder.queryField('mailedLink', (t) =>
  t.field({
    type: MailedLink,
    nullable: true,
    description: 'The account and the address of a link that works; null for one that doesn’t, or no more.',
    admission: { class: 'session', anonymous: true },
    args: { kind: t.arg({ type: MailedLinkKind, required: true }), token: t.arg.string({ required: true }) },
    resolve: async (_root, { kind, token }, { database }) => (await database.rows(findMailedToken[kind], [digest(token)]))[0] ?? null,
  }),
);

const ConfirmEmailPayload = builder.objectRef<{ username: string; address: string }>('ConfirmEmailPayload').implement({
  fields: (t) => ({ username: t.exposeString('username'), address: t.exposeString('address') }),
});

builder.mutationField('confirmEmail', (t) =>
  t.field({
    type: ConfirmEmailPayload,
    nullable: true,
    description: 'Confirms an address by the token of a link, once. Needs nobody who is signed in.',
    admission: { class: 'session', anonymous: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('ConfirmEmailInput', { fields: (field) => ({ token: field.string({ required: true }) }) }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const [confirmed] = await context.database.rows(verifyByToken, [digest(input.token)]);
      if (!confirmed) throw new NotFound('Link');
      const { user_id: userId } = confirmed;
      await audit(engineOf(context), { kind: 'email_verified', actorId: context.viewer.person?.id ?? null, userId });
      return confirmed;
    },
  }),
);
