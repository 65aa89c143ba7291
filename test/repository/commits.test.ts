import { describe, expect, test } from 'vitest';
import { testGateway } from '../support/gateway.ts';
import { newProject } from './support/project.ts';

const gateway = await testGateway();
const { rest, tokens, graphql } = gateway;
const token = tokens.maintainer;

/** A project with three commits on `main`, and a branch `topic` with one more that changes the same file. */
async function history() {
  const project = await newProject(gateway);
  const send = async (branch: string, message: string, actions: unknown[], more: object = {}) => {
    const { status, body, text } = await rest('POST', `${project.path}/repository/commits`, {
      token,
      json: { branch, commit_message: message, actions, ...more },
    });
    expect(status, text).toBe(201);
    return body.id as string;
  };
  const file = (file_path: string, content: string, action = 'create') => ({ action, file_path, content });
  const first = await send('main', 'First\n\nWhy it is.\n\nSigned-off-by: Ann <ann@example.com>', [
    file('a.txt', 'one\ntwo\nthree\n'),
    file('src/b.txt', 'b\n'),
  ]);
  const second = await send('main', 'Second', [file('a.txt', 'one\n2\nthree\n', 'update')], {
    author_name: 'Bob',
    author_email: 'bob@example.com',
  });
  const third = await send('main', 'Third', [
    { action: 'move', file_path: 'src/c.txt', previous_path: 'src/b.txt' },
    { action: 'chmod', file_path: 'a.txt', execute_filemode: true },
  ]);
  const topic = await send('topic', 'On the topic', [file('d.txt', 'd\n')], { start_branch: 'main' });
  return { ...project, first, second, third, topic, send, file };
}

const made = await history();
const get = async (path: string) => await rest('GET', `${made.path}/repository${path}`, { token });
const post = async (path: string, json: object) =>
  await rest('POST', `${made.path}/repository${path}`, { token, json });

describe('the list of commits', () => {
  test('is that of a branch, a range, a path or an author, a page at a time without totals', async () => {
    const ids = async (query: string) =>
      ((await get(`/commits?${query}`)).body as { id: string }[]).map(({ id }) => id);
    const { first, second, third, topic } = made;
    expect(await ids('')).toEqual([third, second, first]);
    expect(await ids('ref_name=topic')).toEqual([topic, third, second, first]);
    expect(await ids('ref_name=main..topic')).toEqual([topic]);
    expect(await ids(`ref_name=${second.slice(0, 9)}`)).toEqual([second, first]);
    expect(await ids('ref_name=nowhere')).toEqual([]);
    expect(await ids('path=src')).toEqual([third, first]);
    expect(await ids('author=BOB@')).toEqual([second]);
    expect(await ids('all=true&order=topo')).toEqual([topic, third, second, first]);
    expect(await ids('since=2100-01-01T00:00:00Z')).toEqual([]);
    const page = await get('/commits?per_page=2&with_stats=true&trailers=true');
    expect(page.headers.get('x-next-page')).toBe('2');
    expect(page.headers.has('x-total')).toBe(false);
    expect(page.body[1]).toMatchObject({ author_name: 'Bob', stats: { additions: 1, deletions: 1, total: 2 } });
    const [last] = (await get('/commits?per_page=2&page=2&trailers=true')).body;
    expect(last).toMatchObject({ title: 'First', trailers: { 'Signed-off-by': 'Ann <ann@example.com>' } });
  });

  test('takes names, and no syntax of revisions', async () => {
    for (const bad of ['--output=/tmp/x', 'a b'])
      expect((await get(`/commits?ref_name=${encodeURIComponent(bad)}`)).body).toEqual({
        message: 'ref_name is invalid',
      });
    for (const odd of ['main@{1}', ':/First', 'HEAD~1', 'main:a.txt', 'main^'])
      expect((await get(`/commits?ref_name=${encodeURIComponent(odd)}`)).body, odd).toEqual([]);
    expect((await get('/commits/HEAD~1')).body).toEqual({ message: '404 Commit Not Found' });
    expect((await get('/commits/HEAD')).body.id).toBe(made.third);
  });
});

