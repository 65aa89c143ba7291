import { NotFound as MissingObject } from '../../../git/errors.ts';
import { diffBetween, type Diff, type FileDiff } from '../../../git/diff/index.ts';
import { hunksOf, lineAcross } from '../../../git/diff/lines.ts';
import type { Repository } from '../../../git/repository.ts';
import { lineCodeOf, type DiffCommits, type NotePosition, type Placed } from './position.ts';

/** Following the lines of comments from one version of a diff to the next. */

/** Where a file is after a change, and its line; undefined if either is gone, or not known. */
function follow(diff: Diff, path: string, line: number | null): { path: string; line: number | null } | undefined {
  const file = diff.files.find(({ oldPath }) => oldPath === path);
  if (!file) return diff.overflow ? undefined : { path, line };
  if (file.status === 'deleted' || (line !== null && (file.tooLarge || file.binary))) return undefined;
  if (line === null) return { path: file.newPath, line };
  const now = lineAcross(hunksOf(file.patch), 'old', line);
  return now === undefined ? undefined : { path: file.newPath, line: now };
}

/** The numbers of a line on both sides of a diff; null for a side that lacks it. */
interface Numbers {
  readonly old: number | null;
  readonly new: number | null;
}

/** A comment on a line of a file of the new diff. */
function placedAt(file: FileDiff, to: DiffCommits, before: NotePosition, numbers: Numbers): Placed {
  const position: NotePosition = {
    base_sha: to.base,
    start_sha: to.start,
    head_sha: to.head,
    old_path: file.oldPath,
    new_path: file.newPath,
    position_type: before.position_type,
    old_line: numbers.old,
    new_line: numbers.new,
    line_range: before.line_range,
  };
  if (before.position_type === 'file') return { position, lineCode: null };
  const line = hunksOf(file.patch)
    .flatMap(({ lines }) => lines)
    .find((one) =>
      numbers.new === null
        ? one.kind === 'removed' && one.old === numbers.old
        : one.kind !== 'removed' && one.new === numbers.new,
    );
  return { position, lineCode: lineCodeOf(file.newPath, line ?? { old: numbers.old ?? 0, new: numbers.new ?? 0 }) };
}

/** Where a comment stands in the new diff; undefined if its line was changed. */
function trace(before: NotePosition, of: { base: Diff; head: Diff; now: Diff }, to: DiffCommits): Placed | undefined {
  // A line that was removed is a line of the base, any other one is a line of the head.
  const isRemoved = before.position_type === 'text' && before.new_line === null;
  const followed = isRemoved
    ? follow(of.base, before.old_path, before.old_line)
    : follow(of.head, before.new_path, before.new_line);
  if (!followed) return undefined;
  const { path, line } = followed;
  const file = of.now.files.find((one) => (isRemoved ? one.oldPath : one.newPath) === path);
  if (!file || (line !== null && (file.tooLarge || file.binary))) return undefined;
  if (line === null) return placedAt(file, to, before, { old: null, new: null });
  const across = lineAcross(hunksOf(file.patch), isRemoved ? 'old' : 'new', line);
  // It was removed, and is there again.
  if (isRemoved && across !== undefined) return undefined;
  return placedAt(file, to, before, isRemoved ? { old: line, new: null } : { old: across ?? null, new: line });
}

/** Where a comment of one version of a diff stands in another one; undefined if its line was changed. */
export type Tracer = (position: NotePosition) => Placed | undefined;

/** Reads how two versions of a diff differ. If a commit is gone, every comment is outdated. */
export async function tracer(git: Repository, from: DiffCommits, to: DiffCommits): Promise<Tracer> {
  try {
    const [base, head, now] = await Promise.all([
      between(git, from.base, to.base),
      between(git, from.head, to.head),
      between(git, to.base, to.head),
    ]);
    return (position) => trace(position, { base, head, now }, to);
  } catch (error) {
    if (error instanceof MissingObject) return () => undefined;
    throw error;
  }
}

const same: Diff = { files: [], count: 0, overflow: false };
const between = async (git: Repository, from: string, to: string): Promise<Diff> =>
  from === to ? same : await diffBetween(git, from, to);
