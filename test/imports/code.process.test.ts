import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { afterFile } from '../support/run/after-file.ts';
import { testGateway } from '../support/gateway.ts';
import { killProcesses, startProcess } from '../support/run/process.ts';
import { runs } from '../support/run/runs.ts';
import { scratch } from '../support/databases/scratch.ts';
import { both } from './support/compare.ts';
import { emptyTarget, type Target } from './support/target.ts';
import { isLeftOut, unexplained, unused } from './support/left-out.ts';
import { walkBoth } from './support/walk-both.ts';

/** Importing repositories, merge requests and what pipelines need from one gateway into another. */

const origin = await testGateway();
const token = await origin.personalToken('root', ['api', 'sudo', 'read_repository']);
const target = await emptyTarget();
const from = { url: origin.url, token };
const tokenFile = join(scratch(), `causeway-import-token-${randomUUID()}`);
writeFileSync(tokenFile, token);
afterFile(async () => {
  await killProcesses();
  rmSync(tokenFile);
});

type Side = 'origin' | 'target';
const sides = { origin: { rest: origin.rest, token }, target };

async function send(side: Side, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, json?: object) {
  const { rest, token: as } = sides[side];
  const { status, body, text } = await rest(method, `/api/v4${path}`, { token: as, ...(json && { json }) });
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  return body as { id: number };
}

const commit = (side: Side, branch: string, file: string, more: object = {}) =>
  send(side, 'POST', `/projects/${ships.id}/repository/commits`, {
    branch,
    commit_message: `Add ${file}`,
    actions: [{ action: 'create', file_path: file, content: `${file}\n` }],
    ...more,
  });

let ships: { id: number };

async function expectSame(...paths: string[]) {
  for (const path of paths) {
    const { there, here } = await both(origin, token, target, `/projects/${ships.id}${path}`);
    expect(here, path).toEqual(there);
  }
}

beforeAll(async () => {
  ships = await send('origin', 'POST', '/projects', { name: 'Ships', path: 'ships', description: 'Of the harbour.' });
  await commit('origin', 'main', 'README.md');
  await commit('origin', 'main', '.gitlab-ci.yml');
  for (const branch of ['topic', 'mine', 'gone'])
    await commit('origin', branch, `${branch}.txt`, { start_branch: 'main' });
  const { id: sha } = await send('origin', 'GET', `/projects/${ships.id}/repository/commits/main`);
  await send('origin', 'POST', `/projects/${ships.id}/repository/commits/${sha}/discussions`, {
    body: 'Does it leak?',
  });
  const tag = { tag_name: 'v1', ref: 'main', message: 'First' };
  await send('origin', 'POST', `/projects/${ships.id}/repository/tags`, tag);
  const rule = { name: 'release/*', push_access_level: 0, merge_access_level: 30, allow_force_push: true };
  await send('origin', 'POST', `/projects/${ships.id}/protected_branches`, rule);
  const tagRule = { name: 'v*', create_access_level: 30 };
  await send('origin', 'POST', `/projects/${ships.id}/protected_tags`, tagRule);
  await send('origin', 'POST', `/projects/${ships.id}/triggers`, { description: 'Nightly' });
  const secret = { key: 'KEY', value: 'anchor-anchor', masked: true, protected: true, environment_scope: 'production' };
  await send('origin', 'POST', `/projects/${ships.id}/variables`, secret);
  const file = { key: 'FILE', value: 'a\nb $KEY', variable_type: 'file', raw: true };
  await send('origin', 'POST', `/projects/${ships.id}/variables`, file);
  const hidden = { key: 'HIDDEN', value: 'rope-rope', masked_and_hidden: true };
  await send('origin', 'POST', `/projects/${ships.id}/variables`, hidden);
  await send('origin', 'POST', '/groups/demo/variables', { key: 'OF_GROUP', value: '1' });
});

