import { expect } from 'vitest';
import type { TestGateway } from '../../../support/gateway.ts';
import type { Input, Inputs } from '../inputs.ts';

/**
 * The inputs for the routes of runners: 1 is of `demo/storefront`, 2 of `demo`, 3 of the instance, 4 of two projects, 5 of another one. Their
 * own programs use routes that aren't public.
 */

export const tablesOfRunners = ['runners', 'runner_projects', 'runner_registration_tokens'];

const project = 'demo/storefront';
const projects = [project, 'hidden/project', 'nothing/here'];
const groups = ['demo', 'hidden', 'nothing'];

export async function runnersToBegin({ rest, sql, tokens }: TestGateway): Promise<void> {
  const [own] = await sql<{ id: number }>('select id from projects where full_path = $1', [project]);
  const [group] = await sql<{ id: number }>(`select id from namespaces where full_path = 'demo'`);
  const [other] = await sql<{ id: number }>(`select id from projects where full_path = 'hidden/project'`);
  const make = async (json: object) => {
    const { status, text } = await rest('POST', '/api/v4/user/runners', { token: tokens.root, json });
    expect(status, text).toBe(201);
  };
  await make({ runner_type: 'project_type', project_id: own!.id, description: 'one', tag_list: ['a', 'b'] });
  await make({ runner_type: 'group_type', group_id: group!.id, paused: true });
  await make({ runner_type: 'instance_type', access_level: 'ref_protected' });
  await make({ runner_type: 'project_type', project_id: other!.id, maximum_timeout: 900 });
  await make({ runner_type: 'project_type', project_id: other!.id });
  await sql('insert into runner_projects (runner_id, project_id) values (4, $1)', [own!.id]);
  // The first look at a place makes the token that its runners register with.
  const places = await sql<{ path: string }>(
    `select 'projects/' || id as path from projects union all select 'groups/' || id from namespaces where kind = 'GROUP'`,
  );
  for (const { path } of places)
    expect((await rest('GET', `/api/v4/${path}`, { token: tokens.root })).status).toBe(200);
}

const each = (ids: readonly string[], values: readonly Input['values'][], path: Input['path'] = {}): Input[] => [
  ...values.map((one) => ({ id: ids[0]!, path, values: one })),
  ...ids.slice(1).map((id) => ({ id, path, values: values[0]! })),
];

const ids = ['1', '2', '3', '4', '99'];
const wrong: Input[] = [{ id: 'x', values: {} }];
const lists = [{}, { type: 'project_type' }, { paused: 'true' }, { status: 'never_contacted', tag_list: 'a' }];

export const inputsOfRunners = (): Inputs => ({
  'GET /api/v4/runners': { readable: lists.map((values) => ({ values })), unreadable: [{ values: { type: 'x' } }] },
  'GET /api/v4/runners/all': { readable: lists.map((values) => ({ values })) },
  'GET /api/v4/projects/:id/runners': { readable: each(projects, lists) },
  'GET /api/v4/groups/:id/runners': { readable: each(groups, lists) },
  'GET /api/v4/runners/:id': { readable: each(ids, [{}]), unreadable: wrong },
  'GET /api/v4/runners/:id/jobs': {
    readable: each(ids, [{}, { status: 'success' }, { system_id: 'another' }]),
    unreadable: wrong,
  },
  'PUT /api/v4/runners/:id': {
    readable: each(ids, [
      { description: 'changed', tag_list: 'x,y', access_level: 'ref_protected', maximum_timeout: '1200' },
      { active: 'false', locked: 'true', maintenance_note: 'a note' },
      { run_untagged: 'false', tag_list: '' },
      { maximum_timeout: '5' },
    ]),
    unreadable: wrong,
  },
  'DELETE /api/v4/runners/:id': { readable: each(ids, [{}]), unreadable: wrong },
  'POST /api/v4/projects/:id/runners': {
    readable: each(projects, [
      { runner_id: '5' },
      { runner_id: '4' },
      { runner_id: '1' },
      { runner_id: '2' },
      { runner_id: '99' },
    ]),
    unreadable: projects.map((id) => ({ id, values: {} })),
  },
  'DELETE /api/v4/projects/:id/runners/:runner_id': {
    readable: [...each(projects, [{}], { runner_id: '4' }), ...each([project], [{}], { runner_id: '1' })],
    unreadable: [{ id: project, path: { runner_id: 'x' }, values: {} }],
  },
  'POST /api/v4/user/runners': {
    readable: [
      { values: { runner_type: 'instance_type', description: 'new', tag_list: 'a,b', run_untagged: 'false' } },
      { values: { runner_type: 'instance_type', run_untagged: 'false' } },
      { values: { runner_type: 'project_type' } },
      { values: { runner_type: 'group_type' } },
      { values: { runner_type: 'project_type', project_id: '99999' } },
    ],
    unreadable: [{ values: {} }],
  },
  'POST /api/v4/runners/:id/reset_authentication_token': { readable: each(ids, [{}]), unreadable: wrong },
  'POST /api/v4/projects/:id/runners/reset_registration_token': { readable: each(projects, [{}]) },
  'POST /api/v4/groups/:id/runners/reset_registration_token': { readable: each(groups, [{}]) },
  'POST /api/v4/runners/reset_registration_token': { readable: [{ values: {} }] },
});
