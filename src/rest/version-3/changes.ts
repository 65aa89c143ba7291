/**
 * What changed between version 3 and version 4 of the API, each line of the
 * interface's lists in its order. The answers to calls of version 3, the hints of
 * version 4 and the migration guide are all made from this one table.
 */
export interface Change {
  /** What it is about, for whoever looks for it in the guide. */
  readonly subject: Subject;
  /** What changed, in one sentence. */
  readonly title: string;
  /** The service's version that brought it. */
  readonly since: '8.17' | '9.0';
  /**
   * The calls of version 3 that it concerns: method and path below `/api/v3`, `*` for
   * any method, `:name` for one segment (of a form in parentheses), `:name*` for all that follows.
   */
  readonly old: readonly string[];
  /** The calls of version 4 that stand in their place, with the parameter that matters. */
  readonly now: readonly string[];
  /**
   * The status with which version 4 refuses the old call. Left out where it answers:
   * a parameter is ignored then, or a field is gone, and only the guide can say so.
   */
  readonly refused?: 400 | 404 | 405;
  /** What to do, where naming the new call doesn't say it. */
  readonly says?: string;
}

export const subjects = [
  'Everywhere', 'Projects', 'Groups and members', 'Users and to-dos', 'Issues, merge requests and milestones', 'Snippets and notes',
  'Repositories', 'Pipelines and jobs', 'Deploy keys and environments', 'Templates',
] as const;
export type Subject = (typeof subjects)[number];

/** Says that a parameter has another name now. */
const renamed = (old: string, now: string) => `The parameter \`${old}\` is called \`${now}\`.`;

const templates = (name: string, key?: string): Change => ({
  subject: 'Templates',
  title: `Templates lie below \`/templates\`: \`${name}\``,
  since: '9.0',
  old: [`GET /${name}`, `GET /${name}/:key`],
  now: [`GET /templates/${name}`, `GET /templates/${name}/:${key ?? 'name'}`],
  refused: 404,
});

const filtered = (name: string): Change => ({
  subject: 'Projects',
  title: `The list of ${name} projects is a filter`,
  since: '9.0',
  old: [`GET /projects/${name}`],
  now: [`GET /projects?${name}=true`],
  refused: 404,
});

const blocking = (verb: 'block' | 'unblock'): Change => ({
  subject: 'Users and to-dos',
  title: `To ${verb} a user is a POST`,
  since: '9.0',
  old: [`PUT /users/:id/${verb}`],
  now: [`POST /users/:id/${verb}`],
  refused: 405,
});

/** Of issues and merge requests, everything below one of them. */
const byIid = (name: 'issues' | 'merge_requests', iid: string): Change => ({
  subject: 'Issues, merge requests and milestones',
  title: `A member of \`${name}\` is addressed by its iid, the number that people see`,
  since: '9.0',
  old: [`* /projects/:id/${name}/:id`, `* /projects/:id/${name}/:id/:rest*`],
  now: [`GET /projects/:id/${name}/${iid}`],
  refused: 404,
  says: `Use the same path below /api/v4, with the iid in place of the id: /api/v4/projects/:id/${name}/${iid}. The same holds for award emoji, to-dos and time tracking.`,
});

const oneProject = ['POST /projects', 'POST /projects/user/:user_id', 'PUT /projects/:id'];

