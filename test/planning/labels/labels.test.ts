import { Gitlab } from '@gitbeaker/rest';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { dataOf } from '../../support/requests/answers.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { newUser, addMember } from '../../support/places/people.ts';
import { newGroup, newProject } from '../../support/places/places.ts';
import type { RestRequest } from '../../support/requests/rest-client.ts';
import { sentBy } from '../../support/databases/statements.ts';

/**
 * Labels of a tree: the group `tree`, below it the public group `tree/leaf` with the projects `one` and `two`. Rita is
 * reporter and Gus guest of the tree, Pia is reporter of the project `one` only.
 */

let gateway: TestGateway;
const tokens: Record<string, string> = {};
const ids: Record<string, number> = {};
beforeAll(async () => {
  gateway = await testGateway();
  await newGroup(gateway, { path: 'tree', visibility: 'PUBLIC' });
  ids.tree = Number(await newGroup(gateway, { path: 'hidden', visibility: 'PRIVATE', parent: 'tree' }));
  await newGroup(gateway, { path: 'leaf', visibility: 'PUBLIC', parent: 'tree' });
  ids.one = Number(await newProject(gateway, { path: 'one', visibility: 'PUBLIC', group: 'tree/leaf' }));
  ids.two = Number(await newProject(gateway, { path: 'two', visibility: 'PRIVATE', group: 'tree/leaf' }));
  const people = ['rita', 'gus', 'pia', 'zoe'];
  for (const name of people) {
    const user = await newUser(gateway, name);
    tokens[name] = user.token;
    ids[name] = Number(user.id);
  }
  await addMember(gateway, { id: String(ids.rita) }, 'REPORTER', { group: 'tree' });
  await addMember(gateway, { id: String(ids.gus) }, 'GUEST', { group: 'tree' });
  await addMember(gateway, { id: String(ids.pia) }, 'REPORTER', { project: 'tree/leaf/one' });
});
beforeEach(() => gateway.sql('delete from labels').then(() => gateway.sql('delete from issues')));

const one = '/projects/tree%2Fleaf%2Fone/labels';
const two = '/projects/tree%2Fleaf%2Ftwo/labels';
const tree = '/groups/tree/labels';
const leaf = '/groups/tree%2Fleaf/labels';

const api = (call: string, json?: object, who = 'rita', more: RestRequest = {}) => {
  const [method, path] = call.split(' ') as [string, string];
  return gateway.rest(method, `/api/v4${path}`, { token: tokens[who], ...(json && { json }), ...more });
};
const make = async (path: string, name: string, more: object = {}) => {
  const { status, body } = await api(`POST ${path}`, { name, color: '#aa2211', ...more });
  expect([status, body.name]).toEqual([201, name]);
  return body as { id: number };
};
const names = (body: readonly { name: string }[]) => body.map(({ name }) => name);
const newIssue = async (project: number, labels: readonly number[], more = {}) => {
  const columns = { title: 'An issue', author_id: ids.zoe, ...more };
  const keys = Object.keys(columns);
  const [issue] = await gateway.sql<{ id: number }>(
    `insert into issues (project_id, iid, label_ids, ${keys.join(', ')})
     select $1, coalesce(max(iid), 0) + 1, $2, ${keys.map((_key, at) => `$${at + 3}`).join(', ')} from issues where project_id = $1
     returning id`,
    [project, labels, ...Object.values(columns)],
  );
  return issue!.id;
};
/** A merge request with labels. @returns what reads its labels */
const newMergeRequest = async (project: number, labels: readonly number[]) => {
  const [made] = await gateway.sql<{ id: number }>(
    `insert into merge_requests (project_id, iid, title, author_id, source_project_id, source_branch, target_branch, label_ids)
     select $1, coalesce(max(iid), 0) + 1, 'Seal', $2, $1, 'topic', 'main', $3 from merge_requests where project_id = $1 returning id`,
    [project, ids.zoe, labels],
  );
  return async () =>
    (await gateway.sql<{ label_ids: number[] }>('select label_ids from merge_requests where id = $1', [made!.id]))[0]!
      .label_ids;
};
const labelsOf = async (issue: number) =>
  (await gateway.sql<{ label_ids: number[] }>('select label_ids from issues where id = $1', [issue]))[0]!.label_ids;

