import { cpSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { gitUrl, workTree } from '../../../repository/support/clone.ts';
import type { TestGateway } from '../../../support/gateway.ts';
import type { Input, Inputs } from '../inputs.ts';

/**
 * The inputs for the routes of repositories: that of `demo/storefront` has the branches `main`, which is protected, `x`, which
 * is at the same commit, and `topic`, which has two commits more, with the submodule `engine`; and the tag `v1`. That of
 * `hidden/project` is empty.
 */

export const tablesOfRepositories = [
  'repositories',
  'ref_changes',
  'protected_branches',
  'protected_tags',
  'commit_comments',
];
export const sequencesOfRepositories = ['ref_changes', 'protected_branches', 'protected_tags', 'commit_comments'];

const project = 'demo/storefront';
const ids = [project, 'hidden/project', 'nothing/here'];
/** On the last commit of `topic`, with the comment 1. */
const thread = 'c3'.repeat(20);

/** Of pipelines that somebody asks for: a push makes none. */
const configuration = 'unit:\n  script: make\n  rules:\n    - if: $CI_PIPELINE_SOURCE != "push"\n';

const create = (file_path: string, content: string) => ({ action: 'create', file_path, content });

export async function repositoriesToBegin(gateway: TestGateway): Promise<void> {
  const { rest, tokens } = gateway;
  const send = async (path: string, json: unknown) => {
    const url = `/api/v4/projects/${encodeURIComponent(project)}/repository/${path}`;
    const { status, text } = await rest('POST', url, { token: tokens.root, json });
    expect(status, text).toBe(201);
  };
  for (const json of [
    {
      branch: 'main',
      actions: [create('a.txt', 'a\n'), create('src/b.txt', 'b\n'), create('.gitlab-ci.yml', configuration)],
    },
    { branch: 'topic', start_branch: 'main', actions: [create('c.txt', 'c\n')] },
  ])
    await send('commits', { commit_message: 'Begin', ...json });
  await pushSubmodule(gateway);
  await send('branches', { branch: 'x', ref: 'main' });
  await send('tags', { tag_name: 'v1', ref: 'main', message: 'First' });
  const rules = `/api/v4/projects/${encodeURIComponent(project)}/protected_tags`;
  const { status, text } = await rest('POST', rules, { token: tokens.root, json: { name: 'stable-*' } });
  expect(status, text).toBe(201);
  await gateway.sql(
    `insert into commit_comments (project_id, sha, author_id, note, discussion_id, is_in_thread)
     select p.id, $2, u.id, 'Does it leak?', decode($3, 'hex'), true from projects p, users u where p.full_path = $1 and u.username = 'maintainer'`,
    [project, await headOf(gateway, 'topic'), thread],
  );
}

/** The commit that a branch is at. */
async function headOf({ rest, tokens }: TestGateway, branch: string): Promise<string> {
  const url = `/api/v4/projects/${encodeURIComponent(project)}/repository/commits/${branch}`;
  return (await rest('GET', url, { token: tokens.root })).body.id;
}

/** Adds a submodule to `topic`, which only a push can. */
async function pushSubmodule(gateway: TestGateway): Promise<void> {
  const { git, fetch, push } = workTree(gitUrl(gateway, { fullPath: project }, gateway.tokens.root));
  await fetch('topic');
  git('reset', '--quiet', '--hard', 'FETCH_HEAD');
  git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},engine`);
  git('commit', '--quiet', '-m', 'Add a submodule');
  const { code, text } = await push('HEAD:topic');
  expect(code, text).toBe(0);
}

/** What a folder has: what git replaces is another file. */
const stateOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
      return `${name} ${found?.ino} ${found?.size} ${found?.mtimeMs}`;
    })
    .sort()
    .join('\n');

/** The files of all repositories, which the database doesn't restore. */
export function filesOfRepositories({ dataDir, gateway }: TestGateway) {
  const folder = join(dataDir, 'repositories');
  const kept = `${folder}-kept`;
  let state = '';
  return {
    keep() {
      cpSync(folder, kept, { recursive: true });
      state = stateOf(folder);
    },
    /** Restores them, if a request wrote to them: few do. */
    restore() {
      if (stateOf(folder) === state) return;
      // Open processes would keep what is gone.
      gateway.application.git.engine.pool.close();
      rmSync(folder, { recursive: true, force: true });
      cpSync(kept, folder, { recursive: true });
      state = stateOf(folder);
    },
  };
}

/** Each of some values, in the repository with commits and in those without. */
const each = (values: readonly Input['values'][], path: Input['path'] = {}): Input[] => [
  ...values.map((one) => ({ id: project, path, values: one })),
  ...ids.slice(1).map((id) => ({ id, path, values: values[0]! })),
];

const at = '/api/v4/projects/:id/repository';
const blob = '78981922613b2afb6025042ff6bd878ac1994e85';
const commit = { branch: 'topic', commit_message: 'Change' };
const unreadable = ids.map((id) => ({ id, values: {} }));
const replayed = [
  ...each([{ branch: 'topic' }, { branch: 'main', dry_run: true }, { branch: 'gone' }], { sha: 'main' }),
];

/** Of the routes of threads on commits. @param all the path of their list */
function inputsOfThreads(all: string): Inputs {
  const about = (values: Input['values'], more: Record<string, string> = {}) =>
    each([values], { sha: 'topic', ...more });
  const one = { discussion_id: thread };
  const note = { ...one, note_id: '1' };
  return {
    [`GET ${all}`]: { readable: about({}) },
    [`GET ${all}/:discussion_id`]: { readable: [...about({}, one), ...about({}, { discussion_id: 'x' })] },
    [`POST ${all}`]: { readable: [...about({ body: 'Does it?' }), ...about({ body: ' ' })] },
    [`GET ${all}/:discussion_id/notes`]: { readable: about({}, one) },
    [`POST ${all}/:discussion_id/notes`]: { readable: about({ body: 'It does.' }, one) },
    [`GET ${all}/:discussion_id/notes/:note_id`]: { readable: about({}, note) },
    [`PUT ${all}/:discussion_id/notes/:note_id`]: { readable: about({ body: 'Changed' }, note) },
    [`DELETE ${all}/:discussion_id/notes/:note_id`]: { readable: about({}, note) },
  };
}

export const inputsOfRepositories = (): Inputs => ({
  [`GET ${at}/tree`]: {
    readable: each([
      {},
      { path: 'src', ref: 'topic' },
      { recursive: true },
      { recursive: true, pagination: 'none' },
      { pagination: 'keyset', per_page: '1', page_token: 'src' },
      { ref: 'gone' },
    ]),
  },
  [`GET ${at}/commits`]: {
    readable: each([{}, { ref_name: 'topic', with_stats: true }, { ref_name: 'main..topic' }, { path: 'src' }]),
  },
  [`GET ${at}/commits/:sha`]: {
    readable: [...each([{}, { stats: false }], { sha: 'topic' }), ...each([{}], { sha: 'gone' })],
  },
  [`GET ${at}/commits/:sha/diff`]: { readable: each([{}, { unidiff: true }], { sha: 'topic' }) },
  [`GET ${at}/commits/:sha/refs`]: { readable: each([{}, { type: 'tag' }], { sha: 'main' }) },
  [`GET ${at}/commits/:sha/sequence`]: { readable: each([{}], { sha: 'topic' }) },
  [`GET ${at}/commits/:sha/comments`]: { readable: each([{}], { sha: 'topic' }) },
  [`POST ${at}/commits/:sha/comments`]: {
    readable: each([{ note: 'Fine' }, { note: 'Here', path: 'c.txt', line: 1 }, { note: ' ' }], { sha: 'topic' }),
    unreadable: unreadable.map((one) => ({ ...one, path: { sha: 'topic' } })),
  },
  ...inputsOfThreads(`${at}/commits/:sha/discussions`),
  [`GET ${at}/commits/:sha/signature`]: { readable: each([{}], { sha: 'topic' }) },
  [`GET ${at}/tags/:tag_name/signature`]: { readable: each([{}], { tag_name: 'v1' }) },
  [`POST ${at}/commits`]: {
    readable: each([
      { ...commit, actions: [create('d.txt', 'd')] },
      { ...commit, branch: 'new', start_branch: 'main', actions: [{ action: 'delete', file_path: 'a.txt' }] },
      { ...commit, branch: 'main', actions: [create('d.txt', 'd')] },
      { ...commit, actions: [create('a.txt', 'again')] },
      { ...commit, actions: [create('../a.txt', 'out')] },
    ]),
    unreadable,
  },
  [`POST ${at}/commits/:sha/cherry_pick`]: {
    readable: each([{ branch: 'main' }, { branch: 'main', dry_run: true }, { branch: 'topic' }, { branch: 'gone' }], {
      sha: 'topic',
    }),
    unreadable: unreadable.map((one) => ({ ...one, path: { sha: 'topic' } })),
  },
  [`POST ${at}/commits/:sha/revert`]: {
    readable: replayed,
    unreadable: unreadable.map((one) => ({ ...one, path: { sha: 'topic' } })),
  },
  [`GET ${at}/compare`]: {
    readable: each([
      { from: 'main', to: 'topic' },
      { from: 'topic', to: 'main' },
      { from: 'main', to: 'gone' },
    ]),
  },
  [`GET ${at}/merge_base`]: { readable: [{ id: project, values: { refs: 'main,topic' } }] },
  [`GET ${at}/contributors`]: { readable: each([{}, { order_by: 'name', sort: 'desc' }]) },
  [`GET ${at}/files/:file_path`]: {
    readable: [
      ...each([{ ref: 'main' }, { ref: 'gone' }], { file_path: 'src/b.txt' }),
      ...each([{ ref: 'main' }], { file_path: 'gone.txt' }),
    ],
  },
  [`GET ${at}/files/:file_path/blame`]: {
    readable: each([{ ref: 'main' }, { ref: 'topic' }], { file_path: 'a.txt' }),
  },
  [`POST ${at}/files/:file_path`]: {
    readable: [
      ...each(
        [
          { ...commit, content: 'new' },
          { ...commit, branch: 'main', content: 'new' },
        ],
        { file_path: 'new.txt' },
      ),
      ...each([{ ...commit, content: 'again' }], { file_path: 'a.txt' }),
    ],
    unreadable: unreadable.map((one) => ({ ...one, path: { file_path: 'new.txt' } })),
  },
  [`PUT ${at}/files/:file_path`]: {
    readable: [
      ...each([{ ...commit, content: 'changed' }], { file_path: 'a.txt' }),
      ...each([{ ...commit, content: 'nothing' }], { file_path: 'gone.txt' }),
    ],
    unreadable: unreadable.map((one) => ({ ...one, path: { file_path: 'a.txt' } })),
  },
  [`DELETE ${at}/files/:file_path`]: {
    readable: [...each([commit], { file_path: 'a.txt' }), ...each([commit], { file_path: 'gone.txt' })],
    unreadable: unreadable.map((one) => ({ ...one, path: { file_path: 'a.txt' } })),
  },
  [`PUT ${at}/submodules/:submodule`]: {
    readable: each(
      [
        { branch: 'topic', commit_sha: '2'.repeat(40) },
        { branch: 'main', commit_sha: '2'.repeat(40) },
        { branch: 'topic', commit_sha: 'main' },
      ],
      { submodule: 'engine' },
    ),
    unreadable: unreadable.map((one) => ({ ...one, path: { submodule: 'engine' } })),
  },
  [`GET ${at}/blobs/:sha`]: { readable: [...each([{}], { sha: blob }), ...each([{}], { sha: '0'.repeat(40) })] },
});
