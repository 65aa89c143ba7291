import { flag, text } from '../../engine/declared.ts';
import type { Declaration, Parameter, Values } from '../../engine/parameters.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { idOrNull, labelsOf, peopleOf } from '../../planning/issues/values.ts';
import { mergeRequestIn, nameOf, notFound, one, tag, type Payload } from './actions.ts';
import { mergeRequestListRoute } from './list.ts';
import { MergeRequest, mergeRequestFields, type MergeRequestData } from './record.ts';

const path = '/api/v4/projects/:id/merge_requests';

const title = text('title', 'Title. One that begins with `Draft:` says that it isn’t ready.');
const targetBranch = text('target_branch', 'The branch that it goes into.');
const fields: readonly Declaration[] = [
  text('description', 'Description, as Markdown.'),
  { name: 'assignee_id', type: 'integer', description: 'The person to assign. `0` or empty: no one.' },
  { name: 'assignee_ids', type: 'integers', description: 'The same: the first one. `0` or empty: no one.' },
  { name: 'reviewer_ids', type: 'integers', description: 'Who reviews it: the first one. `0` or empty: no one.' },
  { name: 'labels', type: 'strings', description: 'Titles of all labels. Missing ones are made.' },
  { name: 'milestone_id', type: 'integer', description: 'The milestone. `0` or empty: none.' },
  flag('remove_source_branch', 'Whether the source branch is removed once it is merged.'),
  flag('allow_collaboration', 'Whether members of the target may push to the branch of a fork.'),
  flag('allow_maintainer_to_push', 'The old name of `allow_collaboration`.'),
  flag('squash', 'Whether its commits become one when it is merged.'),
  {
    name: 'merge_after',
    type: 'date-time',
    description:
      'The moment before which it isn’t merged. Empty: none. Changed by a person who may not merge, it ends an automatic merge.',
  },
];

const input = (values: Values) => ({
  title: values.title,
  description: values.description,
  targetBranch: values.target_branch,
  assigneeIds: peopleOf(values.assignee_ids, values.assignee_id),
  reviewerIds: peopleOf(values.reviewer_ids),
  milestoneId: idOrNull(values.milestone_id),
  labels: labelsOf(values.labels),
  removeSourceBranch: values.remove_source_branch,
  allowCollaboration: values.allow_collaboration ?? values.allow_maintainer_to_push,
  squash: values.squash,
  mergeAfter: values.merge_after,
});

const needed: Declaration = {
  rule: 'at least one',
  of: [
    'assignee_id',
    'assignee_ids',
    'reviewer_ids',
    'description',
    'labels',
    'add_labels',
    'remove_labels',
    'milestone_id',
    'remove_source_branch',
    'allow_collaboration',
    'allow_maintainer_to_push',
    'squash',
    'target_branch',
    'title',
    'state_event',
    'discussion_locked',
    'merge_after',
  ],
};

const shown: readonly Parameter[] = [
  { ...flag('render_html', 'Show title and description as HTML, too.'), default: false },
  { ...flag('include_diverged_commits_count', 'Count the commits that only the target has.'), default: false },
  { ...flag('include_rebase_in_progress', 'Show whether it is being rebased.'), default: false },
];

/** The fields of one that is read, with those that are asked for. */
const shownFields = `${mergeRequestFields} firstContribution titleHtml @include(if: $html) descriptionHtml @include(if: $html)
  rebaseInProgress @include(if: $rebasing) divergedCommitsCount @include(if: $diverged)`;
const shownArguments = '$html: Boolean!, $rebasing: Boolean!, $diverged: Boolean!';
const shownVariables = (values: Values) => ({
  html: values.render_html === true,
  rebasing: values.include_rebase_in_progress === true,
  diverged: values.include_diverged_commits_count === true,
});

