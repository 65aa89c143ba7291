import type { Context } from '../../../context.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { updateIssue } from '../../../policy/index.ts';
import { changeIssue } from '../../planning/issues/changes/change.ts';
import { lookUpIssueById, mayOnIssue } from '../../planning/issues/look-up.ts';

/** An issue that is to be closed. */
interface Closing {
  readonly id: number;
  /** The merge request that does it by being merged; undefined for a commit. */
  readonly closedBy?: number | undefined;
}

/** Closes issues, where the viewer may. What they may not, and what is gone, stays as it is. */
export async function closeIssues(context: Context, issues: readonly Closing[]): Promise<void> {
  for (const { id, closedBy } of issues) {
    try {
      const seen = await lookUpIssueById(context, String(id));
      if (seen.isArchived || seen.issue.state !== 'OPENED' || !mayOnIssue(context, seen, updateIssue)) continue;
      await changeIssue(context, context.viewer.person!.id, seen.issue, { state: 'CLOSED', closedBy });
    } catch (error) {
      if (!(error instanceof NotFound || error instanceof Forbidden)) throw error;
    }
  }
}
