import type { HunkLine } from '../../../values/text/hunks.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import { AddToReview, mayComment, ThreadView, type Discussed } from '../../planning/notes/conversation.tsx';
import type { NotePosition } from '../../planning/notes/thread.ts';
import { Diffs } from '../../repository/commits/diffs.tsx';
import type { LineExtras } from '../../repository/commits/hunks.tsx';
import { shownDiffs, type FileDiff } from '../../repository/commits/patch.ts';
import { momentText } from '../../site/records/day.tsx';
import { Form, SelectField, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Drafts, repliesTo, Review } from '../draft-notes/view.tsx';
import { mergeRequestPath } from '../merge-requests/addresses.ts';
import { MergeRequestLayout } from '../merge-requests/layout.tsx';
import type { FoundChanges } from './read.ts';
import { standsOn } from './thread-lines.ts';

/** How the page shows the changes, as its address says. */
interface ChangesQuery {
  readonly parallel: boolean;
  /** The line that a person comments on: the path of the file now, and both numbers. */
  readonly file: string;
  readonly line: string;
}

/** What a person typed about a line that was refused. */
export interface LineDraft {
  readonly body: string;
  readonly errors: readonly string[];
}

interface ChangesProps extends FoundChanges {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly query: ChangesQuery;
  readonly draft?: LineDraft | undefined;
}

/** A line in an address: `3-4`, both numbers or one. */
const lineName = ({ oldLine, newLine }: Pick<HunkLine, 'oldLine' | 'newLine'>): string =>
  `${oldLine ?? ''}-${newLine ?? ''}`;

const viewOf = ({ parallel }: ChangesQuery): Record<string, string> => (parallel ? { view: 'parallel' } : {});

/** The changes of a merge request, with the threads about their lines. */
export function ChangesPage(props: ChangesProps) {
  const { site, place, mergeRequest, files, more, refs, query, version, draft } = props;
  const drafts = mergeRequest.draftNotes?.nodes ?? [];
  const path = mergeRequestPath(place, mergeRequest, '/diffs');
  const address = (more: Record<string, string>) => {
    const all = { ...(version !== null && { version: String(version) }), ...more };
    return Object.keys(all).length === 0 ? path : `${path}?${new URLSearchParams(all).toString()}`;
  };
  return (
    <MergeRequestLayout
      site={site}
      place={place}
      mergeRequest={mergeRequest}
      tab="/diffs"
      isRefused={draft !== undefined}
    >
      <div class="changes-ways">
        <nav class="ways" aria-label="How the changes are shown">
          <a href={address({})} aria-current={query.parallel ? undefined : 'page'}>
            Unified
          </a>
          <a href={address({ view: 'parallel' })} aria-current={query.parallel ? 'page' : undefined}>
            Side by side
          </a>
        </nav>
        <Versions {...props} path={path} />
      </div>
      <Review site={site} path={mergeRequestPath(place, mergeRequest)} drafts={drafts} />
      {version !== null && (
        <p class="notice">
          This is an earlier version, without comments. <a href={path}>Show the current one</a>
        </p>
      )}
      {refs === null ? (
        <p class="empty">There are no changes: a branch is missing.</p>
      ) : (
        <Diffs
          of={place}
          from={refs.baseSha}
          to={refs.headSha}
          files={shownDiffs(files)}
          more={more}
          parallel={query.parallel}
          extras={version === null ? extrasOf(props) : undefined}
        />
      )}
    </MergeRequestLayout>
  );
}

/** The choice of another version. */
function Versions({ site, versions, version, query, path }: ChangesProps & { readonly path: string }) {
  if (versions.length < 2) return null;
  return (
    <form class="filters" method="get" action={path}>
      {query.parallel && <input type="hidden" name="view" value="parallel" />}
      <SelectField
        name="version"
        label="Version"
        value={version === null ? '' : String(version)}
        options={versions.map(({ id, headSha, createdAt }, index) => ({
          value: index === 0 ? '' : String(id),
          label: `${index === 0 ? 'The current one' : `Version ${versions.length - index}`}: ${headSha.slice(0, 8)}, ${momentText(createdAt, site.timeZone)}`,
        }))}
      />
      <button class="button">Show</button>
    </form>
  );
}

/** The links that comment on lines, the form, and the threads. */
function extrasOf({ site, place, mergeRequest, query, refs, draft }: ChangesProps): LineExtras {
  const { userPermissions, discussions } = mergeRequest;
  const path = mergeRequestPath(place, mergeRequest);
  const takesPart = mayComment(site, place, { userPermissions });
  const drafts = mergeRequest.draftNotes?.nodes ?? [];
  const of: Discussed = {
    path,
    threads: [],
    userPermissions,
    review: {
      below: (thread) => <Drafts drafts={repliesTo(drafts, thread)} path={path} />,
      rest: null,
    },
  };
  const isAt = (position: NotePosition, file: FileDiff, line: HunkLine) =>
    position.newPath === file.newPath && position.oldPath === file.oldPath && standsOn(position, line);
  const threadsOn = (file: FileDiff, line: HunkLine) =>
    discussions.nodes.filter(({ allNotes: [first] }) => {
      const position = first?.outdated ? null : first?.position;
      return position && isAt(position, file, line);
    });
  const isChosen = (file: FileDiff, line: HunkLine) =>
    takesPart && file.newPath === query.file && lineName(line) === query.line;
  return {
    isOpen: (file) =>
      file.newPath === query.file ||
      drafts.some(({ position }) => position?.newPath === file.newPath) ||
      discussions.nodes.some(({ allNotes: [first] }) => first?.position?.newPath === file.newPath && !first.outdated),
    href: (file, line) =>
      takesPart
        ? `${path}/diffs?${new URLSearchParams({ ...viewOf(query), file: file.newPath, line: lineName(line) }).toString()}#comment`
        : null,
    below: (file, line) => {
      const threads = threadsOn(file, line);
      const isHere = isChosen(file, line);
      const mine = drafts.filter(({ position }) => position && isAt(position, file, line));
      if (threads.length === 0 && mine.length === 0 && !isHere) return null;
      return (
        <>
          {threads.map((thread) => (
            <ThreadView site={site} of={of} thread={thread} takesPart={takesPart} />
          ))}
          <Drafts drafts={mine} path={path} />
          {isHere && refs && (
            <div id="comment" class="line-comment">
              <Form
                csrf={site.visitor!.csrf}
                action={`${path}/diffs`}
                carries={{
                  ...viewOf(query),
                  file: file.newPath,
                  old_file: file.oldPath,
                  line: query.line,
                  base: refs.baseSha,
                  head: refs.headSha,
                  start: refs.startSha,
                }}
              >
                <TextField
                  name="body"
                  label={`Comment on line ${line.newLine ?? line.oldLine} of ${file.newPath}`}
                  hint="As Markdown."
                  lines={4}
                  value={draft?.body ?? ''}
                  errors={draft?.errors}
                  required
                  focused
                />
                <div class="decision">
                  <button class="button primary">Comment</button>
                  <AddToReview />
                  <a href={`${path}/diffs${query.parallel ? '?view=parallel' : ''}`}>Cancel</a>
                </div>
              </Form>
            </div>
          )}
        </>
      );
    },
  };
}
