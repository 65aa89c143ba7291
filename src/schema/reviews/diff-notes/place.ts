import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { InvalidFields } from '../../../errors.ts';
import { NotFound as MissingObject } from '../../../git/errors.ts';
import { diffBetween, type FileDiff } from '../../../git/diff/index.ts';
import { hunksOf, lineAcross } from '../../../git/diff/lines.ts';
import { readBlob, readInfo } from '../../../git/objects/index.ts';
import type { Repository } from '../../../git/repository.ts';
import { repositoryIn } from '../../repository/repositories/look-up.ts';
import { lineCodeOf, type DiffCommits, type NotePosition, type Placed } from './position.ts';
import { currentVersion, placeNote } from './statements.ts';
import { tracer } from './trace.ts';

/** Placing a new comment in the diff of a merge request. */

/** A position as a client gives it. */
export type AskedPosition = Omit<NotePosition, 'old_path' | 'new_path'> & {
  readonly old_path: string | null;
  readonly new_path: string | null;
};

/** Where a new comment stands: where its author put it, and where that is in the current version. */
export interface NewPlace {
  readonly original: NotePosition;
  readonly placed: Placed;
}

const noLine = { line_code: ["can't be blank", 'must be a valid line code'] };
const incomplete = { position: ['is incomplete'] };

const isCommit = (sha: string): boolean => /^[0-9a-f]{40}$/i.test(sha);

/** The files that differ between the commits of a position; none if they are missing. */
async function filesBetween(
  git: Repository,
  { base_sha, start_sha, head_sha }: AskedPosition,
): Promise<readonly FileDiff[]> {
  if (![base_sha, start_sha, head_sha].every(isCommit)) return [];
  try {
    return (await diffBetween(git, base_sha, head_sha)).files;
  } catch (error) {
    if (error instanceof MissingObject) return [];
    throw error;
  }
}

/** The one of the files of a diff that a position names. */
function fileIn(files: readonly FileDiff[], asked: AskedPosition): FileDiff | undefined {
  const [old, now] = [asked.old_path ?? asked.new_path, asked.new_path ?? asked.old_path];
  return (
    files.find(({ oldPath, newPath }) => oldPath === old && newPath === now) ??
    files.find(({ oldPath, newPath }) => newPath === now || oldPath === old)
  );
}

/** The largest file, in bytes, whose lines are counted. */
const mostCounted = 10 * 2 ** 20;

/** How many lines a file has; 0 for one that is too large. */
async function lengthOf(git: Repository, blob: string): Promise<number> {
  const info = await readInfo(git, blob);
  const content = info && info.size <= mostCounted ? await readBlob(git, blob) : undefined;
  if (!content || content.length === 0) return 0;
  let count = content.at(-1) === 10 ? 0 : 1;
  for (const byte of content) if (byte === 10) count++;
  return count;
}

/** What identifies the line of a position; undefined if its file has no such line. */
async function lineCodeIn(git: Repository, file: FileDiff, asked: AskedPosition): Promise<string | undefined> {
  const { old_line: old, new_line: now } = asked;
  const hunks = hunksOf(file.patch);
  if (hunks.length === 0) return undefined;
  const line = hunks
    .flatMap(({ lines }) => lines)
    .find(
      (one) => (one.kind === 'added' ? null : one.old) === old && (one.kind === 'removed' ? null : one.new) === now,
    );
  if (line) return lineCodeOf(file.newPath, line);
  // A line around the hunks, which a page shows when it is unfolded: both of its numbers are known.
  if (old === null || now === null || old < 1 || lineAcross(hunks, 'old', old) !== now) return undefined;
  return now <= (await lengthOf(git, file.newId)) ? lineCodeOf(file.newPath, { old, new: now }) : undefined;
}

/**
 * Where a position is in the files of a diff.
 * @param files reads them
 * @throws InvalidFields with GitLab's texts
 */
export async function locate(
  git: Repository | undefined,
  asked: AskedPosition,
  files: (git: Repository) => Promise<readonly FileDiff[]>,
): Promise<Placed> {
  const isText = asked.position_type === 'text';
  const isComplete =
    (asked.old_path ?? asked.new_path) !== null && (!isText || (asked.old_line ?? asked.new_line) !== null);
  if (!isComplete) throw new InvalidFields({ ...(isText ? noLine : {}), ...incomplete });
  const file = git && fileIn(await files(git), asked);
  if (!file) throw new InvalidFields(isText ? noLine : incomplete);
  const lineCode = isText ? await lineCodeIn(git, file, asked) : null;
  if (lineCode === undefined) throw new InvalidFields(noLine);
  return { position: { ...asked, old_path: file.oldPath, new_path: file.newPath }, lineCode };
}

const areSame = (one: DiffCommits, other: DiffCommits): boolean =>
  one.base === other.base && one.start === other.start && one.head === other.head;

/**
 * Where a new comment stands in the diff of a merge request. One that names other commits than the current version, such as
 * those of an earlier one, goes to its line in the current one, if that line is unchanged.
 * @throws InvalidFields with GitLab's texts; RepositoryOff; Forbidden
 */
export async function placeIn(
  context: Context,
  mergeRequest: { readonly id: number; readonly projectId: number },
  asked: AskedPosition,
): Promise<NewPlace> {
  const { git } = await repositoryIn(context, String(mergeRequest.projectId));
  const placed = await locate(git, asked, (from) => filesBetween(from, asked));
  const [now] = await context.database.rows(currentVersion, [mergeRequest.id]);
  const original = placed.position;
  if (!git || !now?.base || !now.start || !now.head) return { original, placed };
  const from = { base: asked.base_sha, start: asked.start_sha, head: asked.head_sha };
  const to = { base: now.base, start: now.start, head: now.head };
  if (areSame(from, to)) return { original, placed };
  const placeOf = await tracer(git, from, to);
  return { original, placed: placeOf(original) ?? placed };
}

/** A comment that stands in a diff. */
export interface PlacedIn {
  readonly diffPosition: NotePosition;
  readonly originalPosition: NotePosition;
  readonly lineCode: string | null;
}

/** A reply stands where the first comment of its thread does. */
export const placeOfReply = ({ diffPosition: position, originalPosition: original, lineCode }: PlacedIn): NewPlace => ({
  original,
  placed: { position, lineCode },
});

/** Stores where a comment stands, in the transaction that creates it. */
export async function storePlace(sql: Sql, note: number, { original, placed }: NewPlace): Promise<void> {
  await sql.rows(placeNote, [note, JSON.stringify(placed.position), JSON.stringify(original), placed.lineCode]);
}
