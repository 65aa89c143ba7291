import type { PlaceHead } from '../../places/place/route.ts';
import { mayComment, ThreadView, type Discussed } from '../../planning/notes/conversation.tsx';
import type { Thread } from '../../planning/notes/thread.ts';
import { standsAt } from '../../reviews/diffs/thread-lines.ts';
import type { Site } from '../../site/layout/layout.tsx';
import { Ago } from '../../site/records/day.tsx';
import { PersonName } from '../../site/records/records.tsx';
import type { LineExtras } from './hunks.tsx';
import { choiceOf, isChosen, LineComment, type ChosenLine, type LineDraft } from './line-comment.tsx';

/** Threads on lines of a commit, at these lines, and the form to begin one. */

/** The base of a commit without a parent. */
const noParent = '0'.repeat(40);

interface Placed {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly of: Discussed;
  readonly commit: { readonly sha: string; readonly parentIds: readonly string[] };
  readonly placed: readonly Thread[];
  readonly chosen: ChosenLine;
  readonly draft: LineDraft | undefined;
}

/** What the page of a commit adds to its lines. */
export function placedExtras({ site, place, of, commit, placed, chosen, draft }: Placed): LineExtras {
  const { sha, parentIds } = commit;
  const { path } = of;
  const takesPart = mayComment(site, place, of);
  const base = parentIds[0] ?? noParent;
  // At its line, a thread needn't say where it stands.
  const { above: _above, ...here } = of;
  return {
    isOpen: ({ newPath }) =>
      newPath === chosen.file || placed.some(({ allNotes: [first] }) => first?.position?.newPath === newPath),
    href: (file, line) =>
      takesPart ? `${path}?${new URLSearchParams(choiceOf(file, line)).toString()}#comment` : null,
    below: (file, line) => {
      const threads = placed.filter(({ allNotes: [first] }) => first?.position && standsAt(first.position, file, line));
      const isHere = takesPart && isChosen(chosen, file, line);
      if (threads.length === 0 && !isHere) return null;
      return (
        <>
          {threads.map((thread) => (
            <ThreadView site={site} of={here} thread={thread} takesPart={takesPart} />
          ))}
          {isHere && (
            <LineComment
              site={site}
              file={file}
              line={line}
              refs={{ baseSha: base, startSha: base, headSha: sha }}
              action={path}
              back={path}
              draft={draft}
            />
          )}
        </>
      );
    },
  };
}

/** What the conversation says of a thread that the page shows at its line. */
export function AtLine({ thread: { allNotes } }: { readonly thread: Thread }) {
  const { id, author, createdAt, position } = allNotes[0]!;
  const { newPath, newLine, oldLine } = position!;
  return (
    <div class="happening">
      <PersonName person={author} /> commented on{' '}
      <a href={`#note_${id}`}>
        <bdi>{newPath}</bdi>, line {newLine ?? oldLine}
      </a>{' '}
      · <Ago at={createdAt} />
    </div>
  );
}
