import type { ComponentChildren } from 'preact';
import { Avatar } from '../../places/avatars/avatar.tsx';
import { below } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { Day } from '../../site/records/day.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { LabelChip } from '../labels/chip.tsx';
import { TimeTracking, type TimeDraft } from '../time-tracking/time.tsx';
import { issuePath, type Person, type ShownIssue } from './issue.ts';
import { MoveIssue, type OtherDraft } from './links.tsx';
import { IssueButton } from './issue-button.tsx';

interface AsideProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly issue: ShownIssue;
  readonly time?: TimeDraft | undefined;
  readonly other?: OtherDraft | undefined;
}

/** What an issue has besides its texts. */
export function IssueAside({ site, place, issue, time, other }: AsideProps) {
  const { assignee, labels, milestone, dueDate, participants, subscribed, discussionLocked, confidential } = issue;
  const mayChange = issue.userPermissions.adminIssue && !place.archived && site.visitor !== null;
  const mine = { site, place, issue };
  return (
    <aside class="attributes" aria-label="Attributes">
      <Attribute name="Assignee">
        {assignee ? <PersonLink person={assignee} /> : 'None'}
        {mayChange && assignee?.username !== site.visitor!.username && (
          <IssueButton {...mine} does="assign_to_me" quiet>
            Assign to me
          </IssueButton>
        )}
      </Attribute>
      <Labels labels={labels} withLabel={(query) => below(place, `/issues?${query}`)} />
      <Milestone milestone={milestone} />
      <Attribute name="Due date">{dueDate ? <Day at={dueDate} /> : 'None'}</Attribute>
      <Attribute name="Time tracking">
        <TimeTracking
          csrf={mayChange ? site.visitor!.csrf : undefined}
          path={issuePath(place, issue)}
          of={issue}
          time={time}
        />
      </Attribute>
      <Attribute name="Confidentiality">
        {confidential ? 'Only its author, its assignee and planners see it.' : 'Everyone who sees the project sees it.'}
        {mayChange && (
          <IssueButton {...mine} does={confidential ? 'show' : 'hide'} quiet>
            {confidential ? 'Turn off confidentiality' : 'Make it confidential'}
          </IssueButton>
        )}
      </Attribute>
      <Attribute name="Discussion">
        {discussionLocked ? 'Locked: only members comment.' : 'Open to everyone who sees the issue.'}
        {mayChange && (
          <IssueButton {...mine} does={discussionLocked ? 'unlock' : 'lock'} quiet>
            {discussionLocked ? 'Unlock the discussion' : 'Lock the discussion'}
          </IssueButton>
        )}
      </Attribute>
      {site.visitor && (
        <Attribute name="To-do list">
          {issue.pendingTodos.nodes.length > 0 ? 'It is on your list.' : 'It isn’t on your list.'}
          <IssueButton {...mine} does={issue.pendingTodos.nodes.length > 0 ? 'todo_done' : 'todo'} quiet>
            {issue.pendingTodos.nodes.length > 0 ? 'Mark as done' : 'Add a to-do'}
          </IssueButton>
        </Attribute>
      )}
      {site.visitor && (
        <Attribute name="Notifications">
          {subscribed ? 'You are subscribed.' : 'You aren’t subscribed.'}
          <IssueButton {...mine} does={subscribed ? 'unsubscribe' : 'subscribe'} quiet>
            {subscribed ? 'Unsubscribe' : 'Subscribe'}
          </IssueButton>
        </Attribute>
      )}
      {mayChange && issue.movedTo === null && (
        <Attribute name="Project">
          <MoveIssue {...mine} draft={other} />
        </Attribute>
      )}
      <Participants participants={participants} />
    </aside>
  );
}

/** A part of what stands beside the texts. */
export function Attribute({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <section>
      <h2>{name}</h2>
      <div>{children}</div>
    </section>
  );
}

export function PersonLink({ person }: { readonly person: Person }) {
  return (
    <a class="person" href={`/${person.username}`}>
      <Avatar of={person} />
      <bdi>{person.name}</bdi>
    </a>
  );
}

interface LabelsProps extends Pick<ShownIssue, 'labels'> {
  /** The address of the list of those that have a label, with the query that names it. */
  readonly withLabel: (query: string) => string;
}

export function Labels({ labels, withLabel }: LabelsProps) {
  return (
    <Attribute name="Labels">
      {labels.nodes.length === 0 ? (
        'None'
      ) : (
        <ul class="chips">
          {labels.nodes.map((label) => (
            <li>
              <LabelChip label={label} href={withLabel(new URLSearchParams({ label_name: label.title }).toString())} />
            </li>
          ))}
        </ul>
      )}
    </Attribute>
  );
}

export function Milestone({ milestone }: Pick<ShownIssue, 'milestone'>) {
  return (
    <Attribute name="Milestone">
      {milestone ? (
        <a href={milestone.webPath}>
          <bdi>{milestone.title}</bdi>
        </a>
      ) : (
        'None'
      )}
    </Attribute>
  );
}

export function Participants({ participants }: Pick<ShownIssue, 'participants'>) {
  return (
    <Attribute name="Participants">
      <ul class="people">
        {participants.nodes.map((person) => (
          <li>
            <PersonLink person={person} />
          </li>
        ))}
      </ul>
      {participants.pageInfo.hasNextPage && 'There are more.'}
    </Attribute>
  );
}
