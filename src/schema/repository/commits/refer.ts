import { contextOfPerson, type Application } from '../../../context.ts';
import { logPage } from '../../../git/history/index.ts';
import { readRef, resolveCommit } from '../../../git/objects/index.ts';
import type { Repository } from '../../../git/repository.ts';
import { referFromCommit } from '../../planning/notes/text.ts';
import type { JournalRow } from '../journal/read.ts';

/** What messages of commits refer to. */

/** The newest commits of a change of a branch, whose messages are read: GitLab reads as many. */
const mostCommits = 100;
/** Characters of a message that are read. */
const longestMessage = 20_000;

interface Project {
  readonly full_path: string;
  readonly default_branch: string | null;
}

/**
 * Notes on issues and merge requests that commits refer to them, after a change of a branch, with the rights of the person
 * who made it. May be repeated. The first commits of a project say nothing: they were made elsewhere.
 */
export async function referFromPush(
  application: Application,
  projectId: number,
  { full_path: projectPath, default_branch: main }: Project,
  { ref, before, after, actorId }: JournalRow,
): Promise<void> {
  const isFirst = before === null && ref === `refs/heads/${main}`;
  if (after === null || actorId === null || isFirst) return;
  const repository = application.git.repository(projectId);
  // What a new branch begins with, the default branch has.
  const known = before ?? (await tipOf(repository, main));
  // Heads may have been cleaned up since.
  const [head, former] = await Promise.all([
    resolveCommit(repository, after),
    known === undefined ? undefined : resolveCommit(repository, known),
  ]);
  if (!head || (before !== null && !former)) return;
  const commits = await logPage(
    repository,
    { from: [head.id], not: former ? [former.id] : [] },
    { skip: 0, count: mostCommits },
  );
  const referring = commits.filter(({ message }) => /[#!]\d/.test(message));
  const person = referring.length > 0 ? await contextOfPerson(application, actorId) : undefined;
  if (!person) return;
  for (const { id: sha, message } of referring.toReversed())
    await referFromCommit(person, { sha, projectId, projectPath }, message.slice(0, longestMessage));
}

const tipOf = async (repository: Repository, branch: string | null) =>
  branch === null ? undefined : await readRef(repository, `refs/heads/${branch}`);
