import { statement } from '../../../../database/index.ts';

/** What a new issue takes from the one that it is a copy of. */
export interface CopiedIssue {
  readonly title: string;
  readonly description: string | null;
  readonly type: string;
  readonly severity: string;
  readonly confidential: boolean;
  readonly discussion_locked: boolean | null;
  readonly due_date: string | null;
  readonly author_id: number;
  readonly assignee_id: number | null;
  readonly created_at: Date;
  readonly state: 'OPENED' | 'CLOSED';
  readonly moved_to_id: number | null;
  readonly labels: readonly string[];
  /** A milestone of the same title there; null if there is none. */
  readonly milestone_id: number | null;
}

/** An issue that is copied, locked until the transaction ends. $1 issue, $2 the project that it goes to. */
export const lockCopied = statement<CopiedIssue>(
  'lock_copied_issue',
  `select i.title, i.description, i.type, i.severity, i.confidential, i.discussion_locked, i.due_date::text as due_date, i.author_id,
     i.assignee_id, i.created_at, i.state, i.moved_to_id, array(select l.title from labels l where l.id = any(i.label_ids)) as labels,
     (select m.id from milestones own join milestones m on m.title = own.title, projects p join namespaces n on n.id = p.namespace_id
       where own.id = i.milestone_id and p.id = $2::int and (m.project_id = p.id or m.group_id = any(n.ancestry))
       order by m.project_id nulls last limit 1) as milestone_id
     from issues i where i.id = $1 for update of i`,
);

/**
 * Copies what belongs to an issue: who takes part and who is subscribed, and, if asked, comments with their awards, the awards
 * of the issue, and time. A discussion keeps its notes together. $1 source, $2 copy, $3 its project, $4 whether comments, $5 whether the rest.
 */
export const copyBelongings = statement<object>(
  'copy_belongings_of_issue',
  `with taking as (
     insert into participants (issue_id, user_id, by_award) select $2::int, user_id, by_award from participants where issue_id = $1::int on conflict do nothing
   ), subscribed as (
     insert into subscriptions (user_id, issue_id, subscribed) select user_id, $2::int, subscribed from subscriptions where issue_id = $1::int order by id
     on conflict do nothing
   ), noted as (
     insert into notes (issue_id, project_id, discussion_id, type, author_id, body, system, action, internal, referrer_id, referrer_merge_request_id,
       referrer_project_id, referrer_sha, resolved_at, resolved_by_id,
       edited_at, edited_by_id, created_at, updated_at)
     select $2::int, $3::int, substring(sha256(discussion_id || int4send($2::int)) from 1 for 20), type, author_id, body, system, action, internal, referrer_id, referrer_merge_request_id,
       referrer_project_id, referrer_sha, resolved_at, resolved_by_id, edited_at, edited_by_id, created_at, updated_at
       from notes where issue_id = $1::int and $4::boolean order by id
     returning id
   ), awarded_notes as (
     insert into awards (note_id, user_id, name, created_at) select own.id, a.user_id, a.name, a.created_at
       from (select id, row_number() over (order by id) as place from noted) own
       join (select id, row_number() over (order by id) as place from notes where issue_id = $1::int) other using (place)
       join awards a on a.note_id = other.id order by a.id
   ), awarded as (
     insert into awards (issue_id, user_id, name, created_at) select $2::int, user_id, name, created_at from awards where issue_id = $1::int and $5::boolean order by id
   ), spent as (
     insert into timelogs (issue_id, user_id, seconds, summary, spent_at)
     select $2::int, user_id, seconds, summary, spent_at from timelogs where issue_id = $1::int and $5::boolean order by id
   )
   update issues c set time_estimate = s.time_estimate, time_spent = case when $5::boolean then s.time_spent else 0 end,
     notes_count = case when $4::boolean then s.notes_count else 0 end, internal_notes = case when $4::boolean then s.internal_notes else 0 end,
     upvotes = case when $5::boolean then s.upvotes else 0 end, downvotes = case when $5::boolean then s.downvotes else 0 end
     from issues s where c.id = $2::int and s.id = $1::int`,
);

/** The notes of an issue that may refer to others by a number. $1 issue. */
export const findReferringNotes = statement<{ id: number; body: string }>(
  'find_referring_notes',
  String.raw`select id, body from notes where issue_id = $1 and body ~ '[#!]\d'`,
);

/** $1 notes, $2 their texts. */
export const storeBodies = statement<object>(
  'store_bodies_of_notes',
  'update notes t set body = one.body from unnest($1::int[], $2::text[]) one(id, body) where t.id = one.id',
);

/** Marks an issue as moved, and closes it. $1 issue, $2 where to, $3 actor. */
export const markMoved = statement<object>(
  'mark_issue_as_moved',
  `update issues set moved_to_id = $2, state = 'CLOSED', closed_at = coalesce(closed_at, now()), closed_by_id = coalesce(closed_by_id, $3),
     updated_at = now(), updated_by_id = $3 where id = $1`,
);

/** Places of issues in the manual order: these two and what is between. $1 id of an issue, $2 that of the neighbour. */
export const lockPlaces = statement<{ id: number; project_id: number; relative_position: number | null }>(
  'lock_places_of_issues',
  'select id, project_id, relative_position from issues where id = any($1::int[]) order by id for no key update',
);

/** Spreads the issues of some projects evenly, in the order that they have. $1 projects. */
export const spreadPlaces = statement<object>(
  'spread_places_of_issues',
  `update issues i set relative_position = ordered.place * ordered.step from (
     select id, row_number() over (order by coalesce(relative_position, 2147483647), id desc)::int as place,
       greatest(1, least(500, 2000000000 / (count(*) over () + 1)))::int as step
       from issues where project_id = any($1::int[])
   ) ordered where ordered.id = i.id and i.relative_position is distinct from ordered.place * ordered.step`,
);

/** The place next to one, in some projects. $1 projects, $2 place, $3 an issue that doesn't count. */
export const nextPlace = statement<{ place: number | null }>(
  'next_place_of_issue',
  'select min(relative_position) as place from issues where project_id = any($1::int[]) and relative_position > $2 and id <> $3',
);
export const previousPlace = statement<{ place: number | null }>(
  'previous_place_of_issue',
  'select max(relative_position) as place from issues where project_id = any($1::int[]) and relative_position < $2 and id <> $3',
);

/** $1 issue, $2 place. */
export const setPlace = statement<object>(
  'set_place_of_issue',
  'update issues set relative_position = $2 where id = $1',
);
