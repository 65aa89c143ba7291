import type { Context } from '../../../context.ts';
import type { ImportedKind } from '../../../values/kinds/imported-kinds.ts';
import { findImported, findOrigin, lockOrigin, storeImported, type ImportedRow } from './statements.ts';

/** For records whose import takes too long for a transaction. */

/** The address of an instance. */
export async function originUrl({ database }: Context, originId: number): Promise<string | undefined> {
  return (await database.rows(findOrigin, [originId]))[0]?.url;
}

/** What was imported before under a key, by kind. */
export async function importedBefore(
  { database }: Context,
  originId: number,
  kinds: readonly ImportedKind[],
  key: string,
): Promise<ReadonlyMap<string, ImportedRow>> {
  const rows = await database.rows(findImported, [originId, kinds, kinds.map(() => key)]);
  return new Map(rows.map((row) => [row.kind, row]));
}

/** Notes that a record was imported. */
export async function noteImported(
  { database }: Context,
  originId: number,
  kind: ImportedKind,
  { key, localId, digest }: { readonly key: string; readonly localId: number; readonly digest: Buffer },
): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.rows(lockOrigin, [originId]);
    await sql.rows(storeImported, [originId, kind, [key], [localId], [digest], [null]]);
  });
}
