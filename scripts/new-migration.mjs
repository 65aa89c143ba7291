/**
 * Writes the migration that brings the tables from prisma/migrations to
 * prisma/schema.prisma:
 *
 *   DATABASE_URL=postgresql://… node scripts/new-migration.mjs add_avatar
 *
 * The server is only lent a scratch database. Read what comes out before you
 * commit it: the difference knows nothing of renamed columns, nor of checks,
 * triggers, partial indexes and other things that schema.prisma can't say.
 */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import pg from 'pg';

const [name] = process.argv.slice(2);
const server = process.env.DATABASE_URL;
if (!/^[a-z0-9_]+$/.test(name ?? '') || !server) {
  console.error('Usage: DATABASE_URL=postgresql://… node scripts/new-migration.mjs <name_in_lower_case>');
  process.exit(2);
}

const repository = fileURLToPath(new URL('..', import.meta.url));
const migrationsDir = `${repository}prisma/migrations`;
const schemaFile = `${repository}prisma/schema.prisma`;

const bundle = `${repository}node_modules/.cache/new-migration.mjs`;
const entryPoints = [`${repository}src/database/migrations/index.ts`];
await build({ entryPoints, bundle: true, platform: 'node', format: 'esm', packages: 'external', outfile: bundle });
const { migrate, schemaDrift } = await import(bundle);
await rm(bundle);

const database = `new_migration_${process.pid}`;
const scratch = new URL(server);
scratch.pathname = database;
const connection = { connectionString: scratch.href };

const client = new pg.Client(server);
await client.connect();
await client.query(`CREATE DATABASE ${database}`);
try {
  const isFirst = !existsSync(migrationsDir);
  if (!isFirst) await migrate({ connection, migrationsDir });
  const sql = await schemaDrift({ connection, schemaFile });
  if (sql === '') {
    console.log('The migrations and schema.prisma agree: there is nothing to write.');
  } else {
    const timestamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
    const folder = `${timestamp}_${name}`;
    await mkdir(`${migrationsDir}/${folder}`, { recursive: true });
    await writeFile(`${migrationsDir}/${folder}/migration.sql`, sql);
    if (isFirst) await writeFile(`${migrationsDir}/migration_lock.toml`, 'provider = "postgresql"\n');
    console.log(`Written: prisma/migrations/${folder}/migration.sql`);
  }
} finally {
  await client.query(`DROP DATABASE ${database} WITH (FORCE)`);
  await client.end();
}
