import type { PlaceHead } from '../../places/place/route.ts';
import { Awards } from '../../planning/awards/awards.tsx';
import { Markdown } from '../../planning/markdown.tsx';
import { Conversation, mayComment } from '../../planning/notes/conversation.tsx';
import type { TypedBelow } from '../../planning/notes/host.ts';
import type { TimeDraft } from '../../planning/time-tracking/time.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { comingBackTo, signInPath } from '../../site/return-to.ts';
import type { ThreadLines } from '../diffs/thread-lines.ts';
import { PlaceInChanges } from '../diffs/thread-place.tsx';
import { Drafts, repliesTo, Review } from '../draft-notes/view.tsx';
import { MergeBox, type MergeDraft } from '../merging/box.tsx';
import { mergeRequestPath } from './addresses.ts';
import { MergeRequestAside } from './aside.tsx';
import { MergeRequestButton } from './button.tsx';
import { MergeRequestLayout } from './layout.tsx';
import type { FoundMergeRequest, ShownMergeRequest } from './merge-request.ts';

/** What a person typed into a form of the page that was refused, with the reasons. */
export interface Typed extends TypedBelow {
  readonly merge?: MergeDraft;
  readonly time?: TimeDraft;
  /** Why a review wasn't published. */
  readonly review?: readonly string[];
}

interface OverviewProps extends FoundMergeRequest {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly lines: ThreadLines;
  /** Whether a script follows the links to comments that the page leaves out. */
  readonly scripts: boolean;
  readonly typed?: Typed | undefined;
}

/** The page of a merge request. */
export function MergeRequestPage(props: OverviewProps) {
  const { site, place, mergeRequest, lines, earlier, later, scripts, typed } = props;
  const { description, descriptionHtml, userPermissions, discussions } = mergeRequest;
  const path = mergeRequestPath(place, mergeRequest);
  const drafts = mergeRequest.draftNotes?.nodes ?? [];
  const shown = discussions.nodes.flatMap((thread) => repliesTo(drafts, thread));
  return (
    <MergeRequestLayout
      site={site}
      place={place}
      mergeRequest={mergeRequest}
      tab=""
      isRefused={typed !== undefined}
      load={scripts ? ['comments.js'] : []}
      actions={<Actions site={site} place={place} mergeRequest={mergeRequest} />}
    >
      <div class="issue">
        <div>
          <h2 class="hidden">Description</h2>
          {description && descriptionHtml ? (
            <Markdown html={descriptionHtml} />
          ) : (
            <p class="empty">This merge request has no description.</p>
          )}
          <Awards
            site={site}
            awards={mergeRequest.awardEmoji.nodes}
            of="the merge request"
            action={`${path}/award`}
            mayAward={mayComment(site, place, { userPermissions })}
            draft={typed?.award}
          />
          <MergeBox site={site} place={place} mergeRequest={mergeRequest} draft={typed?.merge} />
          <Conversation
            site={site}
            place={place}
            of={{
              path,
              threads: discussions.nodes,
              userPermissions,
              head: mergeRequest.diffHeadSha,
              above: (thread) => <PlaceInChanges thread={thread} path={path} lines={lines} />,
              review: {
                below: (thread) => <Drafts drafts={repliesTo(drafts, thread)} path={path} />,
                rest: (
                  <Review
                    site={site}
                    path={path}
                    drafts={drafts}
                    others={drafts.filter((draft) => !shown.includes(draft))}
                    problems={typed?.review}
                  />
                ),
              },
            }}
            earlier={earlier}
            later={later}
            draft={typed?.comment}
          />
        </div>
        <MergeRequestAside site={site} place={place} mergeRequest={mergeRequest} time={typed?.time} />
      </div>
    </MergeRequestLayout>
  );
}

interface ActionsProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly mergeRequest: ShownMergeRequest;
}

/** What the viewer may do, or why they may not. */
function Actions({ site, place, mergeRequest }: ActionsProps) {
  const { state, draft, userPermissions: may } = mergeRequest;
  const mine = { site, place, mergeRequest };
  if (place.archived) return <p class="hint">This project is archived, so its merge requests can’t be changed.</p>;
  if (!site.visitor)
    return (
      <p class="hint">
        <a href={comingBackTo(signInPath, site.path)}>Sign in</a> to take part.
      </p>
    );
  if (!may.updateMergeRequest)
    return (
      <p class="hint">
        You need at least the Developer role to change this merge request. Its author and its assignee may, too.
      </p>
    );
  return (
    <div class="decision">
      <a class="button" href={mergeRequestPath(place, mergeRequest, '/edit')}>
        Edit
      </a>
      {state === 'opened' && (
        <>
          <MergeRequestButton {...mine} does={draft ? 'ready' : 'draft'}>
            {draft ? 'Mark as ready' : 'Mark as draft'}
          </MergeRequestButton>
          <MergeRequestButton {...mine} does="close">
            Close merge request
          </MergeRequestButton>
        </>
      )}
      {state === 'closed' && (
        <MergeRequestButton {...mine} does="reopen">
          Reopen merge request
        </MergeRequestButton>
      )}
      {may.destroyMergeRequest && (
        <a class="button danger" href={mergeRequestPath(place, mergeRequest, '/delete')}>
          Delete
        </a>
      )}
    </div>
  );
}
