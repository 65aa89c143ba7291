import { Status } from '../../pipelines/pipelines/status.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { Attribute, Labels, Milestone, Participants, PersonLink } from '../../planning/issues/aside.tsx';
import { Moment } from '../../site/records/day.tsx';
import { TimeTracking, type TimeDraft } from '../../planning/time-tracking/time.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { mergeRequestPath, mergeRequestsPath } from './addresses.ts';
import { MergeRequestButton } from './button.tsx';
import type { ShownMergeRequest } from './merge-request.ts';

interface AsideProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly mergeRequest: ShownMergeRequest;
  readonly time?: TimeDraft | undefined;
}

/** What a merge request has besides its texts. */
export function MergeRequestAside({ site, place, mergeRequest, time }: AsideProps) {
  const { assignee, reviewer, labels, milestone, discussionLocked, headPipeline, closesIssues } = mergeRequest;
  const { mergeAfter, state, pendingTodos, subscribed, participants } = mergeRequest;
  const mine = { site, place, mergeRequest };
  const mayChange =
    mergeRequest.userPermissions.updateMergeRequest && place.userPermissions.createMergeRequestFrom === true;
  return (
    <aside class="attributes" aria-label="Attributes">
      <Attribute name="Assignee">{assignee ? <PersonLink person={assignee} /> : 'None'}</Attribute>
      <Attribute name="Reviewer">{reviewer ? <PersonLink person={reviewer} /> : 'None'}</Attribute>
      <Attribute name="Approvals">
        <Approvals {...mine} />
      </Attribute>
      <Labels labels={labels} withLabel={(query) => mergeRequestsPath(place, `?${query}`)} />
      <Milestone milestone={milestone} />
      {mergeAfter && state !== 'merged' && (
        <Attribute name="Not merged before">
          <Moment at={mergeAfter} />
        </Attribute>
      )}
      {headPipeline && (
        <Attribute name="Pipeline">
          <a href={headPipeline.path}>
            <span class="hidden">Pipeline: </span>
            <Status status={headPipeline.detailedStatus} />
          </a>
          <ul class="people">
            {(headPipeline.jobs?.nodes ?? []).map(({ name, targetUrl, detailedStatus }) => (
              <li>
                {targetUrl ? (
                  <a href={targetUrl} rel="nofollow noreferrer noopener">
                    <bdi>{name}</bdi>
                  </a>
                ) : (
                  <bdi>{name}</bdi>
                )}{' '}
                {detailedStatus && <Status status={detailedStatus} />}
              </li>
            ))}
          </ul>
        </Attribute>
      )}
      {closesIssues.nodes.length > 0 && (
        <Attribute name={mergeRequest.state === 'merged' ? 'Closed issues' : 'Closes issues'}>
          <ul class="people">
            {closesIssues.nodes.map(({ title, webPath, reference }) => (
              <li>
                <a href={webPath}>
                  {reference} <bdi>{title}</bdi>
                </a>
              </li>
            ))}
          </ul>
        </Attribute>
      )}
      <Attribute name="Time tracking">
        <TimeTracking
          csrf={mayChange && site.visitor ? site.visitor.csrf : undefined}
          path={mergeRequestPath(place, mergeRequest)}
          of={mergeRequest}
          time={time}
        />
      </Attribute>
      <Attribute name="Discussion">
        {discussionLocked ? 'Locked: only members comment.' : 'Open to everyone who sees the merge request.'}
        {mayChange && (
          <MergeRequestButton {...mine} does={discussionLocked ? 'unlock' : 'lock'} quiet>
            {discussionLocked ? 'Unlock the discussion' : 'Lock the discussion'}
          </MergeRequestButton>
        )}
      </Attribute>
      {site.visitor && (
        <Attribute name="To-do list">
          {pendingTodos.nodes.length > 0 ? 'It is on your list.' : 'It isn’t on your list.'}
          <MergeRequestButton {...mine} does={pendingTodos.nodes.length > 0 ? 'todo_done' : 'todo'} quiet>
            {pendingTodos.nodes.length > 0 ? 'Mark as done' : 'Add a to-do'}
          </MergeRequestButton>
        </Attribute>
      )}
      {site.visitor && (
        <Attribute name="Notifications">
          {subscribed ? 'You are subscribed.' : 'You aren’t subscribed.'}
          <MergeRequestButton {...mine} does={subscribed ? 'unsubscribe' : 'subscribe'} quiet>
            {subscribed ? 'Unsubscribe' : 'Subscribe'}
          </MergeRequestButton>
        </Attribute>
      )}
      <Participants participants={participants} />
    </aside>
  );
}

/** Who approved, and the button that does it. */
function Approvals(props: AsideProps) {
  const { approvals, userCanApprove, userHasApproved, diffHeadSha, userPermissions, state } = props.mergeRequest;
  return (
    <>
      {approvals.length === 0 ? (
        'No one yet.'
      ) : (
        <ul class="people">
          {approvals.map(({ user }) => (
            <li>
              <PersonLink person={user} />
            </li>
          ))}
        </ul>
      )}
      {userCanApprove && !props.place.archived && (
        <MergeRequestButton {...props} does="approve" carries={{ sha: diffHeadSha ?? undefined }} quiet>
          Approve
        </MergeRequestButton>
      )}
      {userHasApproved && userPermissions.canApprove && state === 'opened' && (
        <MergeRequestButton {...props} does="unapprove" quiet>
          Take back your approval
        </MergeRequestButton>
      )}
    </>
  );
}
