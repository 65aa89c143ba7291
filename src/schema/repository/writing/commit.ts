import type { Context } from '../../../context.ts';
import { BranchRefused, NotFound, PlainBadRequest } from '../../../errors.ts';
import { asGitError } from '../../../git/errors.ts';
import { isName } from '../../../git/names/index.ts';
import { readCommit, readRef } from '../../../git/objects/index.ts';
import type { Repository } from '../../../git/repository.ts';
import { fetchCommit, hasRoom } from '../../../git/storage/index.ts';
import { commitActions, type Action, type Identity } from '../../../git/write/index.ts';
import { mayPushTo, mayWrite } from '../../../policy/index.ts';
import type { RepositoryRecord } from '../repositories/look-up.ts';
import { revisionIn } from '../repositories/revision.ts';
import { committerOf } from './committer.ts';
import { writingPlace } from './place.ts';
import { discardUnwritten, fullText, openedForWriting, writeRefs } from './write.ts';

/** A commit over the API or a page: files are changed, and a branch moves to the result. */
export interface CommitWanted {
  readonly branch: string;
  /** Where a new branch begins: a branch or a commit. The branch itself, if omitted. */
  readonly startBranch?: string | null | undefined;
  readonly startSha?: string | null | undefined;
  /** The repository that has the start, if that is another one: an origin of the project that the viewer reads. */
  readonly startIn?: RepositoryRecord | undefined;
  readonly message: string;
  /** Makes the author from the committer. */
  readonly author: (committer: Identity) => Identity;
  readonly actions: readonly Action[];
  /** Whether an existing branch is set to the start. */
  readonly force?: boolean;
}

/** Refuses writers of archived projects. @throws PlainBadRequest */
export function requireWritable(context: Context, { archived, facts }: RepositoryRecord): void {
  if (!mayWrite({ viewer: context.viewer, archived, facts }))
    throw new PlainBadRequest('You are not allowed to push code to this project.');
}

/**
 * Makes a commit on a branch.
 * @returns the commit's name, and the repository as it is now
 * @throws BranchRefused for a branch that is closed to the viewer; PlainBadRequest with the contract's text for everything
 *   that is wrong with the request or came too late
 */
export async function commitOn(
  context: Context,
  repository: RepositoryRecord,
  wanted: CommitWanted,
): Promise<{ id: string; repository: RepositoryRecord }> {
  requireWritable(context, repository);
  const { branch } = wanted;
  const { place } = await writingPlace(context.database, context, repository, 'web');
  if (!mayPushTo(place, branch)) throw new BranchRefused();
  const { git, madeAt } = await openedForWriting(context, repository);
  const written = { ...repository, git, defaultBranch: place.defaultBranch };
  try {
    if (!(await hasRoom(git))) throw new PlainBadRequest(fullText(git.limits));
    const id = await moved(context, written, wanted);
    return { id, repository: { ...written, defaultBranch: place.defaultBranch ?? branch } };
  } catch (error) {
    await discardUnwritten(context, repository, madeAt);
    throw inWords(error);
  }
}

/** Writes the commit, and moves the branch to it. @returns its name */
async function moved(
  context: Context,
  repository: RepositoryRecord & { git: Repository },
  wanted: CommitWanted,
): Promise<string> {
  const { git } = repository;
  const ref = `refs/heads/${wanted.branch}`;
  const old = isName(wanted.branch) ? await readRef(git, ref) : undefined;
  const start = await startOf(repository, wanted, old);
  const committer = await committerOf(context);
  const commit = {
    parents: start === undefined ? [] : [start],
    message: wanted.message,
    author: wanted.author(committer),
    committer,
  };
  const id = await commitActions(git, commit, wanted.actions);
  await writeRefs(context, repository, git, [{ ref, old, new: id }]);
  return id;
}

/** The commit that a change starts from; undefined for the first of a repository. @throws PlainBadRequest */
async function startOf(
  repository: RepositoryRecord & { git: Repository },
  { branch, startBranch, startSha, startIn, force }: CommitWanted,
  tip: string | undefined,
): Promise<string | undefined> {
  const startsElsewhere = (startBranch != null && startBranch !== branch) || startSha != null || startIn !== undefined;
  if (tip === undefined && !isName(branch))
    throw new PlainBadRequest(
      `Something went wrong when we tried to create '${branch}' for you: Branch name is invalid`,
    );
  if (tip !== undefined && startsElsewhere && !force)
    throw new PlainBadRequest(
      `A branch called '${branch}' already exists. Switch to that branch in order to make changes`,
    );
  if (startIn) return await broughtIn(repository.git, startIn, startSha ?? undefined, startBranch ?? branch);
  if (startSha != null) return await startCommit(repository.git, startSha);
  if (startBranch != null && startsElsewhere) {
    const start = await revisionIn(repository, `refs/heads/${startBranch}`);
    if (start) return start.commit.id;
  } else if (tip !== undefined) return tip;
  if (repository.defaultBranch === null) return undefined;
  throw new PlainBadRequest('You can only create or edit files when you are on a branch');
}

async function startCommit(git: Repository, sha: string): Promise<string> {
  if (!/^[0-9a-f]{40}$/.test(sha)) throw new PlainBadRequest(`Invalid start_sha '${sha}'`);
  const commit = await readCommit(git, sha);
  if (!commit) throw new PlainBadRequest(`Cannot find start_sha '${sha}'`);
  return commit.id;
}

/** A commit of another repository, with its objects: the author of the change brings them. @throws PlainBadRequest */
async function broughtIn(
  git: Repository,
  source: RepositoryRecord,
  sha: string | undefined,
  branch: string,
): Promise<string> {
  if (!source.git) throw new PlainBadRequest('You can only create or edit files when you are on a branch');
  const revision = sha === undefined ? await revisionIn(source, `refs/heads/${branch}`) : undefined;
  const start = sha === undefined ? revision?.commit.id : await startCommit(source.git, sha);
  if (start === undefined) throw new PlainBadRequest('You can only create or edit files when you are on a branch');
  if (!(await readCommit(git, start))) await fetchCommit(git, source.git, start);
  return start;
}

const changedText = 'You are attempting to update a file that has changed since you started editing it.';

/** An error of the engine in the contract's words. */
function inWords(error: unknown): unknown {
  const known = asGitError(error);
  switch (known?.code) {
    case 'INVALID':
      return new PlainBadRequest(known.message);
    case 'CONFLICT':
      return new PlainBadRequest(known.kind === 'changed' ? changedText : known.message);
    case 'MISMATCH':
      return new PlainBadRequest('Could not update branch. Please refresh and try again.');
    case 'NOT_FOUND':
      return new NotFound('Commit');
    default:
      return error;
  }
}