describe('a label', () => {
  test('of a project has the members that clients know', async () => {
    const { status, body } = await api(`POST ${one}`, {
      name: ' <b>urgent</b> ',
      color: '#aa2211',
      description: 'Today *please*',
      priority: 10,
    });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'urgent',
        description: 'Today *please*',
        description_html: 'Today <em>please</em>',
        text_color: '#FFFFFF',
        color: '#aa2211',
        archived: false,
        subscribed: false,
        priority: 10,
        is_project_label: true,
      },
    ]);
    expect((await api(`GET ${one}/urgent`)).body).toEqual(body);
    expect((await api(`GET ${one}/${body.id}`)).body).toEqual(body);
  });

  test('of a group has neither a priority nor is_project_label, and has both in a project', async () => {
    const { body } = await api(`POST ${tree}`, { name: 'wide', color: 'white' });
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'wide',
      description: null,
      description_html: '',
      text_color: '#1F1E24',
      color: '#ffffff',
      archived: false,
      subscribed: false,
    });
    expect((await api(`GET ${one}/wide`)).body).toEqual({ ...body, priority: null, is_project_label: false });
  });

  test.each([
    ['#abc', '#aabbcc'],
    ['#FFAABB', '#FFAABB'],
    ['RebeccaPurple', '#663399'],
    [' black ', '#000000'],
  ])('takes the color %s as %s', async (given, stored) => {
    expect((await api(`POST ${one}`, { name: 'x', color: given })).body).toMatchObject({ color: stored });
  });

  test.each(['', '#12', '#12345', 'ffffff', 'nocolor', 'constructor', '#gggggg'])(
    'does not take the color %j',
    async (color) => {
      const { status, body } = await api(`POST ${one}`, { name: 'x', color });
      expect([status, body]).toEqual([400, { message: { color: ['must be a valid color code'] } }]);
    },
  );

  test('has a title without a comma, of at most 255 characters', async () => {
    for (const name of ['a,b', '', ' ', '<i></i>'])
      expect((await api(`POST ${one}`, { name, color: '#fff' })).body).toEqual({ message: { title: ['is invalid'] } });
    expect((await api(`POST ${one}`, { name: 'x'.repeat(256), color: '#fff' })).body).toEqual({
      message: { title: ['is too long (maximum is 255 characters)'] },
    });
    expect((await api(`POST ${one}`, { name: '𝒳'.repeat(255), color: '#fff' })).status).toBe(201);
  });

  test('needs a name and a color, and a priority that is a number from 0', async () => {
    expect((await api(`POST ${one}`, {})).body).toEqual({ error: 'name is missing, color is missing' });
    const priority = async (value: unknown) =>
      (await api(`POST ${one}`, { name: 'x', color: '#fff', priority: value })).body as object;
    expect(await priority('high')).toEqual({ error: 'priority is invalid' });
    expect(await priority(2 ** 31)).toEqual({ error: 'priority is invalid' });
    expect(await priority(-1)).toEqual({ message: { priority: ['must be greater than or equal to 0'] } });
    expect(await priority(0)).toMatchObject({ priority: 0 });
  });

  test('shows nothing that its description could run', async () => {
    const description = '<img src=x onerror=alert(1)><script>alert(2)</script> [x](javascript:alert(3))';
    const { body } = await api(`POST ${one}`, { name: 'x', color: '#fff', description });
    expect(body.description_html).not.toMatch(/<script|<[^>]*onerror|href="javascript/);
  });

  test('is found by a number as an id first, then as a title', async () => {
    const { id } = await make(one, 'first');
    await make(one, String(id + 1));
    expect((await api(`GET ${one}/${id}`)).body.name).toBe('first');
    const number = (await api(`GET ${one}/${id + 1}`)).body as { id: number; name: string };
    expect(number).toMatchObject({ id: id + 1, name: String(id + 1) });
    await make(one, '7');
    expect((await api(`GET ${one}/7`)).body.name).toBe('7');
    expect((await api(`GET ${one}/99999999999`)).body).toEqual({ message: '404 Label Not Found' });
  });

  test('exists once in a project and the groups above it', async () => {
    await make(one, 'own');
    await make(tree, 'wide');
    for (const [path, name] of [
      [one, 'own'],
      [one, 'wide'],
      [leaf, 'wide'],
      [tree, 'wide'],
    ]) {
      const { status, body } = await api(`POST ${path}`, { name, color: '#fff' });
      expect([path, status, body]).toEqual([path, 409, { message: 'Label already exists' }]);
    }
    await make(two, 'own');
    expect((await api(`PUT ${one}/own`, { new_name: 'wide' })).body).toEqual({
      message: { title: ['already exists at group level for tree. Please choose another one.'] },
    });
    await make(one, 'other');
    expect((await api(`PUT ${one}/own`, { new_name: 'other' })).body).toEqual({
      message: { title: ['has already been taken'] },
    });
  });
});