describe('one commit', () => {
  test('shows what it changed', async () => {
    const { body } = await get(`/commits/${made.third}`);
    expect(body).toMatchObject({ id: made.third, project_id: made.id, status: null, last_pipeline: null });
    expect(body.committed_date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000\+00:00$/);
    const diff = (await get(`/commits/${made.third}/diff`)).body;
    expect(diff).toMatchObject([
      { old_path: 'a.txt', new_path: 'a.txt', a_mode: '100644', b_mode: '100755', diff: '' },
      { old_path: 'src/b.txt', new_path: 'src/c.txt', renamed_file: true, diff: '' },
    ]);
    const [changed] = (await get(`/commits/${made.second}/diff?unidiff=true`)).body;
    expect(changed.diff).toBe('--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n');
    expect((await get(`/commits/${made.second}/refs?type=branch`)).body).toEqual([
      { type: 'branch', name: 'main' },
      { type: 'branch', name: 'topic' },
    ]);
    expect((await get(`/commits/${made.third}/sequence`)).body).toEqual({ count: 3 });
  });

  test('is done again on a branch, once, and taken back', async () => {
    const pick = `/commits/${made.topic}/cherry_pick`;
    expect((await post(pick, { branch: 'main', dry_run: true })).body).toEqual({ dry_run: 'success' });
    const picked = await post(pick, { branch: 'main' });
    expect(picked.status).toBe(201);
    expect(picked.body.message).toBe(`On the topic\n\n(cherry picked from commit ${made.topic})\n`);
    expect(picked.body.parent_ids).toEqual([made.third]);
    const again = await post(pick, { branch: 'main', dry_run: true });
    expect([again.status, again.body]).toEqual([
      400,
      {
        message: expect.stringMatching(/^Sorry, we cannot cherry-pick this commit automatically\./),
        error_code: 'empty',
        dry_run: 'error',
      },
    ]);
    const reverted = await post(`/commits/${picked.body.id}/revert`, { branch: 'main' });
    expect(reverted.body.message).toBe(`Revert "On the topic"\n\nThis reverts commit ${picked.body.id}\n`);
    expect((await post(pick, { branch: 'nowhere' })).body).toEqual({ message: '404 Branch Not Found' });
    expect((await post(`/commits/${made.topic}0/revert`, { branch: 'main' })).body).toEqual({
      message: '404 Commit Not Found',
    });
    expect((await post(pick, {})).body).toEqual({ error: 'branch is missing, branch is empty' });
  });
});

describe('comparisons', () => {
  test('have commits, the oldest first, and diffs', async () => {
    const { body } = await get(`/compare?from=${made.first}&to=topic`);
    expect((body.commits as { id: string }[]).map(({ id }) => id)).toEqual([made.second, made.third, made.topic]);
    expect(body.commit.id).toBe(made.topic);
    expect((body.diffs as { new_path: string }[]).map((one) => one.new_path)).toEqual(['a.txt', 'd.txt', 'src/c.txt']);
    expect((await get(`/compare?from=topic&to=${made.first}`)).body).toMatchObject({ commits: [], diffs: [] });
    expect((await get('/compare?from=topic&to=topic')).body).toMatchObject({ compare_same_ref: true, commit: null });
    expect((await get('/compare?from=topic&to=nowhere')).body).toEqual({ message: '404 Ref Not Found' });
  });

  test('find the common ancestor and the contributors', async () => {
    expect((await get(`/merge_base?refs[]=topic&refs[]=${made.second}`)).body.id).toBe(made.second);
    expect((await get('/merge_base?refs=topic')).body).toEqual({ message: 'Provide at least 2 refs' });
    expect((await get('/merge_base?refs[]=topic&refs[]=gone')).body).toEqual({ message: 'Could not find ref: gone' });
    expect((await get(`/contributors?order_by=email&ref=${made.second}`)).body).toMatchObject([
      { name: 'Bob', email: 'bob@example.com', commits: 1, additions: 0, deletions: 0 },
      { commits: 1 },
    ]);
  });
});

describe('blame', () => {
  test('groups neighbouring lines by commit', async () => {
    const groups = (await get('/files/a.txt/blame?ref=main')).body as { commit: { id: string }; lines: string[] }[];
    expect(groups.map(({ commit, lines }) => [commit.id, lines])).toEqual([
      [made.first, ['one']],
      [made.second, ['2']],
      [made.first, ['three']],
    ]);
    expect((await get('/files/a.txt/blame?ref=main&range[start]=2&range[end]=2')).body).toHaveLength(1);
    expect((await get('/files/a.txt/blame?ref=main&range[start]=3&range[end]=2')).body).toEqual({
      error: 'range[start] must be less than or equal to range[end]',
    });
  });
});

test('GraphQL shows the same in one question', async () => {
  const { data } = await graphql(
    `
      query ($path: ID!) {
        project(fullPath: $path) {
          repository {
            rootRef
            empty
            tree(ref: "topic") {
              trees {
                nodes {
                  path
                }
              }
              blobs {
                nodes {
                  path
                  mode
                }
              }
              lastCommit {
                sha
              }
            }
            blobs(paths: ["a.txt", "gone"], ref: "topic") {
              nodes {
                path
                rawTextBlob
                lastCommitId
              }
            }
            commits(ref: "topic", first: 1) {
              nodes {
                title
                authorName
                diffs {
                  nodes {
                    newPath
                    additions
                  }
                }
              }
              pageInfo {
                hasNextPage
                endCursor
              }
            }
          }
        }
      }
    `,
    { token, variables: { path: made.fullPath } },
  );
  expect(data).toMatchObject({
    project: {
      repository: {
        rootRef: 'main',
        empty: false,
        tree: {
          trees: { nodes: [{ path: 'src' }] },
          blobs: { nodes: [{ path: 'a.txt', mode: '100755' }, { path: 'd.txt' }] },
          lastCommit: { sha: made.topic },
        },
        blobs: { nodes: [{ path: 'a.txt', rawTextBlob: 'one\n2\nthree\n', lastCommitId: made.third }] },
        commits: {
          nodes: [{ title: 'On the topic', diffs: { nodes: [{ newPath: 'd.txt', additions: 1 }] } }],
          pageInfo: { hasNextPage: true },
        },
      },
    },
  });
});
