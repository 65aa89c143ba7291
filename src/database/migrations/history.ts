import { hash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { MigrationError } from './error.ts';

/** One folder under `prisma/migrations`. Names start with a timestamp, so they sort by age. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** As Prisma computes it: SHA-256 of the script, in hex. */
  readonly checksum: string;
}

/** A row of `_prisma_migrations` that wasn't rolled back. */
export interface HistoryRow {
  readonly name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

/** Names of migrations, each list from the oldest to the newest. */
export interface MigrationStatus {
  applied: string[];
  pending: string[];
  /** Started, but neither finished nor rolled back; also while another process is running it. */
  failed: string[];
  /** Applied to the database, but not part of this build. */
  unknown: string[];
  /** Applied, but their files have changed since. */
  edited: string[];
}

/** The migrations of this build, oldest first. */
export async function readMigrations(migrationsDir: string): Promise<Migration[]> {
  try {
    const entries = await readdir(migrationsDir, { withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort();
    if (names.length === 0) throw new Error(`${migrationsDir} is empty`);
    return await Promise.all(
      names.map(async (name) => {
        const sql = await readFile(path.join(migrationsDir, name, 'migration.sql'), 'utf8');
        return { name, sql, checksum: hash('sha256', sql, 'hex') };
      }),
    );
  } catch (cause) {
    throw new MigrationError(
      `The migrations can't be read: ${(cause as Error).message}.`,
      'They are part of this program: install it again, with its folder prisma/migrations.',
      { cause },
    );
  }
}

/** Reads the recorded migrations. Null when the database has never been migrated. */
export async function readHistory(client: pg.Client): Promise<HistoryRow[] | null> {
  const undefinedTable = '42P01';
  try {
    const { rows } = await client.query<HistoryRow>(
      `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
         FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`,
    );
    return rows;
  } catch (error) {
    if ((error as pg.DatabaseError).code === undefinedTable) return null;
    throw error;
  }
}

export function compare(migrations: readonly Migration[], history: readonly HistoryRow[]): MigrationStatus {
  const recorded = new Map(history.map((row) => [row.name, row]));
  const ours = new Set(migrations.map(({ name }) => name));
  const applied = migrations.filter(({ name }) => recorded.get(name)?.finished);
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);
  return {
    applied: names(applied),
    pending: names(migrations.filter(({ name }) => !recorded.has(name))),
    failed: names(history.filter(({ finished }) => !finished)),
    unknown: names(history.filter(({ name, finished }) => finished && !ours.has(name))),
    edited: names(applied.filter(({ name, checksum }) => recorded.get(name)?.checksum !== checksum)),
  };
}