export const changes: readonly Change[] = [
  // Introduced in 8.17.
  {
    subject: 'Projects',
    title: 'Searching is a filter of the list',
    since: '8.17',
    // Neither a number nor a path of two parts: no project, so a search.
    old: ['GET /projects/:search((?!(?:visible|all|owned|starred|\\d+)$)[^/%]+)', 'GET /projects/search/:query'],
    now: ['GET /projects?search=x'],
    refused: 404,
  },
  {
    subject: 'Issues, merge requests and milestones',
    title: 'The filter `iid` of a project’s issues is gone',
    since: '8.17',
    old: ['GET /projects/:id/issues'],
    now: ['GET /projects/:id/issues?iids[]=1'],
    says: 'The filter `iid` is ignored: use `iids[]`, or GET /api/v4/projects/:id/issues/:issue_iid for a single issue.',
  },
  {
    subject: 'Issues, merge requests and milestones',
    title: 'The filter `iid[]` of merge requests is called `iids`',
    since: '8.17',
    old: ['GET /projects/:id/merge_requests'],
    now: ['GET /projects/:id/merge_requests?iids[]=1'],
    says: `${renamed('iid[]', 'iids')} The old name is ignored.`,
  },
  {
    subject: 'Issues, merge requests and milestones',
    title: 'The paths with `merge_request` in the singular are gone',
    since: '8.17',
    old: ['GET /projects/merge_request/:rest*', 'GET /projects/:id/merge_request/:rest*'],
    now: ['GET /projects/:id/merge_requests/:merge_request_iid'],
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
    old: ['* /projects/:id/keys', '* /projects/:id/keys/:rest*'],
    now: ['GET /projects/:id/deploy_keys', 'GET /projects/:id/deploy_keys/:key_id'],
    refused: 404,
    says: 'Use the same call at /api/v4/projects/:id/deploy_keys.',
  },

  // Introduced in 9.0.
  {
    subject: 'Groups and members',
    title: 'Adding a member who is one already is a conflict',
    since: '9.0',
    old: ['POST /projects/:id/members'],
    now: ['POST /projects/:id/members'],
    says: 'Whoever is a member already is answered with 409; PUT /api/v4/projects/:id/members/:user_id changes the access level.',
  },
  {
    subject: 'Projects',
    title: 'To take a star back is a POST',
    since: '9.0',
    old: ['DELETE /projects/:id/star'],
    now: ['POST /projects/:id/unstar'],
    refused: 405,
  },
  templates('licenses', 'key'),
  templates('gitignores'),
  templates('gitlab_ci_ymls'),
  templates('dockerfiles'),
  {
    subject: 'Projects',
    title: 'The project that is forked stands first in the path',
    since: '9.0',
    old: ['POST /projects/fork/:id'],
    now: ['POST /projects/:id/fork'],
    refused: 404,
  },
  {
    subject: 'Users and to-dos',
    title: 'All to-dos are marked as done by a POST',
    since: '9.0',
    old: ['DELETE /todos'],
    now: ['POST /todos/mark_as_done'],
    refused: 405,
  },
  {
    subject: 'Users and to-dos',
    title: 'A to-do is marked as done by a POST',
    since: '9.0',
    old: ['DELETE /todos/:todo_id'],
    now: ['POST /todos/:todo_id/mark_as_done'],
    refused: 405,
  },
  {
    subject: 'Projects',
    title: 'There is one list of projects, with or without a credential',
    since: '9.0',
    old: ['GET /projects/visible', 'GET /projects/all'],
    now: ['GET /projects'],
    refused: 404,
  },
  filtered('owned'),
  filtered('starred'),
  {
    subject: 'Projects',
    title: 'The list of projects has every project that you can see',
    since: '9.0',
    old: ['GET /projects'],
    now: ['GET /projects?membership=true'],
    says: 'GET /api/v4/projects lists every project that you can see; add `membership=true` for those of which you are a member.',
  },
  {
    subject: 'Everywhere',
    title: 'Every list is in pages, and says so in its headers',
    since: '9.0',
    old: [],
    now: [],
    says: 'Every call that answers a list takes `page` and `per_page` (20, at most 100), and has the headers `Link`, `X-Total`, `X-Total-Pages`, `X-Per-Page`, `X-Page`, `X-Next-Page` and `X-Prev-Page`.',
  },
  {
    subject: 'Deploy keys and environments',
    title: 'An environment can be stopped',
    since: '9.0',
    old: [],
    now: ['POST /projects/:id/environments/:environment_id/stop'],
    says: 'This call is new.',
  },
  {
    subject: 'Deploy keys and environments',
    title: 'Disabling a deploy key is removing it',
    since: '9.0',
    old: ['DELETE /projects/:id/deploy_keys/:key_id/disable'],
    now: ['DELETE /projects/:id/deploy_keys/:key_id'],
    refused: 404,
  },
  blocking('block'),
  blocking('unblock'),
  {
    subject: 'Issues, merge requests and milestones',
    title: 'Subscribing and unsubscribing are two calls',
    since: '9.0',
    old: ['* /projects/:id/:subscribable_type/:subscribable_id/subscription'],
    now: [
      'POST /projects/:id/:subscribable_type/:subscribable_id/subscribe',
      'POST /projects/:id/:subscribable_type/:subscribable_id/unsubscribe',
    ],
    refused: 404,
  },
  {
    subject: 'Issues, merge requests and milestones',
    title: 'The filter `labels` wants all of them',
    since: '9.0',
    old: ['GET /projects/:id/issues', 'GET /issues'],
    now: ['GET /projects/:id/issues?labels=a,b', 'GET /issues?labels=a,b'],
    says: 'With several `labels` an issue must have all of them; it used to be any.',
  },
  {
    subject: 'Repositories',
    title: 'The parameter `branch_name` is called `branch`',
    since: '9.0',
    old: ['POST /projects/:id/repository/branches', 'POST /projects/:id/repository/commits'],
    now: ['POST /projects/:id/repository/branches?branch=x', 'POST /projects/:id/repository/commits?branch=x'],
    refused: 400,
    says: renamed('branch_name', 'branch'),
  },
  {
    subject: 'Repositories',
    title: 'A file that is written stands in the path, and its branch is called `branch`',
    since: '9.0',
    old: ['POST /projects/:id/repository/files', 'PUT /projects/:id/repository/files', 'DELETE /projects/:id/repository/files'],
    now: [
      'POST /projects/:id/repository/files/:file_path?branch=x',
      'PUT /projects/:id/repository/files/:file_path?branch=x',
      'DELETE /projects/:id/repository/files/:file_path?branch=x',
    ],
    refused: 404,
    says: `Use the same method at /api/v4/projects/:id/repository/files/:file_path, with the path URL-encoded. ${renamed('branch_name', 'branch')}`,
  },
  {
    subject: 'Repositories',
    title: 'Deleting a branch has nothing to say',
    since: '9.0',
    old: ['DELETE /projects/:id/repository/branches/:branch'],
    now: ['DELETE /projects/:id/repository/branches/:branch'],
    says: 'The answer has no `branch_name`: it is a 204 without a body.',
  },
  {
    subject: 'Issues, merge requests and milestones',
    title: 'The parameter `merge_when_build_succeeds` is called `merge_when_pipeline_succeeds`',
    since: '9.0',
    old: ['PUT /projects/:id/merge_requests/:merge_request_id/merge'],
    now: ['PUT /projects/:id/merge_requests/:merge_request_iid/merge?merge_when_pipeline_succeeds=true'],
    says: renamed('merge_when_build_succeeds', 'merge_when_pipeline_succeeds'),
  },
  {
    subject: 'Issues, merge requests and milestones',
    title: 'What a merge waits for is a pipeline',
    since: '9.0',
    old: ['POST /projects/:id/merge_requests/:merge_request_id/cancel_merge_when_build_succeeds'],
    now: ['POST /projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds'],
    refused: 404,
  },
  {
    subject: 'Projects',
    title: 'The parameter `merge_when_build_succeeds` is called `merge_when_pipeline_succeeds`',
    since: '9.0',
    old: oneProject,
    now: oneProject.map((call) => `${call}?merge_when_pipeline_succeeds=true`),
    says: `${renamed('merge_when_build_succeeds', 'merge_when_pipeline_succeeds')} The old name is ignored.`,
  },
  {
    subject: 'Projects',
    title: 'Who may see a project is its `visibility`',
    since: '9.0',
    old: oneProject,
    now: oneProject.map((call) => `${call}?visibility=public`),
    says: 'The parameter `public` is ignored; `visibility` is one of `private`, `internal` and `public`, here and everywhere else.',
  },
  {
    subject: 'Issues, merge requests and milestones',
    title: 'Lists don’t say `subscribed`',
    since: '9.0',
    old: ['GET /projects/:id/issues', 'GET /projects/:id/merge_requests'],
    now: ['GET /projects/:id/issues/:issue_iid', 'GET /projects/:id/merge_requests/:merge_request_iid'],
    says: 'The field `subscribed` is left out of lists; fetch the single one for it.',
  },
  {
    subject: 'Snippets and notes',
    title: 'Notes have no `upvote` and `downvote`',
    since: '9.0',
    old: ['GET /projects/:id/:noteable_type/:noteable_id/notes', 'GET /projects/:id/:noteable_type/:noteable_id/notes/:note_id'],
    now: ['GET /projects/:id/:noteable_type/:noteable_id/notes', 'GET /projects/:id/:noteable_type/:noteable_id/notes/:note_id'],
    says: 'Notes no longer have the fields `upvote` and `downvote`; award emoji tell the same.',
  },
  {
    subject: 'Groups and members',
    title: 'A member who breaks a rule is a bad request',
    since: '9.0',
    old: ['POST /projects/:id/members', 'PUT /projects/:id/members/:user_id'],
    now: ['POST /projects/:id/members', 'PUT /projects/:id/members/:user_id'],
    says: 'What can’t be a member is answered with 400; it used to be 422 at times.',
  },
  {
    subject: 'Groups and members',
    title: 'The list of owned groups is a filter',
    since: '9.0',
    old: ['GET /groups/owned'],
    now: ['GET /groups?owned=true'],
    refused: 404,
  },
  {
    subject: 'Projects',
    title: 'A project is removed in the background',
    since: '9.0',
    old: ['DELETE /projects/:id'],
    now: ['DELETE /projects/:id'],
    says: 'The answer is 202 with a JSON body, and the work is done soon after.',
  },
  {
    subject: 'Repositories',
    title: 'Merged branches are removed in the background',
    since: '9.0',
    old: ['DELETE /projects/:id/repository/merged_branches'],
    now: ['DELETE /projects/:id/repository/merged_branches'],
    says: 'The answer is 202 with a JSON body, and the work is done soon after.',
  },
  {
    subject: 'Issues, merge requests and milestones',
    title: 'The filter `iid[]` of milestones is called `iids`',
    since: '9.0',
    old: ['GET /projects/:id/milestones'],
    now: ['GET /projects/:id/milestones?iids[]=1'],
    says: `${renamed('iid[]', 'iids')} The old name is ignored.`,
  },
  {
    subject: 'Pipelines and jobs',
    title: 'The list of pipelines has only what is basic',
    since: '9.0',
    old: ['GET /projects/:id/pipelines'],
    now: ['GET /projects/:id/pipelines/:pipeline_id'],
    says: 'The list no longer has `user`, `duration` and the like; fetch the single pipeline for them.',
  },
  {
    subject: 'Pipelines and jobs',
    title: 'Builds are called jobs',
    since: '9.0',
    old: ['* /projects/:id/builds', '* /projects/:id/builds/:rest*', 'GET /projects/:id/pipelines/:pipeline_id/builds'],
    now: ['GET /projects/:id/jobs', 'GET /projects/:id/jobs/:job_id'],
    refused: 404,
    says: 'Builds are called jobs, in paths, parameters and records: use /api/v4/projects/:id/jobs.',
  },
  {
    subject: 'Pipelines and jobs',
    title: 'The jobs of a commit are those of its pipelines',
    since: '9.0',
    old: ['GET /projects/:id/repository/commits/:sha/builds', 'GET /projects/:id/repository/commits/:sha/jobs'],
    now: ['GET /projects/:id/pipelines?sha=x', 'GET /projects/:id/pipelines/:pipeline_id/jobs'],
    refused: 404,
    says: 'Use GET /api/v4/projects/:id/pipelines?sha=:sha, then GET /api/v4/projects/:id/pipelines/:pipeline_id/jobs.',
  },
  {
    subject: 'Pipelines and jobs',
    title: 'What a trigger starts is a pipeline',
    since: '9.0',
    old: ['POST /projects/:id/trigger/builds'],
    now: ['POST /projects/:id/trigger/pipeline'],
    refused: 404,
  },
  {
    subject: 'Pipelines and jobs',
    title: 'A trigger needs a `description`',
    since: '9.0',
    old: ['POST /projects/:id/triggers'],
    now: ['POST /projects/:id/triggers?description=x'],
    refused: 400,
    says: 'The parameter `description` is required.',
  },
  {
    subject: 'Deploy keys and environments',
    title: 'An environment’s project is told in short',
    since: '9.0',
    old: ['GET /projects/:id/environments', 'GET /projects/:id/environments/:environment_id'],
    now: ['GET /projects/:id/environments', 'GET /projects/:id/environments/:environment_id'],
    says: 'The record’s `project` has only basic fields; fetch the project for the rest.',
  },
  byIid('issues', ':issue_iid'),
  byIid('merge_requests', ':merge_request_iid'),
  {
    subject: 'Repositories',
    title: 'The first page of commits is number 1',
    since: '9.0',
    old: ['GET /projects/:id/repository/commits'],
    now: ['GET /projects/:id/repository/commits'],
    says: 'Pages begin with 1, as everywhere; it used to be 0. The header `Link` is right now.',
  },
  {
    subject: 'Repositories',
    title: 'A file that is read stands in the path',
    since: '9.0',
    old: ['GET /projects/:id/repository/files'],
    now: ['GET /projects/:id/repository/files/:file_path'],
    refused: 404,
    says: 'Use GET /api/v4/projects/:id/repository/files/:file_path, with the path URL-encoded.',
  },
  {
    subject: 'Repositories',
    title: 'A blob is described in JSON; its content is elsewhere',
    since: '9.0',
    old: ['GET /projects/:id/repository/blobs/:sha'],
    now: ['GET /projects/:id/repository/files/:file_path/raw?ref=:sha', 'GET /projects/:id/repository/blobs/:sha'],
    says: 'The call answers attributes as JSON. For content use GET /api/v4/projects/:id/repository/files/:file_path/raw?ref=:sha.',
  },
  {
    subject: 'Repositories',
    title: 'A file of a commit is read raw by its path',
    since: '9.0',
    old: ['GET /projects/:id/repository/commits/:sha/blob'],
    now: ['GET /projects/:id/repository/files/:file_path/raw?ref=:sha'],
    refused: 404,
  },
  {
    subject: 'Repositories',
    title: 'The parameter `ref_name` of a tree is called `ref`',
    since: '9.0',
    old: ['GET /projects/:id/repository/tree'],
    now: ['GET /projects/:id/repository/tree?ref=x'],
    says: `${renamed('ref_name', 'ref')} The old name is ignored.`,
  },
  {
    subject: 'Users and to-dos',
    title: 'The parameter `confirm` is deprecated',
    since: '9.0',
    old: ['POST /users'],
    now: ['POST /users?skip_confirmation=true'],
    says: 'Use `skip_confirmation`, which means the opposite. `confirm` is still understood, and answered with the header `Deprecation`.',
  },
];
