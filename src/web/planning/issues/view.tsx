import { below, PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { Day } from '../../site/records/day.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge, PersonName } from '../../site/records/records.tsx';
import { comingBackTo, signInPath } from '../../site/return-to.ts';
import { Markdown } from '../markdown.tsx';
import type { AwardDraft } from '../awards/award.ts';
import { Awards } from '../awards/awards.tsx';
import { Conversation, mayComment } from '../notes/conversation.tsx';
import type { CommentDraft } from '../notes/thread.ts';
import type { TimeDraft } from '../time-tracking/time.tsx';
import { IssueAside } from './aside.tsx';
import { LinkedIssues, type OtherDraft } from './links.tsx';
import { IssueButton } from './issue-button.tsx';
import { issuePath, type FoundIssue, type ShownIssue } from './issue.ts';

/** What a person typed into a form of the page that was refused, with the reasons. */
export interface Typed {
  readonly time?: TimeDraft;
  readonly comment?: CommentDraft;
  readonly award?: AwardDraft;
  readonly other?: OtherDraft;
}

interface IssueProps extends FoundIssue {
  readonly site: Site;
  readonly place: PlaceHead;
  /** Whether a script follows the links to comments that the page leaves out. */
  readonly scripts: boolean;
  readonly typed?: Typed | undefined;
}

/** The page of an issue. */
export function IssuePage(props: IssueProps) {
  const { site, place, issue, related, moreRelated, earlier, later, scripts, typed } = props;
  const of = {
    path: issuePath(place, issue),
    threads: issue.discussions.nodes,
    userPermissions: issue.userPermissions,
  };
  const { iid, title, state, description, descriptionHtml, confidential, discussionLocked, movedTo } = issue;
  return (
    <PlaceLayout
      site={site}
      place={place}
      title={`${typed ? 'Error: ' : ''}${title} (#${iid})`}
      current="issues"
      load={scripts ? ['comments.js'] : []}
    >
      <p class="kind">
        <a href={below(place, '/issues')}>Issues</a> › #{iid}
      </p>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <p class="standing">
        <span class="badges">
          <Badge tone={state === 'opened' ? 'good' : undefined}>{state === 'opened' ? 'Open' : 'Closed'}</Badge>
          {confidential && <Badge tone="caution">Confidential</Badge>}
          {discussionLocked && <Badge>Discussion locked</Badge>}
        </span>{' '}
        <Origin issue={issue} />
      </p>
      {movedTo && (
        <p class="notice">
          This issue was moved to <a href={movedTo.webPath}>{movedTo.reference}</a>.
        </p>
      )}
      <Actions site={site} place={place} issue={issue} />
      <div class="issue">
        <div>
          <h2 class="hidden">Description</h2>
          {description && descriptionHtml ? (
            <Markdown html={descriptionHtml} />
          ) : (
            <p class="empty">This issue has no description.</p>
          )}
          <Awards
            site={site}
            awards={issue.awardEmoji.nodes}
            of="the issue"
            action={issuePath(place, issue, '/award')}
            mayAward={mayComment(site, place, issue)}
            draft={typed?.award}
          />
          <LinkedIssues
            site={site}
            place={place}
            issue={issue}
            related={related}
            moreRelated={moreRelated}
            draft={typed?.other}
          />
          <Conversation site={site} place={place} of={of} earlier={earlier} later={later} draft={typed?.comment} />
        </div>
        <IssueAside site={site} place={place} issue={issue} time={typed?.time} other={typed?.other} />
      </div>
    </PlaceLayout>
  );
}

/** Who opened it, and who closed it. */
function Origin({ issue: { author, createdAt, closedAt, closedBy } }: { readonly issue: ShownIssue }) {
  return (
    <>
      Opened on <Day at={createdAt} /> by <PersonName person={author} />
      {closedAt && (
        <>
          , closed on <Day at={closedAt} />
          {closedBy && (
            <>
              {' '}
              by <PersonName person={closedBy} />
            </>
          )}
        </>
      )}
      .
    </>
  );
}

type ActionsProps = Pick<IssueProps, 'site' | 'place' | 'issue'>;

/** What the viewer may do, or why they may not. */
function Actions({ site, place, issue }: ActionsProps) {
  const { state, userPermissions: may } = issue;
  if (place.archived) return <p class="hint">This project is archived, so its issues can’t be changed.</p>;
  if (!site.visitor)
    return (
      <p class="hint">
        <a href={comingBackTo(signInPath, site.path)}>Sign in</a> to take part.
      </p>
    );
  if (!may.updateIssue)
    return (
      <p class="hint">
        You need at least the Planner role to change this issue. Its author and its assignee may close it, and change
        title and description.
      </p>
    );
  return (
    <>
      <div class="decision">
        <a class="button" href={issuePath(place, issue, '/edit')}>
          Edit
        </a>
        {state === 'opened' ? (
          <IssueButton site={site} place={place} issue={issue} does="close">
            Close issue
          </IssueButton>
        ) : (
          <IssueButton site={site} place={place} issue={issue} does="reopen">
            Reopen issue
          </IssueButton>
        )}
        {may.destroyIssue && (
          <a class="button danger" href={issuePath(place, issue, '/delete')}>
            Delete
          </a>
        )}
      </div>
      {!may.adminIssue && (
        <p class="hint">
          You need at least the Planner role to change labels, milestone, assignee, due date and time tracking.
        </p>
      )}
    </>
  );
}
