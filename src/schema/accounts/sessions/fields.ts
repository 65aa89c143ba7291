import { endAll, isOwnPassword, proveUnconfirmed, renewed, signIn, signOut } from '../../../auth/index.ts';
import { InvalidFields, Unauthenticated } from '../../../errors.ts';
import { audit, auditRefusal, tooManyAttempts } from '../../../oauth/index.ts';
import { builder } from '../../engine/builder.ts';
import { engineOf, signedIn } from '../../access/oauth/engine.ts';
import { publishEndOfAuthorizations } from '../../access/token-info/ended.ts';
import { noteEntry } from './entry.ts';
import { NewSession, ownSession } from './own.ts';

const SignInPayload = builder
  .objectRef<{
    session: string | null;
    pending: string | null;
    unconfirmed: string | null;
    secondFactorDue?: Date | null;
  }>('SignInPayload')
  .implement({
    fields: (t) => ({
      session: t.exposeString('session', {
        nullable: true,
        description: 'The value for the session cookie. Null if the second factor is still missing.',
      }),
      pending: t.exposeString('pending', {
        nullable: true,
        description: 'The value for the cookie of a sign-in that waits for the second factor.',
      }),
      secondFactorDueAt: t.expose('secondFactorDue', {
        type: 'Time',
        nullable: true,
        description:
          'Until when you have to set up a second factor, because a group requires it. After this, the session serves for nothing else.',
      }),
      unconfirmed: t.exposeString('unconfirmed', {
        nullable: true,
        description:
          'The value for a cookie if the password is right and the address of the account isn’t confirmed: with it, the confirmation link can be sent again.',
      }),
    }),
  });

builder.mutationField('signIn', (t) =>
  t.field({
    type: SignInPayload,
    nullable: true,
    description: 'Signs in by password: opens a session, unless a second factor is needed.',
    admission: { class: 'session', anonymous: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('SignInInput', {
          fields: (field) => ({
            login: field.string({ required: true, description: 'A username or a verified address.' }),
            password: field.string({ required: true }),
            browser: field.string({
              description: 'The value of the cookie that marks a browser known from an earlier sign-in.',
            }),
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
        { login, password, address, browser: input.browser ?? null },
        userAgent,
      );
      if ('retryAfter' in signed) {
        await auditRefusal(engine, { kind: 'sign_in_throttled' });
        throw tooManyAttempts(signed.retryAfter);
      }
      if ('unconfirmed' in signed) {
        await auditRefusal(engine, { kind: 'sign_in_refused', userId: signed.unconfirmed });
        return {
          session: null,
          pending: null,
          unconfirmed: proveUnconfirmed(context.keys, signed.unconfirmed, input.browser ?? null),
        };
      }
      if (signed.session !== null) await noteEntry(context, signed);
      else if (signed.pending === null) {
        await auditRefusal(engine, { kind: 'sign_in_refused', userId: signed.about });
        throw new InvalidFields({ password: ['Name or password is wrong.'] });
      }
      return {
        session: signed.session,
        pending: 'pending' in signed ? signed.pending : null,
        unconfirmed: null,
        secondFactorDue: 'secondFactorDue' in signed ? signed.secondFactorDue : null,
      };
    },
  }),
);

builder.mutationField('confirmPassword', (t) =>
  t.field({
    type: NewSession,
    nullable: true,
    description:
      'Confirms the signed-in person by password, before sensitive actions. The session gets a new id (session fixation); the old one ends.',
    admission: { class: 'session' },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('ConfirmPasswordInput', {
          fields: (field) => ({
            password: field.string({ required: true }),
            browser: field.string({
              description: 'The value of the cookie that marks a browser known from an earlier sign-in.',
            }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const engine = engineOf(context);
      const session = ownSession(context);
      const { userId } = session;
      const right = await isOwnPassword(
        context.database,
        {
          login: signedIn(context).username,
          password: input.password,
          address: context.origin.address,
          browser: input.browser ?? null,
        },
        userId,
      );
      if (typeof right === 'object') {
        await auditRefusal(engine, { kind: 'sign_in_throttled', userId });
        throw tooManyAttempts(right.retryAfter);
      }
      if (!right) {
        await auditRefusal(engine, { kind: 'sign_in_refused', userId });
        throw new InvalidFields({ password: ['is wrong'] });
      }
      const secret = await renewed(context.database, session);
      if (secret === null) throw new Unauthenticated();
      await audit(engine, { kind: 'password_confirmed', actorId: userId, userId });
      return { session: secret };
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
    description:
      'Ends all your sessions and revokes all your OAuth tokens and codes. Personal access tokens stay valid.',
    admission: { class: 'session' },
    resolve: async (_root, _args, context) => {
      const { id } = signedIn(context);
      await endAll(context.database, id, null);
      publishEndOfAuthorizations(context, id);
      await audit(engineOf(context), { kind: 'signed_out_everywhere', actorId: id, userId: id });
      return true;
    },
  }),
}));
