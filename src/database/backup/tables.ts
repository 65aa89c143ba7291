import type pg from 'pg';
import { BackupError } from './error.ts';

/** A table as a backup names it. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/** A sequence and its next number. */
export interface Sequence {
  readonly name: string;
  readonly next: string;
}

/** The table of applied migrations. Migrating writes it, so it is never copied. */
const history = '_prisma_migrations';

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const columnsOf = ({ columns }: Table): string => columns.map(quoted).join(', ');

/**
 * Lists the gateway's tables with their columns, referenced tables first: rows copied in this order find the rows that
 * they refer to. (A row may refer to another one of its own table.) Unlogged tables are left out: a crash may empty
 * them, so their rows are temporary.
 */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; needs: string[] }>(
    `SELECT c.relname::text AS name,
            (SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute
              WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns,
            ARRAY(SELECT DISTINCT other.relname::text FROM pg_constraint k JOIN pg_class other ON other.oid = k.confrelid
                   WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> c.oid) AS needs
       FROM pg_class c
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p' AND c.relname <> $1
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
      ORDER BY 1`,
    [history],
  );
  const ordered: typeof rows = [];
  for (let left = rows; left.length > 0;) {
    const there = new Set(ordered.map(({ name }) => name));
    const next = left.filter(({ needs }) => needs.every((name) => there.has(name)));
    if (next.length === 0)
      throw new Error(`These tables refer to each other in a circle: ${left.map(({ name }) => name).join(', ')}.`);
    ordered.push(...next);
    left = left.filter((table) => !next.includes(table));
  }
  return ordered.map(({ name, columns }) => ({ name, columns }));
}

/** Locks tables until the transaction ends: against schema changes, or against all use. */
export async function lockTables(
  client: pg.ClientBase,
  tables: readonly Table[],
  mode: 'ACCESS SHARE' | 'ACCESS EXCLUSIVE',
): Promise<void> {
  if (tables.length > 0)
    await client.query(`LOCK TABLE ${tables.map(({ name }) => quoted(name)).join(', ')} IN ${mode} MODE`);
}

/** @throws BackupError naming tables that have rows */
export async function refuseRows(client: pg.ClientBase, tables: readonly Table[]): Promise<void> {
  if (tables.length === 0) return;
  const probe = ({ name }: Table) =>
    `SELECT '${name.replaceAll("'", "''")}' AS name WHERE EXISTS (SELECT FROM ${quoted(name)})`;
  const { rows } = await client.query<{ name: string }>(tables.map(probe).join(' UNION ALL '));
  if (rows.length === 0) return;
  throw new BackupError(
    `The database isn't empty: there are rows in ${rows
      .slice(0, 3)
      .map(({ name }) => name)
      .join(', ')}${rows.length > 3 ? ' and others' : ''}.`,
    'Restore into an empty one: name a new database in DATABASE_URL, or a new folder in DATA_DIR.',
  );
}

export async function countRows(client: pg.ClientBase, { name }: Table): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${quoted(name)}`);
  return Number(rows[0]!.count);
}

/**
 * Reads the next number of each sequence. They are copied, not computed from the rows: the id of a removed person must
 * not be used again, because audit events still refer to it.
 */
export async function readSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'S' ORDER BY 1`,
  );
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const { rows: state } = await client.query<{ next: string }>(
      `SELECT (CASE WHEN is_called THEN last_value + 1 ELSE last_value END)::text AS next FROM ${quoted(name)}`,
    );
    sequences.push({ name, next: state[0]!.next });
  }
  return sequences;
}

/** Sets a sequence. Unlike `setval`, a rollback undoes this. */
export async function restartSequence(client: pg.ClientBase, { name, next }: Sequence): Promise<void> {
  await client.query(`ALTER SEQUENCE ${quoted(name)} RESTART WITH ${BigInt(next)}`);
}
