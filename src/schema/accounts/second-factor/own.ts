import {
  beginSecondFactor,
  enableSecondFactor,
  endAll,
  renewRecoveryCodes,
  secondFactorOf,
  seedBeingSetUp,
  seedLink,
  type SecondFactor as SecondFactorOf,
} from '../../../auth/index.ts';
import { Conflict, InvalidFields, NotFound } from '../../../errors.ts';
import { messages } from '../../../mail/index.ts';
import { builder } from '../../engine/builder.ts';
import { signedIn } from '../../access/oauth/engine.ts';
import { ownSession } from '../sessions/own.ts';
import { mailAccount } from '../../engine/mail-account.ts';
import { publishEndOfAuthorizations } from '../../access/token-info/ended.ts';
import { auditUser } from '../users/changes/audit.ts';

/** A person's own second factor: set-up, and recovery codes. */

const SecondFactor = builder.objectRef<SecondFactorOf>('SecondFactor').implement({
  description: 'The second factors of a person: an authenticator app, passkeys, and recovery codes.',
  fields: (t) => ({
    enabledAt: t.expose('enabledAt', { type: 'Time' }),
    app: t.exposeBoolean('app', { description: 'Whether an authenticator app is set up.' }),
    recoveryCodesLeft: t.exposeInt('recoveryCodesLeft'),
  }),
});

const Seed = builder.objectRef<{ seed: string; username: string }>('SecondFactorSeed').implement({
  description: 'The secret that an authenticator app derives codes from (RFC 6238).',
  fields: (t) => ({
    seed: t.exposeString('seed', { description: 'In base32.' }),
    link: t.string({
      description: 'The `otpauth:` URI, for a QR code.',
      resolve: ({ seed, username }) => seedLink(seed, username),
    }),
  }),
});

const RecoveryCodes = builder.objectRef<{ codes: readonly string[] }>('RecoveryCodes').implement({
  fields: (t) => ({
    recoveryCodes: t.stringList({
      description: 'Shown only once; only their digests are stored.',
      resolve: ({ codes }) => [...codes],
    }),
  }),
});

builder.queryFields((t) => ({
  secondFactor: t.field({
    type: SecondFactor,
    nullable: true,
    description: 'Your own second factor; null if it is off.',
    admission: { class: 'session' },
    resolve: (_root, _args, context) => secondFactorOf(context.database, signedIn(context).id),
  }),
  secondFactorSeed: t.field({
    type: Seed,
    nullable: true,
    description: 'The seed that you are setting up; null if there is none.',
    admission: { class: 'session', recent: true },
    resolve: async (_root, _args, context) => {
      const { id, username } = signedIn(context);
      const seed = await seedBeingSetUp(context.database, context.keys, id);
      return seed === null ? null : { seed, username };
    },
  }),
}));

builder.mutationFields((t) => ({
  beginSecondFactor: t.boolean({
    nullable: true,
    description: 'Creates a new seed, which is in use once a code confirms it.',
    admission: { class: 'session', recent: true },
    resolve: async (_root, _args, context) => {
      const begun = await beginSecondFactor(context.database, context.keys, signedIn(context).id);
      if (!begun) throw new Conflict('A second factor is turned on already.');
      return true;
    },
  }),
  enableSecondFactor: t.field({
    type: RecoveryCodes,
    nullable: true,
    description:
      'Turns the second factor on by a code of the new seed. Ends every other session and revokes every OAuth token and code.',
    admission: { class: 'session', recent: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('EnableSecondFactorInput', {
          fields: (field) => ({ code: field.string({ required: true }) }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { database, keys } = context;
      const { id, userId } = ownSession(context);
      const codes = await database.transaction(async (sql) => {
        const made = await enableSecondFactor(sql, keys, userId, input.code);
        if (made) await endAll(sql, userId, id);
        return made;
      });
      if (!codes) throw new InvalidFields({ code: ['is wrong'] });
      // End them again: a session may have been opened without a second factor just before the commit.
      await endAll(database, userId, id);
      publishEndOfAuthorizations(context, userId);
      await auditUser(context, 'second_factor_enabled', userId);
      await mailAccount(context, userId, messages.secondFactorOn);
      return { codes };
    },
  }),
  renewRecoveryCodes: t.field({
    type: RecoveryCodes,
    nullable: true,
    description: 'Creates new recovery codes; the old ones stop working.',
    admission: { class: 'session', recent: true },
    resolve: async (_root, _args, context) => {
      const { id } = signedIn(context);
      const codes = await context.database.transaction((sql) => renewRecoveryCodes(sql, context.keys, id));
      if (!codes) throw new NotFound('Second factor');
      await auditUser(context, 'recovery_codes_renewed', id);
      return { codes };
    },
  }),
}));
