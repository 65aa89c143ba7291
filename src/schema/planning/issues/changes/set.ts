import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import type { Context } from '../../../../context.ts';
import { BadRequest } from '../../../../errors.ts';
import { adminIssue, writes } from '../../../../policy/index.ts';
import { mutation, type InputsOf } from '../../../engine/mutation.ts';
import { changeIssue, type IssueChange } from './change.ts';
import { requirePerson } from './input.ts';
import { MutationOperationMode, onePerson } from './one-person.ts';
import { lookUpIssue, prefetchNamed, requireIssueRight, type SeenIssue } from '../look-up.ts';
import { issuePayload } from './payload.ts';
import { IssuableSeverity } from '../types.ts';

/** Mutations that set one attribute of an issue, with GitLab's names. For planners and above. */

type Named = { readonly projectPath: string; readonly iid: string };

function setter<Fields extends InputFieldMap>(
  name: string,
  description: string,
  fields: (t: InputsOf) => Fields,
  changeOf: (
    context: Context,
    input: InputShapeFromFields<Fields>,
    seen: SeenIssue,
  ) => IssueChange | Promise<IssueChange>,
): void {
  mutation(name, {
    payload: issuePayload,
    description,
    admission: { class: 'token', scopes: writes },
    prefetch: prefetchNamed,
    input: (t) => ({
      projectPath: t.id({ required: true, description: 'Full path or id of the project.' }),
      iid: t.string({ required: true }),
      ...fields(t),
    }),
    resolve: async (context, given) => {
      const input = given as unknown as Named & InputShapeFromFields<Fields>;
      const seen = await lookUpIssue(context, { project: input.projectPath, iid: input.iid });
      requireIssueRight(context, seen, adminIssue);
      const change = await changeOf(context, input, seen);
      await changeIssue(context, requirePerson(context), seen.issue, change);
      return { id: seen.issue.id };
    },
  });
}

setter(
  'issueSetConfidential',
  'Makes an issue confidential, or visible to everyone who sees the project.',
  (t) => ({ confidential: t.boolean({ required: true }) }),
  (_context, { confidential }) => ({ confidential }),
);

setter(
  'issueSetLocked',
  'Locks the discussion of an issue, or unlocks it.',
  (t) => ({ locked: t.boolean({ required: true }) }),
  (_context, { locked }) => ({ discussionLocked: locked }),
);

setter(
  'issueSetDueDate',
  'Sets the due date of an issue, or removes it.',
  (t) => ({ dueDate: t.field({ type: 'Time', description: 'Its day in UTC. Null: none.' }) }),
  (_context, { dueDate }) => {
    if (dueDate === undefined) throw new BadRequest('`dueDate` is missing.');
    return { dueDate: dueDate && dueDate.toISOString().slice(0, 10) };
  },
);

setter(
  'issueSetSeverity',
  'Sets the severity of an issue.',
  (t) => ({ severity: t.field({ type: IssuableSeverity, required: true }) }),
  (_context, { severity }) => ({ severity }),
);

setter(
  'issueSetAssignees',
  'Assigns a person to an issue, or removes them. An issue has at most one assignee.',
  (t) => ({
    assigneeUsernames: t.stringList({ required: true }),
    operationMode: t.field({ type: MutationOperationMode, defaultValue: 'REPLACE' }),
  }),
  async (context, { assigneeUsernames, operationMode }, { issue: { assigneeId } }) => ({
    assigneeId: await onePerson(context, 'An issue has at most one assignee.', {
      names: assigneeUsernames,
      mode: operationMode,
      now: assigneeId,
    }),
  }),
);
