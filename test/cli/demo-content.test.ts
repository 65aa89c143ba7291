import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { makeExhibits } from '../../src/first-start/exhibits.ts';
import { signIn } from '../support/pages/browser-session.ts';
import { afterFile } from '../support/run/after-file.ts';
import { testGateway } from '../support/gateway.ts';
import { optional } from '../support/run/optional.ts';
import { repository } from '../support/run/process.ts';
import { scratch } from '../support/databases/scratch.ts';

/** What a first start shows: the demo workspace with its content. */

const gateway = await testGateway({ CAUSEWAY_INBOX: 'on' });
const { rest, tokens } = gateway;
const project = '/api/v4/projects/demo%2Fstorefront';
const read = async <Body>(path: string) =>
  (await rest('GET', project + path, { token: tokens.maintainer })).body as Body;

beforeAll(() => makeExhibits({ url: gateway.url, rootToken: tokens.root, token: tokens.maintainer }));

describe('the demo workspace', () => {
  test('has a repository with files and commits of several people', async () => {
    const files = await read<{ path: string }[]>('/repository/tree?recursive=true');
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['README.md', '.gitlab-ci.yml', 'src/cart.js', 'src/vouchers.js', 'test/cart.test.js']),
    );
    const commits = await read<{ author_name: string }[]>('/repository/commits?all=true');
    expect(new Set(commits.map(({ author_name: name }) => name))).toEqual(
      new Set(['Mary Maintainer', 'Dev Developer']),
    );
    const lint = await rest('POST', `${project}/ci/lint`, {
      token: tokens.maintainer,
      json: {
        content: (await rest('GET', `${project}/repository/files/.gitlab-ci.yml/raw`, { token: tokens.maintainer }))
          .text,
      },
    });
    expect(lint.body).toMatchObject({ valid: true });
  });

  test('has issues in several states, with what was said and spent', async () => {
    const issues =
      await read<{ iid: number; state: string; confidential: boolean; user_notes_count: number }[]>('/issues?sort=asc');
    expect(issues.map(({ state, confidential }) => [state, confidential])).toEqual([
      ['opened', false],
      ['opened', false],
      ['opened', true],
      ['closed', false],
    ]);
    expect(await read('/issues/1')).toMatchObject({
      labels: ['bug', 'urgent'],
      milestone: { title: 'First release' },
      time_stats: { time_estimate: 7_200, total_time_spent: 1_800 },
      user_notes_count: 2,
    });
  });

  test('has a merged request, and an open one with a conversation on a line', async () => {
    const requests = await read<{ title: string; state: string }[]>('/merge_requests?sort=asc');
    expect(requests.map(({ state }) => state)).toEqual(['merged', 'opened']);
    const [thread] = await read<{ notes: { body: string; position: { new_line: number } }[] }[]>(
      '/merge_requests/2/discussions',
    );
    expect(thread!.notes.map(({ body }) => body)).toEqual([
      'What if the count is zero?',
      'Then it goes. I add a test for it.',
    ]);
    expect(thread!.notes[0]!.position.new_line).toBe(6);
    expect(await read<{ iid: number }[]>('/merge_requests/2/closes_issues')).toMatchObject([{ iid: 1 }]);
  });

  test('has pipelines that failed, succeeded and wait, and an environment', async () => {
    const pipelines = await read<{ status: string }[]>('/pipelines?sort=asc');
    expect(pipelines.map(({ status }) => status)).toEqual(['failed', 'success', 'pending', 'pending']);
    expect(await read('/environments')).toMatchObject([{ name: 'production', state: 'available' }]);
    expect(await read<object[]>('/deployments')).toHaveLength(1);
  });

  test('has work that waits for people, and leaves no token behind', async () => {
    const mary = await signIn(gateway, 'maintainer');
    const { text } = await mary.get('/');
    expect(text).toContain('Merge requests to review: 1 Keep every item of the cart');
    const left = await rest('GET', '/api/v4/personal_access_tokens?state=active&per_page=100', { token: tokens.root });
    expect(JSON.stringify(left.body)).not.toContain('demo content');
  });
});

/** The commands of the README, block by block, up to the subscription, which goes on until it is stopped. */
function commandsOfReadme(): string[] {
  const [, after] = readFileSync(join(repository, 'README.md'), 'utf8').split('\n## The first ten minutes\n');
  const [section] = after!.split('\n## ');
  const blocks = [...section!.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block!);
  return blocks
    .filter((block) => !block.includes('subscription'))
    .map((block) =>
      block
        .replaceAll('http://127.0.0.1:3000', gateway.url)
        .replaceAll('127.0.0.1:3000', new URL(gateway.url).host)
        .replace(/^TOKEN=cwpat_…$/m, `TOKEN=${tokens.maintainer}`)
        .replace(/^ROOT_TOKEN=cwpat_…$/m, `ROOT_TOKEN=${tokens.root}`),
    );
}

const curl = optional('curl', spawnSync('curl', ['--version']).status === 0, 'curl isn’t installed.');

test.skipIf(!curl)('the commands of the README lead to a merged request, a green pipeline and a mail', async () => {
  const blocks = commandsOfReadme();
  expect(blocks.join('')).not.toContain('…');
  const folder = await mkdtemp(join(scratch(), 'readme-'));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    TOKEN: tokens.maintainer,
  };
  const run = async (commands: readonly string[]): Promise<string> => {
    const script = [
      'set -euo pipefail',
      'curl() { command curl --fail-with-body --show-error "$@"; }',
      ...commands,
    ].join('\n');
    return (await promisify(execFile)('bash', ['-c', script], { cwd: folder, env })).stdout;
  };
  await run(blocks.slice(0, -1));
  const asked = {
    data: {
      project: {
        issues: {
          nodes: [
            {
              title: 'There is no light',
              state: 'closed',
              notes: { nodes: expect.arrayContaining([{ body: 'Which colour?' }]) as object },
            },
          ],
        },
        mergeRequests: {
          nodes: [{ title: 'Light the harbour', state: 'merged', headPipeline: { status: 'SUCCESS' } }],
        },
        pipelines: { nodes: [{ status: 'SUCCESS', ref: 'light' }] },
      },
    },
  };
  // What a merge sets off is done by the queue.
  const soon = { timeout: 20_000, interval: 100 };
  await vi.waitFor(async () => expect(JSON.parse(await run(blocks.slice(-1)))).toEqual(asked), soon);
  await vi.waitFor(
    async () =>
      expect(
        await gateway.sql('select recipient from kept_mails where subject like $1 and text like $2', [
          '%There is no light (#1)',
          '%Which colour?%',
        ]),
      ).toEqual([{ recipient: 'maintainer@example.com' }]),
    soon,
  );
});
