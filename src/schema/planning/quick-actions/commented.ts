import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { openForIssues } from '../../reviews/merge-requests/changes/of-issue.ts';
import type { Noteable } from '../notes/noteable.ts';
import { announce, type Effect } from '../issues/changes/change.ts';
import { carryOut, planFor } from './issue.ts';
import { publishCopies, type QuickActions } from './plan.ts';
import { planForReview } from './reviews.ts';

/** The commands of a comment, on whatever takes them. */
export interface CommentPlan {
  /** The text without its commands. */
  readonly text: string;
  readonly status: QuickActions;
  /** Before the comment is stored, in its transaction. */
  readonly within: (sql: Sql) => Promise<void>;
  /** After that, in the same transaction. */
  readonly leave: (sql: Sql) => Promise<void>;
  /** After the commit. */
  readonly after: () => Promise<void>;
}

/**
 * Reads the commands of a comment. Undefined: it has none, or is about something that takes none.
 * @param head of a merge request, as the author saw it
 */
export async function planForComment(
  context: Context,
  seen: Noteable,
  author: number,
  text: string,
  head?: string | null,
): Promise<CommentPlan | undefined> {
  if (seen.kind === 'Issue') {
    const plan = await planFor(context, seen, text);
    let effect: Effect | undefined;
    return (
      plan && {
        ...plan,
        async within(sql) {
          effect = await carryOut(sql, author, seen, plan);
        },
        async after() {
          announce(context, author, seen, effect);
          publishCopies(context, plan);
          await openForIssues(context, plan.branches);
        },
      }
    );
  }
  if (seen.kind !== 'MergeRequest') return undefined;
  const plan = await planForReview(context, seen, text, head);
  return plan && { ...plan, within: (sql) => plan.within(sql), leave: async () => {} };
}
