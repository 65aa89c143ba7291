import type { Context } from '../../../../context.ts';
import { holds, writeCode, type Facts } from '../../../../policy/index.ts';
import type { Problems } from '../../../engine/input.ts';
import type { ProjectRules } from '../statements/reading.ts';

/** What creating and changing a merge request have in common. */

/** Refuses more than one reviewer. */
export function checkReviewers(problems: Problems, given: readonly string[] | null | undefined): void {
  if ((given?.length ?? 0) > 1) problems.add('reviewerIds', ['can have one person only']);
}

/** What is said of a branch that would go into itself. */
export const sameBranch = "You can't use same project/branch for source and target";

/** Longest name of a branch, in bytes, as git takes it here. */
const maxBranch = 1_024;

/** Refuses what can't be the name of a branch that is kept. A branch that isn't there is none of our business. */
export function checkBranch(problems: Problems, field: 'sourceBranch' | 'targetBranch', name: string): void {
  if (name.trim() === '') problems.add(field, ["can't be blank"]);
  else if (Buffer.byteLength(name) > maxBranch) problems.add(field, [`is too long (maximum is ${maxBranch} bytes)`]);
}

/** Whether the commits become one: what was asked for, or what the target proposes. */
export const squashes = (asked: boolean | null | undefined, { squashOption }: ProjectRules): boolean =>
  asked ?? (squashOption === 'default_on' || squashOption === 'always');

/** What decides who writes to the source branch. */
interface Sides {
  readonly source: Facts;
  readonly target: Facts;
  /** Whether the source is another project than the target. */
  readonly isFork: boolean;
}

/** Whether a person may say that the source branch is removed: they write to it. */
export const mayRemoveSource = ({ viewer }: Context, { source }: Pick<Sides, 'source'>): boolean =>
  holds(writeCode, viewer, source);

/**
 * Whether a person may let members of the target push to the source branch: of a fork that they write to. Both are visible
 * to others, so that no private project lets strangers in.
 */
export const mayCollaborate = ({ viewer }: Context, { source, target, isFork }: Sides): boolean =>
  isFork && source.visibility !== 'PRIVATE' && target.visibility !== 'PRIVATE' && holds(writeCode, viewer, source);
