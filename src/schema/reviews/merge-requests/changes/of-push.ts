import { setTimeout as pause } from 'node:timers/promises';
import { domainError, type Context } from '../../../../context.ts';
import { logPage } from '../../../../git/history/index.ts';
import { readRef } from '../../../../git/objects/index.ts';
import type { ReceivedPush } from '../../../../git/transport/index.ts';
import { createMergeRequest, holds } from '../../../../policy/index.ts';
import { withDraft } from '../../../../values/text/draft-title.ts';
import { headPipelineStatusOf } from '../pipeline.ts';
import { accept, mergeAccepted, requireMerging } from '../../merging/merge.ts';
import { waitsForPipeline } from '../../merging/auto-merge.ts';
import { facts, lookUp } from '../../../places/place/look-up.ts';
import { openMergeRequest } from './create.ts';
import { lookUpMergeRequestById } from '../look-up.ts';
import { readPushOptions, type AskedByPush } from './push-options.ts';
import { findOpenOfBranches, type OpenOfBranch } from '../statements/create.ts';
import { findProjectOfMergeRequests } from '../statements/reading.ts';
import { upToDate } from '../up-to-date.ts';
import { updateMergeRequest } from './update.ts';

/**
 * What a push does to merge requests, right after it happened and as who pushed: it opens and changes those that its options
 * name, and says where they are. It reports what can't be done; the push stays.
 */

/** The project that was pushed to. */
interface Source {
  readonly id: number;
  readonly fullPath: string;
  readonly defaultBranch: string | null;
}

interface PushedBranch {
  readonly name: string;
  readonly tip: string;
}

/** Branches of a push whose merge requests options may change. */
const mostBranches = 10;
/** Milliseconds to wait for the pipeline of a push that is to be merged by itself, and between looks. */
const [longest, between] = [5_000, 100];

const heads = 'refs/heads/';

/** @returns lines for the person who pushed */
export async function mergeRequestsOfPush(
  context: Context,
  source: Source,
  { changes, options }: Pick<ReceivedPush, 'changes' | 'options'>,
): Promise<readonly string[]> {
  // A deploy key is no one's.
  if (context.viewer.person === null) return [];
  const branches = changes.flatMap(({ ref, new: tip }): PushedBranch[] =>
    tip !== undefined && ref.startsWith(heads) ? [{ name: ref.slice(heads.length), tip }] : [],
  );
  const { asked, unknown } = readPushOptions(options);
  const problems = unknown.map((option) => `'${option}' is no option that is known here.`);
  if (asked && branches.length > mostBranches)
    problems.push(`Too many branches (${branches.length}) pushed; options are for at most ${mostBranches}.`);
  else if (asked)
    for (const branch of branches) {
      const problem = await follow(context, source, branch, asked);
      if (problem !== undefined) problems.push(`'${branch.name}': ${problem}`);
    }
  const addresses = branches.length > mostBranches ? [] : await whereTo(context, source, branches);
  return [
    ...(problems.length > 0 ? ['WARNINGS:', 'Error encountered with push options:', ...problems] : []),
    ...addresses,
  ];
}

/** @returns what is wrong */
async function follow(
  context: Context,
  source: Source,
  branch: PushedBranch,
  asked: AskedByPush,
): Promise<string | undefined> {
  try {
    const open = await context.database.rows(findOpenOfBranches, [source.id, [branch.name]]);
    const inTarget = open.filter(
      ({ targetPath }) =>
        asked.targetProject === undefined || targetPath.toLowerCase() === asked.targetProject.toLowerCase(),
    );
    if (inTarget.length > 0) for (const one of inTarget) await change(context, one, asked);
    else if (asked.creates) await create(context, source, branch, asked);
    else return 'A merge_request.create push option is required to create a merge request.';
    return undefined;
  } catch (error) {
    const known = domainError(error);
    if (!known) throw error;
    return known.message;
  }
}

/** A text with commands below it. */
const withCommands = (text: string, { commands }: AskedByPush): string => [text, ...commands].join('\n\n').trim();

