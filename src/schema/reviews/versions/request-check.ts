import type { Context } from '../../../context.ts';
import { batched } from '../../engine/batched.ts';
import { requestChecks } from './statements.ts';

/** The merge requests of a page, in one statement. */
const checkOf = batched<true>(async ({ database }, ids) => {
  const rows = await database.rows(requestChecks, [ids]);
  return new Map(rows.map(({ id }) => [id, true]));
});

/**
 * Has it checked in the background whether git can merge a merge request, if that isn't known, for a person who asks.
 * @returns whether this was needed
 */
export const requestCheck = async (context: Context, id: number): Promise<boolean> =>
  context.viewer.person !== null && (await checkOf(context, id)) === true;
