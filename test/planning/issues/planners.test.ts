import { beforeAll, describe, expect, test } from 'vitest';
import { at, makeShop, type Shop } from '../../support/places/shop.ts';

/** What planners do: they plan as reporters do, delete issues, and don't see the code. */

let api: Shop['api'];
let aProject: Shop['aProject'];
let planner: string;
let reporter: string;
let guest: string;
let maintainer: string;
beforeAll(async () => {
  const { make, tokens, ...shop } = await makeShop();
  ({ api, aProject } = shop);
  planner = await make.user('the-planner');
  await make.member('the-planner', 'PLANNER', { group: 'shop' });
  ({ reporter, guest, maintainer } = tokens);
});

/** The status of the answer to a request. */
const statusOf = async (method: string, path: string, token: string, json?: object) =>
  (await api(method, path, token, json && { json })).status;

describe('a planner', () => {
  test('reads, changes and moves confidential issues, and reads internal comments', async () => {
    const [project, other] = [await aProject(), await aProject()];
    await api('POST', at(project, '/issues'), reporter, { json: { title: 'Secret', confidential: true } });
    await api('POST', at(project, '/issues/1/notes'), reporter, { json: { body: 'Psst', internal: true } });
    expect((await api('GET', at(project, '/issues'), planner)).body).toMatchObject([{ title: 'Secret' }]);
    expect((await api('GET', at(project, '/issues/1/notes'), planner)).body).toMatchObject([{ body: 'Psst' }]);
    expect((await api('GET', at(project, '/issues/1'), planner)).body).toMatchObject({ user_notes_count: 1 });
    const changes = { labels: 'soon', due_date: '2030-01-01', title: 'Planned' };
    expect((await api('PUT', at(project, '/issues/1'), planner, { json: changes })).body).toMatchObject({
      ...changes,
      labels: ['soon'],
    });
    expect(await statusOf('POST', at(project, '/issues/1/notes'), planner, { body: 'Yes', internal: true })).toBe(201);
    const { id } = (await api('GET', at(other), planner)).body as { id: number };
    expect(await statusOf('POST', at(project, '/issues/1/move'), planner, { to_project_id: id })).toBe(201);
  });

  test('makes labels and milestones', async () => {
    const project = await aProject();
    const label = { name: 'new', color: '#fff' };
    expect(await statusOf('POST', at(project, '/labels'), planner, label)).toBe(201);
    expect(await statusOf('POST', at(project, '/milestones'), planner, { title: 'new' })).toBe(201);
    expect(await statusOf('POST', at(project, '/labels'), guest, { ...label, name: 'other' })).toBe(403);
  });

  test('deletes issues, which reporters don’t, and doesn’t choose their numbers', async () => {
    const project = await aProject();
    const made = await api('POST', at(project, '/issues'), planner, { json: { title: 'One', iid: 7 } });
    expect(made.body).toMatchObject({ iid: 1 });
    expect(await statusOf('DELETE', at(project, '/issues/1'), reporter)).toBe(403);
    expect(await statusOf('DELETE', at(project, '/issues/1'), planner)).toBe(204);
  });

  test('reads code and merge requests of a private project and comments there, but changes and forks nothing', async () => {
    const project = await aProject();
    const commit = (message: string, file: string) => ({
      branch: file === 'a' ? 'main' : 'topic',
      ...(file !== 'a' && { start_branch: 'main' }),
      commit_message: message,
      actions: [{ action: 'create', file_path: file, content: file }],
    });
    const commits = at(project, '/repository/commits');
    for (const file of ['a', 'b']) expect(await statusOf('POST', commits, maintainer, commit('Add', file))).toBe(201);
    const merge = { source_branch: 'topic', target_branch: 'main', title: 'Topic' };
    const requests = at(project, '/merge_requests');
    expect(await statusOf('POST', requests, maintainer, merge)).toBe(201);
    for (const [path, ofGuest] of [
      ['/repository/tree', 403],
      ['/repository/files/a/raw?ref=main', 403],
      ['/merge_requests', 403],
      ['/merge_requests/1/diffs', 403],
    ] as const)
      expect([
        path,
        await statusOf('GET', at(project, path), planner),
        await statusOf('GET', at(project, path), guest),
      ]).toEqual([path, 200, ofGuest]);
    expect(await statusOf('POST', `${requests}/1/notes`, planner, { body: 'Fine', internal: true })).toBe(201);
    expect(await statusOf('POST', requests, planner, { ...merge, target_branch: 'other' })).toBe(403);
    expect(await statusOf('PUT', `${requests}/1`, planner, { title: 'Mine' })).toBe(403);
    expect(await statusOf('POST', `${requests}/1/approve`, planner)).toBe(403);
    expect(await statusOf('POST', commits, planner, commit('Add', 'c'))).not.toBe(201);
    expect(await statusOf('POST', at(project, '/fork'), planner, {})).toBe(404);
    const snippet = { title: 'x', file_name: 'x', content: 'x', visibility: 'private' };
    expect(await statusOf('POST', at(project, '/snippets'), planner, snippet)).toBe(403);
  });

  test('sees pipelines and jobs as guests do, and no environments of a private project', async () => {
    const project = await aProject();
    const seen = async () =>
      await Promise.all(
        ['/pipelines', '/jobs', '/environments'].map((path) => statusOf('GET', at(project, path), planner)),
      );
    expect(await seen()).toEqual([200, 200, 403]);
    expect(await statusOf('PUT', at(project), maintainer, { public_jobs: false })).toBe(200);
    expect(await seen()).toEqual([403, 403, 403]);
  });
});
