import { expect } from 'vitest';
import type { Answer, Row } from './row.ts';
import { newIssue, newLabelled, newMergeRequest, newMilestone, newNote, newProject, newSnippet } from './steps.ts';

const removedIid = { headers: { 'x-causeway-hint': /`iid/ } };
const notThere = { status: 404, has: { message: '404 Not found' } };
const singular = { status: 404, has: { error: '404 Not Found' }, hint: 'merge_request' };

interface RenamedIids extends Pick<Row, 'awaits' | 'given'> {
  readonly version: string;
  /** The records of the list, as in its path. */
  readonly records: string;
  /** The IID of one of them. */
  readonly iid: string;
  /** The IID that is sent as `iid[]`, and what the list has nevertheless. */
  readonly ignored: string;
  readonly list: NonNullable<Answer['list']>;
}

/** Two rows: the filter `iids[]` of a list works, and its former name `iid[]` is ignored. */
function renamedIids({ version, records, iid, ignored, list, ...row }: RenamedIids): Row[] {
  const call = `GET /projects/{project}/${records}`;
  const documented = `GET /projects/:id/${records}`;
  return [
    {
      ...row,
      name: `${version}: iid[] is renamed iids on ${documented}`,
      request: { call, query: { 'iids[]': iid } },
      response: { status: 200, list: { iid: [iid] } },
    },
    {
      ...row,
      name: `${version}: iid[] is ignored on ${documented}`,
      request: { call, query: { 'iid[]': ignored } },
      response: { status: 200, list, ...removedIid },
    },
  ];
}

const issues: readonly Row[] = [
  {
    name: '8.17: the filter iid is removed from GET /projects/:id/issues',
    given: newIssue,
    request: { call: 'GET /projects/{project}/issues', query: { iid: '{issue}' } },
    response: { status: 200, list: { iid: ['{issue}', '{before}'] }, ...removedIid },
  },
  {
    name: 'GET /projects/:id/issues?iids[]=1 filters',
    given: newIssue,
    request: { call: 'GET /projects/{project}/issues', query: { 'iids[]': '{issue}' } },
    response: { status: 200, list: { iid: ['{issue}'] } },
  },
  {
    name: '9.0: labels on GET /projects/:id/issues matches issues with all of them',
    given: newLabelled,
    request: { call: 'GET /projects/{project}/issues', query: { labels: 'bug,shop' } },
    response: { status: 200, list: { title: ['Both'] } },
  },
  {
    name: '9.0: labels on GET /issues matches issues with all of them',
    given: [
      ...newLabelled,
      { call: 'POST /projects/{project}/issues', form: { title: 'Only {row}', labels: 'row-{row},bug' } },
    ],
    request: { call: 'GET /issues', query: { labels: 'row-{row},bug' } },
    response: { status: 200, list: { title: ['Only {row}'] } },
  },
  {
    name: '9.0: the field subscribed is removed from GET /projects/:id/issues',
    given: newIssue,
    request: { call: 'GET /projects/{project}/issues' },
    response: { status: 200, lacks: ['subscribed'] },
  },
  {
    name: '9.0: the field subscribed is removed from GET /issues',
    given: newIssue,
    request: { call: 'GET /issues' },
    response: { status: 200, lacks: ['subscribed'] },
  },
  {
    name: '9.0: GET /projects/:id/issues/:issue_iid has subscribed',
    given: newIssue,
    request: { call: 'GET /projects/{project}/issues/{issue}' },
    response: { status: 200, has: { iid: '{issue}', subscribed: expect.any(Boolean) } },
  },
  {
    name: '9.0: issues are addressed by IIDs instead of IDs',
    given: newIssue,
    request: { call: 'GET /projects/{project}/issues/{issue_id}000' },
    response: { ...notThere, hint: 'iid' },
  },
  {
    name: '9.0: PUT /projects/:id/issues/:issue_iid takes the IID',
    given: newIssue,
    request: { call: 'PUT /projects/{project}/issues/{issue}', form: { title: 'Two' } },
    response: { status: 200, has: { iid: '{issue}', title: 'Two' } },
  },
  {
    name: '9.0: DELETE /projects/:id/issues/:issue_iid takes the IID',
    given: newIssue,
    request: { call: 'DELETE /projects/{project}/issues/{issue}' },
    response: { status: 204 },
  },
  {
    name: '9.0: time tracking takes the IID of an issue',
    given: newIssue,
    request: { call: 'POST /projects/{project}/issues/{issue}/time_estimate', form: { duration: '3h30m' } },
    response: { status: 200, has: { time_estimate: 12_600, human_time_estimate: '3h 30m' } },
  },
  {
    name: '9.0: award emoji take the IID of an issue',
    given: newIssue,
    request: { call: 'POST /projects/{project}/issues/{issue}/award_emoji', form: { name: 'thumbsup' } },
    response: { status: 201, has: { name: 'thumbsup', awardable_type: 'Issue' } },
  },
  ...['subscribe', 'unsubscribe'].map((verb): Row => ({
    name: `9.0: POST /projects/:id/issues/:issue_iid/${verb}`,
    given: [
      ...newIssue,
      ...(verb === 'subscribe' ? [{ call: 'POST /projects/{project}/issues/{issue}/unsubscribe' }] : []),
    ],
    request: { call: `POST /projects/{project}/issues/{issue}/${verb}` },
    response: { status: 201, has: { iid: '{issue}', subscribed: verb === 'subscribe' } },
  })),
  ...['POST', 'DELETE'].map((method): Row => ({
    name: `9.0: ${method} /projects/:id/:subscribable_type/:subscribable_id/subscription is removed`,
    given: newIssue,
    request: { call: `${method} /projects/{project}/issues/{issue}/subscription` },
    response: { status: 404, hint: '/subscribe' },
  })),
  {
    name: '9.0: POST /projects/:id/labels/:label/subscribe',
    given: [newProject, { call: 'POST /projects/{project}/labels', form: { name: 'bug', color: '#ff0000' } }],
    request: { call: 'POST /projects/{project}/labels/bug/subscribe' },
    response: { status: 201, has: { name: 'bug', subscribed: true } },
  },
  {
    name: '9.0: POST /projects/:id/labels/:label/unsubscribe without a subscription',
    given: [newProject, { call: 'POST /projects/{project}/labels', form: { name: 'bug', color: '#ff0000' } }],
    request: { call: 'POST /projects/{project}/labels/bug/unsubscribe' },
    response: { status: 304 },
  },
];

const notes: readonly Row[] = [
  {
    name: '9.0: notes no longer have upvote and downvote',
    given: newNote,
    request: { call: 'GET /projects/{project}/issues/{issue}/notes' },
    response: { status: 200, list: { id: ['{note}'] }, lacks: ['upvote', 'downvote'] },
  },
  {
    name: '9.0: a single note has neither field',
    given: newNote,
    request: { call: 'GET /projects/{project}/issues/{issue}/notes/{note}' },
    response: { status: 200, has: { body: 'A remark.' }, lacks: ['upvote', 'downvote'] },
  },
];

const mergeRequests: readonly Row[] = [
  ...renamedIids({
    version: '8.17',
    given: newMergeRequest,
    records: 'merge_requests',
    iid: '{merge_request}',
    ignored: '999',
    list: { iid: ['{merge_request}'] },
  }),
  {
    name: '8.17: GET /projects/merge_request/:id is removed',
    request: { call: 'GET /projects/merge_request/1' },
    response: singular,
  },
  {
    name: '8.17: the endpoints under GET /projects/merge_request/:id are removed',
    request: { call: 'GET /projects/merge_request/1/changes' },
    response: singular,
  },
  {
    name: '8.17: GET /projects/:id/merge_request/:id is removed with them',
    request: { call: 'GET /projects/{storefront}/merge_request/1' },
    response: singular,
  },
  {
    name: '8.17: GET /projects/merge_requests/:id',
    given: newMergeRequest,
    request: { call: 'GET /projects/merge_requests/{merge_request_id}' },
    response: { status: 200, has: { id: '{merge_request_id}', iid: '{merge_request}', project_id: '{project}' } },
  },
  {
    name: '9.0: the field subscribed is removed from GET /projects/:id/merge_requests',
    given: newMergeRequest,
    request: { call: 'GET /projects/{project}/merge_requests' },
    response: { status: 200, lacks: ['subscribed'] },
  },
  {
    name: '9.0: GET /projects/:id/merge_requests/:merge_request_iid has subscribed',
    given: newMergeRequest,
    request: { call: 'GET /projects/{project}/merge_requests/{merge_request}' },
    response: {
      status: 200,
      has: { iid: '{merge_request}', subscribed: expect.any(Boolean), merge_when_pipeline_succeeds: false },
    },
  },
  {
    name: '9.0: merge requests are addressed by IIDs instead of IDs',
    given: newMergeRequest,
    request: { call: 'GET /projects/{project}/merge_requests/{merge_request_id}000' },
    response: { ...notThere, hint: 'iid' },
  },
  {
    name: '9.0: PUT /projects/:id/merge_requests/:merge_request_id/merge takes merge_when_pipeline_succeeds',
    given: [
      ...newMergeRequest,
      { call: 'POST /projects/{project}/statuses/topic', form: { state: 'running', ref: 'topic' } },
    ],
    request: {
      call: 'PUT /projects/{project}/merge_requests/{merge_request}/merge',
      form: { merge_when_pipeline_succeeds: 'true' },
    },
    response: {
      status: 200,
      headers: { 'x-causeway-hint': null },
      has: { state: 'opened', merge_when_pipeline_succeeds: true },
    },
  },
  {
    name: '9.0: merge_when_build_succeeds is renamed there',
    given: newMergeRequest,
    request: {
      call: 'PUT /projects/{project}/merge_requests/{merge_request}/merge',
      form: { merge_when_build_succeeds: 'true' },
    },
    response: { status: 200, headers: { 'x-causeway-hint': /`merge_when_pipeline_succeeds`/ } },
  },
  {
    name: '9.0: POST /projects/:id/merge_requests/:merge_request_id/cancel_merge_when_pipeline_succeeds',
    given: newMergeRequest,
    request: { call: 'POST /projects/{project}/merge_requests/{merge_request}/cancel_merge_when_pipeline_succeeds' },
    response: { status: 201 },
  },
  {
    name: '9.0: POST …/cancel_merge_when_build_succeeds is removed',
    given: newMergeRequest,
    request: { call: 'POST /projects/{project}/merge_requests/{merge_request}/cancel_merge_when_build_succeeds' },
    response: { status: 404, hint: 'cancel_merge_when_pipeline_succeeds' },
  },
  {
    name: '9.0: time tracking takes the IID of a merge request',
    given: newMergeRequest,
    request: {
      call: 'POST /projects/{project}/merge_requests/{merge_request}/add_spent_time',
      form: { duration: '1h' },
    },
    response: { status: 201, has: { total_time_spent: 3_600 } },
  },
  {
    name: '9.0: award emoji take the IID of a merge request',
    given: newMergeRequest,
    request: {
      call: 'POST /projects/{project}/merge_requests/{merge_request}/award_emoji',
      form: { name: 'thumbsup' },
    },
    response: { status: 201, has: { name: 'thumbsup', awardable_type: 'MergeRequest' } },
  },
  {
    name: '9.0: to-dos are created by the IID of a merge request',
    given: newMergeRequest,
    request: { call: 'POST /projects/{project}/merge_requests/{merge_request}/todo' },
    response: { status: 201, has: { action_name: 'marked', target: { iid: '{merge_request}' } } },
  },
  ...['subscribe', 'unsubscribe'].map((verb): Row => ({
    name: `9.0: POST /projects/:id/merge_requests/:merge_request_iid/${verb}`,
    given: [
      ...newMergeRequest,
      ...(verb === 'subscribe'
        ? [{ call: 'POST /projects/{project}/merge_requests/{merge_request}/unsubscribe' }]
        : []),
    ],
    request: { call: `POST /projects/{project}/merge_requests/{merge_request}/${verb}` },
    response: { status: 201, has: { iid: '{merge_request}', subscribed: verb === 'subscribe' } },
  })),
];

const milestones: readonly Row[] = [
  ...renamedIids({
    version: '9.0',
    given: newMilestone,
    records: 'milestones',
    iid: '{milestone_iid}',
    ignored: '{milestone_iid}',
    list: { title: expect.arrayContaining(['One', 'Before']) as readonly unknown[] },
  }),
];

const snippets: readonly Row[] = [
  {
    name: '8.17: snippets of a project no longer have expires_at',
    given: newSnippet,
    request: { call: 'GET /projects/{project}/snippets' },
    response: { status: 200, list: { id: ['{snippet}'] }, lacks: ['expires_at'] },
  },
  {
    name: '8.17: a single snippet has none either',
    given: newSnippet,
    request: { call: 'GET /projects/{project}/snippets/{snippet}' },
    response: { status: 200, has: { id: '{snippet}' }, lacks: ['expires_at'] },
  },
  {
    name: 'visibility is a string in POST /projects/:id/snippets',
    given: [newProject],
    request: {
      call: 'POST /projects/{project}/snippets',
      form: { title: 'Row {row}', visibility: 'private', file_name: 'row.txt', content: 'A line.' },
    },
    response: { status: 201, has: { visibility: 'private' } },
  },
];

const epics: readonly Row[] = [
  {
    name: 'epics exist for the event new_epic: POST /groups/:id/epics',
    request: { call: 'POST /groups/{demo}/epics', as: 'premium', form: { title: 'Row {row}' } },
    response: { status: 201, has: { title: 'Row {row}', group_id: '{demo}' } },
  },
];

export const changesOfPlanning: readonly Row[] = [
  ...issues,
  ...notes,
  ...mergeRequests,
  ...milestones,
  ...snippets,
  ...epics,
];