export const mergeRequestRoutes: readonly AnyRoute[] = [
  mergeRequestListRoute(
    'everywhere',
    '/api/v4/merge_requests',
    'List merge requests, by default those that you opened',
  ),
  mergeRequestListRoute(
    'group',
    '/api/v4/groups/:id/merge_requests',
    'List the merge requests of a group and its subgroups',
  ),
  mergeRequestListRoute('project', path, 'List the merge requests into a project'),
  route<{ mergeRequest: MergeRequestData }>({
    method: 'GET',
    path: '/api/v4/projects/merge_requests/:merge_request_id',
    summary: 'Get a merge request by its ID',
    tag,
    parameters: shown,
    operation: `query ($id: MergeRequestID!, ${shownArguments}) { mergeRequest(id: $id) { ${shownFields} } }`,
    variables: (values) => ({ id: values.merge_request_id, ...shownVariables(values) }),
    subject: 'MergeRequest',
    missing: notFound,
    record: recordOf(MergeRequest, ({ mergeRequest }) => mergeRequest),
    dialect: 'version 4',
  }),
  route<{ mergeRequest: MergeRequestData }>({
    method: 'GET',
    path: one,
    summary: 'Get a merge request',
    tag,
    parameters: shown,
    operation: `query ($project: ID!, $iid: String!, ${shownArguments}) {
      mergeRequest(project: $project, iid: $iid, current: true) { ${shownFields} }
    }`,
    variables: (values) => ({ project: values.id, iid: values.merge_request_iid, ...shownVariables(values) }),
    subject: 'MergeRequest',
    missing: notFound,
    record: recordOf(MergeRequest, ({ mergeRequest }) => mergeRequest),
    dialect: 'version 4',
  }),
  route<Payload<'mergeRequestCreate'>>({
    method: 'POST',
    path,
    summary: 'Open a merge request for a branch of the project, the source',
    tag,
    parameters: [
      { ...title, required: true },
      { ...text('source_branch', 'The branch to merge.'), required: true },
      { ...targetBranch, required: true },
      { name: 'target_project_id', type: 'integer', description: 'The target. Default: the project itself.' },
      ...fields,
    ],
    example: { title: 'Seal the pump', source_branch: 'seal', target_branch: 'main' },
    operation: `mutation ($input: MergeRequestCreateInput!) {
      mergeRequestCreate(input: $input) { mergeRequest { ${mergeRequestFields} } }
    }`,
    variables: (values) => ({
      input: {
        ...input(values),
        projectPath: values.id,
        title: values.title ?? '',
        sourceBranch: values.source_branch ?? '',
        targetBranch: values.target_branch ?? '',
        targetProjectId: values.target_project_id == null ? undefined : String(values.target_project_id),
      },
    }),
    status: 201,
    refusals: [409, 422],
    missing: { TargetProject: '404 Not found' },
    record: mergeRequestIn('mergeRequestCreate'),
    dialect: 'version 4',
  }),
  route<Payload<'mergeRequestUpdate'>>({
    method: 'PUT',
    path: one,
    summary: 'Change, close or reopen a merge request',
    tag,
    parameters: [
      { ...title, notBlank: true },
      { ...targetBranch, notBlank: true },
      ...fields,
      { name: 'add_labels', type: 'strings', description: 'Titles of labels to add.' },
      { name: 'remove_labels', type: 'strings', description: 'Titles of labels to remove.' },
      { ...text('state_event', 'Close or reopen it.'), allowed: ['close', 'reopen'] },
      flag('discussion_locked', 'Whether only members comment.'),
      needed,
    ],
    example: { title: 'Seal the pump at last' },
    operation: `mutation ($input: MergeRequestUpdateInput!) {
      mergeRequestUpdate(input: $input) { mergeRequest { ${mergeRequestFields} } }
    }`,
    variables: (values) => ({
      input: {
        ...nameOf(values),
        ...input(values),
        addLabels: labelsOf(values.add_labels),
        removeLabels: labelsOf(values.remove_labels),
        state: values.state_event == null ? undefined : values.state_event === 'close' ? 'CLOSED' : 'OPEN',
        locked: values.discussion_locked,
      },
    }),
    refusals: [409, 422],
    missing: notFound,
    record: mergeRequestIn('mergeRequestUpdate'),
    dialect: 'version 4',
  }),
  route<unknown>({
    method: 'DELETE',
    path: one,
    summary: 'Delete a merge request (owners only)',
    tag,
    parameters: [],
    operation: 'mutation ($input: MergeRequestDeleteInput!) { mergeRequestDelete(input: $input) { mergeRequestId } }',
    variables: (values, { unmodifiedSince }) => ({ input: { ...nameOf(values), unmodifiedSince } }),
    conditional: true,
    missing: notFound,
    status: 204,
    record: NoContent,
    dialect: 'version 4',
  }),
];