describe('a list of labels', () => {
  beforeEach(async () => {
    await make(tree, 'a-tree');
    await make(leaf, 'b-leaf', { description: 'falls in autumn' });
    await make(one, 'c-one');
    await make(two, 'd-two');
    await gateway.sql(`insert into labels (group_id, title, color) values ($1, 'e-hidden', '#ffffff')`, [ids.tree]);
  });
  const list = async (path: string, query: Record<string, string> = {}, who = 'rita') =>
    names((await api(`GET ${path}`, undefined, who, { query })).body);

  test('of a project has its own and those of the groups above, by title', async () => {
    expect(await list(one)).toEqual(['a-tree', 'b-leaf', 'c-one']);
    expect(await list(one, { include_ancestor_groups: 'false' })).toEqual(['b-leaf', 'c-one']);
    expect(
      (await api(`GET ${one}/a-tree`, undefined, 'rita', { query: { include_ancestor_groups: 'no' } })).status,
    ).toBe(404);
  });

  test('of a group has more where more is asked for, of what the viewer sees', async () => {
    expect(await list(leaf)).toEqual(['a-tree', 'b-leaf']);
    expect(await list(leaf, { include_ancestor_groups: 'false' })).toEqual(['b-leaf']);
    expect(await list(leaf, { only_group_labels: 'false' })).toEqual(['a-tree', 'b-leaf', 'c-one', 'd-two']);
    expect(await list(tree, { include_descendant_groups: 'true' })).toEqual(['a-tree', 'b-leaf', 'e-hidden']);
    const all = { include_descendant_groups: 'true', only_group_labels: 'false' };
    expect(await list(tree, all)).toEqual(['a-tree', 'b-leaf', 'c-one', 'd-two', 'e-hidden']);
    expect(await list(tree, all, 'zoe')).toEqual(['a-tree', 'b-leaf', 'c-one']);
    const found = async (name: string, who: string) =>
      (await api(`GET ${tree}/${name}`, undefined, who, { query: all })).status;
    expect([await found('e-hidden', 'rita'), await found('e-hidden', 'zoe'), await found('c-one', 'zoe')]).toEqual([
      200, 404, 200,
    ]);
    expect((await api(`GET ${tree}/e-hidden`)).status).toBe(404);
  });

  test('is searched in title and description, and filtered by archived', async () => {
    expect(await list(one, { search: 'AUTUMN' })).toEqual(['b-leaf']);
    expect(await list(one, { search: '_' })).toEqual([]);
    await api(`PUT ${one}/c-one`, { archived: true });
    expect(await list(one, { archived: 'true' })).toEqual(['c-one']);
    expect(await list(one, { archived: 'false' })).toEqual(['a-tree', 'b-leaf']);
  });

  test('takes two statements, and one more for counts', async () => {
    const cost = async (path: string, query: Record<string, string> = {}) =>
      (await sentBy(async () => void expect((await list(path, query)).length).toBeGreaterThan(1))).length;
    await list(one);
    expect(await cost(one)).toBe(2);
    expect(await cost(tree, { include_descendant_groups: 'true' })).toBe(2);
    expect(await cost(one, { with_counts: 'true' })).toBe(3);
  });

  test('counts the issues that the viewer reads', async () => {
    const label = (await api(`GET ${one}/a-tree`)).body.id as number;
    await newIssue(ids.one!, [label]);
    await newIssue(ids.one!, [label], { state: 'CLOSED' });
    await newIssue(ids.one!, [label], { confidential: true, author_id: ids.gus });
    await newIssue(ids.two!, [label]);
    const counts = async (who: string) => {
      const { body } = await api(`GET ${one}`, undefined, who, { query: { with_counts: 'true' } });
      const { open_issues_count, closed_issues_count, open_merge_requests_count } = body[0];
      return [open_issues_count, closed_issues_count, open_merge_requests_count] as number[];
    };
    expect(await counts('rita')).toEqual([3, 1, 0]);
    expect(await counts('gus')).toEqual([3, 1, 0]);
    expect(await counts('pia')).toEqual([2, 1, 0]);
    expect(await counts('zoe')).toEqual([1, 1, 0]);
    expect((await api(`GET ${one}`)).body[0]).not.toHaveProperty('open_issues_count');
  });

  test('is for people who signed in, also in a public project', async () => {
    for (const path of [one, `${one}/c-one`, tree])
      expect((await gateway.rest('GET', `/api/v4${path}`)).status).toBe(401);
    expect((await api(`GET ${two}`, undefined, 'zoe')).body).toEqual({ message: '404 Project Not Found' });
  });
});

