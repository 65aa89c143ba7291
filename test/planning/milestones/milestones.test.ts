import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dataOf } from '../../support/requests/answers.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { addMember, newUser } from '../../support/places/people.ts';
import { newGroup, newProject } from '../../support/places/places.ts';
import type { RestRequest } from '../../support/requests/rest-client.ts';
import { sentBy } from '../../support/databases/statements.ts';

/**
 * Milestones of the group `tree`, the group `tree/leaf` below it, and its projects `one` (public) and `two` (private).
 * Rita is reporter, Dora developer and Gus guest of the tree.
 */

let gateway: TestGateway;
const tokens: Record<string, string> = {};
const ids: Record<string, number> = {};
beforeAll(async () => {
  gateway = await testGateway();
  ids.tree = Number(await newGroup(gateway, { path: 'tree', visibility: 'PUBLIC' }));
  ids.leaf = Number(await newGroup(gateway, { path: 'leaf', visibility: 'PUBLIC', parent: 'tree' }));
  ids.one = Number(await newProject(gateway, { path: 'one', visibility: 'PUBLIC', group: 'tree/leaf' }));
  ids.two = Number(await newProject(gateway, { path: 'two', visibility: 'PRIVATE', group: 'tree/leaf' }));
  const roles = { rita: 'REPORTER', dora: 'DEVELOPER', gus: 'GUEST', zoe: null } as const;
  for (const [name, role] of Object.entries(roles)) {
    const user = await newUser(gateway, name);
    tokens[name] = user.token;
    ids[name] = Number(user.id);
    if (role) await addMember(gateway, user, role, { group: 'tree' });
  }
});
beforeEach(async () => {
  for (const table of ['issues', 'milestones', 'project_counters', 'group_counters', 'events'])
    await gateway.sql(`delete from ${table}`);
});

const one = '/projects/tree%2Fleaf%2Fone/milestones';
const two = '/projects/tree%2Fleaf%2Ftwo/milestones';
const tree = '/groups/tree/milestones';
const leaf = '/groups/tree%2Fleaf/milestones';

const api = (call: string, json?: object, who = 'rita', more: RestRequest = {}) => {
  const [method, path] = call.split(' ') as [string, string];
  return gateway.rest(method, `/api/v4${path}`, { token: tokens[who], ...(json && { json }), ...more });
};
const make = async (path: string, title: string, more: object = {}) => {
  const { status, body } = await api(`POST ${path}`, { title, ...more });
  expect([status, body.title]).toEqual([201, title]);
  return body as { id: number; iid: number };
};
const inMilestone = async (project: number, milestone: number, more = {}) => {
  const columns = { title: 'An issue', author_id: ids.zoe, milestone_id: milestone, ...more };
  const keys = Object.keys(columns);
  const [issue] = await gateway.sql<{ id: number }>(
    `insert into issues (project_id, iid, ${keys.join(', ')})
     select $1, coalesce(max(iid), 0) + 1, ${keys.map((_key, at) => `$${at + 2}`).join(', ')} from issues where project_id = $1
     returning id`,
    [project, ...Object.values(columns)],
  );
  return issue!.id;
};
const milestoneOf = async (issue: number) =>
  (await gateway.sql<{ id: number | null }>('select milestone_id as id from issues where id = $1', [issue]))[0]!.id;
