import { answer, answerPage, unauthorized, type Asked } from './by-hand.ts';
import {
  duration,
  here,
  milestoneOf,
  personColumn,
  personOf,
  planned,
  type PersonRow,
  type PlannedRow,
} from './floor-planning.ts';

/** The floor of reviews: a page of a project's merge requests, and one of them, each with one statement. */

/** SQL: what a merge request `i` of `place` shows. */
const shown = `i.*, place.full_path, ${personColumn('a')} as author, ${personColumn('s')} as assignee, ${personColumn('r')} as reviewer,
  ${personColumn('u')} as merger, ${personColumn('c')} as closer, ${planned}`;
const joined = `join users a on a.id = i.author_id left join users s on s.id = i.assignee_id left join users r on r.id = i.reviewer_id
  left join users u on u.id = i.merge_user_id left join users c on c.id = i.closed_by_id left join milestones m on m.id = i.milestone_id`;

const statements = {
  page: `with ${here}, listed as (
      select i.id, i.created_at, count(*) over ()::int as total from place join merge_requests i on i.project_id = place.id
       order by i.created_at desc, i.id desc limit 20)
    select ${shown}, listed.total from listed join merge_requests i on i.id = listed.id cross join place ${joined}
     order by listed.created_at desc, listed.id desc`,
  // A pipeline of the head would be shown. The work has none.
  single: `with ${here} select ${shown}, coalesce(
      (select w.subscribed from subscriptions w where w.merge_request_id = i.id and w.user_id = (select id from me)),
      exists (select from participants w where w.merge_request_id = i.id and w.user_id = (select id from me))) as subscribed,
      (select min(d.finished_at) from deployment_merge_requests d_m join deployments d on d.id = d_m.deployment_id
         join environments e on e.id = d.environment_id where d_m.merge_request_id = i.id and e.tier = 'production') as deployed_at,
      coalesce(greatest(
        (select w.access_level from project_members w where w.project_id = i.project_id and w.user_id = i.author_id),
        (select max(w.access_level) from group_members w where w.group_id = any(place.ancestry) and w.user_id = i.author_id)), 0) <= 10
        and not exists (select from merge_requests o where o.project_id = i.project_id and o.author_id = i.author_id and o.state = 'MERGED' and o.id <> i.id) as first,
      place.access_level >= 40 or place.access_level >= 30 and not exists (
        select from protected_branches b where b.project_id = i.project_id and b.name = i.target_branch) as can_merge,
      (select max(q.id) from pipelines q where q.project_id = i.source_project_id and q.ref = i.source_branch and q.sha = i.head_sha) as pipeline
    from place join merge_requests i on i.project_id = place.id and i.iid = $3 ${joined}`,
};

interface Row extends PlannedRow {
  readonly id: number;
  readonly iid: number;
  readonly project_id: number;
  readonly source_project_id: number;
  readonly source_branch: string;
  readonly target_branch: string;
  readonly title: string;
  readonly description: string | null;
  readonly draft: boolean;
  readonly state: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly merged_at: Date | null;
  readonly closed_at: Date | null;
  readonly author: PersonRow;
  readonly assignee: PersonRow | null;
  readonly reviewer: PersonRow | null;
  readonly merger: PersonRow | null;
  readonly closer: PersonRow | null;
  readonly notes_count: number;
  readonly upvotes: number;
  readonly downvotes: number;
  readonly auto_merge: boolean;
  readonly merge_status: string;
  readonly head_sha: string;
  readonly base_sha: string;
  readonly start_sha: string;
  readonly merge_commit_sha: string | null;
  readonly squash_commit_sha: string | null;
  readonly discussion_locked: boolean | null;
  readonly force_remove_source: boolean | null;
  readonly squash: boolean;
  readonly time_estimate: number;
  readonly time_spent: number;
  readonly tasks: number;
  readonly tasks_completed: number;
  readonly files_count: number;
  readonly merge_error: string | null;
  readonly total: number;
  readonly subscribed: boolean;
  readonly deployed_at: Date | null;
  readonly first: boolean;
  readonly can_merge: boolean;
}

