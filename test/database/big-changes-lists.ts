/** The lists of merge requests and pipelines on a big instance: what they are of, how they are asked, and what is accepted. */

type Query = Record<string, string>;

/** Half of many pipelines are in one project. */
const pipelines = `insert into pipelines (project_id, iid, ref, sha, status, source, user_id, created_at, updated_at)
   select case when i % 2 = 0 then $1::int else 1 + i % 1000 end, i, 'branch-' || i % 500, lpad((i % 30000)::text, 40, '0'),
          (array['success', 'success', 'success', 'failed', 'running'])[1 + i % 5], 'external', 1 + i % 1000,
          now() - i * interval '1 minute', now() - i * interval '1 minute'
     from generate_series(1, 100000) i`;
const statuses = `insert into ci_jobs (kind, pipeline_id, project_id, name, stage, stage_index, ref, sha, status)
   select 'status', p.id, p.project_id, 'check-' || n, 'external', 1000000, p.ref, p.sha, p.status
     from pipelines p cross join generate_series(1, 2) n`;
const runner = `insert into runners (kind, description, token_digest) values ('instance_type', 'Big', decode(repeat('ab', 32), 'hex'))`;
const jobs = `insert into ci_jobs (kind, pipeline_id, project_id, name, stage, stage_index, ref, sha, status, runner_id)
   select 'job', p.id, p.project_id, 'job-' || n, 'test', 1, p.ref, p.sha, p.status, case when n = 1 then (select max(id) from runners) end
     from pipelines p cross join generate_series(1, 2) n`;
const environments = `insert into environments (project_id, name, slug, tier)
   select $1::int, 'environment-' || i, 'environment-' || i, 'other' from generate_series(1, 200) i`;
const deployments = `insert into deployments (project_id, environment_id, iid, ref, tag, sha, status, user_id, created_at, updated_at)
   select e.project_id, e.id, row_number() over (), 'main', false, lpad(i::text, 40, '0'), 'success', 1 + i % 1000,
          now() - i * interval '1 minute', now() - i * interval '1 minute'
     from environments e cross join generate_series(1, 50) i where e.project_id = $1::int`;

/** A tenth of many merge requests are in the project with the most issues. */
const mergeRequests = `insert into merge_requests (project_id, iid, source_project_id, source_branch, target_branch, title, description, state,
     author_id, assignee_id, reviewer_id, milestone_id, label_ids, head_sha, base_sha, start_sha, files_count, commits_count, merge_status,
     merged_at, merge_user_id, created_at, updated_at)
   select place.id, i, place.id, 'branch-' || i, case when i % 50 = 0 then 'release' else 'main' end, 'Change ' || i,
          case when i % 1000 = 0 then 'With velvet ' || i end, state.name::"MergeRequestState", 1 + i % 1000, 1 + i * 7 % 1000,
          1 + i * 11 % 1000, case when i % 10 = 1 then (select min(m.id) from milestones m where m.project_id = place.id) end,
          array(select l.id from labels l where l.project_id = place.id order by l.id limit i % 3),
          lpad(i::text, 40, 'a'), lpad(i::text, 40, 'b'), lpad(i::text, 40, 'c'), 1, 1, 'CAN_BE_MERGED',
          case when state.name = 'MERGED' then at.at end, case when state.name = 'MERGED' then 1 end, at.at, at.at
     from generate_series(1, 200000) i
    cross join lateral (select case when i % 10 = 0 then $1::int else 1 + i % 99991 end as id) place
    cross join lateral (select (array['OPENED', 'MERGED', 'CLOSED', 'MERGED'])[1 + i / 10 % 4] as name) state
    cross join lateral (select now() - i * interval '1 minute' as at) at`;
const deployed = `insert into deployment_merge_requests (deployment_id, merge_request_id, environment_id)
   select (select max(id) from deployments), m.id, (select environment_id from deployments order by id desc limit 1)
     from merge_requests m where m.project_id = $1::int order by m.id limit 1000`;
const notes = `insert into notes (merge_request_id, project_id, discussion_id, author_id, body, type)
   select m.id, m.project_id, decode(repeat('cd', 20), 'hex'), 1, 'A comment', 'DISCUSSION' from merge_requests m where m.project_id = $1::int and m.iid = 10`;
const schedule = `insert into pipeline_schedules (project_id, owner_id, description, ref, cron, active) values ($1::int, 1, 'Nightly', 'main', '0 1 * * *', false)`;

