import { statement } from '../../../../database/index.ts';
import { liveProject } from '../../../../database/access/places.ts';
import { eventsFrom } from '../../../../events/statements.ts';
import { assignable, eventsOfNew, milestoneIn } from '../../../planning/issues/statements/parts.ts';
import { personReadsMergeRequests } from '../../../planning/issues/statements/readers.ts';
import { labelsOf } from '../../../planning/labels/statements/choose.ts';
import {
  mentionedFrom,
  mentionedNobody,
  owedToMentioned,
  todosFrom,
} from '../../../planning/todos/statements/parts.ts';

/** SQL for a person who may be assigned or review in a project: null if they don't read its merge requests. */
export const mayDeal = (person: string, project: string): string =>
  assignable(person, project, personReadsMergeRequests());

/**
 * SQL that creates a merge request with everything that belongs to it. The number comes from the counter of the target, whose
 * row it locks until the commit: numbers have no gaps. No row: the target was archived or removed meanwhile. $1 target, $2
 * author, $3 title, $4 description, $5 draft, $6 source, $7 source branch, $8 target branch, $9 milestone, $10 assignee, $11
 * reviewer, $12 titles of labels, $13 ids of labels, $14 whether to make labels, $15 squash, $16 whether to remove the source
 * branch or null, $17 whether members of the target may push to it, $18 names of people who are mentioned, $19 those of
 * them whom a line begins with, $20 tasks, $21 of these completed, $22 the moment before which it isn't merged.
 */
const insert = (mentioned: string) => `with place as (
     select p.id, n.ancestry from projects p join namespaces n on n.id = p.namespace_id
      where p.id = $1::int and not p.archived and ${liveProject}
   ), ${labelsOf('place', '$12', '$13', '$14')}, counter as (
     insert into project_counters as c (project_id, kind, last) select place.id, 'MERGE_REQUEST', 1 from place
     on conflict (project_id, kind) do update set last = c.last + 1 returning last
   ), made_one as (
     insert into merge_requests (project_id, iid, author_id, title, description, draft, source_project_id, source_branch,
       target_branch, milestone_id, assignee_id, reviewer_id, reviewer_since, label_ids, squash, force_remove_source, allow_collaboration,
       tasks, tasks_completed, merge_after)
     select $1::int, counter.last, $2::int, $3, $4, $5::boolean, $6::int, $7, $8, ${milestoneIn('$9', '$1::int')},
       ${mayDeal('$10', '$1::int')}, reviewer.id, case when reviewer.id is not null then now() end, array(select id from labelled order by id), $15::boolean,
       $16::boolean, $17::boolean, $20::int, $21::int, $22::timestamptz
       from counter, (select ${mayDeal('$11', '$1::int')} as id) reviewer
     returning id, iid, project_id, assignee_id, reviewer_id, milestone_id, label_ids
   ), mentioned as (${mentioned}
   ), taking as (
     insert into participants (merge_request_id, user_id)
     select made_one.id, one.id from made_one, lateral (
       select $2::int as id union select made_one.assignee_id union select made_one.reviewer_id union select mentioned.id from mentioned
     ) one where one.id is not null
   ), owed as (
     select assignee_id as user_id, 'ASSIGNED' as action from made_one where assignee_id is not null
     union all select reviewer_id, 'REVIEW_REQUESTED' from made_one where reviewer_id is not null
     union all ${owedToMentioned('mentioned', '$2::int')}
   ), todo as (${todosFrom('owed', { mergeRequest: '(select id from made_one)', project: '$1::int', author: '$2::int' })}
   ), ${eventsOfNew('made_one', { mergeRequest: 'about' }, '$2')}, ${eventsFrom('merge_request.created', 'made_one', {
     actor: '$2',
     project: 'project_id',
     subject: 'id',
     ids: `jsonb_build_object('mentionedIds', (select coalesce(jsonb_agg(id order by id), '[]') from mentioned where reads))`,
   })}
   select id, iid, array(select user_id from todo) as "todoOwners" from made_one`;

const names = { names: '$18', addressed: '$19' };

interface Inserted {
  readonly id: number;
  readonly iid: number;
  /** Who got to-dos. */
  readonly todoOwners: readonly number[];
}

/** Creates a merge request: `plain` if its text mentions no one. */
export const insertMergeRequest = {
  plain: statement<Inserted>('insert_merge_request', insert(mentionedNobody(names))),
  full: statement<Inserted>(
    'insert_merge_request_in_full',
    insert(
      mentionedFrom('made_one', {
        ...names,
        writer: '$2::int',
        project: '$1::int',
        reads: personReadsMergeRequests(),
      }),
    ),
  ),
};

/** Whether there is a project with a number, visible or not. $1 the number. */
export const findProjectByNumber = statement<{ id: number }>(
  'find_project_by_number',
  'select p.id from projects p where p.id = least($1::numeric, 2147483647)::int and p.deleting_since is null',
);

/** An open merge request of a branch. */
export interface OpenOfBranch {
  readonly iid: number;
  readonly branch: string;
  readonly targetId: number;
  readonly targetPath: string;
  readonly description: string | null;
}

/** The open merge requests of branches, the oldest first. $1 the source, $2 names of branches. */
export const findOpenOfBranches = statement<OpenOfBranch>(
  'find_open_of_branches',
  `select i.iid, i.source_branch as branch, p.id as "targetId", p.full_path as "targetPath", i.description
     from merge_requests i join projects p on p.id = i.project_id
    where i.source_project_id = $1::int and i.source_branch = any($2::text[]) and i.state = 'OPENED' order by i.id`,
);

/** The open merge request for a pair of branches. $1 source, $2 its branch, $3 target, $4 its branch. */
export const findOpen = statement<{ id: number; iid: number }>(
  'find_open_merge_request',
  `select i.id, i.iid from merge_requests i where i.source_project_id = $1 and i.source_branch = $2 and i.project_id = $3
     and i.target_branch = $4 and i.state = 'OPENED'`,
);
