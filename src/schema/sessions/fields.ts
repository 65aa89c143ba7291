import { endAll, hashPassword, signIn, signOut, verifyPassword } from '../../auth/index.ts';
import { InvalidFields, OAuthError } from '../../errors.ts';
import { audit, auditRefusal } from '../../oauth/index.ts';
import { builder } from '../builder.ts';
import { Problems } from '../input.ts';
import { engineOf, signedIn } from '../oauth/engine.ts';
import { passwordProblems } from '../users/password.ts';

const NewSession = builder.objectRef<{ session: string }>('NewSession').implement({
  fields: (t) => ({
    session: t.exposeString('session', { description: 'For the cookie. Only its digest is kept.' }),
  }),
});

builder.mutationField('signIn', (t) =>
  t.field({
    type: NewSession,
    nullable: true,
    description: 'Opens a session for whoever knows the password.',
    admission: { class: 'session', anonymous: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('SignInInput', {
          fields: (field) => ({
            login: field.string({ required: true, description: 'A name or a verified address.' }),
            password: field.string({ required: true }),
            browser: field.string({ description: 'What this browser kept from an earlier sign-in.' }),
            userAgent: field.string({ required: true }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const engine = engineOf(context);
      const { login, password, userAgent } = input;
      const { address } = context.origin;
      const signed = await signIn(
        context.database,
        { login, password, address, browser: input.browser ?? null, vouchedFor: false },
        userAgent,
      );
      if ('retryAfter' in signed) {
        await auditRefusal(engine, { kind: 'sign_in_throttled' });
        throw new OAuthError('temporarily_unavailable', 'Too many failed attempts. Try again later.', signed.retryAfter);
      }
      if (signed.session === null) {
        await auditRefusal(engine, { kind: 'sign_in_refused' });
        throw new InvalidFields({ password: ['Name or password is wrong.'] });
      }
      await audit(engine, { kind: 'signed_in', actorId: signed.userId, userId: signed.userId });
      return { session: signed.session };
    },
  }),
);

builder.mutationFields((t) => ({
  signOut: t.boolean({
    nullable: true,
    description: 'Ends this session.',
    admission: { class: 'session' },
    resolve: async (_root, _args, context) => {
      const { credential } = context.viewer;
      if (credential?.kind === 'session') await signOut(context.database, credential.sessionId, signedIn(context).id);
      return true;
    },
  }),
  signOutEverywhere: t.boolean({
    nullable: true,
    description: 'Ends every session, every OAuth token and every code of yours. Personal access tokens live on.',
    admission: { class: 'session' },
    resolve: async (_root, _args, context) => {
      const { id } = signedIn(context);
      await endAll(context.database, id, null);
      await audit(engineOf(context), { kind: 'signed_out_everywhere', actorId: id, userId: id });
      return true;
    },
  }),
  changePassword: t.boolean({
    nullable: true,
    description: 'Sets a new password of your own. Ends every other session, every OAuth token and every code.',
    admission: { class: 'session', recent: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('ChangePasswordInput', {
          fields: (field) => ({
            current: field.string({ required: true }),
            password: field.string({ required: true }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { id } = signedIn(context);
      const { prisma } = context.database;
      const { passwordHash } = await prisma.user.findUniqueOrThrow({ where: { id }, select: { passwordHash: true } });
      const problems = new Problems();
      problems.add('password', passwordProblems(input.password));
      if (!(await verifyPassword(passwordHash, input.current))) problems.add('current', ['is wrong']);
      problems.refuse();
      await prisma.user.update({ where: { id }, data: { passwordHash: await hashPassword(input.password) } });
      const { credential } = context.viewer;
      await endAll(context.database, id, credential?.kind === 'session' ? credential.sessionId : null);
      await audit(engineOf(context), { kind: 'password_changed', actorId: id, userId: id });
      return true;
    },
  }),
}));
