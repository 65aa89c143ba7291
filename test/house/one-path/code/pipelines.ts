import { expect } from 'vitest';
import type { TestGateway } from '../../../support/gateway.ts';
import type { Input, Inputs } from '../inputs.ts';

/**
 * The inputs for the routes of pipelines: `demo/storefront` has 1, which runs for `topic`, and 2, which succeeded for `main`.
 * 1 has the jobs 501, which waits for a runner, 502, which failed, and 503, which is manual.
 * They come after those of repositories.
 */

export const tablesOfPipelines = [
  'pipelines',
  'ci_jobs',
  'ci_refs',
  'ci_job_plans',
  'ci_pipeline_variables',
  'ci_job_variables',
];
export const sequencesOfPipelines = ['pipelines', 'ci_jobs'];

const project = 'demo/storefront';
const ids = [project, 'hidden/project', 'nothing/here'];

export async function pipelinesToBegin({ rest, tokens, sql }: TestGateway): Promise<void> {
  for (const json of [
    { ref: 'topic', state: 'running' },
    { ref: 'main', state: 'success' },
  ]) {
    const url = `/api/v4/projects/${encodeURIComponent(project)}/statuses/${json.ref}`;
    const { status, text } = await rest('POST', url, { token: tokens.root, json });
    expect(status, text).toBe(201);
  }
  await sql(`insert into ci_jobs (id, kind, pipeline_id, project_id, name, stage, stage_index, ref, sha, status, user_id, when_to_run,
      queued_at, started_at, finished_at, failure_reason, tags)
    select given.id, 'job', p.id, p.project_id, given.name, 'test', 2, p.ref, p.sha, given.status, p.user_id, given.way, given.at,
           given.began, given.began, given.reason, '{docker}'
      from pipelines p, (values (501, 'unit', 'pending', 'on_success', timestamptz '2026-11-01', null::timestamptz, null),
        (502, 'lint', 'failed', 'on_success', '2026-11-01', '2026-11-01', 'script_failure'),
        (503, 'ship', 'manual', 'manual', null, null, null)) given(id, name, status, way, at, began, reason)
     where p.id = 1`);
}

/** Each of some values, in the project with pipelines and in those without. */
const each = (values: readonly Input['values'][], path: Input['path'] = {}): Input[] => [
  ...values.map((one) => ({ id: project, path, values: one })),
  ...ids.slice(1).map((id) => ({ id, path, values: values[0]! })),
];

const at = '/api/v4/projects/:id';
const job = (values: readonly Input['values'][] = [{}]): Input[] =>
  ['501', '502', '503', '99'].flatMap((id, index) =>
    index === 0
      ? each(values, { job_id: id })
      : values.map((one) => ({ id: project, path: { job_id: id }, values: one })),
  );
const one = [...each([{}], { pipeline_id: '1' }), { id: project, path: { pipeline_id: '99' }, values: {} }];

export const inputsOfPipelines = (): Inputs => ({
  [`GET ${at}/pipelines`]: {
    readable: each([
      {},
      { scope: 'branches' },
      { status: 'running', ref: 'topic', source: 'external', username: 'root', yaml_errors: false, name: '' },
      { order_by: 'ref', sort: 'asc', updated_after: '2020-01-01', created_before: '2020-01-01' },
    ]),
  },
  [`GET ${at}/pipelines/latest`]: { readable: each([{}, { ref: 'topic' }, { ref: 'gone' }]) },
  [`GET ${at}/pipelines/:pipeline_id`]: { readable: one },
  [`GET ${at}/pipelines/:pipeline_id/jobs`]: {
    readable: [
      ...one,
      { id: project, path: { pipeline_id: '1' }, values: { scope: ['failed', 'manual'], include_retried: true } },
    ],
    unreadable: ids.map((id) => ({ id, path: { pipeline_id: '1' }, values: { scope: ['done'] } })),
  },
  [`GET ${at}/pipelines/:pipeline_id/bridges`]: { readable: one },
  [`GET ${at}/pipelines/:pipeline_id/variables`]: { readable: one },
  [`POST ${at}/pipelines/:pipeline_id/retry`]: { readable: one },
  [`POST ${at}/pipeline`]: {
    readable: each([
      { ref: 'main' },
      { ref: 'gone' },
      { ref: 'main', variables: [{ key: 'A', value: '1', variable_type: 'file' }] },
      { ref: 'main', variables: [{ key: 'not a key', value: '1' }] },
    ]),
    unreadable: ids.map((id) => ({ id, values: { variables: [{ key: 'A' }] } })),
  },
  [`POST ${at}/merge_requests/:merge_request_iid/pipelines`]: {
    readable: [
      ...each([{}], { merge_request_iid: '1' }),
      { id: project, path: { merge_request_iid: '99' }, values: {} },
    ],
  },
  [`GET ${at}/jobs`]: { readable: each([{}, { scope: ['failed'] }]) },
  [`GET ${at}/jobs/:job_id`]: { readable: job() },
  [`POST ${at}/jobs/:job_id/cancel`]: { readable: job() },
  [`POST ${at}/jobs/:job_id/retry`]: { readable: job() },
  [`POST ${at}/jobs/:job_id/erase`]: { readable: job() },
  [`POST ${at}/jobs/:job_id/play`]: {
    readable: job([{}, { job_variables_attributes: [{ key: 'A', value: '1' }] }]),
  },
  'GET /api/v4/job': { readable: [{ values: {} }] },
  [`POST ${at}/pipelines/:pipeline_id/cancel`]: { readable: one },
  [`PUT ${at}/pipelines/:pipeline_id/metadata`]: {
    readable: each([{ name: 'Nightly' }, { name: '' }], { pipeline_id: '1' }),
    unreadable: ids.map((id) => ({ id, path: { pipeline_id: '1' }, values: {} })),
  },
  [`DELETE ${at}/pipelines/:pipeline_id`]: { readable: one },
  [`GET ${at}/repository/commits/:sha/statuses`]: {
    readable: [
      ...each([{}, { all: true, ref: 'topic', sort: 'desc' }], { sha: 'topic' }),
      ...each([{}], { sha: 'gone' }),
    ],
  },
  [`POST ${at}/statuses/:sha`]: {
    readable: [
      ...each(
        [
          { state: 'success', name: 'lint', target_url: 'https://ci.example.com', description: 'Fine', coverage: 4.5 },
          { state: 'failed', pipeline_id: 1 },
          { state: 'pending' },
          { state: 'success', target_url: 'ftp://ci.example.com' },
          { state: 'canceled', ref: 'main' },
        ],
        { sha: 'topic' },
      ),
      ...each([{ state: 'success' }], { sha: 'gone' }),
    ],
    unreadable: ids.map((id) => ({ id, path: { sha: 'topic' }, values: { state: 'done' } })),
  },
});
