import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { hashPassword } from '../src/auth/keys/crypto.ts';
import { startEmbeddedPostgres } from '../src/database/embedded/index.ts';
import type { SeedPlan } from '../src/database/seeding/index.ts';

/** The databases of the benchmark: seeded, each with a PostgreSQL of its own, kept between runs. */

export type Size = 'tenth' | 'small' | 'large' | 'planning' | 'delivery' | 'delivery, a twentieth';

const small: SeedPlan = {
  users: 1_000,
  groups: 200,
  projects: 1_000,
  memberships: 10_000,
  settings: 10_000,
  tokens: 1_000,
  grants: 1_000,
  labels: 10_000,
  milestones: 5_000,
  issues: 50_000,
  notes: 250_000,
};

/** Twenty times the small one: as many issues in a project, and as many projects of a person. */
const planning: SeedPlan = {
  users: 20_000,
  groups: 4_000,
  projects: 20_000,
  memberships: 200_000,
  settings: 200_000,
  tokens: 20_000,
  grants: 20_000,
  labels: 200_000,
  milestones: 100_000,
  issues: 1_000_000,
  notes: 5_000_000,
};

/** Merge requests, pipelines and jobs are added by the work. */
const withoutIssues = { grants: 0, issues: 0, notes: 0 };

const plans: Record<Size, SeedPlan> = {
  tenth: {
    users: 100,
    groups: 20,
    projects: 100,
    memberships: 1_000,
    settings: 1_000,
    tokens: 100,
    grants: 100,
    labels: 1_000,
    milestones: 500,
    issues: 5_000,
    notes: 25_000,
  },
  small,
  // Ten million tokens: personal ones, and an access and a refresh token for each grant.
  large: {
    users: 1_000_000,
    groups: 20_000,
    projects: 100_000,
    memberships: 2_000_000,
    settings: 10_000_000,
    tokens: 4_000_000,
    grants: 3_000_000,
    labels: 0,
    milestones: 0,
    issues: 0,
    notes: 0,
  },
  planning,
  delivery: { ...planning, ...withoutIssues },
  'delivery, a twentieth': { ...small, ...withoutIssues },
};

/** How many people take turns: spread over each table, and enough that they touch more than a few pages. */
const peopleCounts: Record<Size, number> = {
  tenth: 50,
  small: 500,
  large: 7_000,
  planning: 500,
  delivery: 500,
  'delivery, a twentieth': 500,
};

/** Instance key of every gateway on these databases. */
export const secretKey = 'an-instance-key-for-benchmarks-only';

export interface Store {
  /** Has the repositories. */
  readonly dataDir: string;
  readonly url: string;
  readonly pool: pg.Pool;
  /** The process id of the postmaster. */
  readonly pid: number;
  /** Fixed people of the seed, who take turns. */
  readonly people: readonly Person[];
  stop(): Promise<void>;
}

export interface Person {
  readonly id: number;
  readonly username: string;
  /** A personal access token with the scope `api`. */
  readonly token: string;
  /** A live OAuth access token of the same person, with the scope `api`. */
  readonly accessToken: string;
  /**
   * Ids of a group and a project with the person as member and with settings. The project has error tracking, and the
   * person is its maintainer.
   */
  readonly group: number;
  readonly project: number;
}

