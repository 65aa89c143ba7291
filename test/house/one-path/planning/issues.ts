import type { Input, Inputs } from '../inputs.ts';

/** The inputs for the routes of issues. `demo/storefront` has the issues 1 to 3; the third one is confidential. */

const project = 'demo/storefront';

/** Requests about issues of the project. */
const about = (values: Input['values'], ...iids: string[]): Input[] =>
  iids.map((issue_iid) => ({ id: project, path: { issue_iid }, values }));

const hidden: Input = { id: 'hidden/project', path: { issue_iid: '1' }, values: {} };

const filters: readonly Input['values'][] = [
  {},
  { scope: 'all', labels: 'bug', order_by: 'due_date', sort: 'asc', per_page: '1' },
  { scope: 'assigned_to_me', state: 'opened', with_labels_details: 'true' },
  { author_username: 'maintainer', search: 'One', in: 'title', 'not[labels]': 'bug' },
];

const one = '/api/v4/projects/:id/issues/:issue_iid';

export const inputsOfIssues = (): Inputs => ({
  'GET /api/v4/issues': { readable: filters.map((values) => ({ values })) },
  'GET /api/v4/groups/:id/issues': {
    readable: filters.flatMap((values) => ['demo', 'hidden'].map((id) => ({ id, values }))),
  },
  'GET /api/v4/projects/:id/issues': {
    readable: filters.flatMap((values) => [project, 'hidden/project'].map((id) => ({ id, values }))),
  },
  'GET /api/v4/issues_statistics': { readable: filters.map((values) => ({ values })) },
  'GET /api/v4/groups/:id/issues_statistics': { readable: [{ id: 'demo', values: {} }] },
  'GET /api/v4/projects/:id/issues_statistics': { readable: [{ id: project, values: { labels: 'None' } }] },
  'GET /api/v4/issues/:issue_id': {
    readable: ['1', '3', '99999'].map((issue_id) => ({ path: { issue_id }, values: {} })),
  },
  [`GET ${one}`]: { readable: [...about({}, '1', '3', '9', 'x'), hidden] },
  'POST /api/v4/projects/:id/issues': {
    readable: [
      { title: 'New', labels: 'bug,new', due_date: '2999-01-01', description: '@developer', assignee_ids: '3' },
      { title: 'New', iid: 7 },
      { title: 'New', iid: 1 },
      { title: ' ' },
    ].map((values) => ({ id: project, values })),
  },
  [`PUT ${one}`]: {
    readable: [
      ...about({ title: 'Changed', state_event: 'close', add_labels: 'more' }, '1', '3'),
      ...about({ title: '' }, '1'),
      { ...hidden, values: { title: 'x' } },
    ],
  },
  [`DELETE ${one}`]: { readable: [...about({}, '1', '9'), hidden] },
  [`PUT ${one}/reorder`]: {
    readable: [...about({ move_after_id: 1 }, '2'), ...about({ move_before_id: 99999 }, '2')],
  },
  [`POST ${one}/move`]: {
    readable: [...about({ to_project_id: 2 }, '1', '3'), ...about({ to_project_id: 1 }, '1')],
  },
  [`POST ${one}/clone`]: { readable: about({ to_project_id: 1, with_notes: true }, '1', '9') },
  [`POST ${one}/subscribe`]: { readable: about({}, '1', '3') },
  [`POST ${one}/unsubscribe`]: { readable: about({}, '1', '3') },
  [`GET ${one}/participants`]: { readable: about({}, '1', '3') },
  [`GET ${one}/links`]: { readable: about({}, '1', '3') },
  [`POST ${one}/links`]: {
    readable: [
      ...about({ target_project_id: project, target_issue_iid: 3 }, '1', '2'),
      ...about({ target_project_id: 'hidden/project', target_issue_iid: 1 }, '1'),
      ...about({ target_project_id: project, target_issue_iid: 2 }, '1', '2'),
    ],
  },
  [`GET ${one}/links/:issue_link_id`]: { readable: links('1', '9') },
  [`DELETE ${one}/links/:issue_link_id`]: { readable: links('1', '9') },
  [`POST ${one}/time_estimate`]: {
    readable: [...about({ duration: '3h' }, '1', '3'), ...about({ duration: 'x' }, '1')],
  },
  [`POST ${one}/reset_time_estimate`]: { readable: about({}, '1') },
  [`POST ${one}/add_spent_time`]: {
    readable: [...about({ duration: '1h', summary: 'Did it' }, '1'), ...about({ duration: '-9h' }, '1')],
  },
  [`POST ${one}/reset_spent_time`]: { readable: about({}, '1') },
  [`GET ${one}/time_stats`]: { readable: about({}, '1', '3') },
  [`GET ${one}/related_merge_requests`]: { readable: about({}, '1', '3', '9') },
  [`GET ${one}/closed_by`]: { readable: about({}, '1', '3', '9') },
  [`GET ${one}/user_agent_detail`]: { readable: about({}, '1', '3', '9') },
});

/** Requests about links of an issue. */
const links = (...ids: string[]): Input[] =>
  ids.map((issue_link_id) => ({ id: project, path: { issue_iid: '1', issue_link_id }, values: {} }));

/** Tables of issues whose rows are restored between two requests, those that others refer to first. */
export const tablesOfIssues = ['labels', 'issues', 'project_counters', 'participants', 'issue_links'] as const;

/** Sequences that begin anew, so that both doors make rows with the same ids. */
export const sequencesOfIssues = [
  'labels',
  'issues',
  'issue_links',
  'notes',
  'awards',
  'todos',
  'resource_events',
  'subscriptions',
  'timelogs',
] as const;

/** Makes the issues. */
export const issuesToBegin = `do $$ declare place int; writer int; begin
  select id into place from projects where full_path = '${project}';
  select id into writer from users where username = 'maintainer';
  insert into labels (project_id, title, color) values (place, 'bug', '#ff0000');
  insert into issues (project_id, iid, title, description, author_id, label_ids, confidential, time_estimate, time_spent)
  select place, iid, 'One', 'See #2', writer, case when iid = 1 then array(select id from labels) else '{}' end, iid = 3, 60, 60
    from generate_series(1, 3) iid;
  insert into issues (project_id, iid, title, author_id) select id, 1, 'Hidden', writer from projects where full_path = 'hidden/project';
  insert into project_counters (project_id, kind, last) values (place, 'ISSUE', 3);
  insert into participants (issue_id, user_id) select id, author_id from issues;
  insert into issue_links (source_id, target_id) select min(id), min(id) + 1 from issues where project_id = place;
end $$`;
