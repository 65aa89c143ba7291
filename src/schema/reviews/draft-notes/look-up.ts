import type { Context } from '../../../context.ts';
import { NotFound } from '../../../errors.ts';
import { orNull } from '../../engine/absent.ts';
import { globalId, idOf } from '../../engine/global-id.ts';
import { lookUpNoteable, type Noteable } from '../../planning/notes/noteable.ts';
import { findDraft, type DraftNoteRecord } from './statements.ts';

/** Drafts of the viewer: those of others don't exist for them. */

/** How a client names a merge request: its project, and its number there. */
export interface MergeRequestName {
  readonly projectPath: string;
  readonly iid: string;
}

/** @throws NotFound if it is missing or the viewer doesn't read it; Moved */
export const reviewedIn = (context: Context, { projectPath, iid: mergeRequestIid }: MergeRequestName) =>
  lookUpNoteable(context, { projectPath, mergeRequestIid });

/** How a client names a draft: by its id, and the merge request that it must be in, if they are given. */
export interface DraftName {
  readonly id: string;
  readonly projectPath?: string | null | undefined;
  readonly iid?: string | null | undefined;
}

/** A draft of the viewer, and its merge request. @throws NotFound; Moved */
export async function lookUpDraft(
  context: Context,
  { id, projectPath, iid }: DraftName,
): Promise<{ readonly seen: Noteable; readonly draft: DraftNoteRecord }> {
  const named = projectPath != null && iid != null ? await reviewedIn(context, { projectPath, iid }) : undefined;
  const [draft] = await context.database.rows(findDraft, [context.viewer.person?.id ?? null, idOf(id, 'DraftNote')]);
  if (!draft || (named && named.id !== draft.mergeRequestId)) throw new NotFound('DraftNote');
  if (named) return { seen: named, draft };
  const noteableId = globalId('MergeRequest', draft.mergeRequestId);
  // The viewer doesn't read the merge request any more.
  const seen = await orNull('MergeRequest', lookUpNoteable(context, { noteableId }));
  if (!seen) throw new NotFound('DraftNote');
  return { seen, draft };
}