describe('labels and milestones of a project without issues', () => {
  const switchTo = async (issues: string, mergeRequests: string) =>
    await gateway.sql('update projects set attributes = $1 where id = $2', [
      { issuesAccessLevel: issues, mergeRequestsAccessLevel: mergeRequests },
      ids.one,
    ]);
  const milestones = one.replace('labels', 'milestones');
  const statuses = async (who: string) => {
    const calls = [`GET ${one}`, `GET ${one}/kept`, `GET ${milestones}`, `PUT ${one}/kept`];
    return await Promise.all(
      calls.map(async (call) => (await api(call, call.startsWith('PUT') ? { color: 'red' } : undefined, who)).status),
    );
  };
  const nested = async (who: string) =>
    dataOf(
      await gateway.graphql(
        `{ project(fullPath: "tree/leaf/one") { labels { count nodes { title } } label(title: "kept") { title } milestones { count }
           userPermissions { adminLabel adminMilestone } } }`,
        { token: tokens[who]! },
      ),
    );
  const shown = {
    labels: { count: 1, nodes: [{ title: 'kept' }] },
    label: { title: 'kept' },
    milestones: { count: 1 },
  };
  const hidden = { labels: { count: 0, nodes: [] }, label: null, milestones: { count: 0 } };

  test('are for those who have its merge requests, and for nobody without both', async () => {
    await make(one, 'kept');
    await api(`POST ${milestones}`, { title: 'Kept' });
    await switchTo('disabled', 'enabled');
    expect([await statuses('rita'), await statuses('zoe')]).toEqual([
      [200, 200, 200, 200],
      [200, 200, 200, 403],
    ]);
    await switchTo('disabled', 'private');
    expect([await statuses('rita'), await statuses('zoe')]).toEqual([
      [200, 200, 200, 200],
      [403, 403, 403, 403],
    ]);
    const rights = { adminLabel: true, adminMilestone: true };
    expect(await nested('rita')).toEqual({ project: { ...shown, userPermissions: rights } });
    const none = { adminLabel: false, adminMilestone: false };
    expect(await nested('zoe')).toEqual({ project: { ...hidden, userPermissions: none } });
    await switchTo('disabled', 'disabled');
    expect(await statuses('rita')).toEqual([403, 403, 403, 403]);
    expect(await nested('rita')).toEqual({ project: { ...hidden, userPermissions: none } });
    await gateway.sql(`update projects set attributes = '{}' where id = $1`, [ids.one]);
    await gateway.sql('delete from milestones');
  });
});

