import type { Context } from '../../../../context.ts';
import { DomainError } from '../../../../errors.ts';
import { isName } from '../../../../git/names/index.ts';
import { readRef } from '../../../../git/objects/index.ts';
import { holds, openMergeRequest, writeCode } from '../../../../policy/index.ts';
import { facts, lookUp } from '../../../places/place/look-up.ts';
import type { SeenIssue } from '../../../planning/issues/look-up.ts';
import { repositoryIn, type RepositoryRecord } from '../../../repository/repositories/look-up.ts';
import { findProjectOfMergeRequests } from '../statements/reading.ts';

/** The branch that the command `/create_merge_request` makes for an issue. */

/** Longest name that is made of a title, and how many numbers are tried behind one that is taken. */
const longest = 100;
const mostTries = 9;

/** A title as a part of a name: letters and digits, with hyphens between them. */
const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .slice(0, longest)
    .replaceAll(/^-|-$/g, '');

/** The names to try. That of a confidential issue doesn't say its title. */
function namesFor({ issue: { iid, title, confidential } }: SeenIssue): string[] {
  const name = `${iid}-${confidential ? 'confidential-issue' : slugOf(title) || 'issue'}`;
  return Array.from({ length: mostTries }, (_, at) => (at === 0 ? name : `${name}-${at + 1}`));
}

/** The first of some names that no branch has. */
async function freeIn({ git, defaultBranch }: RepositoryRecord, names: readonly string[]): Promise<string | undefined> {
  if (!git || defaultBranch === null) return undefined;
  for (const name of names) if (isName(name) && (await readRef(git, `refs/heads/${name}`)) === undefined) return name;
  return undefined;
}

/**
 * The branch that the viewer may make for an open issue. Undefined if they may make none, or if there is one of that name.
 * @param wanted its name; empty: one that is made of the issue
 */
export async function branchForIssue(context: Context, seen: SeenIssue, wanted: string): Promise<string | undefined> {
  const { projectId, state } = seen.issue;
  if (state !== 'OPENED') return undefined;
  try {
    const project = await lookUp(context, findProjectOfMergeRequests, 'Project', String(projectId));
    if (!holds(openMergeRequest, context.viewer, facts(project))) return undefined;
    const repository = await repositoryIn(context, String(projectId), writeCode);
    return await freeIn(repository, wanted === '' ? namesFor(seen) : [wanted]);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
