import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { backUpDatabase, restoreDatabase, migrateDatabase } from '../src/maintenance.ts';
import { turnOn } from './support/authenticator.ts';
import { signIn } from './support/browser-session.ts';
import { dropDatabase, makeDatabase, query } from './support/database.ts';
import { testGateway, type TestGateway } from './support/gateway.ts';
import { secretKey } from './support/global-setup.ts';
import { account } from './support/oauth.ts';

const quiet = () => undefined;
let place: string;
let gateway: TestGateway;
const databases: string[] = [];

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'backup-'));
  await chmod(place, 0o755);
  gateway = await testGateway();
});
afterAll(async () => {
  for (const name of databases) await dropDatabase(name);
  await rm(place, { recursive: true, force: true });
});

const given = (url: string, key = secretKey) => readConfig({ DATABASE_URL: url, CAUSEWAY_SECRET_KEY: key });

async function empty(): Promise<string> {
  const { name, url } = await makeDatabase('empty');
  databases.push(name);
  return url;
}

const restore = (config: ReturnType<typeof readConfig>, file: string, otherKey = false) =>
  restoreDatabase(config, file, { otherKey, progress: quiet, onNotice: quiet });

/** Every row of every table as text, in an order that doesn't depend on where it lies, and what the sequences give next. */
async function everything(url: string): Promise<Record<string, unknown[]>> {
  const tables = await query<{ name: string }>(url, `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') and relname <> '_prisma_migrations'`);
  const all: Record<string, unknown[]> = {};
  for (const { name } of tables) all[name] = await query(url, `select t::text from ${name} t order by 1`);
  return all;
}
