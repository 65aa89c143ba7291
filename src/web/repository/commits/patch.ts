import { hunksOf, type Hunk, type HunkLine } from '../../../values/text/hunks.ts';

/** How a file differs, as the schema says it. */
export interface FileDiff {
  readonly diff: string;
  readonly oldPath: string;
  readonly newPath: string;
  readonly aMode: string;
  readonly bMode: string;
  readonly newFile: boolean;
  readonly renamedFile: boolean;
  readonly deletedFile: boolean;
  readonly tooLarge: boolean;
  readonly additions: number;
  readonly deletions: number;
}

export const diffFields =
  'diff oldPath newPath aMode bMode newFile renamedFile deletedFile tooLarge additions deletions';

/** Lines of differences that one page shows, and those above which a file is folded. */
const mostLines = 3_000;
const foldedFrom = 400;

/** A file of a page of differences. */
export interface ShownDiff extends FileDiff {
  /** The part of its address: `#file-3`. */
  readonly anchor: string;
  readonly hunks: readonly Hunk[];
  /** Why its lines aren't shown; undefined if they are. */
  readonly leftOut: string | undefined;
  readonly folded: boolean;
}

/** What a page shows of differences: the lines of the first files, and the names of all. */
export function shownDiffs(files: readonly FileDiff[]): ShownDiff[] {
  let left = mostLines;
  return files.map((file, index) => {
    const hunks = hunksOf(file.diff);
    const lines = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
    const leftOut = reasonFor(file, lines > left, hunks.length);
    if (leftOut === undefined) left -= lines;
    return {
      ...file,
      anchor: `file-${index + 1}`,
      hunks: leftOut === undefined ? hunks : [],
      leftOut,
      folded: lines > foldedFrom,
    };
  });
}

function reasonFor(file: FileDiff, isMuch: boolean, hunks: number): string | undefined {
  if (file.tooLarge) return 'It changed too much to be shown.';
  if (isMuch) return 'This page shows enough already. The file at the commit has the lines.';
  if (hunks > 0) return undefined;
  if (file.diff !== '') return 'It is no text.';
  if (file.renamedFile) return 'Only its path changed.';
  return file.newFile || file.deletedFile ? 'It is empty, or no text.' : 'Only its mode changed.';
}

/** The sign in front of a line. */
export const signOf = ({ kind }: HunkLine): string => ({ context: ' ', added: '+', deleted: '-' })[kind];
