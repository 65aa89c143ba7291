import { idOrNext } from '../../../database/access/imported-ids.ts';
import { statement } from '../../../database/index.ts';

/** SQL of the ids of labels by their titles, as they are available in the project $2, ascending. */
const labelIds = `array(
  select l.id from labels l
   where l.title = any($15::text[]) and (l.project_id = $2::int or l.group_id = any((
     select n.ancestry from projects p join namespaces n on n.id = p.namespace_id where p.id = $2::int)::int[]))
   order by l.id)`;

/** The columns that an import sets, with their values. */
const values = {
  source_project_id: '$4::int',
  source_branch: '$5',
  target_branch: '$6',
  title: '$7',
  description: '$8',
  draft: '$9::boolean',
  state: '$10::"MergeRequestState"',
  author_id: '$11::int',
  assignee_id: '$12::int',
  reviewer_id: '$13::int',
  milestone_id: '$14::int',
  label_ids: labelIds,
  discussion_locked: '$16::boolean',
  squash: '$17::boolean',
  force_remove_source: '$18::boolean',
  merge_commit_sha: '$19',
  squash_commit_sha: '$20',
  merge_user_id: '$21::int',
  merged_at: '$22::timestamptz',
  closed_at: '$23::timestamptz',
  closed_by_id: '$24::int',
  time_estimate: '$25::int',
  time_spent: '$26::int',
  tasks: '$27::int',
  tasks_completed: '$28::int',
  updated_at: '$30::timestamptz',
  head_sha: '$31',
  base_sha: '$32',
  start_sha: '$33',
  files_count: '$34::int',
  commits_count: '$35::int',
  merge_after: '$38::timestamptz',
} as const;

const taken = `exists (select from merge_requests m where m.project_id = $2::int and m.iid = $3::int)`;

const spent = (from: string) => `spent as (
     insert into timelogs (merge_request_id, user_id, seconds, spent_at, created_at)
     select id, author_id, $26::int, $30::timestamptz, $30::timestamptz from ${from} where $26::int > 0
   )`;

const version = (from: string) => `version as (
     insert into merge_request_versions (merge_request_id, head_sha, base_sha, start_sha, files_count, commits_count, created_at)
     select id, $31, $32, $33, $34::int, $35::int, $30::timestamptz from ${from} where $31::text is not null
   )`;

/** What a merge request became. */
interface Written {
  readonly id: number;
  readonly iid: number;
  /** How many of its labels are here. */
  readonly labels: number;
  /** Of its project. */
  readonly full_path: string;
  readonly default_branch: string | null;
}

const ofProject =
  '(select full_path from projects where id = $2::int) as full_path, (select default_branch from projects where id = $2::int) as default_branch';

/**
 * Makes a merge request, with its number if that is free, otherwise the next one. $1 the id to keep or null, $2 project, $3
 * number, $29 when it was made, $36 people who approved, or null if that isn't known, $37 when; the others are `values`.
 */
export const insertMergeRequest = statement<Written>(
  'import_merge_request',
  `with number as (
     insert into project_counters as c (project_id, kind, last) values ($2::int, 'MERGE_REQUEST', $3::int)
     on conflict (project_id, kind) do update set last = greatest($3::int, c.last + (${taken})::int)
     returning last
   ), made as (
     insert into merge_requests (id, project_id, iid, created_at, ${Object.keys(values).join(', ')})
     select ${idOrNext('merge_requests', '$1')}, $2::int, case when ${taken} then number.last else $3::int end, $29::timestamptz,
       ${Object.values(values).join(', ')}
       from number returning id, iid, project_id, author_id, assignee_id, reviewer_id, state, merged_at, merge_user_id, closed_at, closed_by_id, label_ids
   ), taking as (
     insert into participants (merge_request_id, user_id)
     select made.id, one.id from made, lateral (
       select made.author_id as id union select made.assignee_id union select made.reviewer_id) one where one.id is not null
   ), ${spent('made')}, ${version('made')}, event as (
     insert into events (kind, actor_id, project_id, subject_kind, subject_id, at, ids, imported)
     select 'merge_request.created', author_id, project_id, 'MergeRequest', id, $29::timestamptz, '{"mentionedIds": []}'::jsonb, true from made
     union all
     select 'merge_request.merged', merge_user_id, project_id, 'MergeRequest', id, merged_at, '{}'::jsonb, true from made where state = 'MERGED'
     union all
     select 'merge_request.closed', closed_by_id, project_id, 'MergeRequest', id, closed_at, '{}'::jsonb, true from made where state = 'CLOSED'
   ), approved as (
     insert into approvals (merge_request_id, user_id, created_at)
     select made.id, one.id, one.at from made, unnest($36::int[], $37::timestamptz[]) one(id, at) on conflict do nothing
   )
   select id, iid, cardinality(label_ids) as labels, ${ofProject} from made`,
);

/** Changes a merge request. $1 its id; the values are those of `insertMergeRequest`. */
export const changeMergeRequest = statement<Written>(
  'change_imported_merge_request',
  `with former as (
     select id, head_sha from merge_requests where id = $1::int and project_id = $2::int and $3::int > 0 and $29::timestamptz is not null
   ), changed as (
     update merge_requests i set ${Object.entries(values)
       .map(([column, value]) => `${column} = ${value}`)
       .join(', ')}, merge_status = 'UNCHECKED'
       from former where i.id = former.id returning i.id, i.iid, i.author_id, i.label_ids, former.head_sha
   ), moved as (
     select id from changed where head_sha is distinct from $31::text
   ), unlogged as (
     delete from timelogs t using changed where t.merge_request_id = changed.id and t.note_id is null
   ), ${spent('changed')}, ${version('moved')}, unapproved as (
     delete from approvals a using changed where a.merge_request_id = changed.id and a.user_id <> all($36::int[])
   ), approved as (
     insert into approvals (merge_request_id, user_id, created_at)
     select changed.id, one.id, one.at from changed, unnest($36::int[], $37::timestamptz[]) one(id, at) on conflict do nothing
   )
   select id, iid, cardinality(label_ids) as labels, ${ofProject} from changed`,
);
