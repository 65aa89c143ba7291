import type { Values } from '../../engine/parameters.ts';
import { objectSchema, type Record } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

interface UserAgentData {
  readonly userAgentDetail: {
    readonly userAgent: string;
    readonly ipAddress: string;
    readonly akismetSubmitted: boolean;
  };
}

const UserAgentDetail: Record<UserAgentData> = {
  name: 'UserAgentDetail',
  schema: objectSchema({
    user_agent: { type: 'string' },
    ip_address: { type: 'string' },
    akismet_submitted: { type: 'boolean' },
  }),
  present: ({ userAgentDetail: { userAgent, ipAddress, akismetSubmitted } }) => ({
    user_agent: userAgent,
    ip_address: ipAddress,
    akismet_submitted: akismetSubmitted,
  }),
};

/** What an issue or a snippet was created with: it isn't stored, so that the answer is 404. */
export const userAgentRoute = (
  { path, tag, what }: { readonly path: string; readonly tag: string; readonly what: string },
  variables: (values: Values) => Readonly<globalThis.Record<string, unknown>>,
): AnyRoute =>
  route<UserAgentData>({
    method: 'GET',
    path: `${path}/user_agent_detail`,
    summary: `Get what ${what} was created with (administrators only)`,
    tag,
    parameters: [],
    operation: `query ($project: ID, $issue: String, $snippet: SnippetID) {
      userAgentDetail(project: $project, issue: $issue, snippet: $snippet) { userAgent ipAddress akismetSubmitted }
    }`,
    variables: (values) => variables(values),
    subject: 'UserAgentDetail',
    record: UserAgentDetail,
    dialect: 'version 4',
  });
