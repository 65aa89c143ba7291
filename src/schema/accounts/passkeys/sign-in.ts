import { renewed } from '../../../auth/index.ts';
import {
  completeByPasskey,
  confirmPurpose,
  requestOptions,
  secondStepPurpose,
  signInByPasskey,
  signInPurpose,
  verifyUsed,
} from '../../../auth/passkeys/index.ts';
import { pendingSignIn } from '../../../auth/sign-in/pending-sign-in.ts';
import { ownSecondFactor } from '../../../auth/statements/second-factors.ts';
import { listPasskeys } from '../../../auth/statements/passkeys.ts';
import { Unauthenticated } from '../../../errors.ts';
import { audit } from '../../../oauth/index.ts';
import { engineOf } from '../../access/oauth/engine.ts';
import { builder } from '../../engine/builder.ts';
import { noteEntry } from '../sessions/entry.ts';
import { NewSession, ownSession } from '../sessions/own.ts';
import { partyOf, requireParty } from './party.ts';
import { refusalOf } from './refusal.ts';

/** Signing in by a passkey, alone or after the password, and confirming who one is by one. */

const PendingSignIn = builder
  .objectRef<{ readonly app: boolean; readonly passkeys: string | null }>('PendingSignIn')
  .implement({
    description: 'A sign-in with the right password that waits for its second factor.',
    fields: (t) => ({
      app: t.exposeBoolean('app', { description: 'Whether a code of an authenticator app completes it.' }),
      passkeys: t.exposeString('passkeys', {
        nullable: true,
        description: 'Options to complete it by a passkey, as JSON; null if the person has none.',
      }),
    }),
  });

builder.queryFields((t) => ({
  passkeySignIn: t.string({
    nullable: true,
    description: 'Options to sign in by a passkey, as JSON; null where there are none.',
    admission: { class: 'session', anonymous: true },
    args: { browser: t.arg.string({ required: true, description: 'The name of this browser, from its cookie.' }) },
    resolve: (_root, { browser }, context) => {
      const party = partyOf(context);
      return party && JSON.stringify(requestOptions(context.keys, party, signInPurpose(browser), null));
    },
  }),
  pendingSignIn: t.field({
    type: PendingSignIn,
    nullable: true,
    admission: { class: 'session', anonymous: true },
    args: { pending: t.arg.string({ required: true }), browser: t.arg.string() },
    resolve: async (_root, { pending, browser }, context) => {
      const { database, keys } = context;
      const found = await pendingSignIn(database, pending, browser ?? null);
      if (!found) return null;
      const [factor] = await database.rows(ownSecondFactor, [found.user_id]);
      const party = partyOf(context);
      const known = party ? await database.rows(listPasskeys, [found.user_id]) : [];
      const passkeys =
        known.length === 0 ? null : JSON.stringify(requestOptions(keys, party!, secondStepPurpose(pending), known));
      return { app: factor?.app ?? false, passkeys };
    },
  }),
}));

builder.mutationFields((t) => ({
  signInByPasskey: t.field({
    type: NewSession,
    nullable: true,
    description: 'Signs in by a passkey alone: it is the device, and what unlocks the device.',
    admission: { class: 'session', anonymous: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('SignInByPasskeyInput', {
          fields: (field) => ({
            answer: field.string({ required: true, description: 'The answer of the browser, as JSON.' }),
            browser: field.string({ description: 'The same value as for the options.' }),
            userAgent: field.string({ required: true }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { database, keys, origin } = context;
      const from = { ...input, browser: input.browser ?? null, address: origin.address };
      const entered = await signInByPasskey(database, keys, requireParty(context), from);
      if (entered.session === null) throw await refusalOf(context, entered.refused);
      await noteEntry(context, entered, 'with a passkey');
      return entered;
    },
  }),
  completeSignInByPasskey: t.field({
    type: NewSession,
    nullable: true,
    description: 'Completes a sign-in after the password, by a passkey.',
    admission: { class: 'session', anonymous: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('CompleteSignInByPasskeyInput', {
          fields: (field) => ({
            pending: field.string({ required: true, description: 'The pending sign-in, from its cookie.' }),
            answer: field.string({ required: true, description: 'The answer of the browser, as JSON.' }),
            browser: field.string({ description: 'The same value as in the first step.' }),
            userAgent: field.string({ required: true }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { database, keys, origin } = context;
      const from = { ...input, browser: input.browser ?? null, address: origin.address };
      const entered = await completeByPasskey(database, keys, requireParty(context), from);
      if (!entered) throw new Unauthenticated('Sign in again.');
      if (entered.session === null) throw await refusalOf(context, entered.refused);
      await noteEntry(context, entered, 'with a passkey as second factor');
      return entered;
    },
  }),
  confirmPasskey: t.field({
    type: NewSession,
    nullable: true,
    description: 'Confirms the signed-in person by a passkey instead of the password. The session gets a new id.',
    admission: { class: 'session' },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('ConfirmPasskeyInput', {
          fields: (field) => ({
            answer: field.string({ required: true, description: 'The answer of the browser, as JSON.' }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { database: sql, keys } = context;
      const session = ownSession(context);
      const { userId } = session;
      const checking = { sql, keys, party: requireParty(context), purpose: confirmPurpose(session) };
      const passkey = await verifyUsed(checking, input.answer, { owner: userId, alone: false });
      if (typeof passkey === 'string' || 'wrong' in passkey) throw await refusalOf(context, passkey);
      const secret = await renewed(sql, session);
      if (secret === null) throw new Unauthenticated();
      await audit(engineOf(context), { kind: 'second_factor_confirmed', actorId: userId, userId });
      return { session: secret };
    },
  }),
}));
