import { expect } from 'vitest';
import type { TestGateway } from '../../../support/gateway.ts';
import type { Input, Inputs } from '../inputs.ts';

/**
 * The inputs for the routes of environments, deployments and deploy keys. `demo/storefront` has the environments 1, with
 * deployments, and 2, which is stopped; and deploy key 801. They come after those of repositories.
 */

export const tablesOfEnvironments = [
  'environments',
  'job_environments',
  'deployments',
  'deployment_merge_requests',
  'ssh_keys',
  'deploy_key_projects',
];
export const sequencesOfEnvironments = ['environments', 'deployments', 'ssh_keys', 'deploy_key_projects'];

const project = 'demo/storefront';
const ids = [project, 'hidden/project', 'nothing/here'];
const at = '/api/v4/projects/:id';

export async function environmentsToBegin({ rest, tokens, sql }: TestGateway): Promise<void> {
  const path = `/api/v4/projects/${encodeURIComponent(project)}`;
  const send = async (method: 'GET' | 'POST', to: string, json?: object) => {
    const { status, body, text } = await rest(method, `${path}/${to}`, { token: tokens.root, ...(json && { json }) });
    expect(status, text).toBeLessThan(300);
    return body as { readonly id: string };
  };
  const { id: sha } = await send('GET', 'repository/commits/main');
  const deployment = { environment: 'staging', sha, ref: 'main', tag: false };
  await send('POST', 'deployments', { ...deployment, status: 'success' });
  await send('POST', 'deployments', { ...deployment, status: 'running' });
  await send('POST', 'deployments', { ...deployment, status: 'failed' });
  await send('POST', 'environments', { name: 'review/old' });
  await send('POST', 'environments/2/stop');
  await sql(`with made as (
      insert into ssh_keys (id, kind, title, key, fingerprint_sha256, fingerprint_md5)
      values (801, 'DEPLOY', 'Machine', 'ssh-ed25519 AAAA', decode(repeat('08', 32), 'hex'), decode(repeat('08', 16), 'hex'))
      returning id
    ) insert into deploy_key_projects (key_id, project_id) select made.id, p.id from made, projects p where p.full_path = '${project}'`);
}

/** Each of some values, in the project with environments and in those without. */
const each = (values: readonly Input['values'][], path: Input['path'] = {}): Input[] => [
  ...values.map((one) => ({ id: project, path, values: one })),
  ...ids.slice(1).map((id) => ({ id, path, values: values[0]! })),
];
/** The same values for several records. */
const ofEach = (name: string, records: readonly string[], values: readonly Input['values'][] = [{}]): Input[] =>
  records.flatMap((record, index) =>
    index === 0 ? each(values, { [name]: record }) : [{ id: project, path: { [name]: record }, values: values[0]! }],
  );

const environment = (values?: readonly Input['values'][]) => ofEach('environment_id', ['1', '2', '99'], values);
const deployment = (values?: readonly Input['values'][]) => ofEach('deployment_id', ['3', '1', '2', '99'], values);
const key = (values?: readonly Input['values'][]) => ofEach('key_id', ['801', '0', '99'], values);

const newKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHyQdG6h4GPZx9xVFYl0xkHSk0FRqNFJtmQpCYhPRZgx build@example.com';
const keys = [
  { title: 'New', key: newKey },
  { title: '', key: newKey },
  { title: 'New', key: 'x' },
];

export const inputsOfEnvironments = (): Inputs => ({
  [`GET ${at}/environments`]: {
    readable: each([{}, { name: 'staging' }, { search: 'old' }, { search: 'x' }, { states: 'stopped' }]),
    unreadable: each([{ name: 'a', search: 'abc' }, { states: 'gone' }]),
  },
  [`GET ${at}/environments/:environment_id`]: { readable: environment() },
  [`POST ${at}/environments`]: {
    readable: each([
      {
        name: 'production',
        external_url: 'https://example.com',
        description: 'Here',
        auto_stop_setting: 'with_action',
      },
      { name: 'staging' },
      { name: '/x' },
      { name: '' },
      { name: 'other', external_url: 'ftp://example.com', tier: 'testing' },
    ]),
    unreadable: each([{}, { name: 'x', slug: 'x' }, { name: 'x', tier: 'x' }]),
  },
  [`PUT ${at}/environments/:environment_id`]: {
    readable: environment([
      { tier: 'other' },
      { name: 'renamed', external_url: '', description: 'x' },
      { name: 'review/old' },
    ]),
    unreadable: environment([{ slug: 'x' }]),
  },
  [`POST ${at}/environments/:environment_id/stop`]: { readable: environment([{}, { force: true }]) },
  'POST /api/v4/environments/:environment_id/stop': {
    readable: ['1', '2', '99'].map((one) => ({ path: { environment_id: one }, values: {} })),
  },
  [`DELETE ${at}/environments/:environment_id`]: { readable: environment() },
  [`GET ${at}/deployments`]: {
    readable: each([
      {},
      { environment: 'staging', status: 'success', order_by: 'iid', sort: 'desc' },
      { updated_after: '2020-01-01', order_by: 'updated_at' },
      { updated_after: '2020-01-01' },
      { finished_before: '2020-01-01', order_by: 'finished_at' },
    ]),
    unreadable: each([{ status: 'x' }]),
  },
  [`GET ${at}/deployments/:deployment_id`]: { readable: deployment() },
  [`GET ${at}/deployments/:deployment_id/merge_requests`]: { readable: deployment() },
  [`POST ${at}/deployments`]: {
    readable: each([
      { environment: 'new', sha: 'main', ref: 'main', tag: false, status: 'success' },
      { environment: 'new', sha: 'x', ref: 'gone', tag: true, status: 'running' },
    ]),
    unreadable: each([{ environment: 'new' }]),
  },
  [`PUT ${at}/deployments/:deployment_id`]: {
    readable: deployment([{ status: 'success' }, { status: 'running' }]),
    unreadable: deployment([{ status: 'skipped' }]),
  },
  [`DELETE ${at}/deployments/:deployment_id`]: { readable: deployment() },
  'GET /api/v4/deploy_keys': { readable: [{ values: {} }, { values: { public: true } }] },
  'POST /api/v4/deploy_keys': {
    readable: keys.map((values) => ({ values })),
    unreadable: [{ values: { title: 'x' } }],
  },
  [`GET ${at}/deploy_keys`]: { readable: each([{}]) },
  [`GET ${at}/deploy_keys/:key_id`]: { readable: key() },
  [`POST ${at}/deploy_keys`]: {
    readable: each([{ ...keys[0], can_push: true }, ...keys.slice(1)]),
    unreadable: each([{ key: newKey }]),
  },
  [`PUT ${at}/deploy_keys/:key_id`]: {
    readable: key([{ title: 'Other', can_push: true }, { title: '' }]),
    unreadable: key([{}]),
  },
  [`POST ${at}/deploy_keys/:key_id/enable`]: { readable: key() },
  [`DELETE ${at}/deploy_keys/:key_id`]: { readable: key() },
});