function basicOf(base: string, row: Row) {
  const assignee = row.assignee && personOf(base, row.assignee);
  const merger = row.merger && personOf(base, row.merger);
  const reference = `!${row.iid}`;
  return {
    id: row.id,
    iid: row.iid,
    project_id: row.project_id,
    title: row.title,
    description: row.description,
    state: row.state.toLowerCase(),
    created_at: row.created_at,
    updated_at: row.updated_at,
    merged_by: row.state === 'MERGED' ? merger : null,
    merge_user: merger,
    merged_at: row.merged_at,
    closed_by: row.closer && personOf(base, row.closer),
    closed_at: row.closed_at,
    target_branch: row.target_branch,
    source_branch: row.source_branch,
    user_notes_count: row.notes_count,
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    author: personOf(base, row.author),
    assignees: assignee ? [assignee] : [],
    assignee,
    reviewers: row.reviewer ? [personOf(base, row.reviewer)] : [],
    source_project_id: row.source_project_id,
    target_project_id: row.project_id,
    labels: row.titles ?? [],
    draft: row.draft,
    work_in_progress: row.draft,
    imported: false,
    imported_from: 'none',
    milestone: milestoneOf(base, row),
    merge_when_pipeline_succeeds: row.auto_merge,
    merge_status: row.merge_status.toLowerCase(),
    detailed_merge_status: row.state === 'OPENED' ? 'mergeable' : 'not_open',
    merge_after: null,
    sha: row.head_sha,
    merge_commit_sha: row.merge_commit_sha,
    squash_commit_sha: row.squash_commit_sha,
    discussion_locked: row.discussion_locked,
    should_remove_source_branch: null,
    force_remove_source_branch: row.force_remove_source,
    prepared_at: row.created_at,
    reference,
    references: { short: reference, relative: reference, full: `${row.full_path}${reference}` },
    web_url: `${base}/${row.full_path}/-/merge_requests/${row.iid}`,
    time_stats: {
      time_estimate: row.time_estimate,
      total_time_spent: row.time_spent,
      human_time_estimate: duration(row.time_estimate),
      human_total_time_spent: duration(row.time_spent),
    },
    squash: row.squash,
    squash_on_merge: row.squash,
    task_completion_status: { count: row.tasks, completed_count: row.tasks_completed },
    has_conflicts: row.merge_status === 'CANNOT_BE_MERGED',
    blocking_discussions_resolved: true,
  };
}

const singleOf = (base: string, row: Row) => ({
  ...basicOf(base, row),
  subscribed: row.subscribed,
  changes_count: String(row.files_count),
  latest_build_started_at: null,
  latest_build_finished_at: null,
  first_deployed_to_production_at: row.deployed_at,
  pipeline: null,
  head_pipeline: null,
  diff_refs: { base_sha: row.base_sha, head_sha: row.head_sha, start_sha: row.start_sha },
  merge_error: row.merge_error,
  first_contribution: row.first,
  user: { can_merge: row.can_merge },
});

/** Answers a request about merge requests. @returns false for any other */
export async function reviews(asked: Asked): Promise<boolean> {
  const { pool, response, secret, path, baseUrl } = asked;
  const [, project, iid] = /^\/api\/v4\/projects\/(\d+)\/merge_requests(?:\/(\d+))?$/.exec(path) ?? [];
  if (project === undefined) return false;
  const name = iid ? 'single' : 'page';
  const values = [secret, project, ...(iid ? [iid] : [])];
  const { rows } = await pool.query<Row>({ name: `reviews ${name}`, text: statements[name], values });
  const [first] = rows;
  if (!first) unauthorized(response);
  else if (iid) answer(response, 200, singleOf(baseUrl, first));
  else
    answerPage(
      asked,
      rows.map((row) => basicOf(baseUrl, row)),
      first.total,
    );
  return true;
}
