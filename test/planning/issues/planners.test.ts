import { beforeAll, describe, expect, test } from 'vitest';
import { at, makeShop, type Shop } from '../../support/places/shop.ts';

/** What planners do: they plan as reporters do, delete issues, and don't see the code. */

let api: Shop['api'];
let aProject: Shop['aProject'];
let planner: string;
let reporter: string;
let guest: string;
beforeAll(async () => {
  const { make, tokens, ...shop } = await makeShop();
  ({ api, aProject } = shop);
  planner = await make.user('the-planner');
  await make.member('the-planner', 'PLANNER', { group: 'shop' });
  ({ reporter, guest } = tokens);
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

  test('reads no code of a private project, and makes no snippets there', async () => {
    const project = await aProject();
    expect(await statusOf('GET', at(project, '/repository/tree'), planner)).toBe(403);
    expect(await statusOf('GET', at(project, '/repository/tree'), reporter)).not.toBe(403);
    const snippet = { title: 'x', file_name: 'x', content: 'x', visibility: 'private' };
    expect(await statusOf('POST', at(project, '/snippets'), planner, snippet)).toBe(403);
  });
});
