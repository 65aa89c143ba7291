import { listRoute } from '../../engine/list-route.ts';
import { objectSchema, recordOf, type Record as WireRecord } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { notFound } from './actions.ts';

/** Routes about what doesn't exist here: merge requests, and where people write from. */

const one = '/api/v4/projects/:id/issues/:issue_iid';

const MergeRequest: WireRecord<{ readonly id: number }> = {
  name: 'MergeRequest',
  schema: objectSchema({ id: { type: 'integer' } }),
  present: ({ id }) => ({ id }),
};

/** What merge requests are listed with. */
export const noMergeRequests = {
  of: 'MergeRequest',
  parameters: [],
  selection: 'id: databaseId',
  record: MergeRequest,
} as const;

const listed = (name: string, field: string, summary: string): AnyRoute =>
  listRoute({
    ...noMergeRequests,
    path: `${one}/${name}`,
    summary,
    tag: 'Issues',
    within: { field: 'issue', args: { project: 'ID', iid: 'String' } },
    field,
    variables: ({ id: project, issue_iid: iid }) => ({ project, iid }),
    subject: 'Issue',
    missing: notFound,
  });

interface UserAgentData {
  readonly userAgent: string;
  readonly ipAddress: string;
  readonly akismetSubmitted: boolean;
}

const UserAgentDetail: WireRecord<UserAgentData> = {
  name: 'UserAgentDetail',
  schema: objectSchema({
    user_agent: { type: 'string' },
    ip_address: { type: 'string' },
    akismet_submitted: { type: 'boolean' },
  }),
  present: (detail) => ({
    user_agent: detail.userAgent,
    ip_address: detail.ipAddress,
    akismet_submitted: detail.akismetSubmitted,
  }),
};

export const unavailableOfIssues: readonly AnyRoute[] = [
  listed('related_merge_requests', 'relatedMergeRequests', 'List the merge requests that mention an issue: none'),
  listed('closed_by', 'closedByMergeRequests', 'List the merge requests that close an issue: none'),
  route<{ issueUserAgentDetail: UserAgentData }>({
    method: 'GET',
    path: `${one}/user_agent_detail`,
    summary: 'Get from where an issue was created: never kept (administrators only)',
    tag: 'Issues',
    parameters: [],
    operation: `query ($project: ID!, $iid: String!) {
      issueUserAgentDetail(project: $project, iid: $iid) { userAgent ipAddress akismetSubmitted }
    }`,
    variables: ({ id: project, issue_iid: iid }) => ({ project, iid }),
    missing: notFound,
    record: recordOf(UserAgentDetail, ({ issueUserAgentDetail }) => issueUserAgentDetail),
    dialect: 'version 4',
  }),
];
