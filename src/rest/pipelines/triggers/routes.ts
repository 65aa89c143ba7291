import { listRoute } from '../../engine/list-route.ts';
import type { Parameter } from '../../engine/parameters.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute, type Guard } from '../../engine/route.ts';
import { Trigger, triggerFields, type TriggerData } from './record.ts';

/** The triggers of a project. */

const tag = 'Triggers';
const path = '/api/v4/projects/:id/triggers';
const single = `${path}/:trigger_id`;

/** The text is as clients know it. */
const missing = { Trigger: '404 Not found' };

const triggerId: Parameter = { name: 'trigger_id', type: 'integer', required: true, description: 'Its number.' };

/** Whether the caller administers triggers: refused before a wrong parameter is. */
const guard: Guard = {
  operation: 'query ($project: ID!) { pipelineTriggers(project: $project, first: 1) { count } }',
  variables: ({ id }) => ({ project: id }),
  before: 'every problem',
};

export const triggerRoutes: readonly AnyRoute[] = [
  listRoute<TriggerData>({
    path,
    summary: 'List the triggers of a project',
    tag,
    of: 'Trigger',
    parameters: [],
    field: 'pipelineTriggers',
    args: { project: 'ID!' },
    selection: triggerFields,
    variables: ({ id }) => ({ project: id }),
    record: Trigger,
  }),
  route<{ pipelineTrigger: TriggerData }>({
    method: 'GET',
    path: single,
    summary: 'Get a trigger',
    tag,
    parameters: [triggerId],
    operation: `query ($project: ID!, $id: CiTriggerID!) { pipelineTrigger(project: $project, id: $id) { ${triggerFields} } }`,
    variables: ({ id, trigger_id: trigger }) => ({ project: id, id: trigger }),
    guard,
    missing,
    record: recordOf(Trigger, ({ pipelineTrigger }) => pipelineTrigger),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ pipelineTriggerCreate: { pipelineTrigger: TriggerData } }>({
    method: 'POST',
    path,
    summary: 'Make a trigger',
    tag,
    parameters: [
      { name: 'description', type: 'string', required: true, description: 'What it is for.' },
      { name: 'expires_at', type: 'date-time', description: 'From then on it is refused.' },
    ],
    example: { description: 'Nightly builds' },
    operation: `mutation ($input: PipelineTriggerCreateInput!) {
      pipelineTriggerCreate(input: $input) { pipelineTrigger { ${triggerFields} } }
    }`,
    variables: ({ id, description, expires_at: expiresAt }) => ({
      input: { projectPath: id, description: description ?? '', expiresAt },
    }),
    guard,
    status: 201,
    record: recordOf(Trigger, ({ pipelineTriggerCreate }) => pipelineTriggerCreate.pipelineTrigger),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ pipelineTriggerUpdate: { pipelineTrigger: TriggerData } }>({
    method: 'PUT',
    path: single,
    summary: 'Change a trigger',
    tag,
    parameters: [triggerId, { name: 'description', type: 'string', description: 'What it is for.' }],
    operation: `mutation ($input: PipelineTriggerUpdateInput!) {
      pipelineTriggerUpdate(input: $input) { pipelineTrigger { ${triggerFields} } }
    }`,
    variables: ({ id, trigger_id: trigger, description }) => ({
      input: { projectPath: id, id: trigger, description: description === null ? '' : description },
    }),
    guard,
    missing,
    record: recordOf(Trigger, ({ pipelineTriggerUpdate }) => pipelineTriggerUpdate.pipelineTrigger),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<unknown>({
    method: 'DELETE',
    path: single,
    summary: 'Delete a trigger',
    tag,
    parameters: [triggerId],
    operation: 'mutation ($input: PipelineTriggerDeleteInput!) { pipelineTriggerDelete(input: $input) { errors } }',
    variables: ({ id, trigger_id: trigger }, { unmodifiedSince }) => ({
      input: { projectPath: id, id: trigger, unmodifiedSince },
    }),
    conditional: true,
    guard,
    status: 204,
    missing,
    record: NoContent,
    refusals: [404],
    dialect: 'version 4',
  }),
];
