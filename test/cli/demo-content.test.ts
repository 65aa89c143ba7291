import { beforeAll, describe, expect, test } from 'vitest';
import { makeExhibits } from '../../src/first-start/exhibits.ts';
import { signIn } from '../support/browser-session.ts';
import { testGateway } from '../support/gateway.ts';

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
