import { expect } from 'vitest';
import type { TestGateway } from '../../../support/gateway.ts';
import type { Input, Inputs } from '../inputs.ts';

/** The inputs for the routes of merge requests. `demo/storefront` has three: the second one is closed, the third one merged. */

const project = 'demo/storefront';
const path = '/api/v4/projects/:id/merge_requests';
const one = `${path}/:merge_request_iid`;

/** Requests about merge requests of the project. */
const about = (values: Input['values'], ...iids: string[]): Input[] =>
  iids.map((merge_request_iid) => ({ id: project, path: { merge_request_iid }, values }));

const hidden: Input = { id: 'hidden/project', path: { merge_request_iid: '1' }, values: {} };

const filters: readonly Input['values'][] = [
  {},
  { scope: 'all', labels: 'bug', order_by: 'merged_at', sort: 'asc', per_page: '1' },
  { scope: 'reviews_for_me', state: 'opened', with_labels_details: 'true', render_html: 'true' },
  { author_username: 'maintainer', search: 'One', in: 'title', 'not[labels]': 'bug', view: 'simple' },
  { reviewer_id: 'None', assignee_id: 'Any', wip: 'no', approved: 'no', source_branch: 'topic' },
];

const branches = { source_branch: 'new', target_branch: 'main' };

export const inputsOfReviews = (): Inputs => ({
  'GET /api/v4/merge_requests': { readable: filters.map((values) => ({ values })) },
  'GET /api/v4/groups/:id/merge_requests': {
    readable: filters.flatMap((values) => ['demo', 'hidden'].map((id) => ({ id, values }))),
  },
  [`GET ${path}`]: {
    readable: filters.flatMap((values) => [project, 'hidden/project'].map((id) => ({ id, values }))),
  },
  'GET /api/v4/projects/merge_requests/:merge_request_id': {
    readable: ['1', '4', '99999'].map((merge_request_id) => ({ path: { merge_request_id }, values: {} })),
  },
  'GET /api/v4/projects/:id/repository/commits/:sha/merge_requests': {
    readable: ['topic', 'nowhere'].flatMap((sha) =>
      [{}, { state: 'opened' }].map((values) => ({ id: project, path: { sha }, values })),
    ),
  },
  [`GET ${one}`]: {
    readable: [
      ...about({}, '1', '3', '9', 'x'),
      ...about({ render_html: true, include_rebase_in_progress: true, include_diverged_commits_count: true }, '1'),
      hidden,
    ],
  },
  [`POST ${path}`]: {
    readable: [
      { title: 'New', labels: 'bug,new', description: '@developer', assignee_ids: '3', reviewer_ids: '3', ...branches },
      { title: 'New', ...branches, source_branch: 'topic' },
      { title: 'New', ...branches, source_branch: 'main' },
      { title: 'New', ...branches, target_project_id: 2 },
      { title: ' ', ...branches },
    ].map((values) => ({ id: project, values })),
  },
  [`PUT ${one}`]: {
    readable: [
      ...about(
        {
          title: 'Draft: Changed',
          merge_after: '2030-01-01',
          state_event: 'close',
          add_labels: 'more',
          reviewer_ids: '3',
        },
        '1',
        '3',
      ),
      ...about({ state_event: 'reopen', target_branch: 'other', remove_source_branch: true }, '2'),
      ...about({ title: 'x'.repeat(256) }, '1'),
      { ...hidden, values: { title: 'x' } },
    ],
  },
  [`DELETE ${one}`]: { readable: [...about({}, '1', '9'), hidden] },
  ...Object.fromEntries(
    [
      'commits',
      'changes',
      'diffs',
      'raw_diffs',
      'versions',
      'closes_issues',
      'related_issues',
      'pipelines',
      'merge_ref',
      'approvals',
      'reviewers',
      'context_commits',
    ].map((name) => [`GET ${one}/${name}`, { readable: [...about({}, '1', '3', '9'), hidden] }]),
  ),
  [`GET ${one}/versions/:version_id`]: {
    readable: ['1', '99'].map((version_id) => ({
      id: project,
      path: { merge_request_iid: '1', version_id },
      values: {},
    })),
  },
  [`PUT ${one}/merge`]: {
    readable: [
      ...about({ sha: '0'.repeat(40) }, '1'),
      ...about({ merge_when_pipeline_succeeds: true }, '1', '2'),
      ...about({}, '1', '3', '9'),
      hidden,
    ],
  },
  [`POST ${one}/cancel_merge_when_pipeline_succeeds`]: { readable: [...about({}, '1', '3', '50'), hidden] },
  [`PUT ${one}/rebase`]: { readable: [...about({}, '1', '2'), hidden] },
  [`POST ${one}/approve`]: { readable: [...about({}, '1', '2'), ...about({ sha: 'a' }, '1'), hidden] },
  [`PUT ${one}/reset_approvals`]: { readable: [...about({}, '1', '9'), hidden] },
  [`POST ${one}/context_commits`]: {
    readable: [...about({ commits: '0'.repeat(40) }, '1', '9'), { ...hidden, values: { commits: '0'.repeat(40) } }],
  },
  [`DELETE ${one}/context_commits`]: {
    readable: [...about({ commits: '0'.repeat(40) }, '1', '9'), { ...hidden, values: { commits: '0'.repeat(40) } }],
  },
  [`POST ${one}/unapprove`]: { readable: [...about({}, '1', '50'), hidden] },
});

