import { objectSchema, recordOf, type Record as WireRecord } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { notFound } from './actions.ts';

/** Routes about what doesn't exist here: where people write from. */

const one = '/api/v4/projects/:id/issues/:issue_iid';

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