async function create(context: Context, source: Source, branch: PushedBranch, asked: AskedByPush): Promise<void> {
  const targetBranch = asked.target ?? source.defaultBranch ?? '';
  const proposed = await proposal(context, source, branch, targetBranch);
  const title = asked.title ?? proposed.title;
  const { id } = await openMergeRequest(context, {
    projectPath: String(source.id),
    targetProjectId: asked.targetProject ?? null,
    sourceBranch: branch.name,
    targetBranch,
    title: asked.draft ? withDraft(title, true) : title,
    description: withCommands(asked.description ?? proposed.description, asked) || null,
    ...(asked.removesSource && { removeSourceBranch: true }),
    ...(asked.squash && { squash: true }),
  });
  const { mergeRequest } = await lookUpMergeRequestById(context, String(id));
  if (asked.mergesItself) await mergeByItself(context, mergeRequest.projectId, mergeRequest.iid);
}

async function change(
  context: Context,
  { targetId, iid, description }: OpenOfBranch,
  asked: AskedByPush,
): Promise<void> {
  const text = asked.description ?? (asked.commands.length > 0 ? (description ?? '') : undefined);
  const project = String(targetId);
  const { mergeRequest } = await upToDate(context, { project, iid: String(iid) });
  const title = asked.title ?? mergeRequest.title;
  await updateMergeRequest(context, {
    projectPath: project,
    iid: String(iid),
    ...((asked.title !== undefined || asked.draft) && { title: asked.draft ? withDraft(title, true) : title }),
    ...(text !== undefined && { description: withCommands(text, asked) }),
    ...(asked.target !== undefined && { targetBranch: asked.target }),
    ...(asked.removesSource && { removeSourceBranch: true }),
    ...(asked.squash && { squash: true }),
  });
  if (asked.mergesItself) await mergeByItself(context, targetId, iid);
}

/** The title and the text of its commit, if it is one; else the name of the branch as a sentence. */
async function proposal(context: Context, { id }: Source, { name, tip }: PushedBranch, target: string) {
  const git = context.git.repository(id);
  const base = target === '' ? undefined : await readRef(git, heads + target).catch(() => undefined);
  const commits = base === undefined ? [] : await logPage(git, { from: [tip], not: [base] }, { skip: 0, count: 2 });
  const sentence = name.replaceAll(/[-_/]+/g, ' ').trim();
  if (commits.length !== 1) return { title: sentence.charAt(0).toUpperCase() + sentence.slice(1), description: '' };
  const [title, ...rest] = commits[0]!.message.trim().split('\n');
  return { title: title!.slice(0, 255), description: rest.join('\n').trim() };
}

/** Its pipeline is made right after the push. */
async function mergeByItself(context: Context, projectId: number, iid: number): Promise<void> {
  const name = { project: String(projectId), iid: String(iid) };
  const until = Date.now() + longest;
  let seen = await upToDate(context, name);
  await requireMerging(context, seen);
  while ((await headPipelineStatusOf(context, seen.mergeRequest)) === null && Date.now() < until) {
    await pause(between);
    seen = await upToDate(context, name);
  }
  if (!(await waitsForPipeline(context, seen, {}))) await mergeAccepted(context, await accept(context, seen, null), {});
}

/** Where the merge requests of the branches are, or where one is made. */
async function whereTo(context: Context, source: Source, branches: readonly PushedBranch[]): Promise<string[]> {
  const { baseUrl, database, viewer } = context;
  const others = branches.filter(({ name }) => name !== source.defaultBranch);
  if (others.length === 0 || source.defaultBranch === null) return [];
  const project = await lookUp(context, findProjectOfMergeRequests, 'Project', String(source.id));
  if (project.rules.printingMergeRequestLinkEnabled === false) return [];
  if (!holds(createMergeRequest, viewer, facts(project))) return [];
  const open = await database.rows(findOpenOfBranches, [source.id, others.map(({ name }) => name)]);
  return others.flatMap(({ name }) => {
    const own = open.filter(({ branch, targetId }) => branch === name && targetId === source.id);
    if (own.length === 0)
      return [
        `To create a merge request for ${name}, visit:`,
        `  ${baseUrl}/${source.fullPath}/-/merge_requests/new?source=${encodeURIComponent(name)}`,
      ];
    return [
      `View merge request for ${name}:`,
      ...own.map(({ iid }) => `  ${baseUrl}/${source.fullPath}/-/merge_requests/${iid}`),
    ];
  });
}