describe('changing a label', () => {
  test('changes what is sent, in both forms', async () => {
    const { id } = await make(one, 'old', { description: 'Keep', priority: 3 });
    const changed = await api(`PUT ${one}/old`, { new_name: 'new', color: 'red' });
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({ id, name: 'new', color: '#ff0000', description: 'Keep', priority: 3 }),
    ]);
    expect((await api(`PUT ${one}`, { name: 'new', new_name: 'newer' })).body.name).toBe('newer');
    expect((await api(`PUT ${one}`, { label_id: id, description: '', priority: '' })).body).toMatchObject({
      name: 'newer',
      description: null,
      priority: null,
    });
    expect((await api(`PUT ${one}/newer`, { priority: 5 })).body.priority).toBe(5);
    expect((await api(`PUT ${one}/newer`, { priority: null })).body.priority).toBeNull();
  });

  test('needs something to change, and one name', async () => {
    await make(one, 'x');
    const list = 'new_name, color, description';
    const nothing = 'are missing, at least one parameter must be provided';
    expect((await api(`PUT ${one}/x`, {})).body).toEqual({ error: `${list}, priority ${nothing}` });
    expect((await api(`PUT ${tree}/x`, {})).body).toEqual({ error: `${list} ${nothing}` });
    expect((await api(`PUT ${one}/x`, { archived: true })).body.archived).toBe(true);
    expect((await api(`PUT ${one}`, { color: '#fff' })).body).toEqual({
      error: 'label_id, name are missing, exactly one parameter must be provided',
    });
    expect((await api(`PUT ${one}`, { color: '#fff', label_id: 1, name: 'x' })).body).toEqual({
      error: 'label_id, name are mutually exclusive',
    });
    expect((await api(`DELETE ${one}`)).body).toEqual({
      error: 'label_id, name are missing, exactly one parameter must be provided',
    });
  });

  test('changes nothing if one value is wrong', async () => {
    await make(one, 'x', { priority: 1 });
    const before = (await api(`GET ${one}/x`)).body as object;
    for (const values of [
      { new_name: 'y', color: 'none' },
      { new_name: 'a,b', color: '#fff' },
      { color: '#fff', priority: -1 },
    ])
      expect((await api(`PUT ${one}/x`, values)).status).toBe(400);
    expect((await api(`GET ${one}/x`)).body).toEqual(before);
  });

  test('of a group happens in the group: in a project it isn’t found', async () => {
    await make(tree, 'wide');
    expect((await api(`PUT ${one}/wide`, { color: '#fff' })).body).toEqual({ message: '404 Label Not Found' });
    expect((await api(`DELETE ${one}/wide`)).status).toBe(404);
    expect((await api(`PUT ${leaf}/wide`, { color: '#fff' })).status).toBe(404);
    expect((await api(`PUT ${tree}/wide`, { color: '#fff' })).body.color).toBe('#ffffff');
  });

  test('of its group may only give it a priority in the project', async () => {
    const { id } = await make(leaf, 'near');
    await make(tree, 'far');
    const before = await gateway.sql('select * from labels order by id');
    for (const [call, json] of [
      [`PUT ${one}/near`, { priority: 3 }],
      [`PUT ${one}`, { name: 'near', priority: 4 }],
      [`PUT ${one}/${id}`, { priority: 5 }],
    ] as const) {
      const { status, body } = await api(call, json, 'pia');
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ id, priority: json.priority, is_project_label: false }),
      ]);
    }
    expect((await api(`GET ${two}/near`)).body.priority).toBeNull();
    expect((await api(`PUT ${one}/near`, { priority: null })).body.priority).toBeNull();
    for (const more of [{ color: '#fff' }, { new_name: 'x' }, { description: '' }, { archived: true }])
      expect((await api(`PUT ${one}/near`, { priority: 1, ...more })).status).toBe(404);
    expect((await api(`PUT ${one}/far`, { priority: 1 })).status).toBe(404);
    expect((await api(`PUT ${one}/near`, { priority: 1 }, 'gus')).status).toBe(403);
    expect(await gateway.sql('select * from labels order by id')).toEqual(before);
  });

  test('is refused in an archived project, to a guest and to strangers', async () => {
    await make(one, 'x');
    const changes = [
      [`POST ${one}`, { name: 'y', color: '#fff' }],
      [`PUT ${one}/x`, { color: '#fff' }],
      [`PUT ${one}/x/promote`, {}],
      [`DELETE ${one}/x`, undefined],
    ] as const;
    for (const who of ['gus', 'zoe'])
      for (const [call, json] of changes)
        expect((await api(call, json, who)).body).toEqual({ message: '403 Forbidden' });
    await gateway.sql('update projects set archived = true where id = $1', [ids.one]);
    for (const [call, json] of changes) expect((await api(call, json)).body).toEqual({ message: '403 Forbidden' });
    await gateway.sql('update projects set archived = false where id = $1', [ids.one]);
    expect((await api(`GET ${one}/x`)).body.color).toBe('#aa2211');
  });
});

