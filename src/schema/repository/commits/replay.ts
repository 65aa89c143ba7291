import { BranchRefused, NotFound, ReplayRefused } from '../../../errors.ts';
import { asGitError } from '../../../git/errors.ts';
import { cherryPick, revert } from '../../../git/merge/index.ts';
import { readCommit, readRef } from '../../../git/objects/index.ts';
import type { Commit as GitCommit } from '../../../git/objects/parse.ts';
import type { Repository } from '../../../git/repository.ts';
import { mayPushTo, writeCode, writes } from '../../../policy/index.ts';
import type { Context } from '../../../context.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { mergedAs } from '../../reviews/merge-requests/of-commits.ts';
import { repositoryIn } from '../repositories/look-up.ts';
import { revisionIn } from '../repositories/revision.ts';
import { isName } from '../../../git/names/index.ts';
import { requireWritable } from '../writing/commit.ts';
import { committerOf } from '../writing/committer.ts';
import { writingPlace } from '../writing/place.ts';
import { openForWriting, writeRefs } from '../writing/write.ts';
import { Commit, commitRecord, type CommitRecord } from './types.ts';

/** What a commit changed, done again on a branch or taken back there. */

interface Asked {
  readonly projectPath: string;
  readonly sha: string;
  readonly branch: string;
  readonly message?: string | null | undefined;
  readonly dryRun?: boolean | null | undefined;
}

const ways = {
  'cherry-pick': {
    run: cherryPick,
    // Its author is named, and the person who picks it is the author of the pick (contract §3.4, today).
    message: ({ message, id, author }: GitCommit) =>
      `${message.trimEnd()}\n\n(cherry picked from commit ${id})\n\nCo-authored-by: ${author.name} <${author.email}>\n`,
    done: 'cherry-picked',
  },
  revert: {
    run: revert,
    message: ({ message, id }: GitCommit, merged: number | undefined) =>
      `Revert "${message.trimStart().split('\n', 1)[0]}"\n\nThis reverts ${merged === undefined ? `commit ${id}` : `merge request !${merged}`}\n`,
    done: 'reverted',
  },
} as const;

/** @throws NotFound, BranchRefused, ReplayRefused */
async function replayed(
  context: Context,
  way: keyof typeof ways,
  { projectPath, sha, branch, message, dryRun }: Asked,
): Promise<{ commit: CommitRecord | null }> {
  const repository = await repositoryIn(context, projectPath, writeCode);
  requireWritable(context, repository);
  const revision = await revisionIn(repository, sha);
  if (!revision) throw new NotFound('Commit');
  const ref = `refs/heads/${branch}`;
  if (!isName(branch) || (await readRef(revision.git, ref)) === undefined) throw new NotFound('Branch');
  const { place } = await writingPlace(context.database, context, repository, 'web');
  if (!mayPushTo(place, branch)) throw new BranchRefused();
  const git = await openForWriting(context, repository);
  const tip = await readRef(git, ref);
  if (tip === undefined) throw new NotFound('Branch');
  const { commit } = revision;
  const said = message || ways[way].message(commit, await mergedAs(context, repository.id, commit));
  const id = await made(context, git, way, { commit, onto: tip, message: said, isTrial: dryRun === true });
  if (dryRun) return { commit: null };
  await writeRefs(context, repository, git, [{ ref, old: tip, new: id }]);
  return { commit: commitRecord(repository, (await readCommit(git, id))!) };
}

/** Makes the commit, which no branch has yet. @throws ReplayRefused */
async function made(
  context: Context,
  git: Repository,
  way: keyof typeof ways,
  { commit, onto, message, isTrial }: { commit: GitCommit; onto: string; message: string; isTrial: boolean },
): Promise<string> {
  const { run, done } = ways[way];
  const committer = await committerOf(context);
  try {
    return await run(git, { commit: commit.id, onto, message, author: committer, committer });
  } catch (error) {
    const known = asGitError(error);
    if (known?.code !== 'CONFLICT') throw error;
    throw new ReplayRefused(
      `Sorry, we cannot ${way} this commit automatically. This commit may already have been ${done}, or a more recent commit may have updated some of its content.`,
      known.kind === 'empty' ? 'empty' : 'conflict',
      isTrial,
    );
  }
}

const payload = (t: FieldsOf<{ commit: CommitRecord | null }>) => ({
  commit: t.expose('commit', {
    type: Commit,
    nullable: true,
    description: 'The new commit; null if nothing was written.',
  }),
});

const input = (t: InputsOf) => ({
  projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
  sha: t.string({ required: true, description: 'The commit.' }),
  branch: t.string({ required: true, description: 'The branch that gets the new commit.' }),
  dryRun: t.boolean({ defaultValue: false, description: 'Only says whether it would work.' }),
});

mutation('commitCherryPick', {
  description: 'Does what a commit changed again on a branch.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({ ...input(t), message: t.string({ description: 'Of the new commit.' }) }),
  payload,
  resolve: (context, asked) => replayed(context, 'cherry-pick', asked),
});

mutation('commitRevert', {
  description: 'Takes back on a branch what a commit changed.',
  admission: { class: 'token', scopes: writes },
  input,
  payload,
  resolve: (context, asked) => replayed(context, 'revert', asked),
});