/** Tables of merge requests whose rows are restored between two requests: before those of issues, and after them. */
export const tablesOfReviews = ['merge_requests'] as const;
export const linksOfReviews = [
  'merge_request_issues',
  'merge_request_versions',
  'merge_request_context_commits',
  'draft_notes',
  'approvals',
] as const;

/** Sequences that begin anew, so that both doors make rows with the same ids. */
export const sequencesOfReviews = [
  'merge_requests',
  'participants',
  'merge_request_versions',
  'draft_notes',
  'approvals',
] as const;

/** Lets the merge requests know of their branches, so that reading them changes nothing. */
export async function versionsToBegin({ rest, sql, tokens }: TestGateway): Promise<void> {
  const address = `/api/v4/projects/${encodeURIComponent(project)}/merge_requests/1`;
  const { status } = await rest('GET', address, { token: tokens.root });
  expect(status).toBe(200);
  await sql(`update merge_requests set merge_status = 'CANNOT_BE_MERGED' where head_sha is null`);
  await sql('update repositories set followed = (select max(id) from ref_changes)');
  await sql('update merge_requests set auto_merge = true, merge_user_id = author_id where iid = 50');
  await sql(`insert into approvals (merge_request_id, user_id)
    select m.id, u.id from merge_requests m, users u where m.iid = 50 and u.username = 'root'`);
}

/** Makes the merge requests. */
export const reviewsToBegin = `do $$ declare place int; writer int; begin
  select id into place from projects where full_path = '${project}';
  select id into writer from users where username = 'maintainer';
  insert into merge_requests (project_id, source_project_id, iid, title, description, author_id, label_ids, source_branch,
    target_branch, state, merged_at)
  select place, place, iid, 'One', 'See #2', writer, case when iid = 1 then array(select id from labels where title = 'bug' and project_id = place) else '{}' end,
    case when iid = 1 then 'topic' else chr(96 + iid) end, 'main', (array['OPENED', 'CLOSED', 'MERGED'])[iid]::"MergeRequestState", case when iid = 3 then now() end
    from generate_series(1, 3) iid;
  insert into merge_requests (project_id, source_project_id, iid, title, author_id, source_branch, target_branch)
    select id, id, 1, 'Hidden', writer, 'a', 'main' from projects where full_path = 'hidden/project';
  insert into project_counters (project_id, kind, last) values (place, 'MERGE_REQUEST', 3);
  insert into participants (merge_request_id, user_id) select id, author_id from merge_requests;
  insert into merge_request_issues (merge_request_id, issue_id, closes)
    select m.id, i.id, true from merge_requests m, issues i where m.project_id = place and m.iid = 1 and i.project_id = place and i.iid = 1;
end $$`;
