import type { Context } from '../../../context.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { updateIssue } from '../../../policy/index.ts';
import { changeIssue } from '../../planning/issues/change.ts';
import { lookUpIssueById, mayOnIssue } from '../../planning/issues/look-up.ts';

/** Closes issues, where the viewer may. What they may not, and what is gone, stays as it is. */
export async function closeIssues(context: Context, issues: readonly { readonly id: number }[]): Promise<void> {
  for (const { id } of issues) {
    try {
      const seen = await lookUpIssueById(context, String(id));
      if (seen.isArchived || seen.issue.state !== 'OPENED' || !mayOnIssue(context, seen, updateIssue)) continue;
      await changeIssue(context, context.viewer.person!.id, seen.issue, { state: 'CLOSED' });
    } catch (error) {
      if (!(error instanceof NotFound || error instanceof Forbidden)) throw error;
    }
  }
}
