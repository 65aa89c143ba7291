import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { logPage } from '../../../git/history/index.ts';
import type { Repository } from '../../../git/repository.ts';
import { closingReferences } from '../../../markdown/closing.ts';
import { findClosed, findClosers, issuesNamed, storeClosed } from './statements.ts';

/**
 * Which issues a merge request closes: those that its description and the messages of its commits say, if it goes into the
 * default branch.
 */

/** Commits whose messages are read. */
const mostCommits = 100;

interface Linked {
  readonly id: number;
  readonly full_path: string;
  readonly description: string | null;
  readonly target_branch: string;
  readonly default_branch: string | null;
}

/** The issues that texts in a project say they close. */
export async function issuesClosedBy(
  { baseUrl }: Pick<Context, 'baseUrl'>,
  sql: Sql,
  projectPath: string,
  texts: readonly string[],
): Promise<{ id: number; project_id: number; iid: number }[]> {
  const references = texts.flatMap((text) => closingReferences(text, baseUrl));
  if (references.length === 0) return [];
  return await sql.rows(issuesNamed, [
    references.map(({ path }) => (path ?? projectPath).toLowerCase()),
    references.map(({ iid }) => iid),
  ]);
}

/** The ids of the issues that merging a merge request closes. */
export const closedByMerging = async (sql: Sql, id: number): Promise<{ id: number }[]> =>
  await sql.rows(findClosed, [id]);

/** The merge requests that close issues and were merged with some commits, by the issues. */
export async function closersOf(
  sql: Sql,
  issues: readonly { readonly id: number }[],
  { projectId, commits }: { readonly projectId: number; readonly commits: readonly { readonly id: string }[] },
): Promise<ReadonlyMap<number, number>> {
  const rows = await sql.rows(findClosers, [issues.map(({ id }) => id), projectId, commits.map(({ id }) => id)]);
  return new Map(rows.map(({ issue_id: issue, id }) => [issue, id]));
}

/** The messages of the commits of a version that may say so. */
export async function messagesOf(
  target: Repository,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<string[]> {
  const commits = await logPage(target, { from: [head], not: [base] }, { skip: 0, count: mostCommits });
  return commits.map(({ message }) => message);
}

/**
 * Stores them, in the transaction of a new version or of a changed description.
 * @param messages those of its commits
 */
export async function linkIssues(
  context: Pick<Context, 'baseUrl'>,
  sql: Sql,
  { id, full_path: path, description, target_branch: target, default_branch: main }: Linked,
  messages: readonly string[],
): Promise<void> {
  const texts = [...(description === null ? [] : [description]), ...messages];
  const issues = target === main ? await issuesClosedBy(context, sql, path, texts) : [];
  await sql.rows(storeClosed, [id, issues.map((issue) => issue.id)]);
}