const happened = async () =>
  (
    await gateway.sql<{ kind: string; project_id: number; group_id: number; actor_id: number }>(
      'select kind, project_id, group_id, actor_id from events order by id',
    )
  ).map(({ kind, project_id, group_id, actor_id }) => [kind, project_id ?? group_id, actor_id]);

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('a milestone', () => {
  test('of a project has the members that clients know', async () => {
    const { status, body } = await api(`POST ${one}`, {
      title: ' Spring ',
      description: 'The *first*.',
      start_date: '2026-03-01',
      due_date: '2026-04-30',
    });
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        iid: 1,
        project_id: ids.one,
        title: 'Spring',
        description: 'The *first*.',
        state: 'active',
        created_at: moment,
        updated_at: moment,
        due_date: '2026-04-30',
        start_date: '2026-03-01',
        expired: true,
        web_url: `${gateway.url}/tree/leaf/one/-/milestones/1`,
      },
    ]);
    expect((await api(`GET ${one}/${body.id}`)).body).toEqual(body);
  });

  test('of a group has group_id instead of project_id', async () => {
    const { id } = await make(tree, 'Wide', { due_date: day(1) });
    const { body } = await api(`GET ${tree}/${id}`);
    expect(body).toMatchObject({
      group_id: ids.tree,
      description: null,
      start_date: null,
      expired: false,
      web_url: `${gateway.url}/groups/tree/-/milestones/1`,
    });
    expect(body).not.toHaveProperty('project_id');
    expect((await api(`GET ${one}/${id}`)).body).toEqual({ message: '404 Not found' });
    expect((await api(`GET ${leaf}/${id}`)).body).toEqual({ message: '404 Not found' });
    for (const other of ['0', 'x', '99999999999', 'gid:%2F%2Fgitlab%2FUser%2F1'])
      expect((await api(`GET ${tree}/${other}`)).body).toEqual({ message: '404 Not found' });
  });

  test('is over after its last day', async () => {
    const expired = async (days: number) =>
      (await api(`POST ${one}`, { title: `${days}`, due_date: day(days) })).body.expired as boolean;
    expect([await expired(-1), await expired(0), await expired(1)]).toEqual([true, false, false]);
  });

  test('has a title that is in use once in a project and its group', async () => {
    await make(one, 'Own');
    await make(leaf, 'Wide');
    const text = 'already being used for another group or project milestone.';
    for (const [path, title] of [
      [one, 'Own'],
      [one, 'Wide'],
      [leaf, 'Wide'],
      [leaf, 'Own'],
    ]) {
      const { status, body } = await api(`POST ${path}`, { title });
      expect([path, status, body]).toEqual([
        path,
        400,
        { message: `Failed to create milestone {:title=>["${text}"]}` },
      ]);
    }
    await make(two, 'Own');
    const { id } = await make(one, 'Other');
    expect((await api(`PUT ${one}/${id}`, { title: 'Wide' })).body).toEqual({
      message: `Failed to update milestone {:title=>["${text}"]}`,
    });
    expect((await api(`PUT ${one}/${id}`, { title: 'Other' })).status).toBe(200);
  });

  test('is refused with what is wrong', async () => {
    const refused = async (values: object) => (await api(`POST ${one}`, values)).body as object;
    expect(await refused({})).toEqual({ error: 'title is missing' });
    expect(await refused({ title: ' ' })).toEqual({
      message: `Failed to create milestone {:title=>["can't be blank"]}`,
    });
    expect(await refused({ title: 'x'.repeat(256) })).toEqual({
      message: 'Failed to create milestone {:title=>["is too long (maximum is 255 characters)"]}',
    });
    for (const due_date of ['2026-04-30', '2026-04-29'])
      expect(await refused({ title: 'x', start_date: '2026-04-30', due_date })).toEqual({
        message: 'Failed to create milestone {:due_date=>["must be greater than start date"]}',
      });
    expect(await refused({ title: 'x', due_date: '2026-02-30' })).toEqual({ error: 'due_date is invalid' });
    expect((await api(`GET ${one}`)).body).toEqual([]);
  });

  test('gets the next number, also of many at once', async () => {
    await make(one, 'First');
    await api(`POST ${one}`, { title: 'First' });
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, at) => api(`POST ${one}`, { title: `At once ${at}` })),
    );
    expect(made.map(({ body }) => body.iid as number).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, at) => at + 2),
    );
    const same = await Promise.all(Array.from({ length: 6 }, () => api(`POST ${one}`, { title: 'Same' })));
    expect(same.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400, 400, 400]);
    expect((await make(one, 'Last')).iid).toBe(15);
  });
});