test('branches, tags and rules are as they were, and nothing follows from them', async () => {
  const report = (await target.take(from)).toJSON();
  expect(report.differences.map(({ name, text }) => `${name}: ${text}`)).toEqual([
    'root/ships, Nightly: It has a new token here: give it to whatever uses the trigger.',
    'root/ships, HIDDEN: Its value is hidden: set it here.',
  ]);
  expect(report.counts).toMatchObject({
    repositories: { created: 1, refused: 0 },
    protectedBranches: { created: 2, refused: 0 },
    protectedTags: { created: 1, refused: 0 },
    triggers: { created: 1, refused: 0 },
    variables: { created: 3, refused: 1 },
  });
  expect(JSON.stringify(report)).not.toContain('anchor-anchor');
  await expectSame('/variables/KEY', '/variables/FILE');
  expect(await send('target', 'GET', '/groups/demo/variables')).toMatchObject([{ key: 'OF_GROUP', value: '1' }]);
  expect(await send('target', 'GET', `/projects/${ships.id}/triggers`)).toMatchObject([
    { description: 'Nightly', owner: { username: 'root' } },
  ]);
  await expectSame('/repository/branches', '/repository/tags', '/repository/commits?all=true', '/repository/tree');
  expect(await send('target', 'GET', `/projects/${ships.id}/protected_tags`)).toMatchObject([
    { name: 'v*', create_access_levels: [{ access_level: 30 }] },
  ]);
  await expectSame('/repository/files/README.md?ref=main', '/merge_requests');
  expect(await send('target', 'GET', `/projects/${ships.id}`)).toMatchObject({
    default_branch: 'main',
    empty_repo: false,
  });
  expect(await send('target', 'GET', `/projects/${ships.id}/pipelines`)).toEqual([]);
  expect(await target.sql(`select name from jobs where name in ('follow_references', 'create_pipelines')`)).toEqual([]);
  expect(await target.sql(`select kind from events where kind = 'ref.changed'`)).toEqual([]);
});

test('a second import writes nothing; what changed there moves, unless it changed here, too', async () => {
  const again = await target.take(from);
  for (const [kind, counts] of Object.entries(again.counts))
    expect(counts, kind).toMatchObject({ created: 0, updated: 0, refused: kind === 'variables' ? 1 : 0 });

  await commit('origin', 'main', 'harbour.txt');
  await commit('origin', 'mine', 'theirs.txt');
  await commit('target', 'mine', 'ours.txt');
  await commit('target', 'own', 'own.txt', { start_branch: 'main' });
  await send('origin', 'DELETE', `/projects/${ships.id}/repository/branches/gone`);
  await send('origin', 'PUT', `/projects/${ships.id}/variables/FILE`, { value: 'new' });
  await send('target', 'DELETE', `/projects/${ships.id}/variables/KEY?filter[environment_scope]=production`);
  const report = (await target.take(from)).toJSON();
  expect(report.counts.variables).toMatchObject({ created: 0, updated: 1 });
  await expectSame('/variables/FILE');
  expect(report.counts.repositories).toMatchObject({ updated: 1, refused: 0 });
  expect(report.differences.filter(({ kind }) => kind === 'repositories').map(({ text }) => text)).toEqual([
    'The branch mine was changed on both sides: it stays as it is here.',
  ]);
  await expectSame('/repository/branches/main', '/repository/files/harbour.txt?ref=main');
  const branches = (await send('target', 'GET', `/projects/${ships.id}/repository/branches`)) as unknown as object[];
  expect(branches.map((one) => (one as { name: string }).name)).toEqual(['main', 'mine', 'own', 'topic']);
  expect(await send('target', 'GET', `/projects/${ships.id}/repository/files/ours.txt?ref=mine`)).toMatchObject({
    file_name: 'ours.txt',
  });
});

