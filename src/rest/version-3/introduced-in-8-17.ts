import { renamed, type Change } from './change.ts';

/** The changes of GitLab 8.17, in the order of its list. */
export const introducedIn817: readonly Change[] = [
  {
    subject: 'Projects',
    title: 'Searching is a filter of the list',
    since: '8.17',
    // This matches a search, not a project: one word that is neither a number nor a full path.
    old: ['GET /projects/:search((?!(?:visible|all|owned|starred|\\d+)$)[^/%]+)', 'GET /projects/search/:search'],
    now: ['GET /projects?search=x'],
    refused: 404,
  },
  {
    subject: 'Issues, merge requests and milestones',
    title: 'The filter `iid` of a project’s issues is gone',
    since: '8.17',
    old: ['GET /projects/:id/issues'],
    now: ['GET /projects/:id/issues?iids[]=1'],
    parameters: ['iid'],
    says: 'The filter `iid` is ignored: use `iids[]`, or GET /api/v4/projects/:id/issues/:issue_iid for a single issue.',
  },
  {
    subject: 'Issues, merge requests and milestones',
    title: 'The filter `iid[]` of merge requests is called `iids`',
    since: '8.17',
    old: ['GET /projects/:id/merge_requests'],
    now: ['GET /projects/:id/merge_requests?iids[]=1'],
    parameters: ['iid'],
    says: `${renamed('iid[]', 'iids')} The old name is ignored.`,
  },
  {
    subject: 'Issues, merge requests and milestones',
    title: 'The paths with `merge_request` in the singular are gone',
    since: '8.17',
    old: [
      'GET /projects/merge_request/:merge_request_id',
      'GET /projects/merge_request/:rest*',
      'GET /projects/:id/merge_request/:rest*',
    ],
    now: ['GET /projects/merge_requests/:merge_request_id', 'GET /projects/:id/merge_requests/:merge_request_iid'],
    refused: 404,
  },
  {
    subject: 'Snippets and notes',
    title: 'Snippets have no `expires_at`',
    since: '8.17',
    old: ['GET /projects/:id/snippets', 'GET /projects/:id/snippets/:snippet_id'],
    now: ['GET /projects/:id/snippets', 'GET /projects/:id/snippets/:snippet_id'],
    says: 'Snippets of projects no longer have the field `expires_at`; they never expire.',
  },
  {
    subject: 'Deploy keys and environments',
    title: 'Keys of a project are called deploy keys',
    since: '8.17',
    old: ['* /projects/:id/keys', '* /projects/:id/keys/:key_id', '* /projects/:id/keys/:key_id/:rest*'],
    now: ['GET /projects/:id/deploy_keys', 'GET /projects/:id/deploy_keys/:key_id'],
    refused: 404,
    says: 'Use the same call at /api/v4/projects/:id/deploy_keys.',
  },
];
