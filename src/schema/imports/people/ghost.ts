import type { Batch } from '../origins/importing.ts';
import { findGhost, makeGhost } from './statements.ts';

/** Who wrote something: the person, or the ghost if they weren't imported. */
export async function authorOf({ sql, localOf }: Batch, key: string | null | undefined): Promise<number> {
  const author = localOf('people', key);
  if (author !== undefined) return author;
  const [found] = await sql.rows(findGhost, []);
  if (found) return found.id;
  await sql.rows(makeGhost, []);
  return (await sql.rows(findGhost, []))[0]!.id;
}
