import { UserBasic, userBasicFields } from '../../accounts/users/basic.ts';
import { listRoute } from '../../engine/list-route.ts';
import type { Declaration, Values } from '../../engine/parameters.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { Issue, issueFields, type IssueData } from './record.ts';
import { recordOf, type Record as WireRecord } from '../../engine/record.ts';

/** Routes that act on an issue: order, move, clone, subscriptions, participants. */

const tag = 'Issues';
const one = '/api/v4/projects/:id/issues/:issue_iid';

/** The text of a missing issue where version 4 doesn't name it. */
export const notFound = { Issue: '404 Not found' };

/** The input that names an issue. */
export const nameOf = ({ id, issue_iid: iid }: Values) => ({ projectPath: id, iid });

type Payload<Field extends string> = {
  readonly [F in Field]: { readonly issue: IssueData; readonly changed?: boolean };
};
export const issueIn = <Field extends string>(field: Field): WireRecord<Payload<Field>> =>
  recordOf(Issue, (data) => data[field].issue);

/** The text of a mutation. @param more further fields of its payload */
const mutationOf = (field: string, more = '') =>
  `mutation ($input: ${field[0]!.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { ${more} issue { ${issueFields} } } }`;

const subscription = (verb: 'subscribe' | 'unsubscribe', summary: string): AnyRoute =>
  route<Payload<'issueSetSubscription'>>({
    method: 'POST',
    path: `${one}/${verb}`,
    summary,
    tag,
    parameters: [],
    operation: mutationOf('issueSetSubscription', 'changed'),
    variables: (values) => ({ input: { ...nameOf(values), subscribedState: verb === 'subscribe' } }),
    status: 201,
    unchanged: ({ issueSetSubscription }) => issueSetSubscription.changed === false,
    missing: notFound,
    record: issueIn('issueSetSubscription'),
    dialect: 'version 4',
  });

const target: Declaration = {
  name: 'to_project_id',
  type: 'integer',
  required: true,
  description: 'ID of the project where it goes.',
};

const neighbours: readonly Declaration[] = [
  { name: 'move_after_id', type: 'integer', description: 'ID of the issue behind which it goes.' },
  { name: 'move_before_id', type: 'integer', description: 'ID of the issue before which it goes.' },
  { rule: 'at least one', of: ['move_after_id', 'move_before_id'] },
];

const idOrNone = (value: Values[string]) => (value == null ? undefined : String(value));

export const issueActionRoutes: readonly AnyRoute[] = [
  route<Payload<'issueReorder'>>({
    method: 'PUT',
    path: `${one}/reorder`,
    summary: 'Change the place of an issue in the manual order',
    tag,
    parameters: neighbours,
    operation: mutationOf('issueReorder'),
    variables: (values) => ({
      input: {
        ...nameOf(values),
        moveAfterId: idOrNone(values.move_after_id),
        moveBeforeId: idOrNone(values.move_before_id),
      },
    }),
    refusals: [422],
    record: issueIn('issueReorder'),
    dialect: 'version 4',
  }),
  route<Payload<'issueMove'>>({
    method: 'POST',
    path: `${one}/move`,
    summary: 'Move an issue to another project',
    tag,
    parameters: [target],
    operation: mutationOf('issueMove'),
    variables: (values) => ({ input: { ...nameOf(values), targetProjectPath: String(values.to_project_id) } }),
    status: 201,
    record: issueIn('issueMove'),
    dialect: 'version 4',
  }),
  route<Payload<'issueClone'>>({
    method: 'POST',
    path: `${one}/clone`,
    summary: 'Copy an issue to a project',
    tag,
    parameters: [target, { name: 'with_notes', type: 'boolean', default: false, description: 'Copy comments, too.' }],
    operation: mutationOf('issueClone'),
    variables: (values) => ({
      input: {
        ...nameOf(values),
        targetProjectPath: String(values.to_project_id),
        withNotes: values.with_notes === true,
      },
    }),
    status: 201,
    record: issueIn('issueClone'),
    dialect: 'version 4',
  }),
  subscription('subscribe', 'Subscribe to an issue'),
  subscription('unsubscribe', 'Unsubscribe from an issue'),
  listRoute({
    path: `${one}/participants`,
    summary: 'List the people who take part in an issue',
    tag,
    of: 'User',
    parameters: [],
    field: 'issueParticipants',
    args: { project: 'ID!', iid: 'String!' },
    selection: userBasicFields,
    variables: ({ id: project, issue_iid: iid }) => ({ project, iid }),
    missing: notFound,
    record: UserBasic,
  }),
];
