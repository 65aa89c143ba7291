import type { Batch } from '../origins/importing.ts';
import { findGhost, makeGhost } from './statements.ts';

/** The people of a record. */

/** Who wrote something: the person, or the ghost if they weren't imported. */
export async function authorOf(batch: Batch, key: string | null | undefined): Promise<number> {
  const { sql, localOf, remark } = batch;
  const author = localOf('people', key);
  if (author !== undefined) return author;
  remark('Its author wasn’t imported: the ghost has it.');
  const [found] = await sql.rows(findGhost, []);
  if (found) return found.id;
  await sql.rows(makeGhost, []);
  return (await sql.rows(findGhost, []))[0]!.id;
}

/** Another person of a record, or null. @param what they are of it */
export function personOf({ localOf, remark }: Batch, what: string, key: string | null | undefined): number | null {
  const id = localOf('people', key) ?? null;
  if (id === null && key != null) remark(`Its ${what} wasn’t imported.`);
  return id;
}

/** The first of several people who is here: there is room for one. */
export function firstOf(batch: Batch, what: string, keys: readonly string[]): number | null {
  const [first, ...others] = keys.flatMap((key) => batch.localOf('people', key) ?? []);
  const missing = keys.length - others.length - (first === undefined ? 0 : 1);
  if (missing > 0) batch.remark(`${missing} of its ${what}s weren’t imported.`);
  if (others.length > 0) batch.remark(`It has one ${what} here; there it has ${keys.length}.`);
  return first ?? null;
}
