import type { Context } from '../../../context.ts';
import { Forbidden } from '../../../errors.ts';
import { isAdministrator, reads, type Scope } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { settingsConnection } from '../../settings/notification-settings/list.ts';
import { SettingType } from '../../settings/notification-settings/setting.ts';
import { ofAccount } from './account.ts';

/**
 * People and their addresses. People that fields refer to are read by a statement: 78 µs of CPU each, and 315 µs by Prisma (decision 0063).
 */

export const TierType = builder.enumType('Tier', {
  values: {
    FREE: {},
    PREMIUM: { description: 'The higher tier, on which epics exist.' },
  } as const,
});

export const UserStateType = builder.enumType('UserState', {
  values: {
    ACTIVE: {},
    BLOCKED: { description: 'Can neither sign in nor use a token.' },
  } as const,
});

const isSelf = (userId: number, { viewer }: Context) => viewer.person?.id === userId;

/** Whether the viewer may see what only the person and administrators see. */
const isOwn = (userId: number, context: Context) => isSelf(userId, context) || isAdministrator(context.viewer);

/** The scopes with which a token sees addresses: `profile` alone doesn't show them. */
const emailScopes: readonly Scope[] = [...reads, 'read_user', 'email'];

/** Whether the viewer may see what is the person's own, with one of some scopes. */
function sees(userId: number, { viewer }: Context, scopes: readonly Scope[]): boolean {
  const { credential, person } = viewer;
  if ((person?.id !== userId && !isAdministrator(viewer)) || !credential) return false;
  return !('scopes' in credential) || scopes.some((scope) => credential.scopes.includes(scope));
}

const seesEmail = (userId: number, context: Context) => sees(userId, context, emailScopes);

export const Email = builder.prismaObject('Email', {
  description: 'An e-mail address of a person.',
  fields: (t) => ({
    id: t.exposeID('id'),
    address: t.exposeString('address'),
    isPrimary: t.boolean({ resolve: ({ primaryOf }) => primaryOf !== null }),
    verifiedAt: t.expose('verifiedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it is known to be the person’s own; null while it is not.',
    }),
  }),
});

export const User = builder.prismaObject('User', {
  description: 'A person with an account.',
  fields: (t) => ({
    id: t.exposeID('id'),
    username: t.exposeString('username'),
    name: t.exposeString('name'),
    state: t.expose('state', { type: UserStateType }),
    publicEmail: t.exposeString('publicEmail', {
      nullable: true,
      description: 'The address shown to everyone, if any.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    webUrl: t.string({
      description: 'The page for people.',
      resolve: ({ username }, _args, context) => `${context.baseUrl}/${username}`,
    }),
    isAdministered: t.boolean({
      description: 'Whether the viewer looks after this account, as administrators do with everyone’s.',
      resolve: (_user, _args, { viewer }) => isAdministrator(viewer),
    }),
    namespaceId: t.id({
      nullable: true,
      description: 'Of the place in which their own projects are.',
      resolve: (user, _args, context) => ofAccount(context, user, (account) => account?.namespace_id ?? null),
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
        'The primary address. Null where the token carries none of `api`, `read_api`, `read_user` and `email`.',
      resolve: (user, _args, context) =>
        seesEmail(user.id, context) ? ofAccount(context, user, (account) => account?.address ?? null) : null,
    }),
    confirmedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Since when the primary address is verified; null like `email`.',
      resolve: (user, _args, context) =>
        seesEmail(user.id, context) ? ofAccount(context, user, (account) => account?.verified_at ?? null) : null,
    }),
    twoFactorEnabled: t.boolean({
      nullable: true,
      description: 'Whether a second factor is asked for. For the person and for administrators; null for others.',
      resolve: (user, _args, context) =>
        sees(user.id, context, [...reads, 'read_user'])
          ? ofAccount(context, user, (account) => account?.second_factor_at != null)
          : null,
    }),
    emails: t.relation('emails', {
      description: 'Every address of your own.',
      admission: { class: 'token', scopes: [...reads, 'read_user'] },
      query: (_args, context) => ({
        where: isAdministrator(context.viewer) ? {} : { userId: context.viewer.person?.id ?? 0 },
        orderBy: { id: 'asc' },
      }),
    }),
    notificationSettings: t.connection({
      type: SettingType,
      description:
        'Every notification setting of your own: the global one, then each group and project that you are a direct member of, that is your own, or for which you set something.',
      admission: { class: 'token', scopes: reads },
      args: {
        search: t.arg.string({
          description: 'Only groups and projects whose name or path contains this, in either case.',
        }),
        inherited: t.arg.boolean({
          description: 'Also every group and project that you are a member of by a group above.',
        }),
      },
      resolve: (user, args, context, info) => {
        if (!isOwn(user.id, context)) throw new Forbidden();
        const { id, username, administrator, tier } = user;
        return settingsConnection(context, { id, username, administrator, premium: tier === 'PREMIUM' }, args, info);
      },
    }),
  }),
});
