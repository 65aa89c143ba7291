import { groups, none, ofPlaces, projects, type Inputs } from './inputs.ts';

const changes = [
  {},
  { level: 'watch' },
  { level: 'custom', new_note: true, new_epic: true, moved_project: 'off' },
  { level: '' },
  { new_issue: '' },
];
const elsewhere = 'https://tracker.example.com/api/0/projects/org/shop';

/** The inputs for the routes of settings of people, groups and projects. */
export const inputsOfSettings = (): Inputs => ({
  'GET /api/v4/notification_settings': { readable: none },
  'PUT /api/v4/notification_settings': {
    readable: [
      ...changes.map((values) => ({ values })),
      { values: { notification_email: 'maintainer@work.example.com', level: 'mention' } },
      { values: { notification_email: 'maintainer@unknown.example.com', level: 'mention' } },
      { values: { notification_email: 'foo', level: '' } },
      { values: { notification_email: '' } },
    ],
  },
  'GET /api/v4/groups/:id/notification_settings': { readable: ofPlaces(groups, [{}]) },
  'PUT /api/v4/groups/:id/notification_settings': {
    readable: ofPlaces(groups, changes),
    unreadable: ofPlaces(groups, [{ level: 'invalid' }]),
  },
  'GET /api/v4/projects/:id/notification_settings': { readable: ofPlaces(projects, [{}]) },
  'PUT /api/v4/projects/:id/notification_settings': {
    readable: ofPlaces(projects, changes),
    unreadable: ofPlaces(projects, [{ level: 'invalid' }]),
  },
  'GET /api/v4/projects/:id/notification_recipients': {
    readable: ofPlaces(projects, [
      { event: 'moved_project' },
      { event: 'new_note', issue_iid: 1 },
      { event: 'close_issue', issue_iid: 1, actor: 'guest' },
      { event: 'failed_pipeline', pipeline_id: 1 },
    ]),
  },
  'GET /api/v4/projects/:id/notification_decision': {
    readable: ofPlaces(projects, [
      { event: 'moved_project' },
      { event: 'new_note', issue_iid: 1, user: 'guest' },
      { event: 'new_note', snippet_id: 1 },
    ]),
  },
  'GET /api/v4/projects/:id/error_tracking/settings': { readable: ofPlaces(projects, [{}]) },
  'PATCH /api/v4/projects/:id/error_tracking/settings': {
    readable: ofPlaces(projects, [
      { active: true },
      { active: 'no', integrated: false },
      { active: true, integrated: true },
    ]),
    unreadable: ofPlaces(projects, [{}, { active: 'maybe' }, { active: '' }, { active: true, integrated: 'x' }]),
  },
  'PUT /api/v4/projects/:id/error_tracking/settings': {
    readable: ofPlaces(projects, [
      { active: true },
      { active: true, api_url: elsewhere },
      { active: false, api_url: elsewhere, project_name: 'Shop' },
      { active: true, project_name: '' },
      { active: true, api_url: 'ftp://x', project_name: 'x'.repeat(256) },
      { active: true, api_url: '', integrated: true },
    ]),
    unreadable: ofPlaces(projects, [{}, { active: true, api_url: ['x'] }]),
  },
});
