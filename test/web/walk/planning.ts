import { maintainers, members, type Stops } from './records.ts';

const issues = '/demo/storefront/-/issues';
const project = '/demo/storefront/-';
const group = '/groups/demo/-';

/** The pages of planning: issues, labels, milestones and epics. */
export const planningStops: Stops = {
  issues: { at: issues },
  'issues-filtered': { at: `${issues}?label_name=bug&state=all`, as: ['maintainer'] },
  'issues-of-group': { at: `${group}/issues`, as: members },
  issue: { at: `${issues}/1` },
  'issue-plain': { at: `${issues}/2`, as: members },
  'issue-new': { at: `${issues}/new`, as: members },
  'issue-edit': { at: `${issues}/1/edit`, as: ['maintainer'] },
  'issue-wrong': {
    at: `${issues}/1/edit`,
    as: ['maintainer'],
    async steps(page) {
      await page.getByRole('combobox', { name: 'Assignee' }).fill('nobody-here');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('No user has this username.').waitFor();
    },
  },
  'issue-delete': { at: `${issues}/1/delete`, as: ['root'] },
  thread: { at: ({ thread }) => `${issues}/1/discussions/${thread}`, as: members },
  'comment-react': { at: ({ comment }) => `${issues}/1/notes/${comment}/award`, as: members },
  'comment-edit': { at: ({ comment }) => `${issues}/1/notes/${comment}/edit`, as: ['maintainer'] },
  'comment-delete': { at: ({ comment }) => `${issues}/1/notes/${comment}/delete`, as: ['maintainer'] },

  'activity-of-project': { at: `${project}/activity` },
  'activity-of-group': { at: `${group}/activity`, as: ['anonymous', 'maintainer'] },
  'activity-of-person': { at: '/users/maintainer/activity', as: members },
  'activity-around': { at: '/dashboard/activity', as: members },

  labels: { at: `${project}/labels` },
  'label-new': { at: `${project}/labels/new`, as: ['maintainer'] },
  'label-edit': { at: ({ label }) => `${project}/labels/${label}/edit`, as: ['maintainer'] },
  'label-delete': { at: ({ label }) => `${project}/labels/${label}/delete`, as: ['maintainer'] },
  'label-promote': { at: ({ label }) => `${project}/labels/${label}/promote`, as: maintainers },
  'group-labels': { at: `${group}/labels`, as: ['anonymous', 'maintainer'] },
  'group-label-new': { at: `${group}/labels/new`, as: maintainers },
  'group-label-edit': { at: ({ groupLabel }) => `${group}/labels/${groupLabel}/edit`, as: maintainers },
  'group-label-delete': { at: ({ groupLabel }) => `${group}/labels/${groupLabel}/delete`, as: maintainers },

  milestones: { at: `${project}/milestones` },
  milestone: { at: `${project}/milestones/1`, as: members },
  'milestone-new': { at: `${project}/milestones/new`, as: ['developer', 'maintainer'] },
  'milestone-edit': { at: `${project}/milestones/1/edit`, as: ['developer'] },
  'milestone-delete': { at: `${project}/milestones/1/delete`, as: ['maintainer'] },
  'milestone-promote': { at: `${project}/milestones/1/promote`, as: maintainers },
  'group-milestones': { at: `${group}/milestones`, as: ['anonymous', 'guest'] },
  'group-milestone': { at: `${group}/milestones/1`, as: members },
  'group-milestone-new': { at: `${group}/milestones/new`, as: maintainers },
  'group-milestone-edit': { at: `${group}/milestones/1/edit`, as: maintainers },
  'group-milestone-delete': { at: `${group}/milestones/1/delete`, as: maintainers },

  snippets: { at: `${project}/snippets` },
  snippet: { at: ({ snippet }) => `${project}/snippets/${snippet}` },
  'snippets-mine': { at: '/dashboard/snippets', as: members },
  'snippet-personal': { at: ({ personalSnippet }) => `/-/snippets/${personalSnippet}` },
  'snippet-new': { at: `${project}/snippets/new`, as: ['maintainer'] },
  'snippet-refused': {
    at: `${project}/snippets/new`,
    as: ['maintainer'],
    async steps(page) {
      await page.getByRole('textbox', { name: 'Title' }).fill('Tides');
      await page.getByRole('button', { name: 'Add another file' }).click();
      await page.getByRole('textbox', { name: 'Path' }).nth(1).fill('../README');
      await page.getByRole('button', { name: 'Create snippet' }).click();
      await page.getByText('The path must be that of a file').waitFor();
    },
  },
  'snippet-new-personal': { at: '/-/snippets/new', as: members },
  'snippet-edit': { at: ({ snippet }) => `${project}/snippets/${snippet}/edit`, as: ['maintainer'] },
  'snippet-edit-personal': { at: ({ personalSnippet }) => `/-/snippets/${personalSnippet}/edit`, as: ['maintainer'] },
  'snippet-delete': { at: ({ snippet }) => `${project}/snippets/${snippet}/delete`, as: ['maintainer'] },
  'snippet-delete-personal': {
    at: ({ personalSnippet }) => `/-/snippets/${personalSnippet}/delete`,
    as: ['maintainer'],
  },
  'snippet-thread': {
    at: ({ snippet, snippetThread }) => `${project}/snippets/${snippet}/discussions/${snippetThread}`,
    as: members,
  },
  'snippet-comment-react': {
    at: ({ snippet, snippetComment }) => `${project}/snippets/${snippet}/notes/${snippetComment}/award`,
    as: members,
  },
  'snippet-comment-edit': {
    at: ({ snippet, snippetComment }) => `${project}/snippets/${snippet}/notes/${snippetComment}/edit`,
    as: ['maintainer'],
  },
  'snippet-comment-delete': {
    at: ({ snippet, snippetComment }) => `${project}/snippets/${snippet}/notes/${snippetComment}/delete`,
    as: ['maintainer'],
  },

  epics: { at: `${group}/epics`, as: ['maintainer'] },
  epic: { at: `${group}/epics/1`, as: ['maintainer'] },
};
