import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { InvalidFields } from '../../../errors.ts';
import { readMarkdown } from '../../../markdown/markdown.ts';
import type { Reference } from '../../../markdown/references.ts';
import { longestNote, tooLong } from '../../../values/text/lengths.ts';
import { readableIssueById } from '../issues/read.ts';
import { publishIssue, publishMergeRequest } from '../live/publish.ts';
import { readableMergeRequestById } from '../../reviews/merge-requests/read.ts';
import type { NoteableKind, ReferringKind } from './statements/kinds.ts';
import { insertCommitReferences, insertCrossReferences, referred } from './statements/write.ts';
import { largestInteger } from '../../../values/integers.ts';

/** The text of a comment: its length, whom it mentions, and which issues and merge requests it refers to. */

/** How many people one text mentions at most; further ones aren't notified. */
const maxMentioned = 200;

/** How many issues and merge requests one text refers to at most; further ones get no note. */
const maxReferred = 50;

/** @throws InvalidFields with GitLab's texts */
export function checkBody(body: string): void {
  if (body.trim() === '') throw new InvalidFields({ note: ["can't be blank"] });
  if (body.length > longestNote) throw new InvalidFields({ note: [tooLong(longestNote)] });
}

export interface Mentions {
  /** Usernames in lower case. */
  readonly names: readonly string[];
  /** Those of them with whom a line begins. */
  readonly addressed: readonly string[];
  /** Issues and merge requests. */
  readonly references: readonly Reference[];
}

const distinct = (names: readonly string[]) => [...new Set(names)].slice(0, maxMentioned);

const kinds = { issue: 'Issue', mergeRequest: 'MergeRequest' } as const;

/** Whom and what a text mentions. @param known names that don't count */
export function mentionsIn(body: string, known: readonly string[] = []): Mentions {
  // Most comments mention nothing: reading Markdown costs more than looking for a sign.
  if (!/[@#]|!\d/.test(body)) return { names: [], addressed: [], references: [] };
  const { references } = readMarkdown(body);
  const people = references
    .filter(({ kind }) => kind === 'user')
    .map(({ name, isFirst }) => ({ name: name.toLowerCase(), isFirst }))
    .filter(({ name }) => !known.includes(name));
  return {
    names: distinct(people.map(({ name }) => name)),
    addressed: distinct(people.filter(({ isFirst }) => isFirst).map(({ name }) => name)),
    references: references.filter(({ kind }) => kind in kinds).slice(0, maxReferred),
  };
}

/** Which issues and merge requests a title and a description refer to. */
export const referencesIn = (title: string | undefined, description: string | null | undefined): readonly Reference[] =>
  [title, description].flatMap((text) => mentionsIn(text ?? '').references).slice(0, maxReferred);

/** The full path of the project of a reference, in lower case. */
function pathOf({ project }: Reference, own: string): string {
  if (project === null) return own.toLowerCase();
  const namespace = own.slice(0, own.lastIndexOf('/'));
  return (project.includes('/') ? project : `${namespace}/${project}`).toLowerCase();
}

/** Something that a text refers to. */
interface Referred {
  readonly kind: ReferringKind;
  readonly id: number;
  readonly projectId: number;
}

/** The issues, or the merge requests, that some references in a text of a project name, without a look at who may read them. */
const named = ({ database }: Context, kind: ReferringKind, projectPath: string, references: readonly Reference[]) =>
  database.rows(referred[kind], [
    references.map((one) => pathOf(one, projectPath)),
    references.map(({ name }) => Math.min(Number(name), largestInteger)),
  ]);

/** The issues that some references in a text of a project name, without a look at who may read them. */
export const issuesNamed = (context: Context, projectPath: string, references: readonly Reference[]) =>
  named(context, 'Issue', projectPath, references);

const readableById = { Issue: readableIssueById, MergeRequest: readableMergeRequestById } as const;

/** Those of one kind that the viewer reads. */
async function readable(
  context: Context,
  kind: ReferringKind,
  projectPath: string,
  references: readonly Reference[],
): Promise<Referred[]> {
  const wanted = references.filter((one) => kinds[one.kind as keyof typeof kinds] === kind);
  if (wanted.length === 0) return [];
  const rows = await named(context, kind, projectPath, wanted);
  const seen = await Promise.all(rows.map(async ({ id }) => (await readableById[kind](context, id)) !== null));
  return rows.filter((_row, at) => seen[at]).map(({ id, project_id: projectId }) => ({ kind, id, projectId }));
}

/** Where references come from. */
interface Referrer {
  readonly kind: NoteableKind;
  readonly id: number;
  readonly iid: number | null;
  readonly projectId: number;
  readonly projectPath: string;
}

const words = { Issue: 'issue', MergeRequest: 'merge request' } as const;
const signs = { Issue: '#', MergeRequest: '!' } as const;

/** Writes the notes of references. The names of what is being made are known only then. */
export type WritesReferences = (sql: Sql, made?: Pick<Referrer, 'id' | 'iid'>) => Promise<void>;

/**
 * Finds the issues and merge requests that a text of one of them refers to, and that the viewer reads. What is returned
 * writes the notes on them, in the transaction of the text. Undefined if there are none.
 */
export async function crossReferences(
  context: Context,
  from: Referrer,
  author: number,
  references: readonly Reference[],
): Promise<WritesReferences | undefined> {
  const { kind, id: own, projectId, projectPath } = from;
  if (references.length === 0 || kind === 'Snippet') return undefined;
  const all = await Promise.all([
    readable(context, 'Issue', projectPath, references),
    readable(context, 'MergeRequest', projectPath, references),
  ]);
  const found = all.map((some) => some.filter((one) => one.kind !== kind || one.id !== own));
  if (found.every((some) => some.length === 0)) return undefined;
  return async (sql, { id, iid } = from) => {
    const textFor = (one: Referred) =>
      `mentioned in ${words[kind]} ${one.projectId === projectId ? '' : projectPath}${signs[kind]}${iid}`;
    for (const some of found)
      if (some.length > 0)
        await sql.rows(insertCrossReferences[some[0]!.kind][kind], [
          author,
          some.map((one) => one.id),
          some.map(textFor),
          id,
        ]);
  };
}

/** A commit of a project. */
interface ReferringCommit {
  readonly sha: string;
  readonly projectId: number;
  readonly projectPath: string;
}

/**
 * Writes a note on each issue and merge request that a commit refers to, in its message or in a comment on it, and that the
 * viewer reads: once, however often the commit arrives. The viewer is its author, since commits claim any author.
 */
export async function referFromCommit(context: Context, commit: ReferringCommit, text: string): Promise<void> {
  const { sha, projectId, projectPath } = commit;
  const author = context.viewer.person!.id;
  const { references } = mentionsIn(text);
  if (references.length === 0) return;
  const textFor = (one: Referred) =>
    `mentioned in commit ${one.projectId === projectId ? '' : `${projectPath}@`}${sha}`;
  for (const kind of ['Issue', 'MergeRequest'] as const) {
    const found = await readable(context, kind, projectPath, references);
    if (found.length === 0) continue;
    const noted = await context.database.rows(insertCommitReferences[kind], [
      author,
      found.map(({ id }) => id),
      found.map(textFor),
      projectId,
      sha,
    ]);
    const publish = kind === 'Issue' ? publishIssue : publishMergeRequest;
    for (const { id } of noted) publish(context, id);
  }
}
