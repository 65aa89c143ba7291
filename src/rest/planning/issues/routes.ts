import { largestInteger } from '../../../values/integers.ts';
import { isDay } from '../../../values/time/calendar.ts';
import { text } from '../../engine/declared.ts';
import type { Declaration, Parameter, Value, Values } from '../../engine/parameters.ts';
import { NoContent, objectSchema, recordOf, type Record as WireRecord } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { issueIn, notFound } from './actions.ts';
import {
  filterArguments,
  filterParameters,
  filterVariables,
  issueListRoute,
  issueTypes,
  places,
  placeVariables,
  type Where,
} from './list.ts';
import { Issue, issueFields, type IssueData } from './record.ts';
import { idOrNull, labelsOf, peopleOf } from './values.ts';

const tag = 'Issues';
const project = '/api/v4/projects/:id';
const path = `${project}/issues`;
const one = `${path}/:issue_iid`;

type Payload<Field extends string> = { readonly [F in Field]: { readonly issue: IssueData } };

const title = text('title', 'Title.');
const fields: readonly Parameter[] = [
  text('description', 'Description, as Markdown.'),
  { name: 'assignee_ids', type: 'integers', description: 'The person to assign: the first one. `0` or empty: no one.' },
  { name: 'assignee_id', type: 'integer', description: 'The same for one person. Obsolete.' },
  { name: 'milestone_id', type: 'integer', description: 'The milestone. `0` or empty: none.' },
  { name: 'labels', type: 'strings', description: 'Titles of all labels. Missing ones are made.' },
  text('due_date', 'Day, as in `2026-06-28`. Empty: none.'),
  { name: 'confidential', type: 'boolean', description: 'Whether only author, assignee and planners see it.' },
  { name: 'discussion_locked', type: 'boolean', description: 'Whether only members comment.' },
  { ...text('issue_type', 'Type.'), allowed: issueTypes },
];
const addedAndRemoved: readonly Parameter[] = [
  { name: 'add_labels', type: 'strings', description: 'Titles of labels to add.' },
  { name: 'remove_labels', type: 'strings', description: 'Titles of labels to remove.' },
];
const created: Parameter = { name: 'created_at', type: 'date-time', description: 'When it was created. Owners only.' };

const dayOrNull = (value: Value) =>
  value === undefined ? undefined : typeof value === 'string' && isDay(value.slice(0, 10)) ? value.slice(0, 10) : null;

const numberIn = (value: Value) => (typeof value === 'number' ? String(value) : undefined);

/** The labels that a new issue begins with. */
function firstLabels({
  labels,
  add_labels: added,
  remove_labels: removed,
}: Values): readonly string[] | null | undefined {
  if (added == null && removed == null) return labelsOf(labels);
  const titles = [labels, added].flatMap((value) => labelsOf(value) ?? []).map((one) => one.trim());
  const gone = new Set((labelsOf(removed) ?? []).map((one) => one.trim()));
  return titles.filter((one) => !gone.has(one));
}

const input = (values: Values) => ({
  title: values.title,
  description: values.description,
  assigneeIds: peopleOf(values.assignee_ids, values.assignee_id),
  milestoneId: idOrNull(values.milestone_id),
  labels: labelsOf(values.labels),
  dueDate: dayOrNull(values.due_date),
  confidential: values.confidential,
  locked: values.discussion_locked,
  type: typeof values.issue_type === 'string' ? values.issue_type.toUpperCase() : undefined,
  createdAt: values.created_at,
});

const needed: Declaration = {
  rule: 'at least one',
  of: [
    'assignee_id',
    'assignee_ids',
    'confidential',
    'created_at',
    'description',
    'discussion_locked',
    'due_date',
    'labels',
    'add_labels',
    'remove_labels',
    'milestone_id',
    'state_event',
    'title',
    'issue_type',
  ],
};

const Statistics: WireRecord<{
  readonly issueStatusCounts: { readonly all: number; readonly closed: number; readonly opened: number };
}> = {
  name: 'IssuesStatistics',
  schema: objectSchema({
    statistics: objectSchema({
      counts: objectSchema({ all: { type: 'integer' }, closed: { type: 'integer' }, opened: { type: 'integer' } }),
    }),
  }),
  present: ({ issueStatusCounts: { all, closed, opened } }) => ({ statistics: { counts: { all, closed, opened } } }),
};

function statisticsRoute(where: Where, at: string, summary: string): AnyRoute {
  const args = { ...filterArguments, ...places[where].args };
  const declared = Object.entries(args).map(([name, type]) => `$${name}: ${type}`);
  const passed = Object.keys(args).map((name) => `${name}: $${name}`);
  return route({
    method: 'GET',
    path: at,
    summary,
    tag,
    parameters: [...filterParameters(places[where].scope), ...places[where].parameters],
    operation: `query (${declared.join(', ')}) { issueStatusCounts(${passed.join(', ')}) { all closed opened } }`,
    variables: (values) => ({ ...filterVariables(values), ...placeVariables(where, values) }),
    record: Statistics,
    dialect: 'version 4',
  });
}

