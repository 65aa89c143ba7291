import { statement } from '../../../../database/index.ts';
import { liveProject } from '../../../../database/access/places.ts';
import { eventsFrom } from '../../../../events/statements.ts';
import { labelsOf } from '../../labels/statements/choose.ts';
import { systemNotesFrom } from '../../notes/statements/system.ts';
import {
  mentionedFrom,
  mentionedNobody,
  owedToMentioned,
  settledFrom,
  todosFrom,
  unreadFrom,
} from '../../todos/statements/parts.ts';
import { nowTakingPart } from './people.ts';
import { assignable, eventsOfNew, milestoneIn } from './parts.ts';
import { personReads } from './readers.ts';

/** SQL for whether the person `u` reads the issue of the CTE `issue`. */
const reads = personReads({
  author: 'issue.author_id',
  assignee: 'issue.assignee_id',
  confidential: 'issue.confidential',
});

/** SQL for a person who may be assigned: an issue is read by its assignee, where they have issues at all. */
const assignee = (person: string, project: string) =>
  assignable(person, project, personReads({ author: 'null::int', assignee: 'u.id', confidential: 'false' }));

/**
 * SQL that creates an issue with everything that belongs to it. The number comes from the counter of the project, whose row it
 * locks until the commit: numbers have no gaps. No row: the project was archived or removed meanwhile. $1 project, $2
 * author, $3 title, $4 description, $5 type, $6 severity, $7 confidential, $8 whether the discussion is locked, $9 due
 * date, $10 milestone, $11 assignee, $12 titles of labels, $13 ids of labels, $14 whether to make labels, $15 number or
 * null, $16 when it was created or null, $17 names of people who are mentioned, $18 tasks, $19 of these completed, $20
 * the note of the due date or null, $21 actor, $22 those of $17 whom a line begins with.
 */
const insert = (mentioned: string) => `with place as (
     select p.id, n.ancestry from projects p join namespaces n on n.id = p.namespace_id
      where p.id = $1::int and not p.archived and ${liveProject}
   ), ${labelsOf('place', '$12', '$13', '$14')}, counter as (
     insert into project_counters as c (project_id, kind, last) select place.id, 'ISSUE', coalesce($15::int, 1) from place
     on conflict (project_id, kind) do update set last = case when $15::int is null then c.last + 1 else greatest(c.last, $15::int) end
     returning last
   ), issue as (
     insert into issues (project_id, iid, title, description, type, severity, confidential, discussion_locked, due_date, milestone_id,
       assignee_id, label_ids, author_id, tasks, tasks_completed, created_at)
     select $1::int, coalesce($15::int, counter.last), $3, $4, $5::"IssueType", $6::"IssueSeverity", $7::boolean, $8::boolean, $9::date,
       ${milestoneIn('$10', '$1::int')}, ${assignee('$11', '$1::int')}, array(select id from labelled order by id), $2::int, $18::int, $19::int,
       coalesce($16::timestamptz, now())
       from counter
     returning id, iid, project_id, author_id, assignee_id, milestone_id, label_ids, confidential
   ), mentioned as (${mentioned}
   ), taking as (
     insert into participants (issue_id, user_id)
     select issue.id, one.id from issue, lateral (
       select $2::int as id union select issue.assignee_id union select mentioned.id from mentioned
     ) one where one.id is not null
   ), owed as (
     select assignee_id as user_id, 'ASSIGNED' as action from issue where assignee_id is not null
     union all ${owedToMentioned('mentioned', '$21::int')}
   ), todo as (${todosFrom('owed', { issue: '(select id from issue)', project: '$1::int', author: '$21::int' })}
   ), ${eventsOfNew('issue', { issue: 'about' }, '$21')}, system_note as (
     select issue.id as issue_id, $20::text as body, 'due_date' as action, null::int as referrer_id from issue where $20::text is not null
   ), noted as (${systemNotesFrom('system_note', { issue: 'issue_id', project: '$1::int', author: '$21' })}
   ), ${eventsFrom('issue.created', 'issue', {
     actor: '$21',
     project: 'project_id',
     subject: 'id',
     ids: `jsonb_build_object('mentionedIds', (select coalesce(jsonb_agg(id order by id), '[]') from mentioned where reads))`,
   })}
   select id, iid, array(select user_id from todo) as "todoOwners" from issue`;

const namesOfNew = { names: '$17', addressed: '$22' };
export type Created = { readonly id: number; readonly iid: number; readonly todoOwners: readonly number[] };

/** Creates an issue: `plain` if its text mentions no one. */
export const insertIssue = {
  plain: statement<Created>('insert_issue', insert(mentionedNobody(namesOfNew))),
  full: statement<Created>(
    'insert_issue_in_full',
    insert(mentionedFrom('issue', { ...namesOfNew, reads, writer: '$21::int', project: '$1::int' })),
  ),
};

/** An issue before a change of it. */
export interface LockedIssue {
  readonly title: string;
  readonly description: string | null;
  readonly type: string;
  readonly severity: string;
  readonly state: 'OPENED' | 'CLOSED';
  readonly assignee_id: number | null;
  readonly assignee: string | null;
  readonly milestone_id: number | null;
  readonly label_ids: readonly number[];
  readonly due_date: string | null;
  readonly confidential: boolean;
  readonly discussion_locked: boolean | null;
  readonly time_estimate: number;
  readonly time_spent: number;
}

