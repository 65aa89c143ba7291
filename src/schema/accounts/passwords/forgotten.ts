import { addressKey, countAgainst, digest, endAll, hashPassword, keepMailedToken } from '../../../auth/index.ts';
import { findMailbox, findMailedToken, setPasswordByToken } from '../../../auth/statements/mailed-tokens.ts';
import { BadRequest, Enough, NotFound } from '../../../errors.ts';
import { messages } from '../../../mail/index.ts';
import { audit, auditRefusal } from '../../../oauth/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { Problems } from '../../engine/input.ts';
import { engineOf } from '../../access/oauth/engine.ts';
import { mailAccount } from '../../engine/mail-account.ts';
import { publishEndOfAuthorizations } from '../../access/token-info/ended.ts';
import { auditUser } from '../users/changes/audit.ts';
import { existingUser } from '../users/find.ts';
import { knownPerson, lengthProblems, passwordProblems } from '../users/changes/password.ts';
import { passwordLink } from './link.ts';

/** Rate limits: messages to one account, and requests from one address. */
const messagesOfAccount = { most: 3, seconds: 3_600 } as const;
const questions = { most: 20, seconds: 3_600 } as const;

builder.mutationField('requestPasswordReset', (t) =>
  t.boolean({
    nullable: true,
    description:
      'Sends a password reset link to the confirmed primary address of an account. The answer doesn’t reveal whether the account exists.',
    admission: { class: 'session', anonymous: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('RequestPasswordResetInput', {
          fields: (field) => ({
            login: field.string({ required: true, description: 'A username or a verified address.' }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { database, mail, origin, baseUrl } = context;
      if (!mail.configured)
        throw new BadRequest('No mail is sent from here. Ask your administrator for a new password.');
      const engine = engineOf(context);
      const wait = await countAgainst(database, { [`reset address ${addressKey(origin.address)}`]: questions });
      if (wait !== null) {
        await auditRefusal(engine, { kind: 'password_reset_throttled' });
        throw new Enough(wait, 'Many links for new passwords were asked for from your network.');
      }
      const login = input.login.trim().toLowerCase().slice(0, 255);
      // From here on the work is the same for every login, and the message is sent after the answer: timing reveals
      // nothing.
      const [mailbox] = await database.rows(findMailbox, [login]);
      const who = mailbox ? `user ${mailbox.user_id}` : `name ${digest(login).toString('base64url')}`;
      const enough = (await countAgainst(database, { [`reset ${who}`]: messagesOfAccount })) !== null;
      const token = await keepMailedToken(database, 'RESET_PASSWORD', enough ? 0 : (mailbox?.email_id ?? 0));
      await auditRefusal(engine, { kind: 'password_reset_requested', userId: mailbox?.user_id ?? null });
      if (mailbox && !enough)
        mail.send(mailbox.address, messages.resetPassword(mailbox.username, passwordLink(baseUrl, token)));
      return true;
    },
  }),
);

builder.mutationField('setForgottenPassword', (t) =>
  t.boolean({
    nullable: true,
    description:
      'Sets a new password by the token of a link. Ends every session and revokes every OAuth token and code.',
    admission: { class: 'session', anonymous: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('SetForgottenPasswordInput', {
          fields: (field) => ({ token: field.string({ required: true }), password: field.string({ required: true }) }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { database } = context;
      const problems = new Problems();
      problems.add('password', lengthProblems(input.password));
      problems.refuse();
      const token = digest(input.token);
      // Checked before the password is hashed: a request without a valid token must not cost that work.
      const [link] = await database.rows(findMailedToken.RESET_PASSWORD, [token]);
      if (!link) throw new NotFound('Link');
      problems.add(
        'password',
        await passwordProblems(context, input.password, await knownPerson(context, link.user_id)),
      );
      problems.refuse();
      const [set] = await database.rows(setPasswordByToken, [token, await hashPassword(input.password)]);
      if (!set) throw new NotFound('Link');
      const { user_id: userId } = set;
      // End sessions again: some may have been opened just before the commit. See `endAll`.
      await endAll(database, userId, null);
      publishEndOfAuthorizations(context, userId);
      await audit(engineOf(context), { kind: 'password_reset_by_link', actorId: userId, userId });
      await mailAccount(context, userId, messages.passwordChanged);
      return true;
    },
  }),
);

const PasswordResetLink = builder.objectRef<{ url: string }>('CreatePasswordResetLinkPayload').implement({
  fields: (t) => ({
    url: t.exposeString('url', {
      description: 'Works once, within an hour. Give it only to the person.',
    }),
  }),
});

builder.mutationField('createPasswordResetLink', (t) =>
  t.field({
    type: PasswordResetLink,
    nullable: true,
    description: 'Creates a password reset link without sending it. For administrators.',
    admission: { class: 'session', recent: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('CreatePasswordResetLinkInput', {
          fields: (field) => ({ userId: field.id({ required: true }) }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      requireAdministrator(context);
      const { database, baseUrl } = context;
      const { id, state } = await existingUser(context, input.userId);
      const primary = await database.prisma.email.findUnique({ where: { primaryOf: id, verifiedAt: { not: null } } });
      if (state !== 'ACTIVE') throw new BadRequest('The account is blocked.');
      if (!primary) throw new BadRequest('The account has no confirmed address.');
      const token = await keepMailedToken(database, 'RESET_PASSWORD', primary.id);
      await auditUser(context, 'password_reset_link_created', id);
      return { url: passwordLink(baseUrl, token) };
    },
  }),
);
