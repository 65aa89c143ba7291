import type { Sql } from '../../../database/index.ts';
import type { Repository } from '../../../git/repository.ts';
import type { DiffCommits } from './position.ts';
import { moveNotes, notesAt, resolveOutdated } from './statements.ts';
import { changeThreads } from './threads.ts';
import { tracer, type Tracer } from './trace.ts';

/** What a new version of a merge request replaces. */
interface Replaced {
  readonly mergeRequestId: number;
  readonly from: DiffCommits;
  readonly to: DiffCommits;
}

/**
 * Reads from git how the lines of comments move to a new version, before its transaction. Undefined: there are no comments
 * on lines of the former one.
 */
export async function readMoves(
  sql: Sql,
  git: Repository,
  { mergeRequestId, from, to }: Replaced,
): Promise<Tracer | undefined> {
  const notes = await sql.rows(notesAt, [mergeRequestId, from.base, from.head]);
  return notes.length === 0 ? undefined : await tracer(git, from, to);
}

/**
 * Moves the comments on lines of the former version to these lines in the new one. Those whose lines were changed stay where
 * they were, and are outdated from now on; their threads are resolved, if the project says so.
 * @param sql the transaction that stores the new version
 * @param how.moves what `readMoves` found
 * @param how.actorId who pushed
 */
export async function outdateDiffNotes(
  sql: Sql,
  git: Repository,
  { mergeRequestId, from, to }: Replaced,
  { moves, actorId }: { readonly moves: Tracer | undefined; readonly actorId: number },
): Promise<void> {
  await changeThreads(sql, mergeRequestId, async () => {
    const notes = await sql.rows(notesAt, [mergeRequestId, from.base, from.head]);
    if (notes.length === 0) return;
    // The first one may have been written since `readMoves`.
    const placeOf = moves ?? (await tracer(git, from, to));
    const places = notes.map(({ position }) => placeOf(position));
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
