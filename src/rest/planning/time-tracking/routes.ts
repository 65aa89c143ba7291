import type { Parameter, Values } from '../../engine/parameters.ts';
import { recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { nameOf as nameOfMergeRequest } from '../../reviews/merge-requests/actions.ts';
import { nameOf } from '../issues/actions.ts';
import { TimeStats, timeFields, type TimeData } from './record.ts';

const tag = 'Time tracking';

/** What has time: how its mutations begin, its field in their payloads, and its path. */
interface Tracked {
  readonly kind: 'issue' | 'mergeRequest';
  readonly path: string;
  readonly words: string;
  readonly name: (values: Values) => Readonly<Record<string, unknown>>;
}

const project = '/api/v4/projects/:id';

const issues: Tracked = { kind: 'issue', path: `${project}/issues/:issue_iid`, words: 'an issue', name: nameOf };
const mergeRequests: Tracked = {
  kind: 'mergeRequest',
  path: `${project}/merge_requests/:merge_request_iid`,
  words: 'a merge request',
  name: nameOfMergeRequest,
};

const duration: Parameter = {
  name: 'duration',
  type: 'string',
  required: true,
  description: 'Time, for example `3h30m`.',
};

interface Tracking {
  readonly at: string;
  readonly summary: string;
  readonly field: string;
  readonly parameters: readonly Parameter[];
  readonly input?: (values: Values) => object;
  readonly status?: 201;
}

const tracking = (
  { kind, path, name }: Tracked,
  { at, field: verb, input, parameters, ...more }: Tracking,
): AnyRoute => {
  const field = `${kind}${verb}`;
  return route<Record<string, Record<string, TimeData>>>({
    ...more,
    method: 'POST',
    path: `${path}/${at}`,
    tag,
    parameters,
    operation: `mutation ($input: ${field[0]!.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { ${kind} { ${timeFields} } } }`,
    variables: (values) => ({ input: { ...name(values), ...input?.(values) } }),
    record: recordOf(TimeStats, (data) => data[field]![kind]!),
    dialect: 'version 4',
  });
};

/** Some clients encode a duration twice: `3h%2030m`. */
function durationOf({ duration: given }: Values): string {
  const text = String(given ?? '');
  return text.replaceAll(/%20|\+/g, ' ');
}

const routesOf = (tracked: Tracked): readonly AnyRoute[] => [
  tracking(tracked, {
    at: 'time_estimate',
    summary: `Set the estimated time of ${tracked.words}`,
    field: 'SetTimeEstimate',
    parameters: [duration],
    input: (values) => ({ duration: durationOf(values) }),
  }),
  tracking(tracked, {
    at: 'reset_time_estimate',
    summary: `Remove the estimated time of ${tracked.words}`,
    field: 'SetTimeEstimate',
    parameters: [],
    input: () => ({ duration: '0' }),
  }),
  tracking(tracked, {
    at: 'add_spent_time',
    summary: `Add spent time to ${tracked.words}, or subtract it`,
    field: 'AddSpentTime',
    parameters: [duration, { name: 'summary', type: 'string', description: 'What was done.' }],
    input: (values) => ({ duration: durationOf(values), summary: values.summary }),
    status: 201,
  }),
  tracking(tracked, {
    at: 'reset_spent_time',
    summary: `Remove the spent time of ${tracked.words}`,
    field: 'ResetSpentTime',
    parameters: [],
  }),
  route<{ item: TimeData }>({
    method: 'GET',
    path: `${tracked.path}/time_stats`,
    summary: `Get the estimated and the spent time of ${tracked.words}`,
    tag,
    parameters: [],
    operation: `query ($project: ID!, $iid: String!) { item: ${tracked.kind}(project: $project, iid: $iid) { ${timeFields} } }`,
    variables: (values) => {
      const { projectPath, iid } = tracked.name(values);
      return { project: projectPath, iid };
    },
    subject: tracked.kind === 'issue' ? 'Issue' : 'MergeRequest',
    record: recordOf(TimeStats, ({ item }) => item),
    dialect: 'version 4',
  }),
];

export const timeTrackingRoutes: readonly AnyRoute[] = [issues, mergeRequests].flatMap(routesOf);
