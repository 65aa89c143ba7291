import { contextOfPerson, type Application } from '../../../context.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { writeEnvironments } from '../../../policy/index.ts';
import type { PayloadOf } from '../../../values/kinds/job-kinds.ts';
import { environmentsIn, requireWrite } from './read.ts';
import { environmentsOfMergeRequest } from './statements/change.ts';
import { stopByJob } from './stop.ts';

/** Environments that one merge request stops. */
const batch = 500;

/**
 * Stops what shows a merge request that was merged or closed, as far as a job does that, with the rights of who did it. The
 * job `stop_merge_request_environments`; may be repeated.
 */
export async function stopEnvironmentsOfMergeRequest(
  application: Application,
  { eventId }: PayloadOf<'stop_merge_request_environments'>,
): Promise<void> {
  const { database } = application;
  const shown = await database.rows(environmentsOfMergeRequest, [eventId, batch]);
  const [first] = shown;
  // Pipelines of a merge request are all in the project of its source, where who merges it may have no rights.
  if (!first || !(await mayStop(application, first))) return;
  for (const { id, actorId } of shown) await stopByJob(database, id, actorId);
}

/** Whether a person stops environments of a project. Without one, the target came to contain the source by itself. */
async function mayStop(
  application: Application,
  { projectId, actorId }: { readonly projectId: number; readonly actorId: number | null },
): Promise<boolean> {
  if (actorId === null) return true;
  const context = await contextOfPerson(application, actorId);
  if (!context) return false;
  try {
    requireWrite(context, await environmentsIn(context, String(projectId), writeEnvironments));
    return true;
  } catch (error) {
    if (error instanceof NotFound || error instanceof Forbidden) return false;
    throw error;
  }
}
