import { checkPassword, digest } from '../../../auth/index.ts';
import type { Context } from '../../../context.ts';
import { findMailedToken, verifyByToken, type FoundTokenRow } from '../../../auth/statements/mailed-tokens.ts';
import { InvalidFields, NotFound } from '../../../errors.ts';
import { audit, auditRefusal, tooManyAttempts } from '../../../oauth/index.ts';
import { builder } from '../../engine/builder.ts';
import { engineOf } from '../../access/oauth/engine.ts';

/** What a mailed link is for. */
const MailedLink = builder.objectRef<FoundTokenRow>('MailedLink').implement({
  description: 'What a mailed link is for, shown to anyone who has the link.',
  fields: (t) => ({
    username: t.exposeString('username'),
    address: t.exposeString('address'),
    wantsPassword: t.exposeBoolean('unconfirmed', {
      description: 'Whether confirming the address needs the password of the account.',
    }),
  }),
});

const MailedLinkKind = builder.enumType('MailedLinkKind', { values: ['VERIFY_EMAIL', 'RESET_PASSWORD'] as const });

builder.queryField('mailedLink', (t) =>
  t.field({
    type: MailedLink,
    nullable: true,
    description: 'The account and the address of a valid link; null for one that is unknown, used or expired.',
    admission: { class: 'session', anonymous: true },
    args: { kind: t.arg({ type: MailedLinkKind, required: true }), token: t.arg.string({ required: true }) },
    resolve: async (_root, { kind, token }, { database }) =>
      (await database.rows(findMailedToken[kind], [digest(token)]))[0] ?? null,
  }),
);

const ConfirmEmailPayload = builder.objectRef<{ username: string; address: string }>('ConfirmEmailPayload').implement({
  fields: (t) => ({ username: t.exposeString('username'), address: t.exposeString('address') }),
});

builder.mutationField('confirmEmail', (t) =>
  t.field({
    type: ConfirmEmailPayload,
    nullable: true,
    description:
      'Confirms an address by the token of a link, once. No session is needed; an account that never had a confirmed address needs its password.',
    admission: { class: 'session', anonymous: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('ConfirmEmailInput', {
          fields: (field) => ({
            token: field.string({ required: true }),
            password: field.string({ description: 'The password of the account, if `wantsPassword`.' }),
            browser: field.string({
              description: 'The value of the cookie that marks a browser known from an earlier sign-in.',
            }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const [link] = await context.database.rows(findMailedToken.VERIFY_EMAIL, [digest(input.token)]);
      if (link?.unconfirmed) await requirePassword(context, link, input.password ?? '', input.browser ?? null);
      const [confirmed] = await context.database.rows(verifyByToken, [digest(input.token)]);
      if (!confirmed) throw new NotFound('Link');
      const { user_id: userId } = confirmed;
      await audit(engineOf(context), { kind: 'email_verified', actorId: context.viewer.person?.id ?? null, userId });
      return confirmed;
    },
  }),
);

/**
 * Requires the password for the first confirmation of an account. A stranger may have signed up with the address of
 * another person: the stranger knows the password, the owner of the address has the link. Neither alone activates
 * the account.
 * @throws InvalidFields, OAuthError after too many wrong passwords
 */
async function requirePassword(
  context: Context,
  { user_id: userId, username }: FoundTokenRow,
  password: string,
  browser: string | null,
): Promise<void> {
  const { address } = context.origin;
  const checked = await checkPassword(context.database, {
    login: username,
    password,
    address,
    browser,
    application: null,
    secondStep: true,
    unconfirmed: true,
    pending: true,
  });
  if ('retryAfter' in checked) {
    await auditRefusal(engineOf(context), { kind: 'sign_in_throttled', userId });
    throw tooManyAttempts(checked.retryAfter);
  }
  if (checked.account?.id === userId) return;
  await auditRefusal(engineOf(context), { kind: 'sign_in_refused', userId });
  throw new InvalidFields({ password: ['is wrong'] });
}