describe('a list of milestones', () => {
  const titles = async (path: string, query: Record<string, string> = {}, who = 'rita') =>
    ((await api(`GET ${path}`, undefined, who, { query })).body as { title: string }[]).map(({ title }) => title);

  beforeEach(async () => {
    await make(one, 'undated', { description: 'Some day' });
    await make(one, 'late', { due_date: '2030-01-01' });
    await make(one, 'early', { due_date: '2020-01-01' });
    await make(leaf, 'leaf', { due_date: '2025-01-01' });
    await make(tree, 'tree', { due_date: '2031-01-01' });
    await make(two, 'two', { due_date: '2032-01-01' });
  });

  test('has those due first at the beginning, and undated ones last', async () => {
    expect(await titles(one)).toEqual(['early', 'late', 'undated']);
  });

  test('includes those of groups above or below if they are asked for', async () => {
    expect(await titles(one, { include_ancestors: 'true' })).toEqual(['early', 'leaf', 'late', 'tree', 'undated']);
    expect(await titles(one, { include_parent_milestones: 'true' })).toEqual(
      await titles(one, { include_ancestors: '1' }),
    );
    expect(await titles(leaf, { include_ancestors: 'true' })).toEqual(['leaf', 'tree']);
    expect(await titles(tree)).toEqual(['tree']);
    const all = { include_descendants: 'true' };
    expect(await titles(tree, all)).toEqual(['early', 'leaf', 'late', 'tree', 'two', 'undated']);
    expect(await titles(tree, all, 'zoe')).toEqual(['early', 'leaf', 'late', 'tree', 'undated']);
    const both = { include_ancestors: 'true', include_parent_milestones: 'true' };
    expect((await api(`GET ${one}`, undefined, 'rita', { query: both })).body).toEqual({
      error: 'include_parent_milestones, include_ancestors are mutually exclusive',
    });
  });

  test('is filtered', async () => {
    const { body } = await api(`GET ${one}`, undefined, 'rita', { query: { title: 'late' } });
    expect(body).toHaveLength(1);
    await api(`PUT ${one}/${body[0].id}`, { state_event: 'close' });
    expect(await titles(one, { state: 'closed' })).toEqual(['late']);
    expect(await titles(one, { state: 'active' })).toEqual(['early', 'undated']);
    expect(await titles(one, { state: 'all' })).toHaveLength(3);
    expect((await api(`GET ${one}`, undefined, 'rita', { query: { state: 'open' } })).body).toEqual({
      error: 'state does not have a valid value',
    });
    expect(await titles(one, { title: 'LATE' })).toEqual([]);
    expect(await titles(one, { search: 'DAY' })).toEqual(['undated']);
    expect(await titles(one, { iids: '2' })).toEqual(['late']);
    expect(await titles(one, { 'iids[]': '3' })).toEqual(['early']);
    expect(await titles(one, { iids: '1,3,99999999999' })).toEqual(['early', 'undated']);
    expect(await titles(one, { updated_after: body[0].updated_at as string })).toContain('late');
    expect(await titles(one, { updated_before: '2020-01-01' })).toEqual([]);
  });

  test('is for people who signed in, also in a public project, and takes two statements', async () => {
    expect((await gateway.rest('GET', `/api/v4${one}`)).status).toBe(401);
    expect(await titles(one, {}, 'zoe')).toHaveLength(3);
    expect((await api(`GET ${two}`, undefined, 'zoe')).body).toEqual({ message: '404 Project Not Found' });
    for (const path of [one, `${tree}?include_descendants=true`])
      expect(await sentBy(() => api(`GET ${path}`))).toHaveLength(2);
  });
});

