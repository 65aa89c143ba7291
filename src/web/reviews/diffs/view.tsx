import type { HunkLine } from '../../../values/text/hunks.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import { AddToReview, mayComment, ThreadView, type Discussed } from '../../planning/notes/conversation.tsx';
import { Diffs } from '../../repository/commits/diffs.tsx';
import type { LineExtras } from '../../repository/commits/hunks.tsx';
import {
  choiceOf,
  isChosen,
  LineComment,
  type ChosenLine,
  type LineDraft,
} from '../../repository/commits/line-comment.tsx';
import type { FileDiff, ShownDiff } from '../../repository/commits/patch.ts';
import { momentText } from '../../site/records/day.tsx';
import { SelectField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Drafts, repliesTo, Review } from '../draft-notes/view.tsx';
import { mergeRequestPath } from '../merge-requests/addresses.ts';
import { MergeRequestLayout } from '../merge-requests/layout.tsx';
import type { FoundChanges } from './read.ts';
import { standsAt } from './thread-lines.ts';

/** How the page shows the changes, as its address says. */
interface ChangesQuery extends ChosenLine {
  readonly parallel: boolean;
}

interface ChangesProps extends FoundChanges {
  readonly files: readonly ShownDiff[];
  readonly site: Site;
  readonly place: PlaceHead;
  readonly query: ChangesQuery;
  readonly draft?: LineDraft | undefined;
}

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
          files={files}
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
  const threadsOn = (file: FileDiff, line: HunkLine) =>
    discussions.nodes.filter(({ allNotes: [first] }) => {
      const position = first?.outdated ? null : first?.position;
      return position && standsAt(position, file, line);
    });
  return {
    isOpen: (file) =>
      file.newPath === query.file ||
      drafts.some(({ position }) => position?.newPath === file.newPath) ||
      discussions.nodes.some(({ allNotes: [first] }) => first?.position?.newPath === file.newPath && !first.outdated),
    href: (file, line) =>
      takesPart
        ? `${path}/diffs?${new URLSearchParams({ ...viewOf(query), ...choiceOf(file, line) }).toString()}#comment`
        : null,
    below: (file, line) => {
      const threads = threadsOn(file, line);
      const isHere = takesPart && isChosen(query, file, line);
      const mine = drafts.filter(({ position }) => position && standsAt(position, file, line));
      if (threads.length === 0 && mine.length === 0 && !isHere) return null;
      return (
        <>
          {threads.map((thread) => (
            <ThreadView site={site} of={of} thread={thread} takesPart={takesPart} />
          ))}
          <Drafts drafts={mine} path={path} />
          {isHere && refs && (
            <LineComment
              site={site}
              file={file}
              line={line}
              refs={refs}
              action={`${path}/diffs`}
              carries={viewOf(query)}
              back={`${path}/diffs${query.parallel ? '?view=parallel' : ''}`}
              draft={draft}
            >
              <AddToReview />
            </LineComment>
          )}
        </>
      );
    },
  };
}
