import { contextOfPerson, operatorContext, type Application, type Context } from '../../../context.ts';
import { isAncestor, logPage } from '../../../git/history/index.ts';
import type { Commit } from '../../../git/objects/parse.ts';
import { readRef } from '../../../git/objects/index.ts';
import type { PayloadOf } from '../../../values/kinds/job-kinds.ts';
import { publishMergeRequest } from '../../planning/live/publish.ts';
import { writeSystemNotes } from '../../planning/notes/system.ts';
import { referFromPush } from '../../repository/commits/refer.ts';
import { describe } from '../../repository/journal/describe.ts';
import { readJournal, type JournalRow } from '../../repository/journal/read.ts';
import { closeIssues } from '../closing/close.ts';
import { closersOf, issuesClosedBy } from '../closing/link.ts';
import { changeWithin } from '../merge-requests/changes/change.ts';
import { markMerged } from '../merging/mark.ts';
import { refreshVersion } from './refresh.ts';
import { findFollowingProject, findOpenOf, uncheck, type EndRow } from './statements.ts';

/** What changes of branches set off (contract §6.8). Changes of one project are followed in their order, one at a time. */

const heads = 'refs/heads/';

/** Commits of a push that are looked at: for heads of merge requests, and for words that close issues. */
const mostCommits = 10_000;
const mostRead = 100;

/** The job `follow_references`. May be repeated: what was followed already changes nothing. */
export async function followReferences(
  application: Application,
  { projectId }: PayloadOf<'follow_references'>,
  signal: AbortSignal,
): Promise<void> {
  const context = operatorContext(application);
  const [project] = await context.database.rows(findFollowingProject, [projectId]);
  await readJournal(context.database, { projectId, cursor: 'followed', signal }, async (change) => {
    if (change.ref.startsWith(heads)) {
      await follow(application, context, projectId, change);
      if (project) await referFromPush(application, projectId, project, change);
    }
    await describe(context, projectId, change, project?.default_branch ?? null);
  });
}

async function follow(
  application: Application,
  context: Context,
  projectId: number,
  change: JournalRow,
): Promise<void> {
  const branch = change.ref.slice(heads.length);
  const ends = await context.database.rows(findOpenOf, [projectId, branch]);
  for (const one of ends.filter((end) => end.is_source))
    if (change.after === null && (await tipOf(context, projectId, change.ref)) === undefined)
      await closeBranchless(context, one, change);
    else await refreshVersion(context, one.id, change.actorId);
  const targeting = ends.filter((one) => !one.is_source);
  if (change.after === null) return await unchecked(context, projectId, change.ref, targeting);
  await followTarget(application, context, projectId, {
    branch,
    change: { ...change, after: change.after },
    targeting,
  });
}

/** Their target has changed: has those checked again whose answer may be another one. */
async function unchecked(context: Context, projectId: number, ref: string, ends: readonly EndRow[]): Promise<void> {
  if (ends.length === 0) return;
  const tip = (await tipOf(context, projectId, ref)) ?? null;
  await context.database.rows(uncheck, [ends.map(({ id }) => id), projectId, ref.slice(heads.length), tip]);
}

const tipOf = async ({ git }: Context, projectId: number, ref: string): Promise<string | undefined> =>
  await readRef(git.repository(projectId), ref);

/** The source branch is gone: the merge request is closed. */
async function closeBranchless(
  context: Context,
  { id, project_id: projectId, author_id: author }: EndRow,
  change: JournalRow,
) {
  const { actorId } = change;
  const branch = change.ref.slice(heads.length);
  const effect = await context.database.transaction(async (sql) => {
    const closed = await changeWithin(sql, actorId, { id, projectId }, { state: 'CLOSED' });
    if (!closed) return undefined;
    await writeSystemNotes(sql, { mergeRequestId: id, projectId, authorId: actorId ?? author }, [
      { body: `deleted source branch \`${branch}\``, action: 'branch' },
    ]);
    return closed;
  });
  if (effect) publishMergeRequest(context, id);
}

interface TargetChange {
  readonly branch: string;
  readonly change: JournalRow & { readonly after: string };
  readonly targeting: readonly EndRow[];
}

/** A branch that others are merged into has moved. */
async function followTarget(
  application: Application,
  context: Context,
  projectId: number,
  { branch, change, targeting }: TargetChange,
): Promise<void> {
  const { ref, before, after, actorId: actor, createdAt } = change;
  const [project] = await context.database.rows(findFollowingProject, [projectId]);
  const isDefault = project?.default_branch === branch;
  if (before === null || (targeting.length === 0 && !isDefault))
    return await unchecked(context, projectId, ref, targeting);
  const git = context.git.repository(projectId);
  const commits = await logPage(git, { from: [after], not: [before] }, { skip: 0, count: mostCommits });
  const names = new Set(commits.map(({ id }) => id));
  // Not by its count of commits: one that was checked after the push has none left.
  const isMerged = ({ head_sha: head, created_at: openedAt }: EndRow) =>
    head !== null && names.has(head) && openedAt <= createdAt;
  for (const { id, head_sha: head } of targeting.filter(isMerged))
    await markMerged(context, id, { by: actor, head: head!, target: branch });
  const left = targeting.filter((one) => !isMerged(one));
  await unchecked(context, projectId, ref, left);
  if (!(await isAncestor(git, before, after))) for (const { id } of left) await refreshVersion(context, id, actor);
  if (isDefault && project.closes_issues && actor !== null)
    await closeNamed(
      application,
      context,
      { id: projectId, path: project.full_path },
      commits.slice(0, mostRead),
      actor,
    );
}

/**
 * Closes the issues that messages of commits name, with the rights of who pushed them. A merge request that was merged with
 * these commits and closes an issue is what closes it, whichever job comes first.
 */
async function closeNamed(
  application: Application,
  context: Context,
  { id, path }: { readonly id: number; readonly path: string },
  commits: readonly Commit[],
  actor: number,
): Promise<void> {
  const messages = commits.map(({ message }) => message);
  const issues = await issuesClosedBy(context, context.database, path, messages);
  const person = issues.length > 0 ? await contextOfPerson(application, actor) : undefined;
  if (!person) return;
  const closers = await closersOf(context.database, issues, { projectId: id, commits });
  await closeIssues(
    person,
    issues.map((issue) => ({ id: issue.id, closedBy: closers.get(issue.id) })),
  );
}
