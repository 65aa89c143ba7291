import type { Context } from '../../../../context.ts';
import { DomainError } from '../../../../errors.ts';
import { lookUpIssueById, type SeenIssue } from '../../../planning/issues/look-up.ts';
import { makeBranch } from '../../../repository/branches/create.ts';
import { repositoryIn } from '../../../repository/repositories/look-up.ts';
import { openMergeRequest } from './create.ts';

/** Merge requests that the command `/create_merge_request` opens, after the text with it was stored. */

/** What is made for an issue. */
interface Begun {
  readonly self: SeenIssue;
  readonly branch: string;
}

/** How much of the title of an issue that of its merge request says, in characters. */
const longest = 200;

function titleOf({ issue: { iid, title, confidential } }: SeenIssue): string {
  // Who reads the merge request may not read the issue.
  if (confidential) return `Draft: Resolve #${iid}`;
  return `Draft: Resolve "${[...title].slice(0, longest).join('')}"`;
}

/** Makes the branch, and a merge request of the viewer that closes the issue. */
async function open(context: Context, { self, branch }: Begun): Promise<void> {
  // The text may have changed it.
  const seen = await lookUpIssueById(context, String(self.issue.id));
  const { projectId, iid, labelIds, milestoneId } = seen.issue;
  const projectPath = String(projectId);
  const { defaultBranch } = await repositoryIn(context, projectPath);
  if (defaultBranch === null) return;
  await makeBranch(context, { projectPath, name: branch, ref: defaultBranch });
  await openMergeRequest(context, {
    projectPath,
    title: titleOf(seen),
    description: `Closes #${iid}`,
    sourceBranch: branch,
    targetBranch: defaultBranch,
    labelIds: labelIds.map(String),
    milestoneId: milestoneId === null ? null : String(milestoneId),
    assigneeIds: [String(context.viewer.person!.id)],
  });
}

/** Does that for each, one after the other. Who was faster decides: the text was stored. */
export async function openForIssues(context: Context, all: readonly Begun[]): Promise<void> {
  for (const one of all)
    try {
      await open(context, one);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
}