describe('changing a milestone', () => {
  test('changes what is sent, and records when it is closed and opened', async () => {
    const { id } = await make(one, 'Old', { due_date: '2026-04-30', start_date: '2026-04-01', description: 'Keep' });
    expect((await api(`PUT ${one}/${id}`, { title: 'New' })).body).toMatchObject({
      title: 'New',
      description: 'Keep',
      due_date: '2026-04-30',
      start_date: '2026-04-01',
    });
    expect((await api(`PUT ${one}/${id}`, { due_date: '', start_date: null, description: '' })).body).toMatchObject({
      due_date: null,
      start_date: null,
      description: null,
    });
    const state = async (state_event: string) => (await api(`PUT ${one}/${id}`, { state_event })).body.state as string;
    expect([await state('close'), await state('close'), await state('activate'), await state('activate')]).toEqual([
      'closed',
      'closed',
      'active',
      'active',
    ]);
    expect((await api(`DELETE ${one}/${id}`)).status).toBe(204);
    await make(tree, 'Wide');
    expect(await happened()).toEqual([
      ['milestone.created', ids.one, ids.rita],
      ['milestone.closed', ids.one, ids.rita],
      ['milestone.reopened', ids.one, ids.rita],
      ['milestone.destroyed', ids.one, ids.rita],
      ['milestone.created', ids.tree, ids.rita],
    ]);
  });

  test('needs something to change, that is right together with what is there', async () => {
    const { id } = await make(one, 'Dated', { start_date: '2026-04-01' });
    const change = async (values: object) => (await api(`PUT ${one}/${id}`, values)).body as object;
    expect(await change({})).toEqual({
      error:
        'title, description, start_date, due_date, state_event are missing, at least one parameter must be provided',
    });
    expect(await change({ state_event: 'open' })).toEqual({ error: 'state_event does not have a valid value' });
    expect(await change({ due_date: '2026-03-31', title: 'Other' })).toEqual({
      message: 'Failed to update milestone {:due_date=>["must be greater than start date"]}',
    });
    expect(await change({ title: '' })).toEqual({ message: `Failed to update milestone {:title=>["can't be blank"]}` });
    expect((await api(`GET ${one}/${id}`)).body).toMatchObject({ title: 'Dated', due_date: null });
  });

  test('is refused in an archived project, to guests and to strangers', async () => {
    const { id } = await make(one, 'Own');
    const changes = [
      [`POST ${one}`, { title: 'Other' }],
      [`PUT ${one}/${id}`, { title: 'Other' }],
      [`POST ${one}/${id}/promote`, {}],
      [`DELETE ${one}/${id}`, undefined],
    ] as const;
    for (const who of ['gus', 'zoe'])
      for (const [call, json] of changes)
        expect((await api(call, json, who)).body).toEqual({ message: '403 Forbidden' });
    await gateway.sql('update projects set archived = true where id = $1', [ids.one]);
    for (const [call, json] of changes)
      expect((await api(call, json, 'dora')).body).toEqual({ message: '403 Forbidden' });
    await gateway.sql('update projects set archived = false where id = $1', [ids.one]);
    expect((await api(`GET ${one}/${id}`)).body.title).toBe('Own');
  });

  test('that is removed leaves its issues without one', async () => {
    const { id } = await make(one, 'Gone');
    const issue = await inMilestone(ids.one!, id);
    expect((await api(`DELETE ${one}/${id}`)).status).toBe(204);
    expect(await milestoneOf(issue)).toBeNull();
    expect((await api(`DELETE ${one}/${id}`)).body).toEqual({ message: '404 Not found' });
  });
});

