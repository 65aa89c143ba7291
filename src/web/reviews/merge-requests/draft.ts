import { domainError } from '../../../context.ts';
import { AlreadyOpen, InvalidFields, Unprocessable } from '../../../errors.ts';
import { withDraft } from '../../../values/text/draft-title.ts';
import { clockIn, momentIn } from '../../../values/time/time-zone.ts';
import { digest, labelChanges, readLabels, readText, readUsername } from '../../planning/issues/draft.ts';
import type { Fields } from '../../site/forms/fields.ts';
import { sentences } from '../../site/words.ts';
import type { ShownMergeRequest } from './merge-request.ts';

/** What a form of a merge request holds. */
export interface MergeRequestDraft {
  readonly source: string;
  readonly target: string;
  /** The number of the project that it goes into; only in the form of a new one. */
  readonly targetProject: string;
  readonly title: string;
  readonly description: string;
  /** Whether it isn’t ready; only in the form of a new one. */
  readonly draft: boolean;
  /** Usernames. */
  readonly assignee: string;
  readonly reviewer: string;
  /** The number of a milestone. */
  readonly milestone: string;
  /** The numbers of labels. */
  readonly labels: readonly string[];
  readonly squash: boolean;
  readonly removes: boolean;
  /** What the clocks of the person show at the moment before which it isn’t merged; empty: there is none. */
  readonly mergeAfter: string;
}

/** Error messages by field, in sentences. */
export type MergeRequestErrors = { readonly [Field in keyof MergeRequestDraft]?: readonly string[] };

/** A merge request as its form shows it. @param zone of the times on the page */
export const draftOf = (one: ShownMergeRequest, zone: string): MergeRequestDraft => ({
  source: one.sourceBranch,
  target: one.targetBranch,
  targetProject: '',
  title: one.title,
  description: one.description ?? '',
  draft: one.draft,
  assignee: one.assignee?.username ?? '',
  reviewer: one.reviewer?.username ?? '',
  milestone: one.milestone ? String(one.milestone.id) : '',
  labels: one.labels.nodes.map(({ id }) => String(id)),
  squash: one.squash,
  removes: one.forceRemoveSourceBranch === true,
  mergeAfter: one.mergeAfter === null ? '' : clockIn(zone, new Date(one.mergeAfter)),
});

/** What a person sent. */
export const readDraft = (form: Fields): MergeRequestDraft => ({
  source: (form.source_branch ?? '').trim(),
  target: (form.target_branch ?? '').trim(),
  targetProject: form.target_project ?? '',
  title: form.title ?? '',
  description: readText(form.description),
  draft: form.draft === 'on',
  assignee: readUsername(form.assignee),
  reviewer: readUsername(form.reviewer),
  milestone: form.milestone ?? '',
  labels: readLabels(form),
  squash: form.squash === 'on',
  removes: form.remove === 'on',
  mergeAfter: form.merge_after ?? '',
});

/** The moment of a draft; null: none, undefined: what was typed is no date and time. */
export const momentOf = ({ mergeAfter }: MergeRequestDraft, zone: string): string | null | undefined =>
  mergeAfter === '' ? null : momentIn(zone, mergeAfter)?.toISOString();

/** What is wrong with the moment of a draft. */
export const noMoment: MergeRequestErrors = { mergeAfter: ['This isn’t a date and time.'] };

/** The fields whose values a form compares with what it showed, as texts. */
const texts = (draft: MergeRequestDraft) => ({
  target: draft.target,
  title: draft.title,
  description: draft.description,
  assignee: draft.assignee,
  reviewer: draft.reviewer,
  milestone: draft.milestone,
  mergeAfter: draft.mergeAfter,
  squash: String(draft.squash),
  removes: String(draft.removes),
});
type Compared = ReturnType<typeof texts>;

/** The hidden fields that say what a form showed. */
export const carried = (draft: MergeRequestDraft): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(texts(draft)).map(([name, value]) => [
      `was.${name}`,
      name === 'description' ? digest(value) : value,
    ]),
  ),
  'was.labels': draft.labels.join(','),
});

/** What a person changed: only that is written, so that the form undoes nothing that others did in the meantime. */
export function changesIn(form: Fields, draft: MergeRequestDraft) {
  const isChanged = (name: keyof Compared) => {
    const value = texts(draft)[name];
    return (name === 'description' ? digest(value) : value) !== form[`was.${name}`];
  };
  return { isChanged, ...labelChanges(form, draft.labels) };
}
type Changes = ReturnType<typeof changesIn>;

/** A new merge request as input of the schema. */
export const inputOfNew = (draft: MergeRequestDraft) => ({
  title: draft.draft ? withDraft(draft.title, true) : draft.title,
  description: draft.description,
  sourceBranch: draft.source,
  targetBranch: draft.target,
  ...(draft.targetProject && { targetProjectId: draft.targetProject }),
  labelIds: draft.labels,
  ...(draft.milestone && { milestoneId: draft.milestone }),
  squash: draft.squash,
  removeSourceBranch: draft.removes,
});

/** What a person changed of the merge request itself, as input of the schema. */
export const inputOfChanges = (draft: MergeRequestDraft, { isChanged }: Changes) => ({
  ...(isChanged('title') && { title: draft.title }),
  ...(isChanged('description') && { description: draft.description }),
  ...(isChanged('target') && { targetBranch: draft.target }),
  ...(isChanged('squash') && { squash: draft.squash }),
  ...(isChanged('removes') && { removeSourceBranch: draft.removes }),
});

/** What the schema refused, by the fields of the form. @throws any other error */
export function mistakesOf(thrown: unknown): MergeRequestErrors {
  const problem = domainError(thrown);
  if (problem instanceof AlreadyOpen || problem instanceof Unprocessable)
    return { source: [`${problem.message.replace(/\.?$/, '')}.`] };
  if (!(problem instanceof InvalidFields)) throw thrown;
  const { fields } = problem;
  return {
    source: sentences('The source branch', fields.sourceBranch),
    target: sentences('The target branch', fields.targetBranch),
    title: sentences('The title', fields.title),
    description: sentences('The description', fields.description),
    assignee: sentences('The assignee', fields.assigneeIds),
    reviewer: sentences('The reviewer', fields.reviewerIds),
  };
}
