/** The lines of a patch, and where lines of one side are on the other. */

/** A line of a patch. */
interface PatchLine {
  readonly kind: 'added' | 'removed' | 'unchanged';
  /** Its number on each side; for a line that only one side has, that of the next line on the other side. */
  readonly old: number;
  readonly new: number;
}

interface Hunk {
  readonly old: Range;
  readonly new: Range;
  readonly lines: readonly PatchLine[];
}

/** A range of lines. */
interface Range {
  readonly start: number;
  readonly count: number;
}

const header = /^@@ -(?<old>\d+)(?:,(?<oldCount>\d+))? \+(?<new>\d+)(?:,(?<newCount>\d+))? @@/;

/** The hunks of a patch, which begins with `@@`. None for binary files, and for patches that were left out. */
export function hunksOf(patch: string): Hunk[] {
  const hunks: { old: Range; new: Range; lines: PatchLine[] }[] = [];
  let [old, now] = [0, 0];
  for (const text of patch.split('\n')) {
    const found = header.exec(text)?.groups;
    // Only a line of the header has no sign in front of it.
    if (found) {
      [old, now] = [Number(found.old), Number(found.new)];
      hunks.push({
        old: { start: old, count: Number(found.oldCount ?? 1) },
        new: { start: now, count: Number(found.newCount ?? 1) },
        lines: [],
      });
      continue;
    }
    const lines = hunks.at(-1)?.lines;
    if (text.startsWith('+')) lines?.push({ kind: 'added', old, new: now++ });
    else if (text.startsWith('-')) lines?.push({ kind: 'removed', old: old++, new: now });
    else if (text.startsWith(' ')) lines?.push({ kind: 'unchanged', old: old++, new: now++ });
  }
  return hunks;
}

type Side = 'old' | 'new';

/** The first line behind a range. Git names the line before an empty range. */
const behind = ({ start, count }: Range): number => (count === 0 ? start + 1 : start + count);

/**
 * Where a line of one side is on the other.
 * @param line its number on the side `from`
 * @returns its number on the other side; undefined if that one doesn't have it
 */
export function lineAcross(hunks: readonly Hunk[], from: Side, line: number): number | undefined {
  const to = from === 'old' ? 'new' : 'old';
  let shift = 0;
  for (const hunk of hunks) {
    if (line < hunk[from].start || (hunk[from].count === 0 && line === hunk[from].start)) break;
    if (line < behind(hunk[from]))
      return hunk.lines.find((one) => one.kind === 'unchanged' && one[from] === line)?.[to];
    shift = behind(hunk[to]) - behind(hunk[from]);
  }
  return line + shift;
}