describe('the issues of a milestone', () => {
  test('are those that the viewer reads, by the priority of their labels', async () => {
    const { id } = await make(leaf, 'Wide');
    const [label] = await gateway.sql<{ id: number }>(
      `insert into labels (group_id, title, color) values ($1, 'first', '#ffffff') on conflict (group_id, title) do update set color = excluded.color returning id`,
      [ids.leaf],
    );
    await gateway.sql('insert into label_priorities values ($1, $2, 1) on conflict do nothing', [ids.one, label!.id]);
    await inMilestone(ids.one!, id, { title: 'plain' });
    await inMilestone(ids.one!, id, { title: 'secret', confidential: true });
    await inMilestone(ids.two!, id, { title: 'private' });
    await inMilestone(ids.one!, id, { title: 'urgent', label_ids: [label!.id] });
    const listed = async (who: string) => {
      const { status, headers, body } = await api(`GET ${leaf}/${id}/issues`, undefined, who);
      const titles = (body as { title: string }[]).map(({ title }) => title);
      expect([status, titles[0], headers.get('x-total')]).toEqual([200, 'urgent', String(titles.length)]);
      return titles.toSorted();
    };
    expect(await listed('rita')).toEqual(['plain', 'private', 'secret', 'urgent']);
    expect(await listed('gus')).toEqual(['plain', 'private', 'urgent']);
    expect(await listed('zoe')).toEqual(['plain', 'secret', 'urgent']);
    const own = await make(one, 'Own');
    expect((await api(`GET ${one}/${own.id}/issues`)).body).toEqual([]);
    expect((await api(`GET ${one}/${id}/issues`)).body).toEqual({ message: '404 Not found' });
    expect((await gateway.rest('GET', `/api/v4${one}/${own.id}/issues`)).status).toBe(401);
  });
});

describe('promoting a milestone', () => {
  test('makes one of the group of all that have its title in the projects of the group', async () => {
    const [first, second] = [await make(one, 'Spring', { due_date: '2026-04-30' }), await make(two, 'Spring')];
    await api(`PUT ${one}/${first.id}`, { state_event: 'close' });
    const issues = [await inMilestone(ids.one!, first.id), await inMilestone(ids.two!, second.id)];
    const [{ id: mergeRequest } = { id: 0 }] = await gateway.sql<{ id: number }>(
      `insert into merge_requests (project_id, iid, title, author_id, source_project_id, source_branch, target_branch, milestone_id)
       values ($1, 1, 'Seal', $2, $1, 'topic', 'main', $3) returning id`,
      [ids.two, ids.zoe, second.id],
    );
    const { status, body } = await api(`POST ${one}/${first.id}/promote`, undefined, 'dora');
    expect([status, body]).toEqual([200, {}]);
    const [promoted] = (await api(`GET ${leaf}`)).body;
    expect(promoted).toMatchObject({ title: 'Spring', due_date: '2026-04-30', state: 'closed', iid: 1 });
    expect([await milestoneOf(issues[0]!), await milestoneOf(issues[1]!)]).toEqual([promoted.id, promoted.id]);
    expect(await gateway.sql('select milestone_id from merge_requests where id = $1', [mergeRequest])).toEqual([
      { milestone_id: promoted.id },
    ]);
    expect((await api(`GET ${one}`)).body).toEqual([]);
    expect((await api(`GET ${two}`)).body).toEqual([]);
    expect((await api(`POST ${one}/${first.id}/promote`, undefined, 'dora')).body).toEqual({
      message: '404 Not found',
    });
  });

  test('is for developers of the group, in a project of a group', async () => {
    const { id } = await make(one, 'Spring');
    expect((await api(`POST ${one}/${id}/promote`)).body).toEqual({ message: '403 Forbidden' });
    await gateway.rest('POST', '/api/v4/projects', { token: tokens.dora, json: { path: 'alone' } });
    const alone = '/projects/dora%2Falone/milestones';
    const made = await api(`POST ${alone}`, { title: 'Own' }, 'dora');
    expect((await api(`POST ${alone}/${made.body.id}/promote`, undefined, 'dora')).body).toEqual({
      message: '403 Forbidden',
    });
  });

  test('fails if the group has one of this title', async () => {
    const { id } = await make(one, 'Spring');
    await gateway.sql(`insert into milestones (group_id, iid, title) values ($1, 9, 'Spring')`, [ids.leaf]);
    const { status, body } = await api(`POST ${one}/${id}/promote`, undefined, 'dora');
    expect([status, body.message]).toEqual([
      400,
      'Promotion failed - Title already being used for another group or project milestone.',
    ]);
    expect((await api(`GET ${one}/${id}`)).status).toBe(200);
  });
});

