import type { Context } from '../../../context.ts';
import { PlainBadRequest } from '../../../errors.ts';
import { readCommits, resolveCommit } from '../../../git/objects/index.ts';
import { keepAround } from '../../../git/storage/index.ts';
import { updateMergeRequest, writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { connectionOf, offsetArg, resolveArrayPage } from '../../engine/page.ts';
import { Commit, commitRecord, type CommitRecord } from '../../repository/commits/types.ts';
import { repositoryIn } from '../../repository/repositories/look-up.ts';
import { lookUpMergeRequest, prefetchNamed, requireMergeRequestRight } from '../merge-requests/look-up.ts';
import { mergeRequestPayload } from '../merge-requests/changes/payload.ts';
import { MergeRequest } from '../merge-requests/types.ts';
import { deleteContextCommits, findContextCommits, insertContextCommits } from './statements.ts';

/**
 * Context commits: commits of the target that reviewers should know of. They are shown beside the change, and aren't part
 * of it.
 */

/** Commits that a call names. */
const mostNamed = 20;
/** Commits that a merge request has. */
const mostKept = 100;

const invalid = () => new PlainBadRequest("One or more context commits' sha is not valid.");

/** The newest first. */
const byAge = (one: CommitRecord, other: CommitRecord) =>
  other.committer.seconds - one.committer.seconds || one.id.localeCompare(other.id);

async function contextCommitsOf(context: Context, { id, projectId }: { id: number; projectId: number }) {
  const rows = await context.database.rows(findContextCommits, [id]);
  if (rows.length === 0) return [];
  const repository = await repositoryIn(context, String(projectId));
  const commits = await readCommits(
    repository.git!,
    rows.map(({ sha }) => sha),
  );
  return commits.map((commit) => commitRecord(repository, commit)).toSorted(byAge);
}

builder.objectField(MergeRequest, 'contextCommits', (t) =>
  t.connection(
    {
      type: Commit,
      nullable: true,
      description: 'Commits of the target that reviewers should know of, the newest first.',
      args: { ...offsetArg },
      resolve: async (one, args, context) =>
        resolveArrayPage(args, await contextCommitsOf(context, one), ({ id }) => id) as never,
    },
    connectionOf(Commit) as never,
  ),
);

/** The merge request of an input, if the viewer may change it, with the repository of its target. */
async function changeable(context: Context, { projectPath: project, iid, commits }: Named) {
  const seen = await lookUpMergeRequest(context, { project, iid });
  requireMergeRequestRight(context, seen, updateMergeRequest);
  if (commits.length === 0) throw new PlainBadRequest('commits is empty');
  if (commits.length > mostNamed)
    throw new PlainBadRequest(`Context commits array size should not be more than ${mostNamed}`);
  return { ...seen.mergeRequest, repository: await repositoryIn(context, String(seen.mergeRequest.projectId)) };
}

interface Named {
  readonly projectPath: string;
  readonly iid: string;
  readonly commits: readonly string[];
}

const input = {
  projectPath: 'Full path or id of the target.',
  commits: `Names of commits of the target; at most ${mostNamed}.`,
};

mutation('mergeRequestAddContextCommits', {
  payload: (t: FieldsOf<{ id: number; commits: CommitRecord[] }>) => ({
    ...mergeRequestPayload(t as FieldsOf<{ id: number }>),
    commits: t.expose('commits', { type: [Commit], description: 'Those that were named.' }),
  }),
  description: `Attaches commits of the target to a merge request, so that reviewers know of them. It has at most ${mostKept}.`,
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
  input: (t) => ({
    projectPath: t.id({ required: true, description: input.projectPath }),
    iid: t.string({ required: true }),
    commits: t.stringList({ required: true, description: input.commits }),
  }),
  resolve: async (context: Context, given) => {
    const { id, repository } = await changeable(context, given);
    const { git } = repository;
    if (!git) throw invalid();
    const found = await Promise.all(given.commits.map((name) => named(git, name)));
    const commits = found.filter((one) => one !== undefined);
    if (commits.length !== found.length) throw invalid();
    const names = [...new Set(commits.map((one) => one.id))];
    await keepAround(git, names);
    const [added] = await context.database.rows(insertContextCommits, [id, names, mostKept]);
    if (!added) throw new PlainBadRequest(`A merge request has at most ${mostKept} context commits.`);
    return { id, commits: commits.map((commit) => commitRecord(repository, commit)) };
  },
});

/** A commit by its name, which branches and tags are not. */
const named = async (git: Parameters<typeof resolveCommit>[0], name: string) =>
  /^[0-9a-f]{7,64}$/.test(name) ? await resolveCommit(git, name) : undefined;

mutation('mergeRequestRemoveContextCommits', {
  payload: mergeRequestPayload,
  description: 'Detaches context commits from a merge request.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
  input: (t) => ({
    projectPath: t.id({ required: true, description: input.projectPath }),
    iid: t.string({ required: true }),
    commits: t.stringList({ required: true, description: input.commits }),
  }),
  resolve: async (context: Context, given) => {
    const { id } = await changeable(context, given);
    const attached = await context.database.rows(findContextCommits, [id]);
    const names = given.commits.map((name) =>
      name.length < 7 ? undefined : attached.find(({ sha }) => sha.startsWith(name))?.sha,
    );
    if (names.includes(undefined)) throw invalid();
    await context.database.rows(deleteContextCommits, [id, names]);
    return { id };
  },
});
