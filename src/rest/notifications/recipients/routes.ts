import {
  eventNames,
  notificationEvents,
  toWireEvent,
  type EventName,
  type EventSubject,
} from '../../../values/kinds/notification-events.ts';
import { listRoute } from '../../engine/list-route.ts';
import type { Declaration, Values } from '../../engine/parameters.ts';
import { ParameterProblems } from '../../engine/errors.ts';
import { recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import {
  decisionFields,
  NotificationDecision,
  NotificationRecipient,
  recipientFields,
  type DecisionData,
} from './record.ts';

/** Asks who would be notified of an event, for mailers outside that follow people's settings here. */

const tag = 'Notification recipients';

const asked: readonly Declaration[] = [
  {
    name: 'event',
    type: 'string',
    required: true,
    allowed: eventNames.map(toWireEvent),
    description: 'The event that would happen.',
  },
  { name: 'issue_iid', type: 'integer', description: 'The number of the issue that it happens to.' },
  { name: 'merge_request_iid', type: 'integer', description: 'The number of the merge request that it happens to.' },
  { name: 'note_id', type: 'integer', description: 'For `new_note`: a comment that is there.' },
  { name: 'pipeline_id', type: 'integer', description: 'For events of pipelines: the pipeline that ends.' },
  { name: 'snippet_id', type: 'integer', description: 'For `new_note`: the snippet that is commented.' },
  {
    name: 'actor',
    type: 'string',
    description:
      'ID or username of the person who does it. For recipients: administrators only, default: you. For a decision, the default is someone who isn’t known.',
  },
  {
    name: 'mentions',
    type: 'strings',
    description:
      'For `new_note`, `new_issue` and `new_merge_request`: usernames and paths of groups that the text mentions, too.',
  },
  { name: 'internal', type: 'boolean', description: 'For `new_note`: whether the comment is internal.' },
  {
    name: 'assignee',
    type: 'string',
    description: 'For `reassign_issue` and `reassign_merge_request`: ID or username of the person whom it is given to.',
  },
];

const args = {
  event: 'NotificationEvent!',
  subject: 'ID',
  project: 'ID',
  iid: 'String',
  mergeRequestIid: 'String',
  actor: 'ID',
  mentions: '[String!]',
  internal: 'Boolean',
  assignee: 'ID',
} as const;

const eventOf = ({ event }: Values) => String(event).toUpperCase() as EventName;

/** The parameters of which an event needs one that says what it happens to; none for a project. Epics are asked over GraphQL. */
const subjectParameters: Readonly<Record<EventSubject, readonly string[]>> = {
  Epic: [],
  Issue: ['issue_iid'],
  MergeRequest: ['merge_request_iid'],
  Note: ['issue_iid', 'merge_request_iid', 'note_id', 'snippet_id'],
  Pipeline: ['pipeline_id'],
  Project: [],
};

/** @throws ParameterProblems if nothing says what it happens to */
function requireSubject(values: Values): void {
  const of = subjectParameters[notificationEvents[eventOf(values)].about];
  if (of.length === 0 || of.some((name) => values[name] != null)) return;
  throw new ParameterProblems([
    of.length === 1 ? `${of[0]} is missing` : `${of.join(', ')} are missing, at least one parameter must be provided`,
  ]);
}

const variables = (values: Values) => {
  requireSubject(values);
  return variablesOf(values);
};

const variablesOf = ({
  id,
  event,
  issue_iid: iid,
  merge_request_iid: mergeRequestIid,
  note_id: note,
  snippet_id: snippet,
  pipeline_id: pipeline,
  ...more
}: Values) => ({
  event: eventOf({ event }),
  project: id,
  iid: iid == null ? null : String(iid),
  mergeRequestIid: mergeRequestIid == null ? null : String(mergeRequestIid),
  subject:
    note != null
      ? `gid://gitlab/Note/${String(note)}`
      : snippet != null
        ? `gid://gitlab/ProjectSnippet/${String(snippet)}`
        : pipeline != null
          ? `gid://gitlab/Ci::Pipeline/${String(pipeline)}`
          : null,
  actor: more.actor ?? null,
  mentions: more.mentions ?? null,
  internal: more.internal ?? null,
  assignee: more.assignee ?? null,
});

const declared = Object.entries(args)
  .map(([name, type]) => `$${name}: ${type}`)
  .join(', ');
const passed = Object.keys(args)
  .map((name) => `${name}: $${name}`)
  .join(', ');

export const notificationRecipientRoutes: readonly AnyRoute[] = [
  listRoute({
    path: '/api/v4/projects/:id/notification_recipients',
    summary: 'List who would be notified of an event (maintainers and above)',
    tag,
    of: 'NotificationRecipient',
    parameters: asked,
    field: 'notificationRecipients',
    args,
    selection: recipientFields,
    variables,
    record: NotificationRecipient,
  }),
  route<{ notificationDecision: DecisionData }>({
    method: 'GET',
    path: '/api/v4/projects/:id/notification_decision',
    summary: 'Say whether a person would be notified of an event, and why',
    tag,
    parameters: [
      ...asked,
      { name: 'user', type: 'string', description: 'ID or username (administrators only). Default: you.' },
    ],
    operation: `query (${declared}, $user: ID) { notificationDecision(${passed}, user: $user) { ${decisionFields} } }`,
    variables: (values) => ({ ...variables(values), user: values.user ?? null }),
    record: recordOf(NotificationDecision, (data) => data.notificationDecision),
    dialect: 'version 4',
  }),
];
