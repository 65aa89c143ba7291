import type { Sql } from '../../../database/index.ts';
import type { SealedRow, SealedTable } from './statements/sealed.ts';
import { InstanceKeyError, seal, unseal, type InstanceKeys } from '../../../auth/index.ts';

/**
 * Secrets of pipelines that must be read again: values of variables, tokens of triggers. Each is sealed under the instance
 * key, and bound to its row by a text, so that one copied to another row can't be opened.
 */

const keysOf = (keys: InstanceKeys) => keys.derive('ci secrets');

/** @param row what the secret is bound to */
export const sealSecret = (keys: InstanceKeys, row: string, text: string): Buffer => seal(keysOf(keys)[0]!, row, text);

/** The secret; null if no instance key opens it. */
export const openSecret = (keys: InstanceKeys, row: string, sealed: Buffer): string | null =>
  unseal(keysOf(keys), row, sealed);

/** The same where nothing works without it. @throws InstanceKeyError */
export function requireSecret(keys: InstanceKeys, row: string, sealed: Buffer): string {
  const text = openSecret(keys, row, sealed);
  if (text !== null) return text;
  throw new InstanceKeyError(
    `The ${row} can’t be opened with any of the instance keys.`,
    'Name the key that it was sealed under in CAUSEWAY_SECRET_KEY too. If that key is lost, set the value again.',
  );
}

const rowsAtOnce = 500;

/** Seals the secrets of a table under the first instance key. @returns how many were sealed again, and which can’t be */
export async function resealTable(
  sql: Sql,
  keys: InstanceKeys,
  { next, put }: SealedTable,
): Promise<{ resealed: number; unreadable: number }> {
  const all = keysOf(keys);
  const counts = { resealed: 0, unreadable: 0 };
  for (let last: Pick<SealedRow, 'id' | 'key'> = { id: 0, key: '' }; ;) {
    const rows = await sql.rows(next, [last.id, last.key, rowsAtOnce]);
    for (const { id, key, sealed, row } of rows) {
      if (unseal([all[0]!], row, sealed) !== null) continue;
      const text = unseal(all, row, sealed);
      if (text === null) counts.unreadable++;
      else counts.resealed += (await sql.rows(put, [id, key, sealed, seal(all[0]!, row, text)])).length;
    }
    if (rows.length < rowsAtOnce) return counts;
    last = rows.at(-1)!;
  }
}
