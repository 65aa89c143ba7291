import { expect } from 'vitest';
import type { TestGateway } from '../../../support/gateway.ts';
import type { Input, Inputs } from '../inputs.ts';

/**
 * The inputs for the routes of variables, triggers and schedules: `demo/storefront` and `demo` have the variables `TARGET`
 * and, for two environments, `KEY`; the project has the trigger and the schedule 1, which has the variable `KEY`.
 */

export const tablesOfVariables = [
  'ci_variables',
  'ci_triggers',
  'pipeline_schedules',
  'pipeline_schedule_variables',
  'pipeline_schedule_runs',
];
export const sequencesOfVariables = [
  'ci_variables',
  'ci_triggers',
  'pipeline_schedules',
  'pipeline_schedule_variables',
];

const project = 'demo/storefront';
const projects = [project, 'hidden/project', 'nothing/here'];
const groups = ['demo', 'hidden', 'nothing'];

const nightly = { description: 'Nightly', ref: 'main', cron: '0 3 * * *' };

export async function variablesToBegin({ rest, sql, tokens }: TestGateway): Promise<void> {
  const make = async (path: string, json: object) => {
    const { status, text } = await rest('POST', `/api/v4/${path}`, { token: tokens.root, json });
    expect(status, text).toBe(201);
  };
  for (const path of [`projects/${encodeURIComponent(project)}/variables`, 'groups/demo/variables']) {
    await make(path, { key: 'TARGET', value: 'staging' });
    await make(path, { key: 'KEY', value: 'one', environment_scope: 'prod' });
    await make(path, { key: 'KEY', value: 'two-hidden', environment_scope: 'review/*', masked_and_hidden: true });
  }
  await make('admin/ci/variables', { key: 'TARGET', value: 'everywhere' });
  await make(`projects/${encodeURIComponent(project)}/triggers`, { description: 'Begun' });
  await make(`projects/${encodeURIComponent(project)}/pipeline_schedules`, nightly);
  await make(`projects/${encodeURIComponent(project)}/pipeline_schedules/1/variables`, { key: 'KEY', value: 'x' });
  // The developer's own, with a pipeline.
  await sql(`update pipeline_schedules set owner_id = 3, last_pipeline_id = 1`);
  await sql('insert into pipeline_schedule_runs (schedule_id, pipeline_id) values (1, 1)');
}

/** Each of some values, in the first place; the first of them in the others. */
const each = (ids: readonly string[], values: readonly Input['values'][], path: Input['path'] = {}): Input[] => [
  ...values.map((one) => ({ id: ids[0]!, path, values: one })),
  ...ids.slice(1).map((id) => ({ id, path, values: values[0]! })),
];

const created = [
  { key: 'NEW', value: 'a value', variable_type: 'file', protected: true, description: 'Why' },
  { key: ' NEW ', value: 'long-enough', masked: true, raw: true },
  { key: 'TARGET', value: 'again' },
  { key: 'N-E-W', value: 'x', masked: true },
];
const changed = [
  { value: 'changed' },
  { masked: true, value: 'x' },
  { description: '', protected: true, raw: true },
  {},
];
const scoped = [{ 'filter[environment_scope]': 'prod' }, { 'filter[environment_scope]': 'none' }, {}];

const ofPlaces = (at: string, ids: readonly string[]): Inputs => ({
  [`GET ${at}`]: { readable: each(ids, [{}, { per_page: '1' }]) },
  [`GET ${at}/:key`]: {
    readable: [...each(ids, [{}], { key: 'TARGET' }), ...each(ids, scoped, { key: 'KEY' })],
  },
  [`POST ${at}`]: {
    readable: each(ids, [
      ...created,
      { key: 'NEW', value: 'hide-this', masked_and_hidden: true, environment_scope: 'prod' },
      { key: 'KEY', value: 'x', environment_scope: 'prod' },
      { key: 'KEY', value: 'x', environment_scope: 'a;b' },
    ]),
    unreadable: ids.map((id) => ({ id, values: { key: 'NEW', value: 'x', variable_type: 'y' } })),
  },
  [`PUT ${at}/:key`]: {
    readable: [
      ...each(ids, changed, { key: 'TARGET' }),
      ...each(ids, [...scoped.map((one) => ({ ...one, environment_scope: 'review/*' })), { masked: false }], {
        key: 'KEY',
      }),
    ],
    unreadable: ids.map((id) => ({ id, path: { key: 'TARGET' }, values: { protected: 'perhaps' } })),
  },
  [`DELETE ${at}/:key`]: {
    readable: [...each(ids, [{}], { key: 'TARGET' }), ...each(ids, scoped, { key: 'KEY' })],
  },
});

const instance = '/api/v4/admin/ci/variables';
const target = (values: readonly Input['values'][]): Input[] => [
  ...values.map((one) => ({ path: { key: 'TARGET' }, values: one })),
  { path: { key: 'NONE' }, values: {} },
];

