import type { Context } from '../../../../context.ts';
import { takenIn } from '../../../../database/index.ts';
import { publishMergeRequest, publishTodos } from '../../../planning/live/publish.ts';
import type { WritesReferences } from '../../../planning/notes/text.ts';
import { refreshVersion, relinkIssues } from '../../versions/refresh.ts';
import { changeWithin, type Changed, type Effect, type MergeRequestChange } from './change.ts';

/** Changing a merge request, with what comes after the commit. */

/**
 * Changes a merge request in one transaction, and does what follows.
 * @param refer writes the notes of what its new description refers to
 * @throws as `changeWithin`
 */
export async function changeMergeRequest(
  context: Context,
  actor: number,
  one: Changed,
  change: MergeRequestChange,
  refer?: WritesReferences,
): Promise<void> {
  const work = () =>
    context.database.transaction(async (sql) => {
      const effect = await changeWithin(sql, actor, one, change);
      await refer?.(sql);
      return effect;
    });
  const effect = await work().catch((error: unknown) => {
    // Someone opened another one a moment ago: it is found now.
    if (takenIn(error) === 'merge_requests') return work();
    throw error;
  });
  await follow(context, actor, one.id, effect);
}

/** What comes after the commit of a change. */
export async function follow(context: Context, actor: number, id: number, effect: Effect | undefined): Promise<void> {
  if (!effect) return;
  publishMergeRequest(context, id, effect.parts);
  const isLinked = effect.isNew && (await refreshVersion(context, id));
  // No version is stored where the head stays or a branch is missing, and what was said of a closed one isn't linked yet.
  if (!isLinked && (effect.isNew || effect.isDescribed)) await relinkIssues(context, id);
  publishTodos(context, [actor, ...effect.todoOwners], null);
}
