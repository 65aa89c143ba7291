import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/database/embedded/index.ts';

/** The databases that are measured on: a seeded PostgreSQL of the benchmark's own, kept between runs. */

export type Size = 'small' | 'large';

const plans: Record<Size, Record<string, number>> = {
  small: { users: 1_000, groups: 200, projects: 1_000, memberships: 10_000, settings: 10_000, tokens: 1_000 },
  large: { users: 1_000_000, groups: 20_000, projects: 100_000, memberships: 2_000_000, settings: 10_000_000, tokens: 10_000_000 },
};

/** Instance key of every gateway on these databases. */
export const secretKey = 'an-instance-key-for-benchmarks-only';

export interface Store {
  readonly url: string;
  readonly pool: pg.Pool;
  /** Fixed people of the seed, with a personal access token each. */
  readonly people: readonly Person[];
  stop(): Promise<void>;
}

export interface Person {
  readonly id: number;
  readonly username: string;
  /** With the scope `api`. */
  readonly token: string;
  /** A live OAuth access token of the same person, with the scope `api`. */
  readonly accessToken: string;
  /** Ids of a group and a project that the person is a member of; the project has error tracking and its maintainer is the person. */
  readonly group: number;
  readonly project: number;
}

/** How many people take turns, so that no single row stays in every cache. */
const peopleCount = 64;

/** Seeds the database on first use, and starts its PostgreSQL. */
export async function openStore(root: string, size: Size, told: (message: string) => void): Promise<Store> {
  const dataDir = join(root, 'bench/.data', size);
  const plan = plans[size];
  const stamp = join(dataDir, `seeded-${createHash('sha256').update(JSON.stringify(plan)).digest('hex').slice(0, 12)}`);
  if (!existsSync(stamp)) {
    told(`Seeding the ${size} database, once…`);
    await rm(dataDir, { recursive: true, force: true });
    await mkdir(dataDir, { recursive: true });
    const options = Object.entries(plan).flatMap(([name, count]) => [`--${name}`, String(count)]);
    await promisify(execFile)(process.execPath, ['dist/cli.js', 'seed', ...options], {
      cwd: root,
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, CAUSEWAY_LOG_LEVEL: 'error' },
    });
    await writeFile(stamp, '');
  }
  const postgres = await startEmbeddedPostgres({ dataDir, settings: { shared_buffers: '512MB', max_connections: '100' } });
  const { user, password, host, port, database } = postgres.connection;
  const url = `postgresql://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  return {
    url,
    pool,
    people: await furnish(pool),
    async stop() {
      await pool.end();
      await postgres.stop();
    },
  };
}

/** A secret that every run makes again. */
export const secretOf = (prefix: string, name: string): string => prefix + createHash('sha256').update(`bench ${name}`).digest('base64url');

export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** The application that all OAuth work goes through. */
export const application = {
  uid: 'bench-application',
  secret: secretOf('cwcs_', 'application'),
  redirectUri: 'https://client.example/callback',
};

/** Gives some people of the seed what the work needs: tokens, a project to maintain, an application. */
async function furnish(pool: pg.Pool): Promise<Person[]> {
  await pool.query(
    `insert into applications (name, uid, secret_digest, redirect_uris, scopes, grant_types)
     values ('Bench', $1, $2, $3, '{api,read_api,read_user}', '{authorization_code,refresh_token,client_credentials,password}')
     on conflict (uid) do update set secret_digest = excluded.secret_digest`,
    [application.uid, digestOf(application.secret), [application.redirectUri]],
  );
  const { rows } = await pool.query<{ id: number; username: string; group: number; project: number }>(
    `select u.id, u.username, g.id as group, p.id as project
       from generate_series(1, $1) i
       join routes r on r.path = 'seed-user-' || i join namespaces n on n.id = r.namespace_id join users u on u.id = n.owner_id
       cross join lateral (select id from namespaces where kind = 'GROUP' order by id offset i limit 1) g
       cross join lateral (select id from projects order by id offset i limit 1) p
      order by i`,
    [peopleCount],
  );
  const people = rows.map((row) => ({
    ...row,
    token: secretOf('cwpat_', `personal ${row.id}`),
    accessToken: secretOf('cwat_', `access ${row.id}`),
  }));
  for (const person of people) {
    const { id, group, project } = person;
    await pool.query(`insert into group_members (user_id, group_id, access_level) values ($1, $2, 30) on conflict do nothing`, [id, group]);
    await pool.query(
      `insert into project_members (user_id, project_id, access_level) values ($1, $2, 40)
       on conflict (user_id, project_id) do update set access_level = 40`,
      [id, project],
    );
    await pool.query(
      `insert into personal_access_tokens (user_id, name, digest, scopes, expires_at) values ($1, 'bench', $2, '{api}', current_date + 360)
       on conflict (digest) do update set expires_at = excluded.expires_at`,
      [id, digestOf(person.token)],
    );
    await pool.query(
      `with g as (
         insert into grants (kind, application_id, user_id, authorized_at)
         select 'AUTHORIZATION_CODE', a.id, $1, now() from applications a where a.uid = $3
          and not exists (select 1 from access_tokens where digest = $2) returning id)
       insert into access_tokens (grant_id, digest, scopes) select id, $2, '{api}' from g`,
      [id, digestOf(person.accessToken), application.uid],
    );
  }
  await pool.query('analyze');
  return people;
}