/** Seeds the database on first use, and starts its PostgreSQL. */
export async function openStore(root: string, size: Size, print: (message: string) => void): Promise<Store> {
  const dataDir = join(root, 'bench/.data', size.replace(/\W+/g, '-'));
  const plan = plans[size];
  const stamp = join(dataDir, `seeded-${createHash('sha256').update(JSON.stringify(plan)).digest('hex').slice(0, 12)}`);
  if (!existsSync(stamp)) {
    print(`Seeding the ${size} database; this happens once…`);
    await rm(dataDir, { recursive: true, force: true });
    await mkdir(dataDir, { recursive: true });
    const options = Object.entries(plan).flatMap(([name, count]) => [`--${name}`, String(count)]);
    const seeding = spawn(process.execPath, ['dist/cli.js', 'seed', ...options], {
      cwd: root,
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, CAUSEWAY_LOG_LEVEL: 'error', CAUSEWAY_SECRET_KEY: secretKey },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(seeding, 'close')) as [number | null];
    if (code !== 0) throw new Error(`Seeding ended with ${code}.`);
    await writeFile(stamp, '');
  }
  const postgres = await startEmbeddedPostgres({
    dataDir,
    settings: { shared_buffers: '512MB', max_connections: '100' },
  });
  const { user, password, host, port, database } = postgres.connection;
  const url = `postgresql://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  const stop = async () => {
    await pool.end();
    await postgres.stop();
  };
  try {
    return { dataDir, url, pool, pid: postgres.pid, people: await furnish(pool, plan.users, peopleCounts[size]), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A secret that is the same in every run. */
export const secretOf = (prefix: string, name: string): string =>
  prefix + createHash('sha256').update(`bench ${name}`).digest('base64url');

export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** The application of all OAuth work. */
export const application = {
  uid: 'bench-application',
  secret: secretOf('cwcs_', 'application'),
  redirectUri: 'https://client.example/callback',
};

/** The password of everyone who takes turns. */
export const password = 'a password of the benchmark';

/** The title of every issue and the text of every comment that the work makes. */
export const madeText = 'Made by the benchmark';

/** Statements that remove issues and comments that earlier runs made. $1 the projects of the people. */
const leftPlanning = [
  `delete from issues where project_id = any($1::int[]) and title = '${madeText}'`,
  `with gone as (
     delete from notes t using issues i where i.project_id = any($1::int[]) and t.issue_id = i.id and t.body = '${madeText}' returning t.issue_id
   )
   update issues i set notes_count = i.notes_count - one.count from (select issue_id, count(*)::int as count from gone group by 1) one where i.id = one.issue_id`,
  `delete from events e where e.project_id = any($1::int[])
     and (e.subject_kind = 'Issue' and not exists (select from issues i where i.id = e.subject_id)
       or e.subject_kind = 'Note' and not exists (select from notes t where t.id = e.subject_id))`,
];

/** Gives the seeded people what the work needs, and removes what earlier runs left. */
async function furnish(pool: pg.Pool, users: number, count: number): Promise<Person[]> {
  const {
    rows: [peer],
  } = await pool.query<{ id: number }>(
    `insert into applications (name, uid, secret_digest, redirect_uris, scopes, grant_types)
     values ('Bench', $1, $2, $3, '{api,read_api,read_user}', '{authorization_code,refresh_token,client_credentials,password}')
     on conflict (uid) do update set secret_digest = excluded.secret_digest returning id`,
    [application.uid, digestOf(application.secret), [application.redirectUri]],
  );
  // Evenly spaced, from one end to the other. An odd step: seeding makes people with even distances alike.
  const step = 2 * Math.floor(users / count / 2) + 1;
  const names = Array.from({ length: count }, (_, i) => `seed-user-${1 + ((i * step) % users)}`);
  const { rows } = await pool.query<{ id: number; username: string; group: number; project: number }>(
    `select u.id, u.username, g.group_id as group, p.project_id as project
       from unnest($1::text[]) named (path)
       join routes r on r.path = named.path join namespaces n on n.id = r.namespace_id join users u on u.id = n.owner_id
       cross join lateral (select group_id from group_notification_settings where user_id = u.id order by group_id limit 1) g
       cross join lateral (select project_id from project_notification_settings where user_id = u.id order by project_id limit 1) p
      -- Neighbours in the tables don't follow each other.
      order by md5(named.path)`,
    [names],
  );
  const people = rows.map((row) => ({
    ...row,
    token: secretOf('cwpat_', `personal ${row.id}`),
    accessToken: secretOf('cwat_', `access ${row.id}`),
  }));
  const given = `unnest($1::int[], $2::int[], $3::int[], $4::bytea[], $5::bytea[]) given (user_id, group_id, project_id, personal, access)`;
  const columns = [
    people.map(({ id }) => id),
    people.map(({ group }) => group),
    people.map(({ project }) => project),
    people.map(({ token }) => digestOf(token)),
    people.map(({ accessToken }) => digestOf(accessToken)),
  ];
  const give = (text: string, ...more: unknown[]) => pool.query(text.replace('given', given), [...columns, ...more]);
  // Removes what earlier runs issued: each run starts with the same tables.
  await give(
    `delete from grants g where application_id = $6
      and not exists (select from access_tokens t where t.grant_id = g.id and t.digest in (select access from given))`,
    peer!.id,
  );
  await pool.query('truncate audit_events, authorization_codes');
  for (const text of leftPlanning) await pool.query(text, [people.map(({ project }) => project)]);
  await give(
    `insert into group_members (user_id, group_id, access_level) select user_id, group_id, 30 from given on conflict do nothing`,
  );
  await give(
    `insert into project_members as m (user_id, project_id, access_level) select user_id, project_id, 40 from given
     on conflict (user_id, project_id) do update set access_level = 40 where m.access_level < 40`,
  );
  await give(
    `insert into personal_access_tokens as t (user_id, name, digest, scopes, expires_at)
     select user_id, 'bench', personal, '{api}', current_date + 360 from given
     on conflict (digest) do update set expires_at = excluded.expires_at where t.expires_at < current_date + 30`,
  );
  await give(
    `with missing as (
       select * from given where not exists (select from access_tokens t where t.digest = given.access)
     ), made as (
       insert into grants (kind, application_id, user_id, authorized_at) select 'AUTHORIZATION_CODE', $6, user_id, now() from missing returning id, user_id
     )
     insert into access_tokens (grant_id, digest, scopes) select made.id, missing.access, '{api}' from made join missing using (user_id)`,
    peer!.id,
  );
  await give(
    'update users set password_hash = $6 where id in (select user_id from given) and password_hash is null',
    await hashPassword(password),
  );
  await pool.query(
    'vacuum (analyze) grants, access_tokens, refresh_tokens, authorization_codes, personal_access_tokens, project_members, group_members, issues, notes, events',
  );
  return people;
}
