import type { GraphQLSchema } from 'graphql';
import { NotFound } from '../../../errors.ts';
import { domainError } from '../../../context.ts';
import { compileOperation } from '../../../operation.ts';
import { hunksOf, type HunkLine } from '../../../values/text/hunks.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import type { NotePosition, Thread } from '../../planning/notes/thread.ts';
import type { Visit } from '../../site/visit.ts';

/** The lines that threads stand on, by the keys of the threads. */
export type ThreadLines = ReadonlyMap<string, readonly HunkLine[]>;

/** Diffs that a page reads for its threads, and lines that it shows of each. */
const mostDiffs = 5;
const shownLines = 4;

interface PlainDiff {
  readonly oldPath: string;
  readonly newPath: string;
  readonly diff: string;
}

/** Where a thread was written or stands now; null for one about the whole. */
export function placeOf({ allNotes: [first] }: Thread): NotePosition | null {
  if (!first) return null;
  return (first.outdated ? first.originalPosition : first.position) ?? first.originalPosition ?? null;
}

/** Whether a position is that of a line. */
const standsOn = ({ oldLine, newLine }: NotePosition, line: HunkLine): boolean =>
  (line.oldLine ?? null) === oldLine && (line.newLine ?? null) === newLine;

/** Whether a position is that of a line of a file. */
export const standsAt = (
  position: NotePosition,
  { oldPath, newPath }: Pick<PlainDiff, 'oldPath' | 'newPath'>,
  line: HunkLine,
): boolean => position.newPath === newPath && position.oldPath === oldPath && standsOn(position, line);

/** The line of a position with those before it. */
function linesAt(diffs: readonly PlainDiff[], position: NotePosition): readonly HunkLine[] {
  const file = diffs.find(({ oldPath, newPath }) => oldPath === position.oldPath && newPath === position.newPath);
  for (const { lines } of file ? hunksOf(file.diff) : []) {
    const at = lines.findIndex((line) => standsOn(position, line));
    if (at !== -1) return lines.slice(Math.max(0, at + 1 - shownLines), at + 1);
  }
  return [];
}

/** Reads the lines of the diff that threads stand on. */
export function threadLineReader(
  schema: GraphQLSchema,
): (
  visit: Visit,
  place: PlaceHead,
  of: { readonly discussions: { readonly nodes: readonly Thread[] } },
) => Promise<ThreadLines> {
  const compare = compileOperation<{ repository: { compare: { diffs: readonly PlainDiff[] } } }>(
    schema,
    `query ($project: ID!, $from: String!, $to: String!) {
      repository(project: $project) { compare(from: $from, to: $to) { diffs { oldPath newPath diff } } }
    }`,
  );
  return async ({ context }, { fullPath: project }, { discussions }) => {
    const found = new Map<string, readonly HunkLine[]>();
    const read = new Map<string, readonly PlainDiff[]>();
    for (const thread of discussions.nodes) {
      const position = placeOf(thread);
      if (!position) continue;
      const { baseSha: from, headSha: to } = position.diffRefs;
      const name = `${from}...${to}`;
      if (!read.has(name)) {
        if (read.size === mostDiffs) continue;
        try {
          read.set(name, (await compare.execute(context, { project, from, to })).repository.compare.diffs);
        } catch (thrown) {
          if (!(domainError(thrown) instanceof NotFound)) throw thrown;
          read.set(name, []);
        }
      }
      found.set(thread.key, linesAt(read.get(name)!, position));
    }
    return found;
  };
}
