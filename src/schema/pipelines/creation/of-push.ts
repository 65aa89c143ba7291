import { contextOfPerson, type Application } from '../../../context.ts';
import { readCommit } from '../../../git/objects/index.ts';
import { readJournal, type JournalRow } from '../../repository/journal/read.ts';
import { repositoryIn, type RepositoryRecord } from '../../repository/repositories/look-up.ts';
import type { PayloadOf } from '../../../values/kinds/job-kinds.ts';
import { stopEnvironmentsOf } from '../environments/stop.ts';
import { noteDeletedRef } from '../pipelines/deleted-ref.ts';
import { createPipeline, createPushed, skips } from './create.ts';
import type { GivenVariable } from './input.ts';
import { mergeRequestsFrom } from './of-merge-requests.ts';
import { nameOf } from './refs.ts';
import { unlessRefused } from './unless-refused.ts';

/**
 * Pipelines of changes of branches and tags. The journal of changes is read in its order, as merge requests do: each change
 * gets one pipeline, however often this runs, since the change is unique among pipelines.
 */

/** The job `create_pipelines`. */
export const createPipelines = (
  application: Application,
  { projectId }: PayloadOf<'create_pipelines'>,
  signal: AbortSignal,
): Promise<void> =>
  readJournal(application.database, { projectId, cursor: 'pipelined', signal }, (change) =>
    createFor(application, projectId, change),
  );

/** With the rights that the person who made the change has now. */
async function createFor(application: Application, projectId: number, change: JournalRow): Promise<void> {
  const { name, kind } = nameOf(change.ref);
  if (change.after === null && kind !== undefined)
    await noteDeletedRef(application.database, projectId, { name, isTag: kind === 'tag' });
  if (change.after === null && kind === 'branch')
    await stopEnvironmentsOf(application.database, projectId, name, change.actorId);
  if (change.after === null || change.actorId === null || kind === undefined) return;
  const context = await contextOfPerson(application, change.actorId);
  if (!context) return;
  const asked = { ref: change.ref, beforeSha: change.before, commit: change.after, refChangeId: change.id };
  const options = change.ciOptions ?? [];
  const isSkipped = options.includes('ci.skip');
  await unlessRefused(async () => {
    const ofPush = { ...asked, source: 'push', isSkipped, variables: variablesOf(options) } as const;
    await createPushed(context, await repositoryIn(context, String(projectId)), ofPush);
  });
  // What a push skips, it skips for the merge requests of its branch, too.
  if (kind === 'tag' || isSkipped) return;
  for (const mergeRequest of await mergeRequestsFrom(context, projectId, name, change.after, change.id))
    await unlessRefused(async () => {
      const repository = await repositoryIn(context, String(projectId));
      if (await saysSo(repository, asked.commit)) return;
      const ofMergeRequest = { source: 'merge_request_event', mergeRequest, isFirst: true } as const;
      await createPipeline(context, repository, { ...asked, ...ofMergeRequest });
    });
}

/** Whether the message of a commit says that a push of it makes no jobs. */
async function saysSo({ git }: RepositoryRecord, sha: string): Promise<boolean> {
  const commit = git && (await readCommit(git, sha));
  return commit !== undefined && skips(commit.message);
}

const variable = /^ci\.variable="?(?<key>\w+)=(?<value>.*?)"?$/s;

/** The variables that options of a push give, as `ci.variable=NAME=value`. */
const variablesOf = (options: readonly string[]): GivenVariable[] =>
  options.flatMap((option) => {
    const { key, value } = variable.exec(option)?.groups ?? {};
    return key === undefined ? [] : [{ key, value: value!, kind: 'env_var' }];
  });
