import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { compile } from '../../../scripts/compile.mjs';
import { scratch } from '../databases/scratch.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the template database, which tests only clone. */
    databaseUrl: string;
    /** Created when the template was set up: the same in every clone. */
    tokens: { root: string; maintainer: string };
    passwords: { root: string; demo: string };
  }
}

/** The instance key of every test gateway. */
export const secretKey = 'an instance key for tests, 32 characters or more'.replaceAll(/[ ,]/g, '-');

/**
 * Builds the project if necessary, and starts the PostgreSQL of the run. @returns a function that stops it
 * @throws Error there when a test file has left a database behind: whatever used it may still run beside other files
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The sources import generated files, and pages need their assets. Nothing of `src` is there before.
  const build = '../../../scripts/build.mjs';
  await ((await import(build)) as { buildIfNeeded(): Promise<void> }).buildIfNeeded();
  await compile();
  let url = '';
  const stop = await startPostgres({
    provide(key, value) {
      if (key === 'databaseUrl') url = value as string;
      project.provide(key, value);
    },
  });
  return async () => {
    const left = await leftDatabases(url);
    await stop();
    if (left.length === 0) return;
    // Vitest only prints what is thrown here.
    process.exitCode = 1;
    throw new Error(
      `Test files left ${left.length} databases behind, such as ${left[0]}: see test/support/run/after-file.ts`,
    );
  };
}

async function leftDatabases(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database where datname like 'test\\_%'`,
  );
  await client.end();
  return rows.map(({ datname }) => datname);
}

/**
 * Starts one PostgreSQL for the whole run, from the binaries that the gateway uses, with a template database that has
 * the demo workspace.
 */
export async function startPostgres(project: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  const { startEmbeddedPostgres } = await import('../../../src/database/embedded/index.ts');
  const { readConfig } = await import('../../../src/config/index.ts');
  const { startGateway } = await import('../../../src/server.ts');
  const { jobNames } = await import('../../../src/values/kinds/job-kinds.ts');

  const dataDir = mkdtempSync(join(scratch(), 'causeway-test-'));
  const postgres = await startEmbeddedPostgres({
    dataDir,
    settings: {
      // The data isn't needed after the run, so it needn't be synced to the disk, nor be kept for a replica.
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      max_wal_size: '256MB',
      // A database lives for seconds. What looks after it would only take time, and could change plans meanwhile.
      autovacuum: 'off',
      jit: 'off',
      // A statement is planned once for each connection, not for its first five runs: a fifteenth of the whole run.
      plan_cache_mode: 'force_generic_plan',
      max_connections: '400',
    },
  });
  const { host, port, user, password, database } = postgres.connection;
  const databaseUrl = `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  const gateway = await startGateway(
    readConfig({
      DATABASE_URL: databaseUrl,
      CAUSEWAY_SECRET_KEY: secretKey,
      CAUSEWAY_DEMO: 'on',
      CAUSEWAY_LOG_LEVEL: 'warn',
      PORT: '0',
    }),
  );
  await gateway.stop();
  // What runs by the clock waits: its statements would count as those of a test.
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `insert into job_periods select name, now() + interval '1 day' from unnest($1::text[]) name
                      on conflict (name) do update set period = excluded.period`,
    [jobNames()],
  );
  await client.end();
  const { rootToken, rootPassword, demo } = gateway.firstStart!;
  project.provide('databaseUrl', databaseUrl);
  project.provide('tokens', { root: rootToken, maintainer: demo!.token });
  project.provide('passwords', { root: rootPassword, demo: demo!.password });
  return async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
