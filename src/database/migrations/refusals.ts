import pg from 'pg';
import { MigrationError } from './error.ts';
import type { MigrationStatus } from './history.ts';

/** Remedies when PostgreSQL refuses, by SQLSTATE. */
const remedies: Record<string, (role: string) => string> = {
  // insufficient_privilege: since PostgreSQL 15 only the owner may create in the schema public.
  '42501': (role) =>
    'Connect as the role that owns the database and its tables, or, in an empty database, let this one in: ' +
    `GRANT USAGE, CREATE ON SCHEMA public TO "${role}";`,
  // invalid_schema_name: no schema of the search path exists, or the role may use none.
  '3F000': (role) => `Make a schema for the tables: CREATE SCHEMA AUTHORIZATION "${role}";`,
  // read_only_sql_transaction
  '25006': () => 'Connect to the primary server; this one is a replica or read-only.',
};

export function remedyFor(error: unknown, client: pg.Client): string | undefined {
  const code = error instanceof pg.DatabaseError ? error.code : undefined;
  return code === undefined ? undefined : remedies[code]?.(client.user ?? '');
}

/** The remedy for a migration that is recorded as started and may have left something behind. */
export const howToRepair = (name: string): string =>
  'Undo what it left behind (its row in _prisma_migrations may say why it failed), then allow it to run again: ' +
  `UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '${name}' AND finished_at IS NULL;`;

/** Throws when the recorded history doesn't allow migrating further. */
export function refuseUnsafe({ applied, pending, failed, unknown, edited }: MigrationStatus): void {
  if (failed[0] !== undefined) {
    throw new MigrationError(`Migration ${failed[0]} was started and never finished.`, howToRepair(failed[0]));
  }
  if (edited.length > 0) {
    throw new MigrationError(
      `The database was migrated with another text of ${edited.join(', ')}.`,
      'Put the file back as it was applied (a change belongs into a new migration), or start the version that applied it.',
    );
  }
  // During an upgrade old and new processes run side by side, so the database may be ahead of this version. Its history
  // must not diverge.
  const newest = applied.at(-1) ?? '';
  if (unknown.length > 0 && (pending.length > 0 || unknown.some((name) => name < newest))) {
    throw new MigrationError(
      `The database has migrations that don't belong to this version: ${unknown.join(', ')}.`,
      'Start the version that applied them or a newer one; ' +
        'if the database belongs to another program, set DATABASE_URL to an empty one.',
    );
  }
}

/** Throws when a database that was never migrated isn't empty. Objects of extensions don't count. */
export async function refuseForeignTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
        AND NOT EXISTS (SELECT FROM pg_depend
                         WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
      ORDER BY relkind = 'S', relname LIMIT 3`,
  );
  if (rows.length === 0) return;
  throw new MigrationError(
    `The database is not empty (${rows.map(({ name }) => name).join(', ')}) and was never migrated by this program.`,
    'Set DATABASE_URL to an empty database of its own: CREATE DATABASE causeway;',
  );
}
