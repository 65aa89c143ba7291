import type { Context } from '../../../context.ts';
import type { Commit as GitCommit } from '../../../git/objects/parse.ts';
import { listRefs } from '../../../git/refs/index.ts';
import { Forbidden } from '../../../errors.ts';
import { holds, readMergeRequest, reads } from '../../../policy/index.ts';
import { nestedList } from '../../engine/list.ts';
import { facts, lookUp } from '../../places/place/look-up.ts';
import { Commit } from '../../repository/commits/types.ts';
import { findMergedAs, findProjectOfMergeRequests } from './statements/reading.ts';
import { mergeRequestList } from './statements/list.ts';
import { mergeRequestOrders } from './statements/orders.ts';
import { MergeRequest, MergeRequestState } from './types.ts';

/** The merge requests of commits. */

const heads = 'refs/merge-requests';
const starts = 'refs/keep-around';
const headOf = new RegExp(`^${heads}/(?<iid>\\d+)/head$`);

/** The number of the merge request that a merge commit of a project merged, for viewers who read it. */
export async function mergedAs(
  context: Context,
  project: number,
  { id, parents }: Pick<GitCommit, 'id' | 'parents'>,
): Promise<number | undefined> {
  if (parents.length < 2) return undefined;
  const known = facts(await lookUp(context, findProjectOfMergeRequests, 'Project', String(project)));
  if (!holds(readMergeRequest, context.viewer, known)) return undefined;
  const [found] = await context.database.rows(findMergedAs, [project, id]);
  return found?.iid;
}

nestedList(Commit, 'mergeRequests', {
  type: MergeRequest,
  admission: { class: 'token', scopes: reads, anonymous: true },
  description: 'Those that bring it, or that brought it when they were merged, the newest first.',
  orders: { created: mergeRequestOrders.created },
  by: 'created_desc',
  args: (t) => ({ state: t.field({ type: MergeRequestState, description: 'Only those in this state.' }) }),
  rows: async (context, { state }, _info, { repository: { id, git }, id: sha }) => {
    const { viewer } = context;
    const known = facts(await lookUp(context, findProjectOfMergeRequests, 'Project', String(id)));
    if (!holds(readMergeRequest, viewer, known)) throw new Forbidden();
    // A merge request has the commits from its start, which is kept, to its head.
    const containing = await listRefs(git!, { below: [heads, starts], containing: sha });
    const iids = containing.flatMap(({ ref }) => headOf.exec(ref)?.groups?.iid ?? []).map(Number);
    const after = containing.flatMap(({ ref, id }) => (ref.startsWith(starts) ? [id] : []));
    const filter = state != null && state !== 'ALL' ? { state } : {};
    return mergeRequestList(viewer, { project: id }, { ...filter, ofCommit: { sha, iids, after } }, known);
  },
});
