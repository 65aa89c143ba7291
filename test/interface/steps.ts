import type { Step } from './row.ts';

/** Steps that several rows begin with. */

export const newProject: Step = {
  call: 'POST /projects',
  form: { name: 'Row {row}', path: 'row-{row}' },
  keeps: { project: 'id' },
};
export const newUser: Step = {
  call: 'POST /users',
  as: 'root',
  form: {
    email: 'row-{row}@example.com',
    name: 'Row {row}',
    username: 'row-{row}',
    force_random_password: 'true',
    skip_confirmation: 'true',
  },
  keeps: { user: 'id' },
};
export const newMember: Step = {
  call: 'POST /projects/{project}/members',
  form: { user_id: '{stranger}', access_level: '30' },
};

const issue = (title: string, keeps: Step['keeps'] = {}, more = {}): Step => ({
  call: 'POST /projects/{project}/issues',
  form: { title, ...more },
  keeps,
});
/** Two issues, so that id and iid differ. */
export const newIssue: readonly Step[] = [
  newProject,
  issue('Before', { before: 'iid' }),
  issue('One', { issue: 'iid', issue_id: 'id' }),
];
export const newLabelled: readonly Step[] = [
  newProject,
  issue('Both', {}, { labels: 'bug,shop' }),
  issue('Bug', {}, { labels: 'bug' }),
  issue('Shop', {}, { labels: 'shop' }),
];

const write = (path: string, branch: string, content = 'A line.\n'): Step => ({
  call: `POST /projects/{project}/repository/files/${path}`,
  form: { branch, content, commit_message: `Write ${path}` },
});
export const newRepository: readonly Step[] = [
  newProject,
  write('README.md', 'main'),
  { call: 'GET /projects/{project}/repository/commits/main', keeps: { sha: 'id' } },
];
const newBranch: Step = {
  call: 'POST /projects/{project}/repository/branches',
  form: { branch: 'topic', ref: 'main' },
};
export const newTopic: readonly Step[] = [...newRepository, newBranch, write('topic.txt', 'topic')];
export const newMergeRequest: readonly Step[] = [
  ...newTopic,
  {
    call: 'POST /projects/{project}/merge_requests',
    form: { source_branch: 'topic', target_branch: 'main', title: 'Topic' },
    keeps: { merge_request: 'iid', merge_request_id: 'id' },
  },
];
export const newPipeline: readonly Step[] = [
  newProject,
  write('.gitlab-ci.yml', 'main', 'test:\n  script:\n    - "true"\n  except:\n    - pushes\n'),
  { call: 'POST /projects/{project}/pipeline', form: { ref: 'main' }, keeps: { pipeline: 'id', sha: 'sha' } },
];
export const newEnvironment: readonly Step[] = [
  newProject,
  { call: 'POST /projects/{project}/environments', form: { name: 'staging' }, keeps: { environment: 'id' } },
];
export const newDeployKey: readonly Step[] = [
  newProject,
  {
    call: 'POST /projects/{project}/deploy_keys',
    form: {
      title: 'Row {row}',
      key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDb0uuQWD6d7e0wVBBTQKa6wNzktZ1fi9aU9xlHecc2n row@example.com',
    },
    keeps: { key: 'id' },
  },
];
export const newSnippet: readonly Step[] = [
  newProject,
  {
    call: 'POST /projects/{project}/snippets',
    form: { title: 'Row {row}', visibility: 'private', file_name: 'row.txt', content: 'A line.' },
    keeps: { snippet: 'id' },
  },
];
export const newToDo: readonly Step[] = [
  ...newIssue,
  { call: 'POST /projects/{project}/issues/{issue}/todo', keeps: { todo: 'id' } },
];
export const newMilestone: readonly Step[] = [
  newProject,
  { call: 'POST /projects/{project}/milestones', form: { title: 'Before' } },
  {
    call: 'POST /projects/{project}/milestones',
    form: { title: 'One' },
    keeps: { milestone: 'id', milestone_iid: 'iid' },
  },
];
export const newNote: readonly Step[] = [
  ...newIssue,
  { call: 'POST /projects/{project}/issues/{issue}/notes', form: { body: 'A remark.' }, keeps: { note: 'id' } },
];
export const newTrigger: readonly Step[] = [
  ...newPipeline,
  {
    call: 'POST /projects/{project}/triggers',
    form: { description: 'Row {row}' },
    keeps: { trigger: 'id', trigger_token: 'token' },
  },
];
