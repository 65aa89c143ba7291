import type { Parameter, Values } from '../../engine/parameters.ts';
import { recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { nameOf } from '../issues/actions.ts';
import { TimeStats, timeFields, type TimeData } from './record.ts';

const one = '/api/v4/projects/:id/issues/:issue_iid';
const tag = 'Time tracking';

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

const tracking = ({ at, field, input, parameters, ...more }: Tracking): AnyRoute =>
  route<Record<string, { readonly issue: TimeData }>>({
    ...more,
    method: 'POST',
    path: `${one}/${at}`,
    tag,
    parameters,
    operation: `mutation ($input: ${field[0]!.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { issue { ${timeFields} } } }`,
    variables: (values) => ({ input: { ...nameOf(values), ...input?.(values) } }),
    record: recordOf(TimeStats, (data) => data[field]!.issue),
    dialect: 'version 4',
  });

/** Some clients encode a duration twice: `3h%2030m`. */
function durationOf({ duration: given }: Values): string {
  const text = String(given ?? '');
  return text.replaceAll(/%20|\+/g, ' ');
}

export const timeTrackingRoutes: readonly AnyRoute[] = [
  tracking({
    at: 'time_estimate',
    summary: 'Set the estimated time of an issue',
    field: 'issueSetTimeEstimate',
    parameters: [duration],
    input: (values) => ({ duration: durationOf(values) }),
  }),
  tracking({
    at: 'reset_time_estimate',
    summary: 'Remove the estimated time of an issue',
    field: 'issueSetTimeEstimate',
    parameters: [],
    input: () => ({ duration: '0' }),
  }),
  tracking({
    at: 'add_spent_time',
    summary: 'Add spent time to an issue, or subtract it',
    field: 'issueAddSpentTime',
    parameters: [duration, { name: 'summary', type: 'string', description: 'What was done.' }],
    input: (values) => ({ duration: durationOf(values), summary: values.summary }),
    status: 201,
  }),
  tracking({
    at: 'reset_spent_time',
    summary: 'Remove the spent time of an issue',
    field: 'issueResetSpentTime',
    parameters: [],
  }),
  route<{ issue: TimeData }>({
    method: 'GET',
    path: `${one}/time_stats`,
    summary: 'Get the estimated and the spent time of an issue',
    tag,
    parameters: [],
    operation: `query ($project: ID!, $iid: String!) { issue(project: $project, iid: $iid) { ${timeFields} } }`,
    variables: ({ id: project, issue_iid: iid }) => ({ project, iid }),
    subject: 'Issue',
    record: recordOf(TimeStats, ({ issue }) => issue),
    dialect: 'version 4',
  }),
];
