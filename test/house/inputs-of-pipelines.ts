import { expect } from 'vitest';
import type { TestGateway } from '../support/gateway.ts';

/**
 * The inputs for the routes of pipelines: `demo/storefront` has 1, which runs for `topic`, and 2, which succeeded for `main`.
 * They come after those of repositories.
 */

interface Input {
  readonly id?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

type Inputs = Record<string, { readonly readable: readonly Input[]; readonly unreadable?: readonly Input[] }>;

export const tablesOfPipelines = ['pipelines', 'ci_jobs', 'ci_refs'];
export const sequencesOfPipelines = ['pipelines', 'ci_jobs'];

const project = 'demo/storefront';
const ids = [project, 'hidden/project', 'nothing/here'];

export async function pipelinesToBegin({ rest, tokens }: TestGateway): Promise<void> {
  for (const json of [
    { ref: 'topic', state: 'running' },
    { ref: 'main', state: 'success' },
  ]) {
    const url = `/api/v4/projects/${encodeURIComponent(project)}/statuses/${json.ref}`;
    const { status, text } = await rest('POST', url, { token: tokens.root, json });
    expect(status, text).toBe(201);
  }
}

/** Each of some values, in the project with pipelines and in those without. */
const each = (values: readonly Input['values'][], path: Input['path'] = {}): Input[] => [
  ...values.map((one) => ({ id: project, path, values: one })),
  ...ids.slice(1).map((id) => ({ id, path, values: values[0]! })),
];

const at = '/api/v4/projects/:id';
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
  [`POST ${at}/pipelines/:pipeline_id/cancel`]: { readable: one },
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
