/**
 * Writes a migration with the difference between prisma/migrations and
 * prisma/schema.prisma:
 *
 *   node scripts/new-migration.mjs add_avatar
 *
 * It compares them on a temporary PostgreSQL. Read the migration before you commit it: the
 * comparison can't see renamed columns, checks, triggers, partial indexes and other things that
 * schema.prisma can't express.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const [name] = process.argv.slice(2);
if (!/^[a-z0-9_]+$/.test(name ?? '')) {
  console.error('Usage: node scripts/new-migration.mjs <name_in_lower_case>');
  process.exit(2);
}

const repository = fileURLToPath(new URL('..', import.meta.url));
const migrationsDir = `${repository}prisma/migrations`;
const schemaFile = `${repository}prisma/schema.prisma`;

const bundle = `${repository}node_modules/.cache/new-migration.mjs`;
const contents = `
  export { startEmbeddedPostgres } from './src/database/embedded/index.ts';
  export { migrate, schemaDrift } from './src/database/migrations/index.ts';`;
await build({
  stdin: { contents, resolveDir: repository, loader: 'ts' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  outfile: bundle,
});
const { migrate, schemaDrift, startEmbeddedPostgres } = await import(bundle);
await rm(bundle);

const folder = await mkdtemp(join(tmpdir(), 'causeway-migration-'));
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data') });
try {
  const { connection } = postgres;
  await migrate({ connection, migrationsDir });
  const sql = await schemaDrift({ connection, schemaFile });
  if (sql === '') {
    console.log('The migrations and schema.prisma agree: there is nothing to write.');
  } else {
    const timestamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
    await mkdir(`${migrationsDir}/${timestamp}_${name}`);
    await writeFile(`${migrationsDir}/${timestamp}_${name}/migration.sql`, sql);
    console.log(`Written: prisma/migrations/${timestamp}_${name}/migration.sql`);
  }
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
