import type { NotePosition, Thread } from '../../planning/notes/thread.ts';
import { signOf } from '../../repository/commits/patch.ts';
import { Badge } from '../../site/records/records.tsx';
import { placeOf, type ThreadLines } from './thread-lines.ts';

interface ThreadPlaceProps {
  readonly thread: Thread;
  /** The address of a place. */
  readonly href: (position: NotePosition) => string;
  readonly lines: ThreadLines;
}

/** The lines of the diff that a thread stands on; nothing for one about the whole. */
export function ThreadPlace({ thread, href, lines }: ThreadPlaceProps) {
  const position = placeOf(thread);
  if (!position) return null;
  const shown = lines.get(thread.key) ?? [];
  const outdated = thread.allNotes[0]?.outdated === true;
  return (
    <div class="thread-place">
      <p>
        On{' '}
        <a href={href(position)}>
          <bdi>{position.newPath}</bdi>
          {(position.newLine ?? position.oldLine) !== null && `, line ${position.newLine ?? position.oldLine}`}
        </a>{' '}
        {outdated && <Badge>Outdated</Badge>}
      </p>
      {shown.length > 0 && (
        <div class="hunks" tabIndex={0} role="region" aria-label={`Lines of ${position.newPath}`}>
          <table>
            <caption class="hidden">Lines of {position.newPath}</caption>
            <thead class="hidden">
              <tr>
                <th scope="col">Line before</th>
                <th scope="col">Line now</th>
                <th scope="col">Text</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((line) => (
                <tr class={line.kind}>
                  <td class="number">{line.oldLine}</td>
                  <td class="number">{line.newLine}</td>
                  <td class="text">
                    <span class="sign">{signOf(line)}</span>
                    {line.text}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

/** The lines of the diff of a merge request that a thread stands on. @param path of the merge request */
export const PlaceInChanges = ({ path, ...props }: Omit<ThreadPlaceProps, 'href'> & { readonly path: string }) => {
  const [first] = props.thread.allNotes;
  return <ThreadPlace {...props} href={() => `${path}/diffs${first!.outdated ? '' : `#note_${first!.id}`}`} />;
};
