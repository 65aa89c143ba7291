import { contextOfPerson, type Application, type Context } from '../../../context.ts';
import { BadRequest, Forbidden, NotFound } from '../../../errors.ts';
import { asGitError } from '../../../git/errors.ts';
import { readRef } from '../../../git/objects/index.ts';
import { protectionOf, writeCode } from '../../../policy/index.ts';
import type { PayloadOf } from '../../../values/kinds/job-kinds.ts';
import { autoMergeDroppedNote, targetBranchNote, writeSystemNotes } from '../../planning/notes/system.ts';
import { rulesOf } from '../../repository/protected-branches/read.ts';
import { repositoryIn } from '../../repository/repositories/look-up.ts';
import { openForWriting, writeRefs } from '../../repository/writing/write.ts';
import { closeIssues } from '../closing/close.ts';
import { closedByMerging } from '../closing/link.ts';
import { refreshVersion } from '../versions/refresh.ts';
import { findMerged, retarget, type MergedRow } from './statements.ts';

/**
 * What follows a merge, with the rights of the person who merged: issues are closed, the source branch is removed, and
 * merge requests into that one target the other from now on. The job `finish_merge`; may be repeated.
 */
export async function finishMerge(application: Application, { eventId }: PayloadOf<'finish_merge'>): Promise<void> {
  const [merged] = await application.database.rows(findMerged, [eventId]);
  const context = merged?.merge_user_id == null ? undefined : await contextOfPerson(application, merged.merge_user_id);
  if (!merged || !context) return;
  if (merged.closes_issues && merged.target_branch === merged.default_branch)
    await closeIssues(
      context,
      (await closedByMerging(context.database, merged.id)).map(({ id }) => ({ id, closedBy: merged.id })),
    );
  const removes = merged.merge_params?.removeSource ?? merged.force_remove_source ?? false;
  if (removes && (await removeSource(context, merged))) await retargetOthers(context, merged);
}

/** Removes the source branch, if nothing speaks against it. @returns whether it is gone */
async function removeSource(context: Context, merged: MergedRow): Promise<boolean> {
  const { source_project_id: id, source_branch: branch, head_sha: head } = merged;
  if (id === null) return false;
  try {
    const repository = await repositoryIn(context, String(id), writeCode);
    const isKept =
      branch === repository.defaultBranch || protectionOf(await rulesOf(context, repository), branch) !== undefined;
    if (!repository.git || isKept) return false;
    const ref = `refs/heads/${branch}`;
    const now = await readRef(repository.git, ref);
    if (now === undefined) return true;
    if (now !== head) return false;
    await writeRefs(context, repository, await openForWriting(context, repository), [
      { ref, old: head, new: undefined },
    ]);
    return true;
  } catch (error) {
    const isRefused = error instanceof BadRequest || error instanceof Forbidden || error instanceof NotFound;
    if (isRefused || asGitError(error)?.code === 'MISMATCH') return false;
    throw error;
  }
}

async function retargetOthers(context: Context, merged: MergedRow): Promise<void> {
  if (merged.source_project_id !== merged.project_id) return;
  const { project_id: projectId, source_branch: source, target_branch: target } = merged;
  const authorId = context.viewer.person!.id;
  const moved = await context.database.transaction(async (sql) => {
    const rows = await sql.rows(retarget, [projectId, source, target]);
    for (const { id, dropped } of rows)
      await writeSystemNotes(sql, { mergeRequestId: id, projectId, authorId }, [
        targetBranchNote(source, target),
        ...(dropped ? [autoMergeDroppedNote('target branch was changed')] : []),
      ]);
    return rows;
  });
  for (const { id } of moved) await refreshVersion(context, id, authorId);
}
