import { Unauthenticated } from '../../errors.ts';
import { isAdministrator } from '../../policy/index.ts';
import { builder } from '../builder.ts';
import { reference } from '../places/look-up.ts';
import { orders, toWhere, TokenOrderType, TokenStateType } from './filters.ts';
import { currentToken, existingToken } from './power.ts';
import { PersonalAccessToken } from './types.ts';

builder.queryField('personalAccessTokens', (t) =>
  t.prismaConnection({
    type: PersonalAccessToken,
    cursor: 'id',
    nullable: true,
    description: 'Personal access tokens, the latest first: your own, and for administrators everybody’s.',
    admission: { class: 'session' },
    args: {
      userId: t.arg.id({ description: 'Of one person.' }),
      state: t.arg({ type: TokenStateType }),
      revoked: t.arg.boolean(),
      search: t.arg.string({ description: 'What is in the name, whatever its case.' }),
      createdAfter: t.arg({ type: 'DateTime' }),
      createdBefore: t.arg({ type: 'DateTime' }),
      lastUsedAfter: t.arg({ type: 'DateTime' }),
      lastUsedBefore: t.arg({ type: 'DateTime' }),
      expiresAfter: t.arg({ type: 'Date' }),
      expiresBefore: t.arg({ type: 'Date' }),
      sort: t.arg({ type: TokenOrderType, defaultValue: 'CREATED_DESC' }),
    },
    resolve: async (query, _root, { userId, sort, ...filters }, { viewer, database }) => {
      const own = viewer.person?.id ?? 0;
      const { by, value } = reference(userId ?? '');
      const asked = userId == null ? undefined : by === 'id' ? Number(value) : 0;
      if (!isAdministrator(viewer) && asked !== undefined && asked !== own) throw new Unauthenticated();
      return await database.prisma.personalAccessToken.findMany({
        ...query,
        where: { AND: [{ userId: isAdministrator(viewer) ? asked : own }, ...toWhere(filters)] },
        orderBy: orders[sort ?? 'CREATED_DESC'],
      });
    },
  }),
);

builder.queryField('personalAccessToken', (t) =>
  t.prismaField({
    type: PersonalAccessToken,
    nullable: true,
    description: 'One of your own personal access tokens; for administrators, anybody’s.',
    admission: { class: 'session' },
    args: { id: t.arg.id({ required: true }) },
    resolve: async (query, _root, { id }, context) => {
      const token = await existingToken(context, id);
      return await context.database.prisma.personalAccessToken.findUnique({ ...query, where: { id: token.id } });
    },
  }),
);

builder.queryField('currentPersonalAccessToken', (t) =>
  t.prismaField({
    type: PersonalAccessToken,
    nullable: true,
    description: 'The personal access token that this request carries. Any one reaches it, whatever its scopes.',
    admission: { class: 'token', scopes: 'any' },
    resolve: (query, _root, _args, context) =>
      context.database.prisma.personalAccessToken.findUnique({ ...query, where: { id: Number(currentToken(context)) } }),
  }),
);
