import { boundedGuess } from '../../../auth/index.ts';
import type { Context } from '../../../context.ts';
import { NotFound } from '../../../errors.ts';
import {
  auditRefusal,
  authorizeDevice,
  decide,
  findClientById,
  pendingDevice,
  tooManyAttempts,
} from '../../../oauth/index.ts';
import { builder } from '../../engine/builder.ts';
import { ApplicationType } from '../applications/type.ts';
import { decider, engineOf, signedIn } from './engine.ts';
import { ClientInput } from './tokens.ts';

type Authorized = Awaited<ReturnType<typeof authorizeDevice>>;

const DeviceAuthorization = builder.objectRef<Authorized>('DeviceAuthorization').implement({
  description: 'The codes of a device: one to show, one to poll with (RFC 8628 §3.2).',
  fields: (t) => ({
    deviceCode: t.exposeString('deviceCode'),
    userCode: t.exposeString('userCode'),
    verificationUri: t.string({ resolve: (_device, _args, context) => `${context.baseUrl}/oauth/device` }),
    expiresIn: t.exposeInt('expiresIn', { description: 'Seconds.' }),
    interval: t.exposeInt('interval', { description: 'Seconds between two polls.' }),
  }),
});

builder.mutationField('authorizeDevice', (t) =>
  t.field({
    type: DeviceAuthorization,
    nullable: true,
    description: 'The device authorization endpoint (RFC 8628 §3.1).',
    admission: { class: 'client' },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('AuthorizeDeviceInput', {
          fields: (field) => ({
            client: field.field({ type: ClientInput, required: true }),
            scope: field.string(),
          }),
        }),
      }),
    },
    resolve: (_root, { input }, context) => authorizeDevice(engineOf(context), input.client, input.scope),
  }),
);

/** Looks a device up by a user code. Wrong codes are rate limited. @throws OAuthError `temporarily_unavailable` */
async function byUserCode<T>(context: Context, lookUp: () => Promise<T | null>): Promise<T | null> {
  const { credential } = context.viewer;
  if (credential?.kind !== 'session') return await lookUp();
  const guesser = { sessionId: credential.sessionId, address: context.origin.address };
  const guessed = await boundedGuess(context.database, guesser, lookUp);
  if ('found' in guessed) return guessed.found;
  await auditRefusal(engineOf(context), { kind: 'user_code_throttled', userId: signedIn(context).id });
  throw tooManyAttempts(guessed.retryAfter);
}

const PendingDevice = builder.objectRef<{ applicationId: number; scopes: string[] }>('PendingDevice').implement({
  description: 'A device that waits for a person’s approval.',
  fields: (t) => ({
    application: t.field({
      type: ApplicationType,
      nullable: true,
      resolve: ({ applicationId }, _args, context) => findClientById(engineOf(context), applicationId),
    }),
    scopes: t.exposeStringList('scopes'),
  }),
});

builder.queryField('pendingDevice', (t) =>
  t.field({
    type: PendingDevice,
    nullable: true,
    description: 'The waiting device with this user code; null if there is none.',
    admission: { class: 'session' },
    args: { userCode: t.arg.string({ required: true }) },
    resolve: async (_root, { userCode }, context) => {
      const row = await byUserCode(context, () => pendingDevice(engineOf(context), userCode));
      return row && { applicationId: row.application_id, scopes: row.scopes };
    },
  }),
);

builder.mutationField('decideDevice', (t) =>
  t.boolean({
    nullable: true,
    description: 'Approves or refuses the device with this user code.',
    admission: { class: 'session' },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('DecideDeviceInput', {
          fields: (field) => ({
            userCode: field.string({ required: true }),
            approved: field.boolean({ required: true }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const decided = await byUserCode(context, async () =>
        (await decide(engineOf(context), input.userCode, decider(context), input.approved)) ? true : null,
      );
      if (!decided) throw new NotFound('Device');
      return true;
    },
  }),
);
