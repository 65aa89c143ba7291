import type { Store } from '../store.ts';
import { asPeople, both, cpu, throughput, type Work } from './request.ts';

/** Merge requests of seeded projects, beside the floor. What git does for them is measured with the engine. */

/** Merge requests that each project gets: a third of them open, a third merged, and a third closed. */
const each = 60;

/** Merge requests in the projects of all people who take turns. */
async function fill({ pool, people }: Store): Promise<void> {
  const projects = [...new Set(people.map(({ project }) => project))];
  await pool.query(
    `insert into merge_requests (project_id, iid, source_project_id, source_branch, target_branch, title, description, state, author_id,
       assignee_id, reviewer_id, milestone_id, label_ids, head_sha, base_sha, start_sha, files_count, commits_count, merge_status,
       merged_at, merge_user_id, merge_commit_sha, closed_at, closed_by_id, notes_count, created_at, updated_at)
     select p.id, i, p.id, 'branch-' || i, 'main', 'Change number ' || i, 'What it changes, and why.', state.name::"MergeRequestState",
            members[1 + i % cardinality(members)], members[1 + (i + 1) % cardinality(members)],
            case when i % 2 = 0 then members[1 + (i + 2) % cardinality(members)] end,
            case when i % 2 = 0 then milestones[1 + i % cardinality(milestones)] end, labels[1:i % 4],
            lpad(i::text, 40, 'a'), lpad(i::text, 40, 'b'), lpad(i::text, 40, 'c'), 1 + i % 50, 1 + i % 5, 'CAN_BE_MERGED',
            case when state.name = 'MERGED' then made.at end, case when state.name = 'MERGED' then members[1] end,
            case when state.name = 'MERGED' then lpad(i::text, 40, 'd') end,
            case when state.name = 'CLOSED' then made.at end, case when state.name = 'CLOSED' then members[1] end, i % 9, made.at, made.at
       from unnest($1::int[]) p(id) cross join generate_series(1, ${each}) i
      cross join lateral (select (array['OPENED', 'MERGED', 'CLOSED'])[1 + i % 3] as name) state
      cross join lateral (select now() - i * interval '1 hour' as at) made
      cross join lateral (select array(select user_id from project_members where project_id = p.id order by user_id limit 7) as members) m
      cross join lateral (select array(select id from milestones where project_id = p.id order by id limit 5) as milestones) s
      cross join lateral (select array(select id from labels where project_id = p.id order by id limit 3) as labels) l
      where not exists (select from merge_requests r where r.project_id = p.id)
      order by i desc`,
    [projects],
  );
  await pool.query('vacuum (analyze) merge_requests');
}

const path = (project: number) => `/api/v4/projects/${project}/merge_requests`;
const page = asPeople(({ project }) => ({ path: path(project), contains: '"source_branch"' }));
const single = asPeople(({ project }, turn) => ({
  path: `${path(project)}/${1 + (turn % each)}`,
  contains: '"diff_refs"',
}));

export const reviewWork: readonly Work[] = [
  {
    name: 'reviews, a page of merge requests',
    key: true,
    contenders: both(page),
    targets: [cpu('floor', 2), throughput('floor')],
    furnish: fill,
    alike: true,
  },
  {
    name: 'reviews, a merge request',
    key: true,
    contenders: both(single),
    targets: [cpu('floor', 2), throughput('floor')],
    furnish: fill,
    alike: true,
  },
];
