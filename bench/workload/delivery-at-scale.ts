import { addressOf } from './planning-at-scale.ts';
import type { Store } from '../store.ts';
import { asPeople, side, total, type Work } from './request.ts';

/**
 * Lists of merge requests, pipelines and jobs, by each order and by one filter of each kind, for a client that asks alone: on a
 * million merge requests and a million jobs in 100,000 pipelines, beside the same list on a twentieth of that. Projects and
 * people have as many of them in both.
 */

const pace = { seconds: 0.3, rounds: 5, least: 40 };

/** How many of them each project gets. */
const [reviews, pipelines, jobs] = [50, 5, 10];

/** Fills all projects, unless that was done before. */
async function fill({ pool }: Store): Promise<void> {
  const { rows } = await pool.query('select 1 from merge_requests limit 1');
  if (rows.length > 0) return;
  await pool.query(
    `insert into merge_requests (project_id, iid, source_project_id, source_branch, target_branch, title, description, state, author_id,
       assignee_id, reviewer_id, milestone_id, label_ids, head_sha, base_sha, start_sha, files_count, commits_count, merge_status,
       merged_at, merge_user_id, merge_commit_sha, closed_at, closed_by_id, notes_count, upvotes, draft, created_at, updated_at)
     select p.id, i, p.id, 'branch-' || i, 'main', initcap((array['anchor', 'basket', 'candle', 'velvet', 'engine', 'fabric', 'garden'])[1 + (k % 7)])
              || ' of change ' || k, 'What it changes, and why.', state.name::"MergeRequestState",
            people[1 + k % cardinality(people)], people[1 + (k + 1) % cardinality(people)],
            case when k % 2 = 0 then people[1 + (k + 2) % cardinality(people)] end,
            case when k % 2 = 0 then milestones[1 + i % cardinality(milestones)] end, labels[1:i % 4],
            lpad(k::text, 40, 'a'), lpad(k::text, 40, 'b'), lpad(k::text, 40, 'c'), 1 + i % 50, 1 + i % 5, 'CAN_BE_MERGED',
            case when state.name = 'MERGED' then made.at end, case when state.name = 'MERGED' then people[1] end,
            case when state.name = 'MERGED' then lpad(k::text, 40, 'd') end,
            case when state.name = 'CLOSED' then made.at end, case when state.name = 'CLOSED' then people[1] end, i % 9, (k % 7 = 0)::int, k % 10 = 3,
            made.at, made.at + (k % 90) * interval '1 minute'
       from (select id, row_number() over (order by id) as number from projects) p cross join generate_series(1, ${reviews}) i
      cross join lateral (select p.number * 7 + i as k) key
      cross join lateral (select (array['OPENED', 'MERGED', 'CLOSED'])[1 + i % 3] as name) state
      cross join lateral (select now() - i * interval '1 hour' - (p.number * 2654435761 % 100000) * interval '1 minute' as at) made
      cross join lateral (select array(select user_id from project_members where project_id = p.id order by user_id limit 7) as people) m
      cross join lateral (select array(select id from milestones where project_id = p.id order by id limit 5) as milestones) s
      cross join lateral (select array(select id from labels where project_id = p.id order by id limit 3) as labels) l
      where cardinality(people) > 0 and cardinality(milestones) > 0 order by i desc`,
  );
  await pool.query(
    `with made as (
       insert into pipelines (project_id, iid, ref, sha, status, source, user_id, name, created_at, updated_at, started_at, finished_at)
       select p.id, i, 'branch-' || i % 3, lpad(i::text, 40, '0'), (array['success', 'failed', 'canceled'])[1 + (p.id + i) % 3], 'push',
              (select user_id from project_members where project_id = p.id limit 1), 'Pipeline ' || i % 2, made.at, made.at, made.at, made.at
         from projects p cross join generate_series(1, ${pipelines}) i
        cross join lateral (select now() - i * interval '1 hour' - (p.id * 2654435761 % 100000) * interval '1 minute' as at) made
        order by i desc returning id, project_id, ref, sha, status, user_id, created_at
     )
     insert into ci_jobs (kind, pipeline_id, project_id, name, stage, stage_index, ref, sha, status, user_id, when_to_run, created_at, queued_at,
       started_at, finished_at)
     select 'job', id, project_id, 'job ' || n, 'test', 2, ref, sha, case when n = 1 then status else 'success' end, user_id, 'on_success',
            created_at, created_at, created_at, created_at + interval '1 minute'
       from made cross join generate_series(1, ${jobs}) n`,
  );
  await pool.query('vacuum (analyze) merge_requests, pipelines, ci_jobs');
}

const reviewFilters = [
  '',
  ...[
    'created_at',
    'updated_at',
    'title',
    'merged_at',
    'popularity',
    'priority',
    'label_priority',
    'milestone_due',
  ].map((order) => `order_by=${order}`),
  'state=opened',
  'state=merged',
  'labels=Label 1',
  'labels=None',
  'milestone=Milestone 1',
  'milestone=None',
  'author_id=$id',
  'assignee_id=$id',
  'reviewer_id=$id',
  'reviewer_id=None',
  'wip=yes',
  'source_branch=branch-3',
  'target_branch=main',
  'created_after=2026-01-01T00:00:00Z',
  'updated_after=2026-10-01T00:00:00Z',
  'not[labels]=Label 1',
  'search=velvet',
];

const lists: readonly (readonly [name: string, path: string, queries: readonly string[]])[] = [
  ['merge requests of a project', '/api/v4/projects/$project/merge_requests', reviewFilters],
  ['merge requests of a group', '/api/v4/groups/$group/merge_requests', reviewFilters],
  ['all merge requests', '/api/v4/merge_requests?scope=all&$', reviewFilters],
  ['own merge requests', '/api/v4/merge_requests', ['', 'scope=assigned_to_me', 'scope=reviews_for_me']],
  [
    'pipelines of a project',
    '/api/v4/projects/$project/pipelines',
    [
      '',
      'order_by=updated_at',
      'order_by=ref',
      'status=success',
      'scope=finished',
      'ref=branch-1',
      'source=push',
      'name=Pipeline 1',
    ],
  ],
  ['jobs of a project', '/api/v4/projects/$project/jobs', ['', 'scope=failed', 'scope[]=success&scope[]=failed']],
];

export const deliveryAtScale: readonly Work[] = lists.flatMap(([name, path, queries]) =>
  queries.map((query): Work => {
    const calls = asPeople((person, turn) => ({ path: addressOf(path, query, person, turn), contains: '[' }));
    return {
      name: `delivery at scale, ${name}${query && `, ${query.replace('order_by=', 'by ')}`}`,
      contenders: [
        side('causeway, a million merge requests and jobs', calls),
        side('causeway, a twentieth of them', calls),
      ],
      targets: [total('causeway, a twentieth of them', query.startsWith('search') ? 3 : 1.2)],
      connections: 1,
      pace,
      furnish: fill,
    };
  }),
);