describe('over GraphQL', () => {
  const ask = <Data>(query: string, who = 'rita', variables: Record<string, unknown> = {}) =>
    gateway.graphql<Data>(query, { token: tokens[who], variables });

  test('milestones are fields of projects and groups, in GitLab’s orders, with counts of what the viewer reads', async () => {
    const { id } = await make(one, 'late', { due_date: day(9), start_date: day(5) });
    await make(one, 'past', { due_date: day(-9) });
    await make(one, 'undated');
    await make(two, 'two');
    await inMilestone(ids.one!, id);
    await inMilestone(ids.one!, id, { state: 'CLOSED', confidential: true });
    const query = `{ project(fullPath: "tree/leaf/one") {
      milestones(sort: EXPIRED_LAST_DUE_DATE_ASC) { count nodes { title expired upcoming stats { totalIssuesCount closedIssuesCount } } }
      latest: milestones(sort: DUE_DATE_DESC) { nodes { title } }
      around: milestones(containingDate: "${day(7)}") { nodes { title dueDate } }
      closed: milestones(state: closed, searchTitle: "late") { nodes { title } }
    } }`;
    const title = (name: string) => ({ title: name });
    const milestones = (total: number, closed: number) => ({
      count: 3,
      nodes: [
        {
          title: 'late',
          expired: false,
          upcoming: true,
          stats: { totalIssuesCount: total, closedIssuesCount: closed },
        },
        { title: 'undated', expired: false, upcoming: false, stats: { totalIssuesCount: 0, closedIssuesCount: 0 } },
        { title: 'past', expired: true, upcoming: false, stats: { totalIssuesCount: 0, closedIssuesCount: 0 } },
      ],
    });
    expect(dataOf(await ask<{ project: object }>(query)).project).toEqual({
      milestones: milestones(2, 1),
      latest: { nodes: ['late', 'past', 'undated'].map(title) },
      around: { nodes: [{ title: 'late', dueDate: `${day(9)}T00:00:00.000Z` }] },
      closed: { nodes: [] },
    });
    expect(dataOf(await ask<{ project: object }>(query, 'gus')).project).toMatchObject({
      milestones: milestones(1, 0),
    });
    const below = `{ group(fullPath: "tree/leaf") { milestones(includeDescendants: true) { nodes { title project { path } group { path } } } } }`;
    const { group } = dataOf(await ask<{ group: { milestones: { nodes: { title: string }[] } } }>(below, 'zoe'));
    expect(group.milestones.nodes.map((node) => node.title)).toEqual(['past', 'late', 'undated']);
  });

  test('milestone(id) is null for one that the viewer doesn’t see', async () => {
    const { id } = await make(two, 'Hidden');
    const read = async (who: string) =>
      dataOf(
        await ask<{ milestone: object | null }>(
          'query ($id: MilestoneID!) { milestone(id: $id) { id iid title webPath } }',
          who,
          {
            id: `gid://gitlab/Milestone/${id}`,
          },
        ),
      ).milestone;
    expect(await read('zoe')).toBeNull();
    expect(await read('rita')).toEqual({
      id: `gid://gitlab/Milestone/${id}`,
      iid: '1',
      title: 'Hidden',
      webPath: '/tree/leaf/two/-/milestones/1',
    });
    const { data, errors } = await ask(
      `mutation { milestoneUpdate(input: { id: "${id}", title: "x" }) { milestone { id } } }`,
      'zoe',
    );
    expect([data, errors![0]!.extensions!.code]).toEqual([{ milestoneUpdate: null }, 'NOT_FOUND']);
  });
});