describe('removing a label', () => {
  test('takes it from all issues and merge requests', async () => {
    const [kept, gone] = [await make(one, 'kept'), await make(one, 'gone')];
    const issue = await newIssue(ids.one!, [kept.id, gone.id]);
    const ofMergeRequest = await newMergeRequest(ids.one!, [kept.id, gone.id]);
    expect([(await api(`DELETE ${one}/gone`)).status, await labelsOf(issue)]).toEqual([204, [kept.id]]);
    expect(await ofMergeRequest()).toEqual([kept.id]);
    expect((await api(`DELETE ${one}/gone`)).body).toEqual({ message: '404 Label Not Found' });
    expect((await api(`DELETE ${one}`, { name: 'kept' })).status).toBe(204);
    expect(await labelsOf(issue)).toEqual([]);
    await make(tree, 'wide');
    expect((await api(`DELETE ${tree}?name=wide`)).status).toBe(204);
  });

  test('takes it from many issues, too', async () => {
    const { id } = await make(one, 'everywhere');
    await gateway.sql(
      `insert into issues (project_id, iid, title, author_id, label_ids) select $1, n, 'Many', $2, array[$3::int] from generate_series(1, 3100) n`,
      [ids.one, ids.zoe, id],
    );
    expect((await api(`DELETE ${one}/everywhere`)).status).toBe(204);
    await vi.waitFor(
      async () => expect(await gateway.sql(`select id from issues where label_ids <> '{}'`)).toEqual([]),
      { timeout: 20_000, interval: 100 },
    );
  });

  test('is refused if it was changed since', async () => {
    const { id } = await make(one, 'x');
    const before = (seconds: number) => ({
      headers: { 'if-unmodified-since': new Date(Date.now() - seconds * 1000).toUTCString() },
    });
    expect((await api(`DELETE ${one}/x`, undefined, 'rita', before(60))).body).toEqual({
      message: '412 Precondition Failed',
    });
    expect((await api(`GET ${one}/${id}`)).status).toBe(200);
    expect((await api(`DELETE ${one}/x`, undefined, 'rita', before(-60))).status).toBe(204);
  });
});

describe('promoting a label', () => {
  test('makes one label of all that have its title in the projects of the group', async () => {
    const [first, second] = [await make(one, 'bug', { priority: 4, description: 'One' }), await make(two, 'bug')];
    const other = await make(two, 'other');
    const issues = [await newIssue(ids.one!, [first.id]), await newIssue(ids.two!, [second.id, other.id])];
    const ofMergeRequest = await newMergeRequest(ids.two!, [second.id]);
    expect((await api(`POST ${one}/bug/subscribe`)).status).toBe(201);
    const { status, body } = await api(`PUT ${one}/bug/promote`);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ name: 'bug', description: 'One', color: '#aa2211' }),
    ]);
    expect(body).not.toHaveProperty('priority');
    expect(await labelsOf(issues[0]!)).toEqual([body.id]);
    expect(await ofMergeRequest()).toEqual([body.id]);
    expect((await labelsOf(issues[1]!)).toSorted()).toEqual([other.id, body.id].toSorted());
    expect((await api(`GET ${one}/bug`)).body).toMatchObject({
      id: body.id,
      is_project_label: false,
      priority: 4,
      subscribed: true,
    });
    expect((await api(`GET ${two}/bug`)).body).toMatchObject({ id: body.id, priority: null, subscribed: false });
  });

  test('takes the label that the group has, in the old form too', async () => {
    const wide = await make(leaf, 'bug', { color: '#000000' });
    await gateway.sql(`insert into labels (project_id, title, color) values ($1, 'bug', '#ffffff')`, [ids.one]);
    const { status, body } = await api(`PUT ${one}/promote`, { name: 'bug' });
    expect([status, body]).toEqual([200, expect.objectContaining({ id: wide.id, color: '#000000' })]);
    expect((await api(`PUT ${one}/promote`, { name: 'bug' })).body).toEqual({ message: '404 Label Not Found' });
  });

  test('is for people who change labels in the group as well', async () => {
    await make(one, 'bug');
    expect((await api(`PUT ${one}/bug/promote`, undefined, 'pia')).body).toEqual({ message: '403 Forbidden' });
    expect((await api(`GET ${one}/bug`)).body.is_project_label).toBe(true);
  });

  test('needs a group', async () => {
    await gateway.rest('POST', '/api/v4/projects', { token: tokens.rita, json: { path: 'alone' } });
    await make('/projects/rita%2Falone/labels', 'bug');
    const { status, body } = await api('PUT /projects/rita%2Falone/labels/bug/promote');
    expect([status, body]).toEqual([400, { message: 'Failed to promote project label to group label' }]);
  });
});

