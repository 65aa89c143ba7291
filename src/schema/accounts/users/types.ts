import type { Context } from '../../../context.ts';
import { Forbidden } from '../../../errors.ts';
import { isAdministrator, reads, type Scope } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { settingsConnection } from '../../settings/notification-settings/list.ts';
import { SettingType } from '../../settings/notification-settings/setting.ts';
import { ofAccount } from './account.ts';

/**
 * People and their addresses. A statement reads the people that fields refer to: 78 µs of CPU each, instead of 315
 * µs with Prisma (decision 0063).
 */

export const TierType = builder.enumType('Tier', {
  values: {
    FREE: {},
    PREMIUM: { description: 'The higher tier, which has epics.' },
  } as const,
});

export const UserStateType = builder.enumType('UserState', {
  values: {
    active: { value: 'ACTIVE' },
    blocked: { value: 'BLOCKED', description: 'Can neither sign in nor use a token.' },
  } as const,
});

const isSelf = (userId: number, { viewer }: Context) => viewer.person?.id === userId;

/** Whether the viewer is the person or an administrator. */
const isOwn = (userId: number, context: Context) => isSelf(userId, context) || isAdministrator(context.viewer);

/** The scopes with which a token sees addresses; `profile` alone doesn't. */
const emailScopes: readonly Scope[] = [...reads, 'read_user', 'email'];

/** Whether the viewer is the person or an administrator, with one of some scopes. */
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
      type: 'Time',
      nullable: true,
      description: 'When it was verified; null if it isn’t.',
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
    createdAt: t.expose('createdAt', { type: 'Time' }),
    webUrl: t.string({
      description: 'The web page.',
      resolve: ({ username }, _args, context) => `${context.baseUrl}/${username}`,
    }),
    isAdministered: t.boolean({
      description: 'Whether the viewer manages this account. Administrators manage all.',
      resolve: (_user, _args, { viewer }) => isAdministrator(viewer),
    }),
    namespaceId: t.id({
      nullable: true,
      description: 'The id of the namespace of their own projects.',
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
    emails: t.relation('emails', {
      description: 'All your own addresses.',
      admission: { class: 'token', scopes: [...reads, 'read_user'] },
      query: (_args, context) => ({
        where: isAdministrator(context.viewer) ? {} : { userId: context.viewer.person?.id ?? 0 },
        orderBy: { id: 'asc' },
      }),
    }),
    notificationSettings: t.connection({
      type: SettingType,
      description:
        'All your own notification settings: the global one, then those of each group and project that you are a direct member of, that you own, or for which you set something.',
      admission: { class: 'token', scopes: reads },
      args: {
        search: t.arg.string({
          description: 'Only groups and projects whose name or path contains this, case-insensitive.',
        }),
        inherited: t.arg.boolean({
          description: 'Also groups and projects that you are an inherited member of.',
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
