import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import { PrismaPg } from '@prisma/adapter-pg';
import { createYoga } from 'graphql-yoga';
import { PrismaClient, type User } from '../../src/database/client/client.ts';
import { getDatamodel } from '../../src/schema/engine/prisma-types.ts';
import type PrismaTypes from '../../src/schema/engine/prisma-types.ts';

/**
 * The usual stack: Yoga, Pothos and Prisma's query builder, set up as their documentation shows, over the same tables.
 * The token is looked up in the context, as Yoga's documentation does it.
 */

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 10 }) });

const builder = new SchemaBuilder<{ Context: { user: User | null }; PrismaTypes: PrismaTypes }>({
  plugins: [PrismaPlugin],
  prisma: { client: prisma, dmmf: getDatamodel() },
});

const Setting = builder.prismaObject('GlobalNotificationSetting', {
  fields: (t) => ({
    level: t.string({ resolve: (setting) => setting.level ?? 'PARTICIPATING' }),
    notificationEmail: t.string({
      select: { notificationEmail: true, user: { select: { primaryEmail: true } } },
      resolve: ({ notificationEmail, user }) => (notificationEmail ?? user.primaryEmail)?.address,
    }),
  }),
});

builder.queryType({
  fields: (t) => ({
    notificationSettings: t.prismaField({
      type: Setting,
      nullable: true,
      resolve: (query, _root, _args, { user }) =>
        user && prisma.globalNotificationSetting.findUnique({ ...query, where: { userId: user.id } }),
    }),
  }),
});

const yoga = createYoga({
  schema: builder.toSchema(),
  logging: false,
  async context({ request }) {
    const digest = createHash('sha256')
      .update(request.headers.get('private-token') ?? '')
      .digest();
    const token = await prisma.personalAccessToken.findUnique({ where: { digest }, include: { user: true } });
    const alive =
      token && !token.revokedAt && (!token.expiresAt || token.expiresAt > new Date()) && token.user.state === 'ACTIVE';
    return { user: alive ? token.user : null };
  },
});

const server = createServer(yoga);
server.listen(0, '127.0.0.1', () =>
  console.log(`usual stack on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.on('SIGTERM', () => process.exit(0));
