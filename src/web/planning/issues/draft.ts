import { createHash } from 'node:crypto';
import { InvalidFields } from '../../../errors.ts';
import { isDay } from '../../../values/time/calendar.ts';
import { ticked, type Fields } from '../../site/forms/fields.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { sentences } from '../../site/words.ts';
import type { ShownIssue } from './issue.ts';

/** What a form of an issue holds. */
export interface IssueDraft {
  readonly title: string;
  readonly description: string;
  readonly confidential: boolean;
  /** A username. */
  readonly assignee: string;
  /** The number of a milestone. */
  readonly milestone: string;
  readonly dueDate: string;
  /** The numbers of labels. */
  readonly labels: readonly string[];
}

/** Error messages by field, in sentences. */
export type IssueErrors = { readonly [Field in keyof IssueDraft]?: readonly string[] };

export const emptyDraft: IssueDraft = {
  title: '',
  description: '',
  confidential: false,
  assignee: '',
  milestone: '',
  dueDate: '',
  labels: [],
};

/** An issue as its form shows it. */
export const draftOf = (issue: ShownIssue): IssueDraft => ({
  title: issue.title,
  description: issue.description ?? '',
  confidential: issue.confidential,
  assignee: issue.assignee?.username ?? '',
  milestone: issue.milestone ? String(issue.milestone.id) : '',
  dueDate: issue.dueDate?.slice(0, 10) ?? '',
  labels: issue.labels.nodes.map(({ id }) => String(id)),
});

/** What a person sent. */
export const readDraft = (form: Fields): IssueDraft => ({
  title: form.title ?? '',
  description: readText(form.description),
  confidential: form.confidential === 'on',
  assignee: readUsername(form.assignee),
  milestone: form.milestone ?? '',
  dueDate: form.due_date?.trim() ?? '',
  labels: readLabels(form),
});

/** A username, as people type it. */
export const readUsername = (sent: string | undefined): string => (sent ?? '').trim().replace(/^@/, '');

/** Forms send line breaks as two characters. */
export const readText = (sent: string | undefined): string => (sent ?? '').replaceAll('\r\n', '\n');

/** The numbers of the labels that are ticked. */
export const readLabels = (form: Fields): readonly string[] => ticked(form, 'label.').filter(isRecordNumber);

/** A short text that stands for a long one. */
export const digest = (text: string) =>
  createHash('sha256').update(text.replaceAll(/\r\n?/g, '\n')).digest('base64url').slice(0, 22);

/** The hidden fields that say what a form showed. */
export const carried = ({ title, description, confidential, assignee, milestone, dueDate, labels }: IssueDraft) => ({
  'was.title': title,
  'was.description': digest(description),
  'was.confidential': String(confidential),
  'was.assignee': assignee,
  'was.milestone': milestone,
  'was.due_date': dueDate,
  'was.labels': labels.join(','),
});

/** The labels that a person added to those that the form showed, and those that they removed. */
export function labelChanges(form: Fields, labels: readonly string[]) {
  const shown = (form['was.labels'] ?? '').split(',').filter((id) => id !== '');
  return {
    added: labels.filter((id) => !shown.includes(id)),
    removed: shown.filter((id) => !labels.includes(id)),
  };
}

/** What a person changed: only that is written, so that the form undoes nothing that others did in the meantime. */
export function changesIn(form: Fields, draft: IssueDraft): Partial<IssueDraft> & { removed?: readonly string[] } {
  const { added, removed } = labelChanges(form, draft.labels);
  return {
    ...(draft.title !== form['was.title'] && { title: draft.title }),
    ...(digest(draft.description) !== form['was.description'] && { description: draft.description }),
    ...(String(draft.confidential) !== form['was.confidential'] && { confidential: draft.confidential }),
    ...(draft.assignee !== form['was.assignee'] && { assignee: draft.assignee }),
    ...(draft.milestone !== form['was.milestone'] && { milestone: draft.milestone }),
    ...(draft.dueDate !== form['was.due_date'] && { dueDate: draft.dueDate }),
    ...(added.length > 0 && { labels: added }),
    ...(removed.length > 0 && { removed }),
  };
}

/** A new issue as input of the schema. */
export const inputOfNew = ({ title, description, confidential, labels, milestone, dueDate }: IssueDraft) => ({
  title,
  description,
  confidential,
  labelIds: labels,
  ...(milestone && { milestoneId: milestone }),
  ...(dueDate && { dueDate }),
});

/** What a person changed as input of the schema. @param assigneeIds the number of the assignee, if there is one */
export function inputOfChanges(
  { labels, removed, assignee, milestone, dueDate, ...changes }: ReturnType<typeof changesIn>,
  assigneeIds: readonly string[],
) {
  return {
    ...changes,
    ...(assignee !== undefined && { assigneeIds }),
    ...(milestone !== undefined && { milestoneId: milestone || null }),
    ...(dueDate !== undefined && { dueDate: dueDate || null }),
    ...(labels && { addLabelIds: labels }),
    ...(removed && { removeLabelIds: removed }),
  };
}

/** Whether the description is another one than the form showed. */
export const isOutdated = (form: Fields, description: string | null): boolean =>
  digest(description ?? '') !== form['was.description'];

/** The refusal of such a form: what the others wrote is kept. */
export const outdated = (what: 'issue' | 'merge request' | 'snippet') => ({
  description: [
    `Someone else changed the description in the meantime. Copy what you typed, and edit the ${what} again.`,
  ],
});

/** What is wrong with a draft, before the schema sees it; null if nothing is. */
export function mistakesIn({ dueDate }: Partial<IssueDraft>): IssueErrors | null {
  return dueDate !== undefined && dueDate !== '' && !isDay(dueDate)
    ? { dueDate: ['The due date must be a day.'] }
    : null;
}

/** What the schema found wrong, by the fields of the form. @throws any other error */
export function errorsOf(problem: unknown): IssueErrors {
  if (!(problem instanceof InvalidFields)) throw problem;
  const { title, description, assigneeIds } = problem.fields;
  return {
    title: sentences('The title', title),
    description: sentences('The description', description),
    assignee: sentences('The assignee', assigneeIds),
  };
}

export const noUser: readonly string[] = ['No user has this username.'];
