import type { Context } from '../../../../context.ts';
import type { Prepared } from '../../../../database/list.ts';
import { BadRequest, Forbidden } from '../../../../errors.ts';
import { readLine, readMarkdown } from '../../../../markdown/markdown.ts';
import { longestDescription, titleProblems } from '../../../../values/text/lengths.ts';
import { reference } from '../../../engine/global-id.ts';
import type { LabelNames } from '../../labels/choose.ts';
import type { Problems } from '../../../engine/input.ts';
import { dueDateNote } from '../../notes/system.ts';
import { insertIssue, type Created } from '../statements/write.ts';

/** What creating and changing an issue have in common. */

export function checkTitle(problems: Problems, title: string): void {
  if (title.trim() === '') problems.add('title', ["can't be blank"]);
  else problems.add('title', titleProblems(title.trim()));
}

export function checkDescription(problems: Problems, description: string | null): void {
  problems.bound('description', description, longestDescription);
}

/** The person who writes: issues, comments and all that belongs to them are someone's. @throws Forbidden */
export function requirePerson({ viewer }: Context): number {
  if (viewer.person === null) throw new Forbidden('Only a person can do this.');
  return viewer.person.id;
}

/**
 * What the database knows of the texts of an issue: the checkboxes of its description, who is mentioned (in lower case), and
 * whom of these a line begins with.
 */
export function readTexts(title: string, description: string | null) {
  // Most issues mention no one and have no checkboxes: reading Markdown costs more than looking for a sign.
  if (!title.includes('@') && !/[@[&]/.test(description ?? ''))
    return { tasks: { count: 0, completed: 0 }, mentioned: [], addressed: [] };
  const { tasks, references } = readMarkdown(description ?? '');
  const all = title.includes('@') ? [...readLine(title).references, ...references] : references;
  const people = all.filter(({ kind }) => kind === 'user');
  const names = (found: typeof people) => [...new Set(found.map(({ name }) => name.toLowerCase()))];
  return {
    tasks,
    mentioned: names(people).slice(0, maxMentioned),
    addressed: names(people.filter(({ isFirst }) => isFirst)),
  };
}

/** How many people one text mentions at most; further ones aren't notified. */
const maxMentioned = 200;

/** A new issue: everything that its row and its parts begin with. */
export interface NewIssue {
  readonly title: string;
  readonly description: string | null;
  readonly type?: string | undefined;
  readonly severity?: string | undefined;
  readonly confidential?: boolean | undefined;
  readonly discussionLocked?: boolean | null | undefined;
  readonly dueDate?: string | null | undefined;
  readonly milestoneId?: number | null | undefined;
  readonly assigneeId?: number | null | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly labelIds?: readonly number[] | undefined;
  readonly makesLabels?: boolean;
  readonly iid?: number | undefined;
  readonly createdAt?: Date | undefined;
}

/** The statement that creates an issue, with its values. */
export function creationOf(project: number, author: number, given: NewIssue, actor = author): Prepared<Created> {
  const { tasks, mentioned, addressed } = readTexts(given.title, given.description);
  const values = [
    project,
    author,
    given.title,
    given.description,
    given.type ?? 'ISSUE',
    given.severity ?? 'UNKNOWN',
    given.confidential ?? false,
    given.discussionLocked ?? null,
    given.dueDate ?? null,
    given.milestoneId ?? null,
    given.assigneeId ?? null,
    given.labels ?? [],
    given.labelIds ?? [],
    given.makesLabels ?? false,
    given.iid ?? null,
    given.createdAt ?? null,
    mentioned,
    tasks.count,
    tasks.completed,
    given.dueDate == null ? null : dueDateNote(given.dueDate).body,
    actor,
    addressed,
  ];
  return { statement: insertIssue[mentioned.length > 0 ? 'full' : 'plain'], values };
}

/** Most labels of one change. */
const maxLabels = 1_000;

/** Titles of labels as they are stored: those that can't be one are left out. */
export const titlesOf = (given: readonly (string | null)[]): readonly string[] =>
  [...new Set(given.flatMap((one) => (one === null ? [] : [one.trim()])))]
    .filter((title) => title !== '' && titleProblems(title).length === 0)
    .slice(0, maxLabels);

/** The number in a global id; 0 for one that no record has. @throws BadRequest for any other text: it must not count as nothing */
function numberOf(given: string, kind: 'Label' | 'Milestone' | 'User'): number {
  const { by, value } = reference(given, kind);
  if (by !== 'id') throw new BadRequest(`"${given}" is not a valid GitLab ID`);
  return Number(value);
}

/** Ids of labels, by global ids or numbers. @throws BadRequest */
export const labelIdsOf = (given: readonly string[]): readonly number[] =>
  given.slice(0, maxLabels).flatMap((one) => (one === '' ? [] : [numberOf(one, 'Label')]));

/** Labels by titles or ids; undefined if neither was sent. */
export const labelNames = (
  titles: readonly string[] | null | undefined,
  ids: readonly string[] | null | undefined,
): LabelNames | undefined =>
  titles === undefined && ids === undefined
    ? undefined
    : { titles: titlesOf(titles ?? []), ids: labelIdsOf(ids ?? []) };

/** An id that no record has. */
const unknownId = -1;

/** The id of a milestone; null for none, which is empty or zero. @throws BadRequest */
export function milestoneIdOf(given: string | null): number | null {
  if (given === null || /^0*$/.test(given)) return null;
  return numberOf(given, 'Milestone') || unknownId;
}

/**
 * The id of the person to assign. @param given several are refused by the field's declaration @throws BadRequest
 */
export function assigneeIdOf(given: readonly string[] | null | undefined): number | null {
  const [first] = given ?? [];
  return first ? numberOf(first, 'User') || null : null;
}

/** Refuses more than one assignee. */
export function checkAssignees(problems: Problems, given: readonly string[] | null | undefined): void {
  if ((given?.length ?? 0) > 1) problems.add('assigneeIds', ['can have one person only']);
}