/**
 * Locks an issue until the transaction ends. Not its key: notes of references on it, from a change of another issue, must not
 * wait for it, since that one may wait for the same here. $1 its id.
 */
export const lockIssue = statement<LockedIssue>(
  'lock_issue',
  `select i.title, i.description, i.type, i.severity, i.state, i.assignee_id, (select u.username from users u where u.id = i.assignee_id) as assignee,
     i.milestone_id, i.label_ids, i.due_date::text as due_date, i.confidential, i.discussion_locked, i.time_estimate, i.time_spent
     from issues i where i.id = $1 for no key update of i`,
);

/**
 * SQL that changes a locked issue, and returns what it has then. A milestone of elsewhere and an assignee who doesn't see the
 * project are not taken. $1 issue, $2 project, $3 actor, $4 title, $5 description, $6 type, $7 severity, $8 state, $9
 * assignee, $10 milestone, $11 labels, $12 due date, $13 confidential, $14 whether the discussion is locked, $15 tasks,
 * $16 of these completed, $17 created at or null, $18 updated at or null, $19 names of people who are newly mentioned,
 * $20 those of them whom a line begins with, $21 whether the actor is done with their to-dos, $22 the assignee before, $23
 * whether fewer people may read it than before.
 */
const update = (mentioned: string, unread: string) => `with issue as (
     update issues i set title = $4, description = $5, type = $6::"IssueType", severity = $7::"IssueSeverity",
       closed_at = case when i.state = $8::"IssueState" then i.closed_at when $8::text = 'CLOSED' then now() end,
       closed_by_id = case when i.state = $8::"IssueState" then i.closed_by_id when $8::text = 'CLOSED' then $3::int end,
       duplicated_to_id = case when $8::text = 'CLOSED' then i.duplicated_to_id end,
       state = $8::"IssueState",
       assignee_id = case when $9::int is not distinct from i.assignee_id then i.assignee_id when $9::int is null then null
         else coalesce(${assignee('$9', '$2::int')}, i.assignee_id) end,
       milestone_id = case when $10::int is not distinct from i.milestone_id then i.milestone_id when $10::int is null then null
         else coalesce(${milestoneIn('$10', '$2::int')}, i.milestone_id) end,
       label_ids = $11::int[], due_date = $12::date, confidential = $13::boolean, discussion_locked = $14::boolean,
       tasks = $15::int, tasks_completed = $16::int, created_at = coalesce($17::timestamptz, i.created_at),
       updated_at = coalesce($18::timestamptz, now()), updated_by_id = $3::int
      where i.id = $1::int returning i.id, i.author_id, i.assignee_id, i.milestone_id, i.confidential
   ), mentioned as (${mentioned}
   ), taking as (
     insert into participants (issue_id, user_id)
     select issue.id, one.id from issue, lateral (select issue.assignee_id as id union select mentioned.id from mentioned) one
      where one.id is not null ${nowTakingPart}
   ), settled as (${settledFrom('issue', { issue: 'issue.id', person: '$3::int', when: '$21::boolean' })}
   ), owed as (
     -- After what is settled: who assigns themselves again gets a new one.
     select one.user_id, one.action from (select count(*) from settled) first, lateral (
       select assignee_id as user_id, 'ASSIGNED' as action from issue where assignee_id is distinct from $22::int and assignee_id is not null
       union all ${owedToMentioned('mentioned', '$3::int')}
     ) one
   ), todo as (${todosFrom('owed', { issue: '$1::int', project: '$2::int', author: '$3::int' })}
   ), unread as (${unread}
   )
   select array(select user_id from todo) as "todoOwners", array(select id from mentioned where reads order by id) as mentioned, issue.assignee_id, (select u.username from users u where u.id = issue.assignee_id) as assignee, issue.milestone_id from issue`;

const namesOfChanged = { names: '$19', addressed: '$20' };
type Updated = Pick<LockedIssue, 'assignee_id' | 'assignee' | 'milestone_id'> & {
  /** Who got to-dos, and who is newly mentioned and reads it. */
  readonly todoOwners: readonly number[];
  readonly mentioned: readonly number[];
};

/** Changes an issue: `plain` if the text newly mentions no one and no fewer people read it, which most changes are. */
export const updateIssue = {
  plain: statement<Updated>('update_issue', update(mentionedNobody(namesOfChanged), 'select where $23::boolean')),
  full: statement<Updated>(
    'update_issue_in_full',
    update(
      mentionedFrom('issue', { ...namesOfChanged, reads, writer: '$3::int', project: '$2::int' }),
      unreadFrom('issue', { reads, project: '$2::int', when: '$23::boolean' }),
    ),
  ),
};

/**
 * Deletes an issue with everything that belongs to it. No row: it was deleted already, or was changed after $2. $1
 * issue, $2 a moment in whole seconds or null, $3 actor.
 */
export const deleteIssue = statement<{ id: number }>(
  'delete_issue',
  `with issue as (
     delete from issues where id = $1 and ($2::timestamptz is null or date_trunc('second', updated_at) <= $2::timestamptz)
     returning id, project_id
   ), ${eventsFrom('issue.deleted', 'issue', { actor: '$3', project: 'project_id', subject: 'id' })}
   select id from issue`,
);
