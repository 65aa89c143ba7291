import { isAdministrator, reads } from '../../../../policy/index.ts';
import { builder } from '../../../engine/builder.ts';
import { globalId } from '../../../engine/global-id.ts';
import { namespaceById } from '../../../places/place/read.ts';
import { Namespace } from '../../../places/place/types.ts';
import { ofAccount } from '../account.ts';
import { isOwn, sees, seesEmail } from '../seen.ts';
import { TierType, User } from '../types.ts';

builder.interfaceFields(User, (t) => ({
  isAdministered: t.boolean({
    description: 'Whether the viewer manages this account. Administrators manage all.',
    resolve: (_user, _args, { viewer }) => isAdministrator(viewer),
  }),
  isAdministrator: t.boolean({
    nullable: true,
    description: 'For the person and for administrators; null for others.',
    resolve: ({ id, administrator }, _args, context) => (isOwn(id, context) ? administrator : null),
  }),
  tier: t.field({
    type: TierType,
    nullable: true,
    description: 'For the person and for administrators; null for others.',
    resolve: ({ id, tier }, _args, context) => (isOwn(id, context) ? tier : null),
  }),
  email: t.field({
    type: 'String',
    nullable: true,
    description:
      'The primary address. For the person and for administrators; null for others, and where the token carries none of `api`, `read_api`, `read_user` and `email`.',
    resolve: (user, _args, context) =>
      seesEmail(user.id, context) ? ofAccount(context, user, (account) => account?.address ?? null) : null,
  }),
  confirmedAt: t.field({
    type: 'Time',
    nullable: true,
    description: 'When the primary address was verified; null in the same cases as `email`.',
    resolve: (user, _args, context) =>
      seesEmail(user.id, context) ? ofAccount(context, user, (account) => account?.verified_at ?? null) : null,
  }),
  twoFactorEnabled: t.boolean({
    nullable: true,
    description: 'Whether two-factor authentication is on. For the person and for administrators; null for others.',
    resolve: (user, _args, context) =>
      sees(user.id, context, [...reads, 'read_user'])
        ? ofAccount(context, user, (account) => account?.second_factor_at != null)
        : null,
  }),
  namespaceId: t.id({
    nullable: true,
    description: 'The global id of the namespace of their own projects.',
    resolve: (user, _args, context) =>
      ofAccount(context, user, (account) =>
        account?.namespace_id == null ? null : globalId('Namespaces::UserNamespace', account.namespace_id),
      ),
  }),
  namespaceDatabaseId: t.int({
    nullable: true,
    resolve: (user, _args, context) => ofAccount(context, user, (account) => account?.namespace_id ?? null),
  }),
  namespace: t.field({
    type: Namespace,
    nullable: true,
    description: 'The namespace of their own projects. For the person and for administrators; null for others.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    resolve: async (user, _args, context) =>
      isOwn(user.id, context)
        ? await namespaceById(context, await ofAccount(context, user, (account) => account?.namespace_id ?? null))
        : null,
  }),
}));
