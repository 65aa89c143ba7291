import type { Thread } from '../../planning/notes/thread.ts';
import type { ThreadLines } from '../../reviews/diffs/thread-lines.ts';
import { ThreadPlace } from '../../reviews/diffs/thread-place.tsx';
import { codePath, type CodeOf } from '../code/addresses.ts';

interface CommentPlaceProps {
  readonly place: CodeOf;
  readonly thread: Thread;
  readonly lines: ThreadLines;
}

/** The lines of a commit that a thread stands on, with a link to the file as it was on that side. */
export const CommentPlace = ({ place, thread, lines }: CommentPlaceProps) => (
  <ThreadPlace
    thread={thread}
    href={({ newLine, newPath, oldLine, oldPath, diffRefs: { headSha, baseSha } }) =>
      newLine === null && oldLine !== null
        ? `${codePath(place, 'blob', baseSha, oldPath)}#L${oldLine}`
        : `${codePath(place, 'blob', headSha, newPath)}${newLine === null ? '' : `#L${newLine}`}`
    }
    lines={lines}
  />
);