export const issueRoutes: readonly AnyRoute[] = [
  issueListRoute('everywhere', '/api/v4/issues', { summary: 'List issues, by default those that you created' }),
  issueListRoute('group', '/api/v4/groups/:id/issues', { summary: 'List the issues of a group and its subgroups' }),
  issueListRoute('project', path, { summary: 'List the issues of a project' }),
  statisticsRoute('everywhere', '/api/v4/issues_statistics', 'Count issues by state'),
  statisticsRoute('group', '/api/v4/groups/:id/issues_statistics', 'Count the issues of a group by state'),
  statisticsRoute('project', `${project}/issues_statistics`, 'Count the issues of a project by state'),
  route<{ anyIssue: IssueData }>({
    method: 'GET',
    path: '/api/v4/issues/:issue_id',
    summary: 'Get an issue by its ID (administrators only)',
    tag,
    parameters: [],
    operation: `query ($id: IssueID!) { anyIssue(id: $id) { ${issueFields} } }`,
    variables: ({ issue_id: id }) => ({ id }),
    subject: 'Issue',
    missing: notFound,
    record: recordOf(Issue, ({ anyIssue }) => anyIssue),
    dialect: 'version 4',
  }),
  route<{ issue: IssueData }>({
    method: 'GET',
    path: one,
    summary: 'Get an issue',
    tag,
    parameters: [],
    operation: `query ($project: ID!, $iid: String!) { issue(project: $project, iid: $iid) { ${issueFields} } }`,
    variables: ({ id, issue_iid: iid }) => ({ project: id, iid }),
    subject: 'Issue',
    missing: notFound,
    record: recordOf(Issue, ({ issue }) => issue),
    dialect: 'version 4',
  }),
  route<Payload<'createIssue'>>({
    method: 'POST',
    path,
    summary: 'Create an issue',
    tag,
    parameters: [
      { ...title, required: true },
      ...fields,
      ...addedAndRemoved,
      { name: 'iid', type: 'integer', largest: largestInteger, description: 'Number in the project. Owners only.' },
      created,
      {
        name: 'merge_request_to_resolve_discussions_of',
        type: 'integer',
        description:
          'IID of a merge request whose open threads it continues: they are resolved, and listed where no description is sent.',
      },
      text('discussion_to_resolve', 'Only this thread of the merge request.'),
    ],
    example: { title: 'The pump leaks', labels: 'bug' },
    operation: `mutation ($input: CreateIssueInput!) { createIssue(input: $input) { issue { ${issueFields} } } }`,
    variables: (values) => ({
      input: {
        projectPath: values.id,
        ...input(values),
        title: values.title ?? '',
        labels: firstLabels(values),
        iid: values.iid,
        mergeRequestIidToResolveDiscussionsOf: numberIn(values.merge_request_to_resolve_discussions_of),
        discussionToResolve: values.discussion_to_resolve,
      },
    }),
    status: 201,
    refusals: [409],
    limits: { name: 'issues_create', viewer: { most: 300, seconds: 60 } },
    record: issueIn('createIssue'),
    dialect: 'version 4',
  }),
  route<Payload<'updateIssue'>>({
    method: 'PUT',
    path: one,
    summary: 'Change, close or reopen an issue',
    tag,
    parameters: [
      title,
      ...fields,
      ...addedAndRemoved,
      { ...text('state_event', 'Close or reopen it.'), allowed: ['close', 'reopen'] },
      created,
      { name: 'updated_at', type: 'date-time', notBlank: true, description: 'When it was changed. Owners only.' },
      needed,
    ],
    example: { title: 'The pump leaks again' },
    operation: `mutation ($input: UpdateIssueInput!) { updateIssue(input: $input) { issue { ${issueFields} } } }`,
    variables: (values) => ({
      input: {
        projectPath: values.id,
        iid: values.issue_iid,
        ...input(values),
        addLabels: labelsOf(values.add_labels),
        removeLabels: labelsOf(values.remove_labels),
        stateEvent: typeof values.state_event === 'string' ? values.state_event.toUpperCase() : undefined,
        updatedAt: values.updated_at,
      },
    }),
    missing: notFound,
    record: issueIn('updateIssue'),
    dialect: 'version 4',
  }),
  route<unknown>({
    method: 'DELETE',
    path: one,
    summary: 'Delete an issue (owners only)',
    tag,
    parameters: [],
    operation: 'mutation ($input: DeleteIssueInput!) { deleteIssue(input: $input) { issueId } }',
    variables: ({ id, issue_iid: iid }, { unmodifiedSince }) => ({ input: { projectPath: id, iid, unmodifiedSince } }),
    conditional: true,
    status: 204,
    record: NoContent,
    dialect: 'version 4',
  }),
];
