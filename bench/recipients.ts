import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/database/embedded/index.ts';
import { migrate } from '../src/database/migrations/index.ts';
import type { Occurrence } from '../src/notify/occurrence.ts';
import { insertNotifications } from '../src/schema/notifications/recipients/statements/recipients.ts';
import { candidateValues } from '../src/schema/notifications/recipients/statements/values.ts';
import { median, type Check } from './report.ts';

/** Who is told of a comment in a project with many members, most of whom have settings for other places. */

const people = 100_000;
const groups = 20_000;
/** Settings of each person for other groups. */
const settings = 10;
const rounds = 9;

/** Everybody is a member, half of the project and half of its group. One of them wrote the issue. */
const world = [
  `insert into users (username, name, updated_at) select 'person-' || n, 'Person', now() from generate_series(1, ${people}) n`,
  `insert into namespaces (id, kind, path, name, full_path, ancestry, updated_at)
   select n + 1000, 'GROUP', 'group-' || n, 'Group', 'group-' || n, array[n + 1000], now() from generate_series(1, ${groups}) n`,
  `insert into projects (id, namespace_id, path, name, full_path, updated_at) values (1000, 1001, 'harbour', 'Harbour', 'group-1/harbour', now())`,
  `insert into project_members (user_id, project_id, access_level) select id, 1000, 30 from users where username like 'person-%' and id % 2 = 0`,
  `insert into group_members (user_id, group_id, access_level) select id, 1001, 30 from users where username like 'person-%' and id % 2 = 1`,
  `insert into group_notification_settings (user_id, group_id, level, events)
   select u.id, 1002 + (u.id * 7 + n * 1999) % ${groups - 1}, (array['DISABLED', 'PARTICIPATING', 'WATCH', 'MENTION', 'CUSTOM'])[1 + (u.id + n) % 5]::"NotificationLevel", '{"NEW_NOTE": true}'
     from users u, generate_series(1, ${settings}) n where u.username like 'person-%' on conflict do nothing`,
  `insert into global_notification_settings (user_id, level) select id, 'PARTICIPATING' from users where username like 'person-%'`,
  `insert into issues (id, project_id, iid, title, author_id) select 1000, 1000, 1, 'Leak', min(id) from users where username like 'person-%'`,
  `insert into participants (issue_id, user_id) select 1000, id from users where username like 'person-%' order by id limit 20`,
  'analyze',
];

/** Lets so many of a hundred members watch, or have the event switched on. */
const loud = (share: number) => `update global_notification_settings set events = '{"NEW_NOTE": true}',
   level = case when user_id % 100 >= ${share} then 'PARTICIPATING' when user_id % 2 = 0 then 'WATCH' else 'CUSTOM' end::"NotificationLevel"`;

const commented = (round: number, actorId: number): Occurrence => ({
  cause: 'NEW_NOTE',
  name: `bench ${round}`,
  projectId: 1000,
  groupId: null,
  subject: { kind: 'Issue', id: 1000 },
  actorId,
  ownId: actorId,
  candidates: [],
  labelIds: [],
  noteId: null,
  internal: false,
  zone: null,
  ids: {},
});

/** Milliseconds of the statement that writes a message to everybody who is told, and how many these are. */
async function tell(client: pg.Client, share: number): Promise<{ milliseconds: number; told: number }> {
  await client.query(loud(share));
  await client.query('vacuum analyze global_notification_settings');
  const times: number[] = [];
  let told = 0;
  for (let round = 0; round < rounds; round++) {
    const occurrence = commented(round, 0);
    const values = [...candidateValues(occurrence, 'UTC'), occurrence.cause, occurrence.name, null, null, '{}'];
    const startedAt = performance.now();
    const { rows } = await client.query<{ count: number }>({
      name: 'tell',
      text: insertNotifications.Issue.text,
      values: values as unknown[],
    });
    times.push(performance.now() - startedAt);
    told = rows[0]!.count;
    await client.query('delete from notifications');
  }
  return { milliseconds: median(times), told };
}

/** In a project with 100,000 members, of whom 2 in a hundred watch, and then 20. */
export async function measureRecipients(root: string, print: (message: string) => void): Promise<Check[]> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  try {
    const { connection } = postgres;
    await migrate({ connection, migrationsDir: join(root, 'prisma/migrations'), onNotice: () => undefined });
    const client = new pg.Client(connection);
    await client.connect();
    try {
      print('Making a project with many members…');
      for (const text of world) await client.query(text);
      const few = await tell(client, 2);
      const many = await tell(client, 20);
      print(`${few.told} and ${many.told} people are told.`);
      return [
        { name: 'who is told of 100,000 members, 2 % of them loud', value: few.milliseconds, unit: 'ms', bound: 100 },
        { name: 'the same with 20 %', value: many.milliseconds / few.milliseconds, unit: 'times the first', bound: 2 },
      ];
    } finally {
      await client.end();
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