test('merge requests are as they were: open, merged, closed, and from a fork', async () => {
  const docks = await send('origin', 'POST', '/projects', { name: 'Docks', path: 'docks', visibility: 'public' });
  const at = `/projects/${docks.id}`;
  const post = (path: string, json: object) => send('origin', 'POST', `${at}${path}`, json);
  const add = (branch: string, more: object = {}) =>
    post('/repository/commits', {
      branch,
      commit_message: `Add ${branch}`,
      actions: [{ action: 'create', file_path: `${branch}.txt`, content: `one\ntwo\n${branch}\n` }],
      ...more,
    });
  await add('main');
  for (const branch of ['first', 'second', 'third']) await add(branch, { start_branch: 'main' });
  await post('/labels', { name: 'tide', color: '#0000ff' });
  await post('/issues', { title: 'The dock is dry' });
  for (const [index, branch] of ['first', 'second', 'third'].entries())
    await post('/merge_requests', {
      title: index === 0 ? 'Draft: first' : branch,
      description: '- [x] looked at\nCloses #1',
      source_branch: branch,
      target_branch: 'main',
      ...(index === 0 && {
        labels: 'tide',
        assignee_id: 2,
        reviewer_ids: [3],
        squash: true,
        merge_after: '2130-01-01T00:00:00Z',
      }),
    });
  const fork = await send('origin', 'POST', `${at}/fork`, { path: 'docks-fork', name: 'Docks fork' });
  const forked = async () =>
    ((await send('origin', 'GET', `/projects/${fork.id}`)) as { import_status?: string }).import_status;
  await expect.poll(forked, { timeout: 20_000 }).toBe('finished');
  await send('origin', 'POST', `/projects/${fork.id}/repository/commits`, {
    branch: 'afar',
    start_branch: 'main',
    commit_message: 'Add afar',
    actions: [{ action: 'create', file_path: 'afar.txt', content: 'afar\n' }],
  });
  await send('origin', 'POST', `/projects/${fork.id}/merge_requests`, {
    title: 'afar',
    source_branch: 'afar',
    target_branch: 'main',
    target_project_id: docks.id,
  });
  const one = (side: Side, iid: number) =>
    send(side, 'GET', `${at}/merge_requests/${iid}`) as Promise<{
      id: number;
      diff_refs: { base_sha: string; head_sha: string; start_sha: string } | null;
    }>;
  for (const iid of [1, 2, 3, 4])
    await expect.poll(async () => (await one('origin', iid)).diff_refs, { timeout: 20_000 }).toBeTruthy();
  const { diff_refs: refs } = await one('origin', 1);
  const position = { ...refs, position_type: 'text', new_path: 'first.txt', old_path: 'first.txt', new_line: 2 };
  await post('/merge_requests/1/discussions', { body: 'Why two?', position });
  const thread = (await post('/merge_requests/1/discussions', { body: 'Done?' })) as unknown as { id: string };
  await send('origin', 'PUT', `${at}/merge_requests/1/discussions/${thread.id}`, { resolved: true });
  await post('/merge_requests/1/notes', { body: 'Plainly.' });
  await post('/merge_requests/1/award_emoji', { name: 'thumbsup' });
  await post('/merge_requests/1/approve', {});
  await send('origin', 'PUT', `${at}/merge_requests/2/merge`, { should_remove_source_branch: true });
  await send('origin', 'PUT', `${at}/merge_requests/3`, { state_event: 'close' });
  await expect
    .poll(async () => (await send('origin', 'GET', `${at}/issues/1`)) as object, { timeout: 20_000 })
    .toMatchObject({ state: 'closed' });

  const report = (await target.take(from)).toJSON();
  expect(report.counts.mergeRequests).toMatchObject({ created: 4, refused: 0 });
  expect(report.differences.filter(({ kind }) => /erge|review/.test(kind))).toEqual([]);
  const paths = [
    `${at}/merge_requests?state=all&with_merge_status_recheck=false`,
    ...[1, 2, 3, 4].flatMap((iid) =>
      [
        '',
        '/discussions',
        '/award_emoji',
        '/commits',
        '/changes',
        '/participants',
        '/approvals',
        '/closes_issues',
        '/resource_state_events',
        '/resource_label_events',
      ].map((part) => `${at}/merge_requests/${iid}${part}`),
    ),
    `${at}/issues/1/closed_by`,
  ];
  for (const path of paths) {
    const { there, here } = await both(origin, token, target, path);
    expect(here, path).toEqual(there);
  }
  expect((await target.take(from)).counts).toMatchObject({ repositories: { created: 0, updated: 0 } });
  await post('/merge_requests/1/notes', { body: 'Later.' });
  expect((await target.take(from)).counts).toMatchObject({
    mergeRequests: { created: 0, updated: 1 },
    reviewThreads: { created: 0, updated: 1 },
  });
  const { there, here } = await both(origin, token, target, `${at}/merge_requests/1/discussions`);
  expect(here).toEqual(there);
});