describe('subscribing to a label', () => {
  test('answers 201 with the label, and 304 if nothing changes', async () => {
    await make(one, 'bug');
    const on = () => api(`POST ${one}/bug/subscribe`, undefined, 'zoe');
    const off = () => api(`POST ${one}/bug/unsubscribe`, undefined, 'zoe');
    const outcome = async (sent: ReturnType<typeof on>) => {
      const { status, body, text } = await sent;
      return status === 304 ? [304, text] : [status, body.name, body.subscribed];
    };
    expect(await outcome(off())).toEqual([304, '']);
    expect(await outcome(on())).toEqual([201, 'bug', true]);
    expect(await outcome(on())).toEqual([304, '']);
    expect((await api(`GET ${one}`, undefined, 'zoe')).body[0].subscribed).toBe(true);
    expect((await api(`GET ${one}/bug`)).body.subscribed).toBe(false);
    expect(await outcome(off())).toEqual([201, 'bug', false]);
    expect(await outcome(off())).toEqual([304, '']);
    expect((await api(`POST ${one}/none/subscribe`)).body).toEqual({ message: '404 Label Not Found' });
  });

  test('of a group is for the group or for one project', async () => {
    await make(tree, 'wide');
    expect((await api(`POST ${one}/wide/subscribe`)).body).toMatchObject({ subscribed: true });
    expect((await api(`GET ${two}/wide`)).body.subscribed).toBe(false);
    expect((await api(`GET ${tree}/wide`)).body.subscribed).toBe(false);
    expect((await api(`POST ${tree}/wide/subscribe`)).body).toMatchObject({ subscribed: true });
    expect((await api(`POST ${tree}/wide/unsubscribe`)).status).toBe(201);
    expect((await api(`GET ${one}/wide`)).body.subscribed).toBe(true);
  });

  test('happens once, if it is asked for many times at once', async () => {
    await make(one, 'bug');
    const statuses = await Promise.all(Array.from({ length: 8 }, () => api(`POST ${one}/bug/subscribe`)));
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 304)]);
  });
});

test('gitbeaker, an unmodified client, manages labels and milestones', async () => {
  const { ProjectLabels, GroupLabels, ProjectMilestones } = new Gitlab({ host: gateway.url, token: tokens.rita! });
  const [project, group] = ['tree/leaf/one', 'tree'];
  await ProjectLabels.create(project, 'to do or not', 'green', { priority: 3 });
  expect(await ProjectLabels.edit(project, 'to do or not', { newName: 'to do' })).toMatchObject({
    name: 'to do',
    color: '#008000',
    priority: 3,
  });
  await GroupLabels.create(group, 'wide', '#abcdef');
  const all = await ProjectLabels.all(project, { withCounts: true, includeAncestorGroups: true });
  expect(all).toMatchObject([
    { name: 'to do', is_project_label: true, open_issues_count: 0 },
    { name: 'wide', is_project_label: false },
  ]);
  await ProjectLabels.promote(project, 'to do');
  await GroupLabels.remove('tree/leaf', 'to do');
  const { id, iid } = await ProjectMilestones.create(project, 'Spring', {
    startDate: '2026-03-01',
    dueDate: '2026-04-30',
  });
  expect(await ProjectMilestones.all(project, { iids: [iid], state: 'active' })).toMatchObject([
    { id, title: 'Spring' },
  ]);
  expect(await ProjectMilestones.edit(project, id, { stateEvent: 'close' })).toMatchObject({ state: 'closed' });
  expect(await ProjectMilestones.allAssignedIssues(project, id)).toEqual([]);
  await ProjectMilestones.remove(project, id);
});

