import {
  editApplication,
  managedApplication,
  ownApplications,
  registerApplication,
  removeApplication,
  renewApplicationSecret,
  type Client,
  type Manager,
} from '../../../oauth/index.ts';
import type { Context } from '../../../context.ts';
import { builder } from '../../engine/builder.ts';
import { idOf } from '../../engine/global-id.ts';
import { partArguments, partOf } from '../../engine/part.ts';
import { ApplicationType } from './type.ts';
import { engineOf, signedIn } from '../oauth/engine.ts';

/** The manager for a person's own applications. */
function self(context: Context): Manager & { ownerId: number } {
  const { id } = signedIn(context);
  return { ownerId: id, actorId: id };
}

builder.queryFields((t) => ({
  applications: t.field({
    type: [ApplicationType],
    nullable: true,
    description: 'The applications that you registered, the newest first.',
    admission: { class: 'session' },
    args: partArguments,
    resolve: (_root, asked, context) => ownApplications(engineOf(context), signedIn(context).id, partOf(asked)),
  }),
  application: t.field({
    type: ApplicationType,
    nullable: true,
    description: 'One of the applications that you registered.',
    admission: { class: 'session' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) => managedApplication(engineOf(context), self(context), idOf(id, 'Application')),
  }),
}));

const ApplicationInput = builder.inputType('ApplicationInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    redirectUris: t.stringList({ required: true }),
    scopes: t.stringList({ required: true }),
    grants: t.stringList({ required: true }),
    confidential: t.boolean({ required: true }),
  }),
});

export const NewSecret = builder.objectRef<{ client: Client; secret: string | null }>('ApplicationPayload').implement({
  fields: (t) => ({
    application: t.field({ type: ApplicationType, resolve: ({ client }) => client }),
    secret: t.exposeString('secret', {
      nullable: true,
      description: 'The `client_secret`, shown only once; null if the application has none.',
    }),
  }),
});

builder.mutationFields((t) => ({
  registerApplication: t.field({
    type: NewSecret,
    nullable: true,
    description: 'Registers an application of your own.',
    admission: { class: 'session', recent: true },
    args: { input: t.arg({ type: ApplicationInput, required: true }) },
    resolve: (_root, args, context) => registerApplication(engineOf(context), self(context), args.input),
  }),
  updateApplication: t.field({
    type: NewSecret,
    nullable: true,
    description: 'Changes an application of your own. If it becomes confidential, it gets a secret.',
    admission: { class: 'session', recent: true },
    args: { id: t.arg.id({ required: true }), input: t.arg({ type: ApplicationInput, required: true }) },
    resolve: (_root, args, context) =>
      editApplication(engineOf(context), self(context), idOf(args.id, 'Application'), args.input),
  }),
  renewApplicationSecret: t.field({
    type: NewSecret,
    nullable: true,
    description: 'Gives an application of your own a new secret, and revokes every token issued with the old one.',
    admission: { class: 'session', recent: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, args, context) =>
      renewApplicationSecret(engineOf(context), self(context), idOf(args.id, 'Application')),
  }),
  deleteApplication: t.boolean({
    nullable: true,
    description: 'Removes an application of your own and all its tokens.',
    admission: { class: 'session', recent: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, args, context) => {
      await removeApplication(engineOf(context), self(context), idOf(args.id, 'Application'));
      return true;
    },
  }),
}));
