import { knowFirstKey, resealHostKeys, resealSeeds, type Reseal, type ResealedHostKey } from '../../../auth/index.ts';
import { audit } from '../../../oauth/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { engineOf } from '../../access/oauth/engine.ts';
import { resealPipelineSecrets } from '../../pipelines/variables/reseal.ts';

interface Outcome extends Reseal {
  /** Secrets of pipelines. */
  readonly ofPipelines: { readonly resealed: number; readonly unreadable: number };
  readonly hostKey: ResealedHostKey;
}

const HostKeyReseal = builder.enumType('SshHostKeyReseal', {
  description: 'What became of the SSH host key when secrets were sealed under the first instance key.',
  values: {
    NONE: { value: 'none', description: 'There is none yet.' },
    CURRENT: { value: 'current', description: 'It was sealed under the first key already.' },
    RESEALED: { value: 'resealed', description: 'It was sealed under an older key.' },
    UNREADABLE: { value: 'unreadable', description: 'No key opens it.' },
  } as const,
});

const Payload = builder.objectRef<Outcome>('ResealSecretsPayload').implement({
  fields: (t) => ({
    pipelineSecretsResealed: t.int({
      description: 'Values of CI variables and tokens of triggers that were sealed under an older key.',
      resolve: ({ ofPipelines }) => ofPipelines.resealed,
    }),
    pipelineSecretsUnreadable: t.int({
      description: 'Those that no key opens; they must be set again.',
      resolve: ({ ofPipelines }) => ofPipelines.unreadable,
    }),
    sshHostKey: t.expose('hostKey', { type: HostKeyReseal, description: 'What became of the SSH host key.' }),
    resealed: t.exposeInt('resealed', { description: 'Second factors that were sealed under an older key.' }),
    current: t.exposeInt('current', { description: 'Second factors that were sealed under the first key already.' }),
    unreadable: t.exposeInt('unreadable', {
      description: 'Second factors that no key opens; they must be turned off and set up again.',
    }),
  }),
});

builder.mutationField('resealSecrets', (t) =>
  t.field({
    type: Payload,
    nullable: true,
    description:
      'Rotates instance keys: seals everything under the first key that an older key had sealed. For administrators.',
    admission: { class: 'session', recent: true },
    resolve: async (_root, _args, context) => {
      requireAdministrator(context);
      const outcome = await resealSeeds(context.database, context.keys);
      const hostKey = await resealHostKeys(context.database, context.keys);
      const ofPipelines = await resealPipelineSecrets(context.database, context.keys);
      await knowFirstKey(context.database, context.keys);
      await audit(engineOf(context), {
        kind: 'secrets_resealed',
        actorId: context.viewer.person?.id ?? null,
        detail: `${outcome.resealed} second factors, ${ofPipelines.resealed} secrets of pipelines, ${hostKey === 'resealed' ? 1 : 0} SSH host keys`,
      });
      return { ...outcome, ofPipelines, hostKey };
    },
  }),
);
