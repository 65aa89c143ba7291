import type { Context } from '../../../context.ts';
import { logPage } from '../../../git/history/index.ts';
import type { Commit } from '../../../git/objects/parse.ts';
import type { Repository } from '../../../git/repository.ts';
import { once } from '../../../values/once.ts';
import { identityOf } from '../../repository/writing/committer.ts';
import { approversOf, reviewersOf } from '../approvals/people.ts';
import type { MergeRequestRecord } from '../merge-requests/types.ts';

/** The messages of the commits that merging makes, by the templates of the target. */

interface Named {
  readonly name: string;
  readonly email: string;
}

/** A merge whose messages are written. */
export interface Described {
  readonly one: MergeRequestRecord;
  /** The target, which has the objects of both heads. */
  readonly git: Repository;
  readonly head: string;
  /** The head of the target. */
  readonly tip: string;
  /** References to the issues that it closes, such as `#3`. */
  readonly issues: readonly string[];
  readonly mergedBy: Named;
}

const usual =
  "Merge branch '%{source_branch}' into '%{target_branch}'\n\n%{title}\n\n%{issues}\n\nSee merge request %{reference}";
const usualOfSquash = '%{title}';

export const mergeMessage = (context: Context, merge: Described): Promise<string> =>
  filled(context, merge.one.rules.mergeCommitTemplate || usual, { ...merge, by: async () => merge.mergedBy });

export const squashMessage = (context: Context, merge: Described): Promise<string> =>
  filled(context, merge.one.rules.squashCommitTemplate || usualOfSquash, {
    ...merge,
    by: async () => await identityOf(context, merge.one.authorId),
  });

/** A message: a merge with the author of the commit that it is for. */
interface Message extends Described {
  readonly by: () => Promise<Named | undefined>;
  /** The commits of the merge request, the newest first. Read once, however many variables need them. */
  readonly commits: () => Promise<Commit[]>;
}

type Value = (context: Context, message: Message) => string | null | undefined | Promise<string | undefined>;

/** The variables of a template. Nothing is read for those that a template doesn't name. */
const values: { readonly [name: string]: Value } = {
  source_branch: (_, { one }) => one.sourceBranch,
  target_branch: (_, { one }) => one.targetBranch,
  title: (_, { one }) => one.title,
  description: (_, { one }) => one.description,
  issues: (_, { issues }) => (issues.length === 0 ? '' : `Closes ${listOf(issues)}`),
  reference: (_, { one }) => `${one.projectPath}!${one.iid}`,
  local_reference: (_, { one }) => `!${one.iid}`,
  source_project_id: (_, { one }) => (one.sourceProjectId === null ? '' : String(one.sourceProjectId)),
  url: ({ baseUrl }, { one }) => `${baseUrl}/${one.projectPath}/-/merge_requests/${one.iid}`,
  merged_by: (_, { mergedBy }) => nameOf(mergedBy),
  merge_request_author: async (context, { one }) => (await namesOf(context, [one.authorId]))[0],
  approved_by: async (context, { one }) =>
    trailers('Approved-by', await namesOf(context, await approversOf(context.database, one.id))),
  reviewed_by: async (context, { one }) =>
    trailers('Reviewed-by', await namesOf(context, await reviewersOf(context.database, one))),
  co_authored_by: async (_, message) => {
    const [commits, by] = await Promise.all([message.commits(), message.by()]);
    const authors = new Map(commits.slice(0, mostShown).map(({ author }) => [author.email, author]));
    return trailers('Co-authored-by', [...authors.values()].filter(({ email }) => email !== by?.email).map(nameOf));
  },
  first_commit: async (_, message) => (await message.commits()).at(-1)?.message.trim(),
  first_multiline_commit: async (_, message) =>
    (await firstOfSeveralLines(message))?.message.trim() ?? message.one.title,
  first_multiline_commit_description: async (_, message) => bodyOf((await firstOfSeveralLines(message))?.message ?? ''),
  all_commits: async (_, message) => {
    const commits = (await message.commits()).slice(0, mostShown).filter(isNoMerge);
    return commits.map(({ message: text }) => `* ${shortened(text)}`).join('\n\n');
  },
};

/** Commits that are read, and those of them that are shown, the newest. */
const mostCommits = 1_000;
const mostShown = 100;

/** A message of more bytes is shown as its title. */
const longest = 100 * 1_024;

const commitsOf = ({ git, head, tip }: Described): Promise<Commit[]> =>
  logPage(git, { from: [head], not: [tip] }, { skip: 0, count: mostCommits });

const isNoMerge = ({ parents }: Commit): boolean => parents.length < 2;

/** The first commit whose message has more than a title. */
const firstOfSeveralLines = async ({ commits }: Message): Promise<Commit | undefined> =>
  (await commits()).findLast((commit) => isNoMerge(commit) && bodyOf(commit.message) !== '');

const titleOf = (message: string): string => message.trim().split('\n', 1)[0]!;
const bodyOf = (message: string): string => message.trim().slice(titleOf(message).length).trim();

const shortened = (message: string): string =>
  Buffer.byteLength(message) > longest
    ? `${titleOf(message)}\n\n-- Skipped commit body exceeding 100KiB in size.`
    : message.trim();

const nameOf = ({ name, email }: Named): string => `${name} <${email}>`;

/** People as commits name them. Those who are gone are left out. */
async function namesOf(context: Context, ids: readonly number[]): Promise<string[]> {
  const people = await Promise.all(ids.map((id) => identityOf(context, id)));
  return people.flatMap((person) => (person ? [nameOf(person)] : []));
}

const trailers = (key: string, names: readonly string[]): string => names.map((name) => `${key}: ${name}`).join('\n');

/**
 * A template with the values of its variables. A line that is nothing but an empty variable is left out, with the blank line
 * before it where it is a paragraph. Other names in `%{}` stay as they are.
 */
async function filled(context: Context, template: string, merge: Omit<Message, 'commits'>): Promise<string> {
  const message: Message = { ...merge, commits: once(() => commitsOf(merge)) };
  const text = template.replaceAll('\r', '');
  const names = new Set(
    [...text.matchAll(variable)].map(([, name]) => name!).filter((name) => Object.hasOwn(values, name)),
  );
  const known = new Map<string, string>();
  for (const name of names) known.set(name, (await values[name]!(context, message)) ?? '');
  const withoutEmpty = (whole: string, name: string) => (known.get(name)?.trim() === '' ? '' : whole);
  return text
    .replaceAll(/\n\n%\{(\w+)\}(?=\n\n|$)/g, withoutEmpty)
    .replaceAll(/^%\{(\w+)\}(?:\n|$)/gm, withoutEmpty)
    .replaceAll(variable, (whole, name: string) => known.get(name) ?? whole)
    .trimEnd();
}

const variable = /%\{(\w+)\}/g;

/** `#1`, `#1 and #2`, `#1, #2, and #3`. */
const listOf = (issues: readonly string[]) =>
  issues.length < 3 ? issues.join(' and ') : `${issues.slice(0, -1).join(', ')}, and ${issues.at(-1)!}`;
