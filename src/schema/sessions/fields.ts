import { checkPassword, confirmSession, endAll, hashPassword, signIn, signOut } from '../../auth/index.ts';
import { InvalidFields } from '../../errors.ts';
import { audit, auditRefusal, tooManyAttempts } from '../../oauth/index.ts';
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
        throw tooManyAttempts(signed.retryAfter);
      }
      if (signed.session === null) {
        await auditRefusal(engine, { kind: 'sign_in_refused', userId: signed.about });
        throw new InvalidFields({ password: ['Name or password is wrong.'] });
      }
      await audit(engine, { kind: 'signed_in', actorId: signed.userId, userId: signed.userId });
      return { session: signed.session };
    },
  }),
);

builder.mutationField('confirmPassword', (t) =>
  t.field({
    type: NewSession,
    nullable: true,
    description: 'Confirms who is signed in, for what grants power. The session gets a new id; the old one ends.',
    admission: { class: 'session' },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('ConfirmPasswordInput', {
          fields: (field) => ({
            password: field.string({ required: true }),
            browser: field.string({ description: 'What this browser kept from an earlier sign-in.' }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const engine = engineOf(context);
      const { id: userId, username: login } = signedIn(context);
      const { credential } = context.viewer;
      if (credential?.kind !== 'session') throw new TypeError('This belongs to a session.');
      const confirmed = await confirmSession(
        context.database,
        { login, password: input.password, address: context.origin.address, browser: input.browser ?? null, vouchedFor: false },
        { id: credential.sessionId, userId },
      );
      if ('retryAfter' in confirmed) {
        await auditRefusal(engine, { kind: 'sign_in_throttled', userId });
        throw tooManyAttempts(confirmed.retryAfter);
      }
      if (confirmed.session === null) {
        await auditRefusal(engine, { kind: 'sign_in_refused', userId });
        throw new InvalidFields({ password: ['is wrong'] });
      }
      await audit(engine, { kind: 'password_confirmed', actorId: userId, userId });
      return { session: confirmed.session };
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
      const engine = engineOf(context);
      const { id, username: login } = signedIn(context);
      const { database, origin, viewer } = context;
      const problems = new Problems();
      problems.add('password', passwordProblems(input.password));
      const checked = await checkPassword(database, {
        login,
        password: input.current,
        address: origin.address,
        browser: null,
        vouchedFor: false,
      });
      if ('retryAfter' in checked) {
        await auditRefusal(engine, { kind: 'sign_in_throttled', userId: id });
        throw tooManyAttempts(checked.retryAfter);
      }
      if (checked.account === null) {
        await auditRefusal(engine, { kind: 'sign_in_refused', userId: id });
        problems.add('current', ['is wrong']);
      }
      problems.refuse();
      const { credential } = viewer;
      await endAll(database, id, credential?.kind === 'session' ? credential.sessionId : null, await hashPassword(input.password));
      await audit(engine, { kind: 'password_changed', actorId: id, userId: id });
      return true;
    },
  }),
}));
