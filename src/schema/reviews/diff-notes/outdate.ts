import type { Sql } from '../../../database/index.ts';
import type { Repository } from '../../../git/repository.ts';
import type { DiffCommits } from './position.ts';
import { moveNotes, notesAt, resolveOutdated } from './statements.ts';
import { changeThreads } from './threads.ts';
import { traced } from './trace.ts';

/** What a new version of a merge request replaces. */
interface Replaced {
  readonly mergeRequestId: number;
  readonly from: DiffCommits;
  readonly to: DiffCommits;
  /** Who pushed. */
  readonly actorId: number;
}

/**
 * Moves the comments on lines of the former version to these lines in the new one. Those whose lines were changed stay where
 * they were, and are outdated from now on; their threads are resolved, if the project says so.
 * @param sql the transaction that stores the new version
 */
export async function outdateDiffNotes(
  sql: Sql,
  git: Repository,
  { mergeRequestId, from, to, actorId }: Replaced,
): Promise<void> {
  await changeThreads(sql, mergeRequestId, async () => {
    const notes = await sql.rows(notesAt, [mergeRequestId, from.base, from.head]);
    if (notes.length === 0) return;
    const positions = notes.map(({ position }) => position);
    const places = await traced(git, from, to, positions);
    const moved = notes.flatMap(({ id }, at) => (places[at] ? [{ id, ...places[at] }] : []));
    const outdated = notes.flatMap(({ id }, at) => (places[at] ? [] : [id]));
    await sql.rows(moveNotes, [
      moved.map(({ id }) => id),
      JSON.stringify(moved.map(({ position }) => position)),
      moved.map(({ lineCode }) => lineCode),
    ]);
    await sql.rows(resolveOutdated, [outdated, actorId]);
  });
}
