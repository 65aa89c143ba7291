import { contextOfPerson, type Application, type Context } from '../../../context.ts';
import { NotFound, NotMergeable } from '../../../errors.ts';
import { readRef } from '../../../git/objects/index.ts';
import type { PayloadOf } from '../../../values/kinds/job-kinds.ts';
import { repositoryIn } from '../../repository/repositories/look-up.ts';
import type { PipelineRecord } from '../pipelines/read.ts';
import { createPipeline } from './create.ts';
import type { OfMergeRequest } from './facts.ts';
import { refused } from './refused.ts';
import { findCreated, findMergeRequestsFrom, findOpenMergeRequest, type MergeRequestRow } from './statements.ts';
import { unlessRefused } from './unless-refused.ts';

/**
 * Pipelines of merge requests: of the jobs that ask for them by their rules. They are pipelines of the source branch, in the
 * project of the source.
 */

/**
 * The open merge requests of a branch that have no pipeline for a commit yet.
 * @param change the one of the branch that brought it
 */
export const mergeRequestsFrom = (
  { database }: Context,
  projectId: number,
  branch: string,
  commit: string,
  change: number | null = null,
): Promise<readonly OfMergeRequest[]> => database.rows(findMergeRequestsFrom, [projectId, branch, commit, change]);

/**
 * Makes a pipeline for the head of an open merge request, as the viewer.
 * @throws NotMergeable if it isn't open, or its source is gone: there is nothing to make one for; InvalidFields for `base`
 */
export async function createForMergeRequest(context: Context, id: number): Promise<PipelineRecord> {
  const [open] = await context.database.rows(findOpenMergeRequest, [id]);
  if (!open) throw new NotMergeable('NOT_OPEN');
  return await createFrom(context, open);
}

async function createFrom(context: Context, open: MergeRequestRow, isFirst = false): Promise<PipelineRecord> {
  const repository = await repositoryIn(context, String(open.sourceProjectId)).catch((error: unknown) => {
    throw error instanceof NotFound ? refused('Insufficient permissions to create a new pipeline') : error;
  });
  const ref = `refs/heads/${open.sourceBranch}`;
  return await createPipeline(context, repository, { ref, source: 'merge_request_event', mergeRequest: open, isFirst });
}

/** The job `create_merge_request_pipeline`, after a merge request was made: with the rights of its author. */
export async function createForCreated(
  application: Application,
  { eventId }: PayloadOf<'create_merge_request_pipeline'>,
): Promise<void> {
  const { database } = application;
  const [event] = await database.rows(findCreated, [eventId]);
  const context = event?.actorId == null ? undefined : await contextOfPerson(application, event.actorId);
  const [open] = context ? await database.rows(findOpenMergeRequest, [event!.id]) : [];
  if (!context || !open) return;
  // Its first version may not be there yet.
  const head = await readRef(context.git.repository(open.sourceProjectId), `refs/heads/${open.sourceBranch}`);
  if (head === undefined) return;
  const without = await mergeRequestsFrom(context, open.sourceProjectId, open.sourceBranch, head);
  if (without.some(({ id }) => id === open.id)) await unlessRefused(() => createFrom(context, open, true));
}