const ofInstance: Inputs = {
  [`GET ${instance}`]: { readable: [{ values: {} }] },
  [`GET ${instance}/:key`]: { readable: target([{}]) },
  [`POST ${instance}`]: {
    readable: created.map((values) => ({ values })),
    unreadable: [{ values: { key: 'NEW' } }],
  },
  [`PUT ${instance}/:key`]: {
    readable: target(changed),
    unreadable: [{ path: { key: 'TARGET' }, values: { raw: 'perhaps' } }],
  },
  [`DELETE ${instance}/:key`]: { readable: target([{}]) },
};

const triggers = '/api/v4/projects/:id/triggers';
const wrongId = (name: string) => projects.map((id) => ({ id, path: { [name]: 'x' }, values: {} }));
const trigger = (values: readonly Input['values'][]): Input[] => [
  ...each(projects, values, { trigger_id: '1' }),
  { id: project, path: { trigger_id: '99' }, values: {} },
];

const ofTriggers: Inputs = {
  [`GET ${triggers}`]: { readable: each(projects, [{}]) },
  [`GET ${triggers}/:trigger_id`]: { readable: trigger([{}]), unreadable: wrongId('trigger_id') },
  [`POST ${triggers}`]: {
    readable: each(projects, [
      { description: 'New' },
      { description: '', expires_at: '2999-01-01' },
      { description: 'x', expires_at: '2010-01-01' },
      { description: 'x'.repeat(2_000) },
    ]),
    unreadable: projects.map((id) => ({ id, values: {} })),
  },
  [`PUT ${triggers}/:trigger_id`]: {
    readable: trigger([{ description: 'Other' }, {}, { description: '' }]),
    unreadable: wrongId('trigger_id'),
  },
  [`DELETE ${triggers}/:trigger_id`]: { readable: trigger([{}]), unreadable: wrongId('trigger_id') },
};

const schedules = '/api/v4/projects/:id/pipeline_schedules';
const single = `${schedules}/:pipeline_schedule_id`;
const schedule = (values: readonly Input['values'][], path: Input['path'] = {}): Input[] => [
  ...each(projects, values, { ...path, pipeline_schedule_id: '1' }),
  { id: project, path: { ...path, pipeline_schedule_id: '99' }, values: values[0]! },
];
const wrongSchedule = (path: Input['path'] = {}) =>
  wrongId('pipeline_schedule_id').map((one) => ({ ...one, path: { ...one.path, ...path } }));

const ofSchedules: Inputs = {
  [`GET ${schedules}`]: { readable: each(projects, [{}, { scope: 'active' }, { scope: 'inactive' }]) },
  [`GET ${single}`]: { readable: schedule([{}]), unreadable: wrongSchedule() },
  [`GET ${single}/pipelines`]: { readable: schedule([{}]) },
  [`POST ${schedules}`]: {
    readable: each(projects, [
      nightly,
      { ...nightly, cron_timezone: 'Europe/Berlin', active: false, ref: 'refs/tags/v1' },
      { ...nightly, cron: 'x', cron_timezone: 'Mars', description: '' },
    ]),
    unreadable: projects.map((id) => ({ id, values: { ref: 'main' } })),
  },
  [`PUT ${single}`]: {
    readable: schedule([{ description: 'Other', ref: 'topic' }, { active: false }, { cron: 'x' }, {}]),
    unreadable: wrongSchedule(),
  },
  [`POST ${single}/take_ownership`]: { readable: schedule([{}]), unreadable: wrongSchedule() },
  [`POST ${single}/play`]: {
    readable: schedule([{}]),
    unreadable: wrongSchedule(),
  },
  [`DELETE ${single}`]: { readable: schedule([{}]), unreadable: wrongSchedule() },
  [`POST ${single}/variables`]: {
    readable: schedule([
      { key: 'NEW', value: 'x', variable_type: 'file', raw: true },
      { key: 'KEY', value: 'x' },
      { key: 'N-E-W', value: 'x' },
    ]),
    unreadable: wrongSchedule(),
  },
  [`PUT ${single}/variables/:key`]: {
    readable: [
      ...schedule([{ value: 'changed' }, { variable_type: 'file' }], { key: 'KEY' }),
      ...schedule([{}], { key: 'NONE' }),
    ],
    unreadable: wrongSchedule({ key: 'KEY' }),
  },
  [`DELETE ${single}/variables/:key`]: {
    readable: [...schedule([{}], { key: 'KEY' }), ...schedule([{}], { key: 'NONE' })],
    unreadable: wrongSchedule({ key: 'KEY' }),
  },
};

export const inputsOfVariables = (): Inputs => ({
  ...ofPlaces('/api/v4/projects/:id/variables', projects),
  ...ofPlaces('/api/v4/groups/:id/variables', groups),
  ...ofInstance,
  ...ofTriggers,
  ...ofSchedules,
});
