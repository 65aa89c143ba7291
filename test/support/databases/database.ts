import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { migrate } from '../../../src/database/migrations/index.ts';
import { afterFile } from '../run/after-file.ts';

/** The address of another database on the test server. */
export function databaseUrl(name: string): string {
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

let made = 0;

/** Creates the database that those of the kind `migrated` are clones of. It goes with the server of the run. */
async function makeMigrated(): Promise<string> {
  const name = `migrated_${process.pid}`;
  await query(databaseUrl('postgres'), `create database "${name}" template template0`);
  await migrate({
    connection: { connectionString: databaseUrl(name) },
    migrationsDir: join(import.meta.dirname, '../../../prisma/migrations'),
  });
  return name;
}
let migrated: Promise<string> | undefined;

const templates = {
  demo: () => new URL(inject('databaseUrl')).pathname.slice(1),
  migrated: () => (migrated ??= makeMigrated()),
  empty: () => 'template0',
} as const;

/**
 * Creates a database: a clone of the one with the demo workspace, one with all migrations as before the first start, or an
 * empty one. It goes with the test file.
 */
export async function makeDatabase(from: keyof typeof templates = 'demo'): Promise<{ name: string; url: string }> {
  const name = `test_${process.pid}_${Date.now()}_${made++}`;
  const template = await templates[from]();
  // Half the work of writing each block to the log.
  await untilVacuumed(`create database "${name}" template "${template}" strategy file_copy`, '55006');
  afterFile(() => dropDatabase(name));
  return { name, url: databaseUrl(name) };
}

export const dropDatabase = (name: string): Promise<void> =>
  untilVacuumed(`drop database if exists "${name}" with (force)`, '42501');

/** Runs a statement about a database until it doesn't fail because an autovacuum is running there, which finishes soon. */
async function untilVacuumed(text: string, refusal: string): Promise<void> {
  for (;;) {
    try {
      return void (await query(databaseUrl('postgres'), text));
    } catch (error) {
      if ((error as pg.DatabaseError).code !== refusal) throw error;
      await pause(100);
    }
  }
}

/** Runs one statement on a new connection. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
