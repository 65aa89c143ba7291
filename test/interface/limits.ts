import { pageHeaders, type Row } from './row.ts';
import {
  newDeployKey,
  newEnvironment,
  newIssue,
  newMergeRequest,
  newMilestone,
  newNote,
  newPipeline,
  newProject,
  newSnippet,
  newToDo,
  newTopic,
  newTrigger,
} from './steps.ts';

/** All lists, with the feature that they await. Since 9.0 every list is paginated. */
const lists: readonly [call: string, more?: { given: NonNullable<Row['given']> }][] = [
  ['GET /projects'],
  ['GET /users/{maintainer}/projects'],
  ['GET /users/{maintainer}/starred_projects'],
  ['GET /projects/{storefront}/forks'],
  ['GET /projects/{storefront}/starrers'],
  ['GET /projects/{storefront}/members'],
  ['GET /projects/{storefront}/members/all'],
  ['GET /groups'],
  ['GET /groups/{demo}/subgroups'],
  ['GET /groups/{demo}/descendant_groups'],
  ['GET /groups/{demo}/projects'],
  ['GET /groups/{demo}/members'],
  ['GET /groups/{demo}/members/all'],
  ['GET /namespaces'],
  ['GET /users'],
  ['GET /user/emails'],
  ['GET /personal_access_tokens'],
  ['GET /templates/licenses'],
  ['GET /templates/gitignores'],
  ['GET /templates/gitlab_ci_ymls'],
  ['GET /templates/dockerfiles'],
  ['GET /projects/{project}/issues/{issue}/notes', { given: newNote }],
  ['GET /projects/{project}/issues/{issue}/award_emoji', { given: newIssue }],
  [
    'GET /projects/{project}/labels',
    {
      given: [newProject, { call: 'POST /projects/{project}/labels', form: { name: 'bug', color: '#ff0000' } }],
    },
  ],
  ['GET /projects/{project}/milestones', { given: newMilestone }],
  ['GET /projects/{project}/merge_requests', { given: newMergeRequest }],
  ['GET /projects/{project}/snippets', { given: newSnippet }],
  ['GET /todos', { given: newToDo }],
  ['GET /projects/{project}/repository/branches', { given: newTopic }],
  ['GET /projects/{project}/repository/tree', { given: newTopic }],
  ['GET /projects/{project}/pipelines', { given: newPipeline }],
  ['GET /projects/{project}/pipelines/{pipeline}/jobs', { given: newPipeline }],
  ['GET /projects/{project}/triggers', { given: newTrigger }],
  ['GET /projects/{project}/environments', { given: newEnvironment }],
  ['GET /projects/{project}/deploy_keys', { given: newDeployKey }],
];

/** Calls of version 3: all are removed, also those that version 4 still has. */
const version3 = [
  'GET /api/v3/user',
  'GET /api/v3/projects',
  'PUT /api/v3/notification_settings',
  'DELETE /api/v3/projects/1/star',
];

export const limitRows: readonly Row[] = [
  ...lists.map(([call, more]): Row => ({
    name: `9.0: ${call.replaceAll(/\{(\w+)\}/g, ':$1')} has pagination headers`,
    ...more,
    request: { call },
    response: { status: 200, headers: pageHeaders },
  })),
  {
    name: '9.0: GET /projects/:project/jobs has pagination headers, but for the totals: nobody counts all jobs',
    given: newPipeline,
    request: { call: 'GET /projects/{project}/jobs' },
    response: { status: 200, headers: { 'x-page': '1', 'x-per-page': '20', 'x-next-page': '', 'x-prev-page': '' } },
  },
  {
    name: '9.0: GET /applications has pagination headers',
    request: { call: 'GET /applications', as: 'root' },
    response: { status: 200, headers: pageHeaders },
  },
  {
    name: '9.0: page numbering starts at 1',
    request: { call: 'GET /users', as: 'root', query: { page: '1', per_page: '1' } },
    response: {
      status: 200,
      headers: {
        'x-page': '1',
        'x-per-page': '1',
        'x-next-page': '2',
        'x-prev-page': '',
        link: /page=2&[^>]*>; rel="next"/,
      },
    },
  },
  {
    name: '9.0: the second page is 2',
    request: { call: 'GET /users', as: 'root', query: { page: '2', per_page: '1' } },
    response: { status: 200, headers: { 'x-page': '2', 'x-prev-page': '1', link: /page=1&[^>]*>; rel="prev"/ } },
  },
  ...version3.map((call): Row => ({
    name: `version 3 is removed: ${call}`,
    request: { call },
    response: {
      status: 410,
      has: { error: 'API V3 is no longer supported. Use API V4 instead.' },
      headers: { link: /^<\/api\/v4.*>; rel="successor-version"$/ },
    },
  })),
  {
    name: 'version 4 is the preferred version',
    request: { call: 'GET /version' },
    response: { status: 200, has: { version: '13.12.0' } },
  },
  {
    name: 'an unknown path below /api/v4 answers 404',
    request: { call: 'GET /nothing' },
    response: { status: 404, body: { error: '404 Not Found' } },
  },
  {
    name: 'a project’s path is URL-encoded',
    request: { call: 'GET /projects/demo/storefront/notification_settings' },
    response: {
      status: 404,
      has: { error: '404 Not Found' },
      hint: '/api/v4/projects/demo%2Fstorefront/notification_settings',
    },
  },
];