describe('over GraphQL', () => {
  const ask = <Data>(query: string, variables: object = {}, who = 'rita') =>
    gateway.graphql<Data>(query, { token: tokens[who], variables: variables as Record<string, unknown> });

  test('labels are read as fields of projects and groups, for many with one statement', async () => {
    await make(tree, 'wide');
    await make(one, 'bug', { priority: 2 });
    await make(two, 'task');
    const query = `{ group(fullPath: "tree/leaf") {
      label(title: "wide") { id color textColor }
      labels(includeAncestorGroups: true) { nodes { title } }
      projects(sort: PATH_ASC) { nodes { path labels(searchTerm: "", includeAncestorGroups: true) { count nodes { id title priority } } } }
    } }`;
    let answer!: { group: object };
    const sent = await sentBy(async () => {
      answer = dataOf(await ask<{ group: object }>(query));
    });
    const id = expect.stringMatching(/^gid:\/\/gitlab\/(Project|Group)Label\/\d+$/) as string;
    expect(answer.group).toEqual({
      label: { id: expect.stringMatching(/GroupLabel/), color: '#aa2211', textColor: '#FFFFFF' },
      labels: { nodes: [{ title: 'wide' }] },
      projects: {
        nodes: [
          {
            path: 'one',
            labels: {
              count: 2,
              nodes: [
                { id, title: 'bug', priority: 2 },
                { id, title: 'wide', priority: null },
              ],
            },
          },
          {
            path: 'two',
            labels: {
              count: 2,
              nodes: [
                { id, title: 'task', priority: null },
                { id, title: 'wide', priority: null },
              ],
            },
          },
        ],
      },
    });
    // Credential with the group's look-up … the projects, their labels, the counts.
    expect(sent.length).toBeLessThanOrEqual(8);
    const { project } = dataOf(
      await ask<{ project: object }>(
        `{ project(fullPath: "tree/leaf/one") { label(title: "nothing") { id } labels { nodes { title } } } }`,
        {},
        'zoe',
      ),
    );
    expect(project).toEqual({ label: null, labels: { nodes: [{ title: 'bug' }] } });
  });

  test('labelCreate and labelUpdate have GitLab’s inputs', async () => {
    const create = (input: object) =>
      ask<{ labelCreate: { errors: string[]; label: { id: string; color: string } | null } | null }>(
        'mutation ($input: LabelCreateInput!) { labelCreate(input: $input) { errors label { id title color description } } }',
        { input },
      );
    const { labelCreate } = dataOf(await create({ groupPath: 'tree', title: 'new' }));
    expect(labelCreate).toMatchObject({ errors: [], label: { title: 'new', color: '#6699cc', description: null } });
    expect(dataOf(await create({ projectPath: 'tree/leaf/one', title: 'a,b' })).labelCreate).toEqual({
      errors: ['Title is invalid'],
      label: null,
    });
    expect(dataOf(await create({ title: 'x' })).labelCreate!.errors).toEqual([
      'Exactly one of groupPath or projectPath arguments is required.',
    ]);
    const { labelUpdate } = dataOf(
      await ask<{ labelUpdate: object }>(
        'mutation ($input: LabelUpdateInput!) { labelUpdate(input: $input) { errors label { title } } }',
        { input: { id: labelCreate!.label!.id, title: 'newer' } },
      ),
    );
    expect(labelUpdate).toEqual({ errors: [], label: { title: 'newer' } });
  });

  test('a label of a hidden place can’t be changed, and looks as if it weren’t there', async () => {
    const { id } = await make(two, 'secret');
    const change = async (number: number) =>
      (
        await ask(
          'mutation ($input: LabelUpdateInput!) { labelUpdate(input: $input) { label { title } } }',
          { input: { id: `gid://gitlab/ProjectLabel/${number}`, title: 'x' } },
          'zoe',
        )
      ).errors;
    const hidden = await change(id);
    expect(hidden).toHaveLength(1);
    expect(hidden).toEqual(await change(id + 1000));
  });
});
