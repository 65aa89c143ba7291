import {
  createPurpose,
  creationOptions,
  verifyMade,
  confirmPurpose,
  requestOptions,
} from '../../../auth/passkeys/index.ts';
import { addPasskeyRow, listPasskeys, lockSecondFactors, removePasskeyRow } from '../../../auth/statements/passkeys.ts';
import type { PasskeyRow } from '../../../auth/statements/passkeys.ts';
import { endAll, renewRecoveryCodes } from '../../../auth/index.ts';
import { InvalidFields, NotFound } from '../../../errors.ts';
import { messages } from '../../../mail/index.ts';
import { tooLong } from '../../../values/text/lengths.ts';
import { signedIn } from '../../access/oauth/engine.ts';
import { publishEndOfAuthorizations } from '../../access/token-info/ended.ts';
import { builder } from '../../engine/builder.ts';
import { mailAccount } from '../../engine/mail-account.ts';
import { ownSession } from '../sessions/own.ts';
import { auditUser } from '../users/changes/audit.ts';
import { partyOf, requireParty } from './party.ts';
import { largestInteger } from '../../../values/integers.ts';

/** A person's own passkeys: making and removing them. */

/** How many passkeys a person may have. */
const most = 20;

const longestName = 100;

const Passkey = builder.objectRef<PasskeyRow>('Passkey').implement({
  description: 'A passkey (WebAuthn) of a person.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    backedUp: t.exposeBoolean('backed_up', { description: 'Whether the device keeps a copy elsewhere.' }),
    createdAt: t.expose('created_at', { type: 'Time' }),
    lastUsedAt: t.expose('last_used_at', { type: 'Time', nullable: true }),
  }),
});

const AddPasskeyPayload = builder
  .objectRef<{ readonly recoveryCodes: readonly string[] | null }>('AddPasskeyPayload')
  .implement({
    fields: (t) => ({
      recoveryCodes: t.stringList({
        nullable: true,
        description: 'New recovery codes, if this is the first second factor. Only their digests are stored.',
        resolve: ({ recoveryCodes }) => recoveryCodes && [...recoveryCodes],
      }),
    }),
  });

builder.queryFields((t) => ({
  passkeys: t.field({
    type: [Passkey],
    description: 'Your own passkeys.',
    admission: { class: 'session' },
    resolve: (_root, _args, context) => context.database.rows(listPasskeys, [signedIn(context).id]),
  }),
  passkeyCreation: t.string({
    nullable: true,
    description: 'Options to make a passkey, as JSON for `navigator.credentials.create`; null where there are none.',
    admission: { class: 'session', recent: true },
    resolve: async (_root, _args, context) => {
      const person = signedIn(context);
      const party = partyOf(context);
      if (!party) return null;
      const known = await context.database.rows(listPasskeys, [person.id]);
      return JSON.stringify(creationOptions(context.keys, party, createPurpose(ownSession(context)), person, known));
    },
  }),
  passkeyConfirmation: t.string({
    nullable: true,
    description: 'Options to confirm who you are by a passkey, as JSON; null if you have none.',
    admission: { class: 'session' },
    resolve: async (_root, _args, context) => {
      const party = partyOf(context);
      const known = party ? await context.database.rows(listPasskeys, [signedIn(context).id]) : [];
      if (known.length === 0) return null;
      return JSON.stringify(requestOptions(context.keys, party!, confirmPurpose(ownSession(context)), known));
    },
  }),
}));

builder.mutationFields((t) => ({
  addPasskey: t.field({
    type: AddPasskeyPayload,
    nullable: true,
    description:
      'Adds a passkey that a browser has made. As the first second factor it ends every other session and revokes every OAuth token and code.',
    admission: { class: 'session', recent: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('AddPasskeyInput', {
          fields: (field) => ({
            name: field.string({ required: true }),
            answer: field.string({ required: true, description: 'What the browser made, as JSON.' }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { database, keys } = context;
      const party = requireParty(context);
      const session = ownSession(context);
      const { id, userId } = session;
      const name = input.name.trim();
      if (name === '') throw new InvalidFields({ name: ["can't be blank"] });
      if (name.length > longestName) throw new InvalidFields({ name: [tooLong(longestName)] });
      const checking = { sql: database, keys, party, purpose: createPurpose(session) };
      const made = await verifyMade(checking, input.answer);
      if (!made) throw new InvalidFields({ answer: ['It isn’t a new passkey for this page. Try again.'] });
      const { credentialId, publicKey, signCount, transports, backedUp } = made;
      const row = [userId, name, credentialId, publicKey, signCount, transports, backedUp, most];
      const recoveryCodes = await database.transaction(async (sql) => {
        const [person] = await sql.rows(lockSecondFactors, [userId]);
        if ((await sql.rows(addPasskeyRow, row)).length === 0)
          throw new InvalidFields({ answer: [`You can have ${most} passkeys. Remove one that you don’t use.`] });
        if (person!.protected) return null;
        const codes = await renewRecoveryCodes(sql, keys, userId);
        await endAll(sql, userId, id);
        return codes;
      });
      await auditUser(context, 'passkey_added', userId, name);
      await mailAccount(context, userId, (username, base) => messages.passkeyAdded(username, name, base));
      if (!recoveryCodes) return { recoveryCodes };
      // End them again: a session may have been opened without a second factor just before the commit.
      await endAll(database, userId, id);
      publishEndOfAuthorizations(context, userId);
      await auditUser(context, 'second_factor_enabled', userId);
      return { recoveryCodes };
    },
  }),
  removePasskey: t.field({
    type: builder.objectRef<{ readonly last: boolean }>('RemovePasskeyPayload').implement({
      fields: (field) => ({
        last: field.exposeBoolean('last', { description: 'Whether no second factor is left.' }),
      }),
    }),
    nullable: true,
    description: 'Removes a passkey of yours. With the last second factor, your recovery codes go too.',
    admission: { class: 'session', recent: true },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('RemovePasskeyInput', { fields: (field) => ({ id: field.id({ required: true }) }) }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { id: userId } = signedIn(context);
      const id = Number(input.id);
      if (!Number.isInteger(id) || id < 1 || id > largestInteger) throw new NotFound('Passkey');
      const removed = await context.database.transaction(async (sql) => {
        await sql.rows(lockSecondFactors, [userId]);
        return (await sql.rows(removePasskeyRow, [userId, id]))[0];
      });
      if (!removed) throw new NotFound('Passkey');
      await auditUser(context, 'passkey_removed', userId, removed.name);
      if (removed.last) {
        await auditUser(context, 'second_factor_disabled', userId);
        await mailAccount(context, userId, messages.secondFactorOff);
      } else {
        await mailAccount(context, userId, (username, base) => messages.passkeyRemoved(username, removed.name, base));
      }
      return { last: removed.last };
    },
  }),
}));
