import { adminIssue, createIssue } from '../../../policy/index.ts';
import { referenceIn } from '../links/links.ts';
import type { Definition } from './definition.ts';

/** Commands that concern more than the issue itself: emoji, other issues, other projects. */

const award: Definition = {
  right: createIssue,
  names: (argument) => ({ emoji: [argument] }),
  read(argument, { emoji }) {
    const name = emoji.get(argument);
    if (name === undefined) return undefined;
    return {
      message: `Toggled :${name}: emoji award.`,
      changes: { emoji_award: name },
      deed: { kind: 'award', name },
    };
  },
};

const withNotes = '--with_notes';
/** The project of `/clone`, with and without its option. */
const projectIn = (argument: string): string => argument.replace(withNotes, '').trim();

export const actionsBeyondTheIssue: Readonly<Record<string, Definition>> = {
  award,
  react: award,
  duplicate: {
    right: adminIssue,
    names: (argument) => ({ issues: [argument] }),
    read(argument, { self, issues }) {
      const original = issues.get(argument);
      if (!self || !original || original.isArchived || original.issue.id === self.issue.id) return undefined;
      return {
        message: `Closed this issue. Marked as related to, and a duplicate of, ${referenceIn(self, original)}.`,
        changes: { canonical_issue_id: original.issue.id },
        change: { state: 'CLOSED' },
        deed: { kind: 'duplicate', self, original },
      };
    },
  },
  copy_metadata: {
    right: adminIssue,
    names: (argument) => ({ issues: [argument] }),
    read(argument, { self, issues }) {
      const other = issues.get(argument);
      // Labels and milestones of another project don't exist here.
      if (!self || other?.issue.projectId !== self.issue.projectId) return undefined;
      const { labelIds, milestoneId } = other.issue;
      return {
        message: `Copied labels and milestone from ${referenceIn(self, other)}.`,
        changes: { add_label_ids: labelIds, ...(milestoneId !== null && { milestone_id: milestoneId }) },
        change: {
          addLabels: { titles: [], ids: labelIds },
          ...(milestoneId !== null && { milestoneId }),
        },
      };
    },
  },
  move: {
    right: adminIssue,
    names: (argument) => ({ projects: [argument] }),
    read(argument, { self, projects }) {
      const target = projects.get(argument);
      if (!self || !target || self.issue.movedToId !== null || target.id === self.issue.projectId) return undefined;
      return {
        message: `Moved this issue to ${target.full_path}.`,
        changes: { target_project_id: target.id },
        deed: { kind: 'move', self, target },
      };
    },
  },
  create_merge_request: {
    right: adminIssue,
    names: (argument) => ({ branches: [argument] }),
    read(argument, { self, branches }) {
      const branch = branches.get(argument);
      if (!self || branch === undefined) return undefined;
      return {
        message: `Created ${argument === '' ? 'a branch' : `branch '${branch}'`} and a merge request to resolve this issue.`,
        changes: { create_merge_request: { branch_name: branch, issue_iid: self.issue.iid } },
        deed: { kind: 'branch', self, branch },
      };
    },
  },
  clone: {
    right: adminIssue,
    names: (argument) => ({ projects: [projectIn(argument)] }),
    read(argument, { self, projects }) {
      const target = projects.get(projectIn(argument));
      if (!self || !target) return undefined;
      const isWhole = argument.includes(withNotes);
      return {
        message: `Cloned this issue to ${target.full_path}.`,
        changes: { target_clone_project_id: target.id, clone_with_notes: isWhole },
        deed: { kind: 'clone', self, target, withNotes: isWhole },
      };
    },
  },
};
