import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { InvalidFields } from '../../../errors.ts';
import { readMarkdown } from '../../../markdown/markdown.ts';
import type { Reference } from '../../../markdown/references.ts';
import { readableIssueById } from '../issues/read.ts';
import type { Noteable } from './noteable.ts';
import { insertCrossReferences, issuesReferred } from './statements/write.ts';

/** The text of a comment: its length, whom it mentions, and which issues it refers to. */

/** Longest text, in characters. */
const maxBody = 1_000_000;

/** How many people one text mentions at most; further ones aren't told. */
const maxMentioned = 200;

/** How many issues one text refers to at most; further ones get no note. */
const maxReferred = 50;

/** @throws InvalidFields with GitLab's texts */
export function checkBody(body: string): void {
  if (body.trim() === '') throw new InvalidFields({ note: ["can't be blank"] });
  if (body.length > maxBody) throw new InvalidFields({ note: [`is too long (maximum is ${maxBody} characters)`] });
}

export interface Mentions {
  /** Usernames in lower case. */
  readonly names: readonly string[];
  /** Those of them with whom a line begins. */
  readonly addressed: readonly string[];
  /** Issues. */
  readonly issues: readonly Reference[];
}

const distinct = (names: readonly string[]) => [...new Set(names)].slice(0, maxMentioned);

/** Whom and what a text mentions. @param known names that don't count */
export function mentionsIn(body: string, known: readonly string[] = []): Mentions {
  // Most comments mention nothing: reading Markdown costs more than looking for a sign.
  if (!/[@#]/.test(body)) return { names: [], addressed: [], issues: [] };
  const { references } = readMarkdown(body);
  const people = references
    .filter(({ kind }) => kind === 'user')
    .map(({ name, isFirst }) => ({ name: name.toLowerCase(), isFirst }))
    .filter(({ name }) => !known.includes(name));
  return {
    names: distinct(people.map(({ name }) => name)),
    addressed: distinct(people.filter(({ isFirst }) => isFirst).map(({ name }) => name)),
    issues: references.filter(({ kind }) => kind === 'issue').slice(0, maxReferred),
  };
}

/** The full path of the project of a reference, in lower case. */
function pathOf({ project }: Reference, own: string): string {
  if (project === null) return own.toLowerCase();
  const namespace = own.slice(0, own.lastIndexOf('/'));
  return (project.includes('/') ? project : `${namespace}/${project}`).toLowerCase();
}

interface Referred {
  readonly id: number;
  readonly projectId: number;
}

/** The issues that some references in a text of a project name, whoever reads them. */
export const issuesNamed = ({ database }: Context, projectPath: string, references: readonly Reference[]) =>
  database.rows(issuesReferred, [
    references.map((one) => pathOf(one, projectPath)),
    references.map(({ name }) => Math.min(Number(name), 2_147_483_647)),
  ]);

/** Those that the viewer reads. */
async function readable(context: Context, { projectPath }: Noteable, references: readonly Reference[]) {
  const rows = await issuesNamed(context, projectPath, references);
  const seen = await Promise.all(rows.map(async ({ id }) => (await readableIssueById(context, id)) !== null));
  return rows.filter((_row, at) => seen[at]).map(({ id, project_id: projectId }): Referred => ({ id, projectId }));
}

/**
 * Finds the issues that a comment on an issue refers to. What is returned writes the notes on them, in the transaction of
 * the comment. Undefined if there are none.
 */
export async function crossReferences(
  context: Context,
  seen: Noteable,
  author: number,
  references: readonly Reference[],
): Promise<((sql: Sql) => Promise<void>) | undefined> {
  if (references.length === 0 || seen.kind !== 'Issue') return undefined;
  const found = (await readable(context, seen, references)).filter(({ id }) => id !== seen.id);
  if (found.length === 0) return undefined;
  const texts = found.map(
    ({ projectId }) => `mentioned in issue ${projectId === seen.projectId ? '' : seen.projectPath}#${seen.iid}`,
  );
  return async (sql) => {
    await sql.rows(insertCrossReferences, [author, found.map(({ id }) => id), texts, seen.id]);
  };
}