/** Statements that fill the tables. `$1` is a project with pipelines, or one with issues. */
export const changes: readonly { readonly text: string; readonly of: 'pipelines' | 'issues' | 'all' }[] = [
  { text: pipelines, of: 'pipelines' },
  { text: statuses, of: 'all' },
  { text: runner, of: 'all' },
  { text: jobs, of: 'all' },
  { text: environments, of: 'pipelines' },
  { text: deployments, of: 'pipelines' },
  { text: schedule, of: 'pipelines' },
  { text: mergeRequests, of: 'issues' },
  { text: deployed, of: 'issues' },
  { text: notes, of: 'issues' },
];

/** The merge request that addresses name. */
export const iidOfChange = 10;
/** The thread on it. */
export const threadOfChange = 'cd'.repeat(20);

/** Whether a list needs a repository, which these projects don't have: git answers, and no table grows. */
export const isOfGit = (path: string): boolean =>
  /\/repository\/|\/merge_requests\/:merge_request_iid\/(commits|diffs|closes_issues|related_issues|context_commits)$/.test(
    path,
  );

const filters: readonly Query[] = [
  { state: 'opened' },
  { state: 'merged' },
  { labels: 'Label 0' },
  { labels: 'None' },
  { milestone: 'Milestone 0' },
  { author_id: '12' },
  { author_username: 'seed-user-77' },
  { assignee_id: '12' },
  { reviewer_id: '12' },
  { reviewer_id: 'None' },
  { source_branch: 'branch-70' },
  { target_branch: 'release' },
  { wip: 'yes' },
  { updated_after: '2999-01-01T00:00:00Z', order_by: 'updated_at' },
  { search: 'velvet' },
  { search: 'nothing like it' },
  { 'not[labels]': 'Label 0' },
];
const orders = [
  'created_at',
  'updated_at',
  'title',
  'merged_at',
  'priority',
  'label_priority',
  'milestone_due',
  'popularity',
];
const every = { scope: 'all' };

/** Queries of each list, by the end of its path. */
export const changesQueries: readonly [path: RegExp, ...queries: Query[]][] = [
  [
    /^\/api\/v4\/merge_requests$/,
    {},
    { scope: 'assigned_to_me' },
    ...['created_at', 'updated_at'].map((order) => ({ ...every, order_by: order })),
    ...filters.map((filter) => ({ ...every, ...filter })),
  ],
  [
    /\/(projects|groups)\/:id\/merge_requests$/,
    ...orders.map((order) => ({ order_by: order })),
    { page: '50' },
    ...filters,
  ],
  [
    /\/pipelines$/,
    ...['id', 'status', 'ref', 'updated_at', 'user_id'].map((order) => ({ order_by: order })),
    { page: '50' },
    { scope: 'running' },
    { scope: 'finished' },
    { status: 'canceled' },
    { ref: 'branch-7' },
    { ref: 'gone' },
    { sha: '7'.padStart(40, '0') },
    { source: 'push' },
    { name: 'Nightly' },
    { username: 'seed-user-99' },
    { yaml_errors: 'true' },
    { yaml_errors: 'false' },
    { updated_after: '2999-01-01T00:00:00Z' },
    { created_before: '2000-01-01T00:00:00Z' },
  ],
  [/\/jobs$/, {}, { scope: 'failed' }, { scope: 'manual' }, { page: '50' }],
  [
    /\/deployments$/,
    ...['id', 'iid', 'created_at', 'updated_at', 'ref'].map((order) => ({ order_by: order })),
    { status: 'failed' },
    { environment: 'environment-7' },
    { page: '50' },
  ],
  [/\/environments$/, {}, { search: 'environment-19' }, { states: 'stopped' }],
  [/\/runners(\/all)?$/, {}, { status: 'online' }, { tag_list: 'linux' }],
];

/** Lists that read a whole table, or much of an index, and why that is accepted. */
export const changesExcuses: readonly { readonly why: string; readonly is: (path: string, query: Query) => boolean }[] =
  [
    {
      why: 'All merge requests that one may see: which projects one sees is computed for all of them, as for issues.',
      is: (path, { scope }) => path === '/api/v4/merge_requests' && scope === 'all',
    },
    {
      why: 'These orders depend on milestones and labels, or have no index, so that all merge requests of the project or group are sorted.',
      is: (path, { order_by: order = '' }) =>
        path.endsWith('/merge_requests') &&
        ['milestone_due', 'label_priority', 'priority', 'popularity'].includes(order),
    },
  ];
