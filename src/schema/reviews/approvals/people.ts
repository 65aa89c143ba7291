import type { Sql } from '../../../database/index.ts';
import { findApprovals, findReviewStates } from './statements.ts';

/** The people who looked at a merge request, by their ids. */

/** Who approved it, the first one first. */
export const approversOf = async (sql: Sql, id: number): Promise<number[]> =>
  (await sql.rows(findApprovals, [[id]])).map(({ user_id: userId }) => userId);

/** Its reviewer, if they did something since they were asked. */
export async function reviewersOf(
  sql: Sql,
  { id, reviewerId }: { readonly id: number; readonly reviewerId: number | null },
): Promise<number[]> {
  const [review] = await sql.rows(findReviewStates, [[id]]);
  return reviewerId === null || !review || review.state === 'UNREVIEWED' ? [] : [reviewerId];
}
