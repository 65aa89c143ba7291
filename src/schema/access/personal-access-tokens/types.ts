import { daysAhead } from '../../../values/calendar.ts';
import { builder } from '../../engine/builder.ts';

const day = (moment: Date) => moment.toISOString().slice(0, 10);

export const PersonalAccessToken = builder.prismaObject('PersonalAccessToken', {
  description: 'A token that a person made for themselves, or an administrator for them. Only its digest is kept.',
  fields: (t) => ({
    id: t.exposeID('id'),
    userId: t.exposeID('userId', { description: 'Whose it is.' }),
    name: t.exposeString('name'),
    description: t.exposeString('description'),
    scopes: t.exposeStringList('scopes', { description: 'What it may be used for.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.field({
      type: 'Date',
      nullable: true,
      description: 'The first day (UTC) on which it no longer works.',
      resolve: ({ expiresAt }) => expiresAt && day(expiresAt),
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last presented, give or take 10 minutes; null for one that never was.',
    }),
    revoked: t.boolean({ resolve: ({ revokedAt }) => revokedAt !== null }),
    rotated: t.boolean({
      description: 'Whether another one stands in its place.',
      resolve: ({ rotatedAt }) => rotatedAt !== null,
    }),
    active: t.boolean({
      description: 'Whether it works: neither revoked nor expired.',
      resolve: ({ revokedAt, expiresAt }) =>
        revokedAt === null && (expiresAt === null || day(expiresAt) > daysAhead(0)),
    }),
  }),
});

/** A token that was just made: `secret` is shown this once. */
export const NewToken = builder.objectRef<{ id: number; secret: string }>('NewPersonalAccessTokenPayload').implement({
  fields: (t) => ({
    personalAccessToken: t.prismaField({
      type: PersonalAccessToken,
      resolve: (query, { id }, _args, { database }) =>
        database.prisma.personalAccessToken.findUniqueOrThrow({ ...query, where: { id } }),
    }),
    token: t.exposeString('secret', { description: 'Shown this once; only its digest is kept.' }),
  }),
});