test('an import that is interrupted again and again ends as one that isn’t: a walk over every list', async () => {
  const project = '/projects/demo%2Fstorefront';
  const post = (path: string, json: object, as = token) =>
    origin.rest('POST', `/api/v4${path}`, { token: as, json }).then(({ status, body, text }) => {
      if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
      return body as { id: number; iid: number };
    });
  await post('/groups/demo/labels', { name: 'urgent', color: '#ff0000' });
  await post(`${project}/labels`, { name: 'bug', color: '#00ff00', priority: 2 });
  await post('/groups/demo/milestones', { title: 'Of a group' });
  const milestone = await post(`${project}/milestones`, { title: 'Of a project' });
  const issue = { title: 'One', labels: 'bug,urgent', milestone_id: milestone.id, assignee_id: 3 };
  await post(`${project}/issues`, issue, origin.tokens.developer);
  const two = await post(`${project}/issues`, { title: 'Two' });
  await post(`${project}/issues/1/links`, { target_project_id: 'demo/storefront', target_issue_iid: two.iid });
  const note = await post(`${project}/issues/1/notes`, { body: 'Indeed.' });
  await post(`${project}/issues/1/notes/${note.id}/award_emoji`, { name: 'heart' }, origin.tokens.developer);
  await post(`${project}/issues/1/award_emoji`, { name: 'thumbsup' });
  await post(`${project}/issues/1/add_spent_time`, { duration: '1h' });
  await post(`${project}/issues/1/subscribe`, {}, origin.tokens.maintainer);
  const snippet = await post(`${project}/snippets`, {
    title: 'Of a project',
    visibility: 'private',
    files: [{ file_path: 'a.txt', content: 'a' }],
  });
  await post(`${project}/snippets/${snippet.id}/notes`, { body: 'On a snippet.' });
  await post(`${project}/snippets/${snippet.id}/award_emoji`, { name: 'star' });

  const fresh = await emptyTarget();
  for (let round = 0; round < runs; round++) {
    const stop = new AbortController();
    let left = 1 + Math.floor(Math.random() * 60);
    const run: typeof fresh.run = async (source, variables) => {
      if (--left === 0) stop.abort(new Error('stopped'));
      return await fresh.run(source, variables);
    };
    await fresh.take(from, { signal: stop.signal, run }).catch((error: Error) => expect(error.message).toBe('stopped'));
    await killOne(fresh);
  }
  await fresh.take(from);
  await measured(fresh);
  const bounds = runs > 1 ? { places: 20, parts: 20 } : { places: 5, parts: 1 };
  const { compared, differences } = await walkBoth(origin, token, fresh, bounds);
  expect(compared).toBeGreaterThan(200);
  expect(differences.filter((one) => !isLeftOut(one))).toEqual([]);
  expect(unexplained()).toEqual([]);
  if (runs === 1) return;
  expect(unused(differences)).toEqual([]);
  // What an import leaves out is left out alike.
  const uninterrupted = await emptyTarget();
  await uninterrupted.take(from);
  await measured(uninterrupted);
  const between = await walkBoth(uninterrupted, uninterrupted.token, fresh, bounds);
  expect(between.differences.filter((one) => !isLeftOut(one))).toEqual([]);
});

/** Waits until each repository is counted: projects show its README from then on. */
const measured = ({ sql }: Target) =>
  expect.poll(() => sql(`select from jobs where name = 'measure_repository'`), { timeout: 60_000 }).toEqual([]);

/** Imports by the command, which is killed at a random moment: mostly after it began to write. */
async function killOne({ settings, sql }: Target): Promise<void> {
  const args = ['import', '--from', origin.url, '--token-file', tokenFile, '--same', 'root=root'];
  const killed = startProcess(settings, [process.execPath, 'dist/cli.js', ...args]);
  const records = async () =>
    (await sql<{ count: number }>('select count(*)::int as count from imported_records'))[0]!.count;
  const [before, more] = [await records(), Math.random() * 60];
  const written = async () => {
    for (const until = performance.now() + Math.random() * 10_000; performance.now() < until; await pause(10))
      if ((await records()) > before + more) return;
  };
  await Promise.race([written(), killed.ended()]);
  await killed.stop('SIGKILL');
}
