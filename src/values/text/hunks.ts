/** A line of a hunk. */
export interface HunkLine {
  readonly kind: 'context' | 'added' | 'deleted';
  readonly text: string;
  /** Its number in the old file; undefined for an added line. */
  readonly oldLine: number | undefined;
  /** Its number in the new file; undefined for a deleted line. */
  readonly newLine: number | undefined;
  /** Whether the file ends here without a line feed. */
  readonly unfinished: boolean;
}

/** Lines that differ, with those around them. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** What git shows behind the second `@@`: the function that the hunk is in. */
  readonly heading: string;
  readonly lines: readonly HunkLine[];
}

const head = /^@@ -(?<oldStart>\d+)(?:,(?<oldLines>\d+))? \+(?<newStart>\d+)(?:,(?<newLines>\d+))? @@ ?(?<heading>.*)$/;
const kinds = { ' ': 'context', '+': 'added', '-': 'deleted' } as const;

/** The hunks of a patch; none for one about binary files. */
export function hunksOf(patch: string): Hunk[] {
  const hunks: (Omit<Hunk, 'lines'> & { lines: HunkLine[] })[] = [];
  let oldLine = 0;
  let newLine = 0;
  for (const line of patch.split('\n')) {
    const groups = head.exec(line)?.groups;
    const hunk = hunks.at(-1);
    if (groups) {
      oldLine = Number(groups.oldStart);
      newLine = Number(groups.newStart);
      hunks.push({
        oldStart: oldLine,
        oldLines: Number(groups.oldLines ?? 1),
        newStart: newLine,
        newLines: Number(groups.newLines ?? 1),
        heading: groups.heading!,
        lines: [],
      });
      continue;
    }
    const kind = kinds[line[0] as keyof typeof kinds];
    const last = hunk?.lines.at(-1);
    if (hunk && kind) {
      hunk.lines.push({
        kind,
        text: line.slice(1),
        oldLine: kind === 'added' ? undefined : oldLine++,
        newLine: kind === 'deleted' ? undefined : newLine++,
        unfinished: false,
      });
    } else if (hunk && last && line.startsWith('\\')) {
      hunk.lines[hunk.lines.length - 1] = { ...last, unfinished: true };
    }
  }
  return hunks;
}
