import type { Input, Inputs } from '../inputs.ts';

/** The inputs for the routes that check configurations of pipelines. Nothing is stored. */

const ids = ['demo/storefront', 'hidden/project', 'nothing/here'];
const [project] = ids;

const each = (values: readonly Input['values'][]): Input[] => [
  ...values.map((one) => ({ id: project!, values: one })),
  ...ids.slice(1).map((id) => ({ id, values: values[0]! })),
];

const texts = ['test: { script: make }', 'test: {}', 'a: [', '', 'include: gone.yml'];

export const inputsOfLint = (): Inputs => ({
  'POST /api/v4/ci/lint': {
    readable: [
      ...texts.map((content) => ({ values: { content } })),
      { values: { content: texts[0], include_merged_yaml: true, include_jobs: true } },
    ],
    unreadable: [{ values: {} }],
  },
  'GET /api/v4/projects/:id/ci/lint': {
    readable: each([
      {},
      { include_jobs: true, dry_run: true, ref: 'topic' },
      { sha: 'topic' },
      { content_ref: 'gone' },
      { dry_run: true, dry_run_ref: 'gone' },
    ]),
  },
  'POST /api/v4/projects/:id/ci/lint': {
    readable: each([
      ...texts.map((content) => ({ content })),
      { content: texts[0], dry_run: true, include_jobs: true, ref: 'topic' },
    ]),
    unreadable: ids.map((id) => ({ id, values: {} })),
  },
});
