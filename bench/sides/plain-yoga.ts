import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSchema, createYoga } from 'graphql-yoga';
import pg from 'pg';

/**
 * Plain Yoga, set up as its documentation shows, with a schema of one field and the floor's joined, prepared statement.
 * It measures the cost of Yoga and graphql-js, without Prisma or permissions.
 */

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

const settings = {
  name: 'settings',
  text: `select s.level::text as level, coalesce(c.address, o.address) as "notificationEmail"
    from personal_access_tokens t join users u on u.id = t.user_id and u.state = 'ACTIVE'
    left join global_notification_settings s on s.user_id = u.id
    left join emails c on c.id = s.notification_email_id left join emails o on o.primary_of = u.id
   where t.digest = $1 and t.revoked_at is null and (t.expires_at is null or t.expires_at > (now() at time zone 'utc')::date)
     and t.scopes && '{api,read_api}'`,
};

interface Setting {
  readonly level: string | null;
  readonly notificationEmail: string;
}

const yoga = createYoga<object, { request: Request }>({
  logging: false,
  schema: createSchema({
    typeDefs: 'type Query { notificationSettings: Setting } type Setting { level: String! notificationEmail: String! }',
    resolvers: {
      Query: {
        async notificationSettings(_root: unknown, _args: unknown, { request }: { request: Request }) {
          const digest = createHash('sha256')
            .update(request.headers.get('private-token') ?? '')
            .digest();
          return (await pool.query<Setting>({ ...settings, values: [digest] })).rows[0];
        },
      },
      Setting: { level: ({ level }: Setting) => level ?? 'PARTICIPATING' },
    },
  }),
});

const server = createServer(yoga);
server.listen(0, '127.0.0.1', () =>
  console.log(`plain Yoga on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.on('SIGTERM', () => process.exit(0));
