import type { Context } from '../../../context.ts';
import { applicationList } from '../../../oauth/statements/applications.ts';
import {
  editApplication,
  managedApplication,
  registerApplication,
  removeApplication,
  renewApplicationSecret,
  usableGrants,
  type Manager,
} from '../../../oauth/index.ts';
import { reads, scopes, writes } from '../../../policy/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { rootList, searchText } from '../../engine/list.ts';
import { requireScopes } from '../personal-access-tokens/power.ts';
import { globalId, idOf } from '../../engine/global-id.ts';
import { ApplicationType } from './type.ts';
import { NewSecret } from './own.ts';
import { engineOf } from '../oauth/engine.ts';

/** Administration of applications: those of all people, and those of the instance, which have no owner. */

/** The manager for an administrator. @throws Forbidden */
function instanceManager(context: Context): Manager {
  requireAdministrator(context);
  return { ownerId: null, actorId: context.viewer.person?.id ?? null };
}

rootList('instanceApplications', {
  type: ApplicationType,
  description: 'All applications, the oldest first. For administrators.',
  admission: { class: 'session', personalToken: reads },
  args: (t) => ({ search: t.string({ description: 'Words that must all occur in the name or the `client_id`.' }) }),
  orders: { id: { column: 'a.id', type: 'int' } },
  by: 'id_asc',
  rows: (context, { search }) => {
    requireAdministrator(context);
    return applicationList(searchText(search, 255));
  },
});

builder.queryFields((t) => ({
  instanceApplication: t.field({
    type: ApplicationType,
    nullable: true,
    description: 'Any application. For administrators.',
    admission: { class: 'session' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) =>
      managedApplication(engineOf(context), instanceManager(context), idOf(id, 'Application')),
  }),
}));

const register = builder.inputType('RegisterInstanceApplicationInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    redirectUris: t.stringList({ required: true }),
    scopes: t.stringList({ required: true }),
    grants: t.stringList({
      description: 'Omitted: the default grants of the instance, as far as this kind of application can use them.',
    }),
    confidential: t.boolean({ required: true }),
  }),
});
const update = builder.inputType('UpdateInstanceApplicationInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    name: t.string({ required: true }),
    redirectUris: t.stringList({ required: true }),
    scopes: t.stringList({ required: true }),
    grants: t.stringList({ required: true }),
    confidential: t.boolean({ required: true }),
  }),
});
const named = builder.inputType('InstanceApplicationInput', { fields: (t) => ({ id: t.id({ required: true }) }) });

builder.mutationFields((t) => ({
  registerInstanceApplication: t.field({
    type: NewSecret,
    nullable: true,
    description: 'Registers an application of the instance. For administrators.',
    admission: { class: 'session', recent: true, personalToken: writes },
    args: { input: t.arg({ type: register, required: true }) },
    resolve: (_root, { input: { grants, ...input } }, context) => {
      const manager = instanceManager(context);
      // An unknown scope is refused later, with all other problems.
      requireScopes(
        context,
        scopes.filter((scope) => input.scopes.includes(scope)),
      );
      const implied = () => usableGrants(context.profile, input.confidential, context.settings.impliedGrants);
      return registerApplication(engineOf(context), manager, { ...input, grants: grants ?? implied() });
    },
  }),
  updateInstanceApplication: t.field({
    type: NewSecret,
    nullable: true,
    description: 'Changes any application. If it becomes confidential, it gets a secret. For administrators.',
    admission: { class: 'session', recent: true },
    args: { input: t.arg({ type: update, required: true }) },
    resolve: (_root, { input: { id, ...input } }, context) =>
      editApplication(engineOf(context), instanceManager(context), idOf(id, 'Application'), input),
  }),
  renewInstanceApplicationSecret: t.field({
    type: NewSecret,
    nullable: true,
    description:
      'Gives any application a new secret, and revokes every token issued with the old one. For administrators.',
    admission: { class: 'session', recent: true, personalToken: writes },
    args: { input: t.arg({ type: named, required: true }) },
    resolve: async (_root, { input }, context) => {
      const manager = instanceManager(context);
      const engine = engineOf(context);
      const id = idOf(input.id, 'Application');
      // The secret gives access to everything that the application may do.
      requireScopes(context, (await managedApplication(engine, manager, id)).scopes);
      return await renewApplicationSecret(engine, manager, id);
    },
  }),
  deleteInstanceApplication: t.field({
    type: builder.objectRef<{ id: number }>('DeleteInstanceApplicationPayload').implement({
      fields: (field) => ({
        applicationId: field.id({
          description: 'The global id of the removed application.',
          resolve: ({ id }) => globalId('Application', id),
        }),
      }),
    }),
    nullable: true,
    description: 'Removes any application and all its tokens. For administrators.',
    admission: { class: 'session', recent: true, personalToken: writes },
    args: { input: t.arg({ type: named, required: true }) },
    resolve: async (_root, { input }, context) => {
      const id = idOf(input.id, 'Application');
      await removeApplication(engineOf(context), instanceManager(context), id);
      return { id };
    },
  }),
}));
