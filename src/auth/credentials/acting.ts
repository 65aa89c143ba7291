import type { Sql } from '../../database/index.ts';
import type { Viewer } from '../../policy/index.ts';
import { findActing } from '../statements/people.ts';

/** The viewer of work that someone asked for before; undefined if they may not act any more. It has no credential. */
export async function viewerOf(sql: Sql, personId: number): Promise<Viewer | undefined> {
  const [row] = await sql.rows(findActing, [personId]);
  if (row?.state !== 'ACTIVE') return undefined;
  const { id, username, administrator, tier, external } = row;
  return { person: { id, username, administrator, premium: tier === 'PREMIUM', external }, credential: null };
}
