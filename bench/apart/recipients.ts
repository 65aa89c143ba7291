import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/database/embedded/index.ts';
import { migrate } from '../../src/database/migrations/index.ts';
import type { Occurrence } from '../../src/notify/occurrence.ts';
import {
  countRecipients,
  insertNotifications,
} from '../../src/schema/notifications/recipients/statements/recipients.ts';
import { candidateValues } from '../../src/schema/notifications/recipients/statements/values.ts';
import { median, type Check } from '../report.ts';

/** Who is notified of a comment in a project with many members, most of whom have settings for other places. */

const people = 100_000;
const groups = 20_000;
/** Settings of each person for other groups. */
const settings = 10;
const rounds = 9;

/** Everybody is a member, half of the project and half of its group. One of them wrote the issue. */
const world = [
  `insert into users (username, name, updated_at) select 'person-' || n, 'Person', now() from generate_series(1, ${people}) n`,
  `insert into emails (user_id, address, verified_at, primary_of) select id, username || '@example.com', now(), id from users where username like 'person-%'`,
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

interface Told {
  /** Milliseconds of the statement that finds everybody who is notified. */
  readonly finding: number;
  /** Milliseconds of the statement that also writes a message to each. */
  readonly writing: number;
  readonly people: number;
}

async function tell(client: pg.Client, share: number): Promise<Told> {
  await client.query(loud(share));
  await client.query('vacuum analyze global_notification_settings');
  const times: Record<'finding' | 'writing', number[]> = { finding: [], writing: [] };
  let people = 0;
  const timed = async (kind: keyof typeof times, name: string, text: string, values: unknown[]) => {
    const startedAt = performance.now();
    const { rows } = await client.query<{ count?: number }>({ name, text, values });
    times[kind].push(performance.now() - startedAt);
    return rows[0]!;
  };
  for (let round = 0; round < rounds; round++) {
    const occurrence = commented(round, 0);
    const values = candidateValues(occurrence, 'UTC');
    // Lists count no further.
    await timed('finding', 'find', countRecipients.Issue.text, [...values, 10_001]);
    const { count } = await timed('writing', 'tell', insertNotifications.Issue.text, [
      ...values,
      occurrence.cause,
      occurrence.name,
      null,
      null,
      '{}',
    ]);
    people = count!;
    await client.query('delete from notifications');
  }
  return { finding: median(times.finding), writing: median(times.writing), people };
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
      print(`${few.people} and ${many.people} people are told.`);
      return [
        { name: 'who is told of 100,000 members, 2 % of them loud', value: few.finding, unit: 'ms', bound: 100 },
        { name: 'the same, and a message to each', value: few.writing, unit: 'ms', bound: 100 },
        { name: 'who is told, 20 % of them loud', value: many.finding, unit: 'ms', bound: 200 },
        { name: 'the same, and a message to each of 20,000', value: many.writing, unit: 'ms' },
      ];
    } finally {
      await client.end();
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
