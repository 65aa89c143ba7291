import { daysAhead } from '../../../values/time/calendar.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { builder } from '../../engine/builder.ts';
import { globalId, identify } from '../../engine/global-id.ts';

const day = (moment: Date) => moment.toISOString().slice(0, 10);

export const PersonalAccessToken = builder.prismaObject('PersonalAccessToken', {
  description: 'A token created by a person, or by an administrator for them. Only its digest is stored.',
  fields: (t) => ({
    userId: t.id({
      description: 'The global id of the person it belongs to.',
      direct: true,
      resolve: ({ userId }) => globalId('User', userId),
    }),
    userDatabaseId: t.exposeInt('userId'),
    user: t.field({
      type: UserCore,
      description: 'The person it belongs to.',
      direct: true,
      resolve: async ({ userId }, _args, context) => (await userById(context, userId))!,
    }),
    name: t.exposeString('name'),
    description: t.exposeString('description'),
    scopes: t.exposeStringList('scopes', { description: 'What it may be used for.' }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    expiresAt: t.field({
      type: 'Date',
      nullable: true,
      description: 'The first day (UTC) on which it is no longer valid.',
      resolve: ({ expiresAt }) => expiresAt && day(expiresAt),
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'Time',
      nullable: true,
      description: 'When it was last used, within 10 minutes; null if never.',
    }),
    lastUsedIps: t.stringList({
      description: 'The address of that use.',
      resolve: ({ lastUsedIp }) => (lastUsedIp === null ? [] : [lastUsedIp]),
    }),
    revoked: t.boolean({ resolve: ({ revokedAt }) => revokedAt !== null }),
    rotated: t.boolean({
      description: 'Whether it was rotated.',
      resolve: ({ rotatedAt }) => rotatedAt !== null,
    }),
    active: t.boolean({
      description: 'Whether it is valid: neither revoked nor expired.',
      resolve: ({ revokedAt, expiresAt }) =>
        revokedAt === null && (expiresAt === null || day(expiresAt) > daysAhead(0)),
    }),
  }),
});

identify(PersonalAccessToken, 'PersonalAccessToken');

/** A token that was just created: `secret` is shown only once. */
export const NewToken = builder.objectRef<{ id: number; secret: string }>('NewPersonalAccessTokenPayload').implement({
  fields: (t) => ({
    personalAccessToken: t.prismaField({
      type: PersonalAccessToken,
      resolve: (query, { id }, _args, { database }) =>
        database.prisma.personalAccessToken.findUniqueOrThrow({ ...query, where: { id } }),
    }),
    token: t.exposeString('secret', { description: 'Shown only once; only its digest is stored.' }),
  }),
});
