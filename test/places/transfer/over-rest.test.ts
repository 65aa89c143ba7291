import { beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../../support/requests/answers.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { addMember, newUser, type TestUser } from '../../support/places/people.ts';
import { runs } from '../../support/run/runs.ts';
import { workspace, type Workspace } from '../../support/places/workspace.ts';

/** Transfers of projects and groups: what REST and GraphQL answer, what changes, and that no order of requests breaks a tree. */

let gateway: TestGateway;
let make: Workspace;
let olga: TestUser;
let dan: TestUser;
let rita: TestUser;
beforeAll(async () => {
  gateway = await testGateway();
  make = workspace(gateway);
  [olga, dan, rita] = await Promise.all([
    newUser(gateway, 'olga'),
    newUser(gateway, 'dan'),
    newUser(gateway, 'rita', { administrator: true }),
  ]);
});

const call = (method: string, path: string, values: object = {}, token: string | undefined = olga.token) =>
  gateway.rest(method, `/api/v4${path}`, {
    token,
    ...(method === 'GET' ? { query: values as Record<string, string> } : { json: values }),
  });
const answered = async (method: string, path: string, values: object = {}, token?: string) => {
  const { status, body } = await call(method, path, values, token);
  return [status, body.message ?? body.error];
};

let number = 0;
/** A new group of olga's, in a group or at the root. @returns its id */
async function aGroup(more: { parent_id?: number; visibility?: string } = {}): Promise<{ id: number; path: string }> {
  const path = `g${++number}`;
  const { body } = await call('POST', '/groups', { name: path, path, ...more });
  return { id: body.id, path: body.full_path };
}
async function aProject(namespace_id?: number, more: object = {}): Promise<{ id: number; path: string; name: string }> {
  const name = `p${++number}`;
  const { body } = await call('POST', '/projects', { name, ...(namespace_id && { namespace_id }), ...more });
  return { id: body.id, path: body.path_with_namespace, name };
}
const at = (path: string) => encodeURIComponent(path);
const pathOf = async (kind: 'groups' | 'projects', id: number) => {
  const { body } = await call('GET', `/${kind}/${id}`, {}, rita.token);
  return body.full_path ?? body.path_with_namespace;
};
const project = (text: string) => `Failed to transfer project {:new_namespace=>[${JSON.stringify(text)}]}`;
const transferred = (from: { id: number }, namespace: unknown, token?: string) =>
  answered('PUT', `/projects/${from.id}/transfer`, { namespace }, token);
const moved = (from: { id: number }, group_id?: unknown, token?: string) =>
  answered('POST', `/groups/${from.id}/transfer`, group_id === undefined ? {} : { group_id }, token);

/** The paths, ancestries and visibilities that contradict those around them: none. */
const contradictions = () =>
  gateway.sql(`
    select 'group ' || n.full_path as wrong from namespaces n left join namespaces p on p.id = n.parent_id
     where n.deleting_since is null
       and (n.ancestry <> coalesce(p.ancestry, '{}') || n.id
         or n.full_path <> coalesce(p.full_path || '/', '') || n.path
         or n.visibility > coalesce(p.visibility, 'PUBLIC')
         or p.deleting_since is not null
         or not exists (select 1 from routes r where r.namespace_id = n.id and r.path = lower(n.full_path)))
    union all
    select 'project ' || p.full_path from projects p join namespaces n on n.id = p.namespace_id
     where p.deleting_since is null and n.deleting_since is null
       and (p.full_path <> n.full_path || '/' || p.path
         or p.visibility > n.visibility
         or not exists (select 1 from routes r where r.project_id = p.id and r.path = lower(p.full_path)))
    union all
    select 'route ' || r.path from routes r
      left join namespaces n on n.id = r.namespace_id left join projects p on p.id = r.project_id
     where lower(coalesce(n.full_path, p.full_path)) is distinct from r.path
    union all
    select 'former path ' || f.path from former_paths f join routes r using (path)`);

describe('a project', () => {
  test('goes to another group with its number, and its former path redirects', async () => {
    const [from, to] = [await aGroup({ visibility: 'public' }), await aGroup({ visibility: 'internal' })];
    const shop = await aProject(from.id, { visibility: 'public' });
    await addMember(gateway, dan, 'DEVELOPER', { project: shop.path });
    const { status, body } = await call('PUT', `/projects/${shop.id}/transfer`, { namespace: to.path });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: shop.id,
      path_with_namespace: `${to.path}/${shop.name}`,
      namespace: { id: to.id, full_path: to.path },
      visibility: 'internal',
    });
    const old = await call('GET', `/projects/${at(shop.path)}/members?per_page=5`);
    expect([old.status, old.headers.get('location')]).toEqual([
      301,
      `${gateway.url}/api/v4/projects/${shop.id}/members?per_page=5`,
    ]);
    expect(await answered('POST', `/projects/${at(shop.path)}/star`)).toEqual([
      405,
      'Non GET methods are not allowed for moved projects',
    ]);
    expect((await call('GET', `/projects/${shop.id}/members`)).body).toMatchObject([{ username: 'dan' }]);
    expect(await contradictions()).toEqual([]);
    expect(
      await gateway.sql(
        "select detail, actor_id from audit_events where kind = 'project_transferred' order by id desc limit 1",
      ),
    ).toEqual([{ detail: `${shop.path} to ${to.path}/${shop.name}`, actor_id: Number(olga.id) }]);
  });

  test('goes back, and redirects from neither path but the last', async () => {
    const [from, to] = [await aGroup(), await aGroup()];
    const shop = await aProject(from.id);
    await transferred(shop, to.id);
    expect(await transferred(shop, from.path.toUpperCase())).toEqual([200, undefined]);
    expect((await call('GET', `/projects/${at(shop.path)}`)).status).toBe(200);
    expect((await call('GET', `/projects/${at(`${to.path}/${shop.name}`)}`)).status).toBe(301);
    const other = await aProject(to.id, { path: shop.name, name: 'Other' });
    expect((await call('GET', `/projects/${at(other.path)}`)).body.id).toBe(other.id);
    // Its redirect ended for good.
    await call('DELETE', `/projects/${other.id}`);
    expect((await call('GET', `/projects/${at(other.path)}`)).status).toBe(404);
  });

  test('goes into a personal namespace, whose owner owns it, and out of it, where they still do', async () => {
    const from = await aGroup();
    const shop = await aProject(from.id);
    await gateway.sql('insert into project_members (user_id, project_id, access_level) values ($1, $2, 30)', [
      olga.id,
      shop.id,
    ]);
    expect(await transferred(shop, 'Olga')).toEqual([200, undefined]);
    const members = async () =>
      (await call('GET', `/projects/${shop.id}/members`)).body.map(
        (one: { username: string; access_level: number }) => [one.username, one.access_level],
      );
    expect(await members()).toEqual([['olga', 50]]);
    expect(await call('GET', `/projects/${shop.id}`)).toMatchObject({ body: { owner: { username: 'olga' } } });
    expect(await transferred(shop, from.id)).toEqual([200, undefined]);
    expect(await members()).toEqual([['olga', 50]]);
    expect(await transferred(shop, 'dan')).toEqual([404, '404 Namespace Not Found']);
    expect(await transferred(shop, 'dan', rita.token)).toEqual([200, undefined]);
    expect((await call('GET', `/projects/${shop.id}`, {}, dan.token)).body.owner).toMatchObject({ username: 'dan' });
    // A direct owner stays.
    expect(await members()).toEqual(
      expect.arrayContaining([
        ['olga', 50],
        ['dan', 50],
      ]),
    );
    await gateway.sql("update users set projects_limit = 0 where username = 'dan'");
    const other = await aProject(from.id);
    expect(await transferred(other, 'dan', rita.token)).toEqual([
      400,
      project("You don't have permission to transfer projects into that namespace."),
    ]);
    await gateway.sql("update users set projects_limit = 100 where username = 'dan'");
  });

  test('that is refused stays where it is, with a reason', async () => {
    const [from, to, foreign] = [await aGroup(), await aGroup(), await make.group('foreign', 'PUBLIC')];
    const shop = await aProject(from.id);
    expect(await answered('PUT', `/projects/${shop.id}/transfer`)).toEqual([400, 'namespace is missing']);
    expect(await transferred(shop, from.id)).toEqual([400, project('Project is already in this namespace.')]);
    const notThere = [404, '404 Namespace Not Found'];
    for (const namespace of ['nothing', '', 999_999, foreign, 'foreign', shop.path])
      expect(await transferred(shop, namespace), String(namespace)).toEqual(notThere);
    for (const [role, done] of [
      ['GUEST', false],
      ['DEVELOPER', false],
      ['MAINTAINER', true],
      ['OWNER', true],
    ] as const) {
      const group = `taker-${role.toLowerCase()}`;
      await make.group(group);
      await addMember(gateway, olga, role, { group });
      expect(await transferred(await aProject(from.id), group), role).toEqual(
        done ? [200, undefined] : [400, project("You don't have permission to transfer projects into that namespace.")],
      );
    }
    const taken = [400, project('Project with same name or path in target namespace already exists')];
    const sameName = await aProject(to.id, { name: shop.name, path: 'another' });
    expect(await transferred(shop, to.id)).toEqual(taken);
    await call('DELETE', `/projects/${sameName.id}`);
    const samePath = await call('POST', '/groups', { name: 'Sub', path: shop.name.toUpperCase(), parent_id: to.id });
    expect(await transferred(shop, to.id)).toEqual(taken);
    await call('DELETE', `/groups/${samePath.body.id}`);

    await addMember(gateway, dan, 'MAINTAINER', { project: shop.path });
    await addMember(gateway, dan, 'OWNER', { group: to.path });
    expect(await transferred(shop, to.id, dan.token)).toEqual([403, '403 Forbidden']);
    expect(await transferred({ id: 999_999 }, to.id)).toEqual([404, '404 Project Not Found']);
    expect(await pathOf('projects', shop.id)).toBe(shop.path);
    expect(await transferred(shop, to.id)).toEqual([200, undefined]);
  });

  test('is put into a group by administrators, who get the group', async () => {
    const [from, to] = [await aGroup(), await aGroup()];
    const shop = await aProject(from.id);
    const path = `/groups/${at(to.path)}/projects/${at(shop.path)}`;
    expect(await answered('POST', path)).toEqual([403, '403 Forbidden']);
    const { status, body } = await call('POST', path, {}, rita.token);
    expect([status, body.id, body.full_path]).toEqual([201, to.id, to.path]);
    expect(body).not.toHaveProperty('projects');
    expect(await pathOf('projects', shop.id)).toBe(`${to.path}/${shop.name}`);
    for (const [group, id, text] of [
      ['nothing', shop.id, '404 Group Not Found'],
      ['dan', shop.id, '404 Group Not Found'],
      [to.id, 999_999, '404 Project Not Found'],
      ['nothing', 'nothing', '404 Group Not Found'],
    ])
      expect(await answered('POST', `/groups/${group}/projects/${id}`, {}, rita.token)).toEqual([404, text]);
    expect(await answered('POST', `/groups/${to.id}/projects/${shop.id}`, {}, rita.token)).toEqual([
      400,
      project('Project is already in this namespace.'),
    ]);
  });
});

/** Opens a merge request with a label or a milestone of its own, in a project that has a commit already or gets one. */
async function aRequest({ id }: { readonly id: number }, more: object): Promise<void> {
  const branch = `b${++number}`;
  const commit = (name: string, from: object) =>
    call('POST', `/projects/${id}/repository/commits`, {
      branch: name,
      commit_message: 'Change',
      actions: [{ action: 'create', file_path: `${name}.txt`, content: name }],
      ...from,
    });
  await commit('main', {});
  expect((await commit(branch, { start_branch: 'main' })).status).toBe(201);
  const json = { title: 'y', source_branch: branch, target_branch: 'main', ...more };
  expect((await call('POST', `/projects/${id}/merge_requests`, json)).status).toBe(201);
}

describe('labels of the groups above', () => {
  const label = (place: string, name: string, color: string) => call('POST', `/${place}/labels`, { name, color });
  const labelsOf = async (project: number, table = 'issues') =>
    (
      await gateway.sql<{ title: string; color: string; place: string }>(
        `select l.title, l.color, coalesce(p.full_path, n.full_path) as place
           from ${table} i cross join unnest(i.label_ids) one(id) join labels l on l.id = one.id
           left join projects p on p.id = l.project_id left join namespaces n on n.id = l.group_id
          where i.project_id = $1 order by l.title`,
        [project],
      )
    ).map(({ title, color, place }) => `${title} ${color} ${place}`);
  const setUp = async () => {
    const [top, to] = [await aGroup(), await aGroup()];
    const team = await aGroup({ parent_id: top.id });
    const shop = await aProject(team.id);
    await label(`groups/${top.id}`, 'above', '#111111');
    await label(`groups/${top.id}`, 'shared', '#222222');
    await label(`groups/${top.id}`, 'unused', '#333333');
    await label(`groups/${team.id}`, 'near', '#444444');
    await label(`groups/${to.id}`, 'shared', '#555555');
    await label(`projects/${shop.id}`, 'own', '#666666');
    const { status } = await call('POST', `/projects/${shop.id}/issues`, {
      title: 'x',
      labels: 'above,shared,near,own',
    });
    expect(status).toBe(201);
    await label(`groups/${top.id}`, 'reviewed', '#777777');
    await aRequest(shop, { labels: 'above,shared,near,own,reviewed' });
    await gateway.sql(
      `insert into label_priorities (project_id, label_id, priority) select $1, id, 3 from labels where title = 'above' and group_id = $2`,
      [shop.id, top.id],
    );
    return { top, to, team, shop };
  };
  const events = async (kind: string) =>
    await gateway.sql(
      'select actor_id, group_id, project_id, ids from events where kind = $1 order by id desc limit 1',
      [kind],
    );

  test('are copied to a project that leaves these, unless the new ones have them', async () => {
    const { to, team, shop } = await setUp();
    expect((await transferred(shop, to.id))[0]).toBe(200);
    const path = `${to.path}/${shop.name}`;
    expect(await labelsOf(shop.id)).toEqual([
      `above #111111 ${path}`,
      `near #444444 ${path}`,
      `own #666666 ${path}`,
      `shared #555555 ${to.path}`,
    ]);
    expect(await labelsOf(shop.id, 'merge_requests')).toEqual([
      `above #111111 ${path}`,
      `near #444444 ${path}`,
      `own #666666 ${path}`,
      `reviewed #777777 ${path}`,
      `shared #555555 ${to.path}`,
    ]);
    expect((await call('GET', `/projects/${shop.id}/labels/above`)).body.priority).toBe(3);
    expect((await call('GET', `/projects/${shop.id}/labels/unused`)).status).toBe(404);
    expect(await events('project.transferred')).toEqual([
      { actor_id: Number(olga.id), group_id: null, project_id: shop.id, ids: { fromId: team.id, toId: to.id } },
    ]);
  });

  test('are copied to the projects of a group that leaves these', async () => {
    const { top, to, team, shop } = await setUp();
    expect((await moved(team, to.id))[0]).toBe(201);
    const path = team.path.replace(top.path, to.path);
    expect(await labelsOf(shop.id)).toEqual([
      `above #111111 ${path}/${shop.name}`,
      `near #444444 ${path}`,
      `own #666666 ${path}/${shop.name}`,
      `shared #555555 ${to.path}`,
    ]);
    expect(await labelsOf(shop.id, 'merge_requests')).toEqual([
      `above #111111 ${path}/${shop.name}`,
      `near #444444 ${path}`,
      `own #666666 ${path}/${shop.name}`,
      `reviewed #777777 ${path}/${shop.name}`,
      `shared #555555 ${to.path}`,
    ]);
    expect(await events('group.transferred')).toEqual([
      { actor_id: Number(olga.id), group_id: team.id, project_id: null, ids: { fromId: top.id, toId: to.id } },
    ]);
  });
});

test.each(['project', 'group'] as const)(
  'milestones of the groups above stay with the issues and merge requests of a %s',
  async (what) => {
    const [top, to] = [await aGroup(), await aGroup()];
    const team = await aGroup({ parent_id: top.id });
    const shop = await aProject(team.id);
    const milestone = async (place: string, title: string, more = {}) =>
      ((await call('POST', `/${place}/milestones`, { title, ...more })).body as { id: number }).id;
    const own = await milestone(`projects/${shop.id}`, 'own');
    const above = await milestone(`groups/${top.id}`, 'above', { due_date: '2027-01-31', description: 'Soon' });
    const late = await milestone(`groups/${top.id}`, 'late');
    const shared = await milestone(`groups/${top.id}`, 'shared');
    const there = await milestone(`groups/${to.id}`, 'shared');
    await milestone(`groups/${top.id}`, 'unused');
    for (const milestone_id of [own, above, above, late, shared])
      expect((await call('POST', `/projects/${shop.id}/issues`, { title: 'x', milestone_id })).status).toBe(201);
    const reviewed = await milestone(`groups/${top.id}`, 'reviewed');
    for (const milestone_id of [own, above, shared, reviewed]) await aRequest(shop, { milestone_id });
    expect((await (what === 'project' ? transferred(shop, to.id) : moved(team, to.id)))[0]).toBeLessThan(300);
    const issues = (await call('GET', `/projects/${shop.id}/issues?sort=asc`)).body as unknown as {
      milestone: Record<string, unknown>;
    }[];
    const copy = {
      title: 'above',
      project_id: shop.id,
      iid: 2,
      due_date: '2027-01-31',
      description: 'Soon',
      state: 'active',
    };
    expect(issues.map((issue) => issue.milestone)).toMatchObject([
      { id: own, iid: 1 },
      copy,
      copy,
      { title: 'late', project_id: shop.id, iid: 3 },
      { id: there, group_id: to.id },
    ]);
    expect(issues[1]!.milestone.id).toBe(issues[2]!.milestone.id);
    const requests = (await call('GET', `/projects/${shop.id}/merge_requests?sort=asc`)).body as unknown as {
      milestone: Record<string, unknown>;
    }[];
    expect(requests.map((request) => request.milestone)).toMatchObject([
      { id: own, iid: 1 },
      { id: issues[1]!.milestone.id },
      { id: there, group_id: to.id },
      { title: 'reviewed', project_id: shop.id, iid: 4 },
    ]);
    expect(await milestone(`projects/${shop.id}`, 'next')).toBeGreaterThan(there);
    const all = (await call('GET', `/projects/${shop.id}/milestones`)).body as unknown as { iid: number }[];
    expect(all.map(({ iid }) => iid).sort()).toEqual([1, 2, 3, 4, 5]);
  },
);

describe('a group', () => {
  test('goes to another group with everything below it', async () => {
    const [top, to] = [await aGroup({ visibility: 'public' }), await aGroup({ visibility: 'internal' })];
    const team = await aGroup({ parent_id: top.id, visibility: 'public' });
    const squad = await aGroup({ parent_id: team.id, visibility: 'private' });
    const [shop, box] = [await aProject(team.id, { visibility: 'public' }), await aProject(squad.id)];
    await addMember(gateway, dan, 'REPORTER', { group: top.path });
    expect((await call('GET', `/projects/${box.id}`, {}, dan.token)).status).toBe(200);

    const { status, body } = await call('POST', `/groups/${team.id}/transfer`, { group_id: to.id });
    const path = team.path.replace(top.path, to.path);
    expect(status).toBe(201);
    expect(body).toMatchObject({ id: team.id, full_path: path, parent_id: to.id, visibility: 'internal' });
    expect(body).not.toHaveProperty('projects');
    const now = (old: string) => old.replace(team.path, path);
    expect(await pathOf('groups', squad.id)).toBe(now(squad.path));
    expect(await pathOf('projects', box.id)).toBe(now(box.path));
    expect((await call('GET', `/projects/${shop.id}`)).body.visibility).toBe('internal');
    expect((await call('GET', `/groups/${squad.id}`)).body.visibility).toBe('private');
    expect(await contradictions()).toEqual([]);

    // Inherited members are those of the new groups above.
    expect((await call('GET', `/projects/${box.id}`, {}, dan.token)).status).toBe(404);
    const [group, projects] = [
      await call('GET', `/groups/${at(squad.path)}/members`),
      await call('GET', `/projects/${at(box.path)}`),
    ];
    expect([group.status, group.headers.get('location')]).toEqual([
      301,
      `${gateway.url}/api/v4/groups/${squad.id}/members`,
    ]);
    expect([projects.status, projects.headers.get('location')]).toEqual([
      301,
      `${gateway.url}/api/v4/projects/${box.id}`,
    ]);
    expect(await answered('DELETE', `/groups/${at(team.path)}`)).toEqual([
      405,
      'Non GET methods are not allowed for moved projects',
    ]);
    expect((await call('GET', `/groups/${at(squad.path)}`, {}, dan.token)).status).toBe(404);

    // Something new takes a former path, for good.
    const again = await call('POST', '/groups', { name: 'x', path: team.path.split('/')[1], parent_id: top.id });
    expect(again.status).toBe(201);
    expect((await call('GET', `/groups/${at(team.path)}`)).body.id).toBe(again.body.id);
    await call('DELETE', `/groups/${again.body.id}`);
    expect((await call('GET', `/groups/${at(team.path)}`)).status).toBe(404);
  });

  test('leaves its path to a person, for good', async () => {
    const group = await aGroup();
    await call('PUT', `/groups/${group.id}`, { path: `${group.path}-now` });
    expect((await call('GET', `/groups/${group.path}`)).status).toBe(301);
    await newUser(gateway, group.path);
    expect((await call('GET', `/groups/${group.path}`)).status).toBe(404);
    expect(await gateway.sql('select * from former_paths where path = $1', [group.path])).toEqual([]);
  });

  test('becomes a top-level one, and gets its owner if none is left', async () => {
    const top = await aGroup();
    const [left, right] = [await aGroup({ parent_id: top.id }), await aGroup({ parent_id: top.id })];
    // The makers of subgroups own them directly; of these, only the owners above.
    await gateway.sql('delete from group_members where group_id = any($1::int[])', [[left.id, right.id]]);
    expect(await moved(left)).toEqual([201, undefined]);
    expect(await pathOf('groups', left.id)).toBe(left.path.split('/')[1]);
    expect(await moved(right, '')).toEqual([201, undefined]);
    for (const { id } of [left, right])
      expect((await call('GET', `/groups/${id}/members`)).body).toMatchObject([{ username: 'olga', access_level: 50 }]);
    expect(await moved(left, right.id)).toEqual([201, undefined]);
    expect(await moved(left, null)).toEqual([201, undefined]);
    expect(await contradictions()).toEqual([]);
    expect(
      await gateway.sql("select detail from audit_events where kind = 'group_transferred' order by id desc limit 1"),
    ).toEqual([{ detail: `${right.path.split('/')[1]}/${left.path.split('/')[1]} to ${left.path.split('/')[1]}` }]);
  });

  test('that is refused stays where it is, with a reason', async () => {
    const [top, to] = [await aGroup(), await aGroup()];
    const team = await aGroup({ parent_id: top.id });
    const squad = await aGroup({ parent_id: team.id });
    const failed = (text: string) => [400, `Transfer failed: ${text}`];
    expect(await moved(top)).toEqual(failed('Group is already a root group.'));
    expect(await moved(team, top.id)).toEqual(failed('Group is already associated to the parent group.'));
    for (const into of [top, team, squad])
      expect(await moved(top, into.id)).toEqual(failed('Cannot transfer group to one of its subgroup.'));
    const taken = failed('The parent group already has a subgroup or a project with the same path.');
    const name = team.path.split('/')[1]!;
    const twin = await aProject(to.id, { path: name.toUpperCase() });
    expect(await moved(team, to.id)).toEqual(taken);
    await call('DELETE', `/projects/${twin.id}`);
    await call('POST', '/groups', { name, path: name });
    expect(await moved(team)).toEqual(taken);

    expect(await moved(team, 'x')).toEqual([400, 'group_id is invalid']);
    expect(await moved(team, 999_999)).toEqual([404, '404 Group Not Found']);
    expect(await moved({ id: 999_999 }, to.id)).toEqual([404, '404 Group Not Found']);
    const hidden = Number(await make.group('hidden-one'));
    expect(await moved(team, hidden)).toEqual([404, '404 Group Not Found']);
    const seen = Number(await make.group('seen-one', 'PUBLIC'));
    expect(await moved(team, seen)).toEqual(failed("You don't have enough permissions."));
    await addMember(gateway, dan, 'MAINTAINER', { group: team.path });
    expect(await moved(team, to.id, dan.token)).toEqual([403, '403 Forbidden']);
    expect(await moved(team, undefined, dan.token)).toEqual([403, '403 Forbidden']);
    await gateway.sql("update users set can_create_group = false where username = 'olga'");
    expect(await moved(squad)).toEqual(failed("You don't have enough permissions."));
    await gateway.sql("update users set can_create_group = true where username = 'olga'");
    const reserved = await call('POST', '/groups', { name: 'Api', path: 'api', parent_id: top.id });
    expect(await moved(reserved.body)).toEqual(failed('Path is a reserved name'));

    let deep = to;
    for (let depth = 1; depth < 18; depth++) deep = await aGroup({ parent_id: deep.id });
    expect(await moved(team, deep.id)).toEqual([201, undefined]);
    await aGroup({ parent_id: top.id });
    const three = await aGroup();
    await aGroup({ parent_id: (await aGroup({ parent_id: three.id })).id });
    expect(await moved(three, deep.id)).toEqual(failed('Parent has too deep level of nesting.'));
    expect(await pathOf('groups', three.id)).toBe(three.path);
    expect(await contradictions()).toEqual([]);
  });
});

test('pages of former paths lead to the new ones, for those who may see them', async () => {
  const [from, to] = [await aGroup({ visibility: 'public' }), await aGroup({ visibility: 'public' })];
  const team = await aGroup({ parent_id: from.id, visibility: 'public' });
  const [shop, hidden] = [await aProject(team.id, { visibility: 'public' }), await aProject(team.id)];
  await moved(team, to.id);
  const visit = async (path: string) => {
    const { status, headers } = await fetch(`${gateway.url}/${path}`, { redirect: 'manual' });
    return [status, headers.get('location')];
  };
  const now = (old: string) => old.replace(from.path, to.path);
  expect(await visit(`groups/${team.path}`)).toEqual([303, `/groups/${now(team.path)}`]);
  expect(await visit(shop.path)).toEqual([303, `/${now(shop.path)}`]);
  expect(await visit(now(shop.path))).toEqual([200, null]);
  expect(await visit(hidden.path)).toEqual([404, null]);
  expect(await visit(`${team.path}/nothing`)).toEqual([404, null]);
});

test('what is transferred has no runners that its new group disables', async () => {
  const [strict, lax] = [await aGroup(), await aGroup()];
  const set = ({ id }: { id: number }, shared_runners_setting: string) =>
    call('PUT', `/groups/${id}`, { shared_runners_setting });
  await set(strict, 'disabled_and_unoverridable');
  await set(lax, 'disabled_and_overridable');
  const setting = async ({ id }: { id: number }) => (await call('GET', `/groups/${id}`)).body.shared_runners_setting;
  const runs = async ({ id }: { id: number }) => (await call('GET', `/projects/${id}`)).body.shared_runners_enabled;

  const alone = await aProject();
  await transferred(alone, lax.id);
  expect(await runs(alone)).toBe(true);
  await transferred(alone, strict.id);
  expect(await runs(alone)).toBe(false);

  const [group, other] = [await aGroup(), await aGroup()];
  const below = await aGroup({ parent_id: group.id });
  const inside = await aProject(below.id);
  await moved(group, lax.id);
  expect([await setting(group), await setting(below), await runs(inside)]).toEqual([
    'disabled_and_overridable',
    'disabled_and_overridable',
    false,
  ]);
  await set(below, 'enabled');
  await call('PUT', `/projects/${inside.id}`, { shared_runners_enabled: true });
  await moved(group, other.id);
  expect([await setting(group), await setting(below), await runs(inside)]).toEqual([
    'disabled_and_overridable',
    'enabled',
    true,
  ]);
  await moved(group, strict.id);
  expect([await setting(group), await setting(below), await runs(inside)]).toEqual([
    'disabled_and_unoverridable',
    'disabled_and_unoverridable',
    false,
  ]);
});

describe('over GraphQL', () => {
  test('a transfer returns what was transferred, or why not', async () => {
    const [from, to] = [await aGroup(), await aGroup()];
    const [shop, team] = [await aProject(from.id), await aGroup({ parent_id: from.id })];
    const run = (document: string, token = olga.token) => gateway.graphql(document, { token });
    expect(
      await run(
        `mutation { projectTransfer(input: { fullPath: "${shop.path}", namespace: "gid://gitlab/Group/${to.id}" }) { errors project { fullPath } } }`,
      ),
    ).toMatchObject({
      data: { projectTransfer: { errors: [], project: { fullPath: `${to.path}/${shop.name}` } } },
    });
    const group = (input: string) =>
      run(`mutation { groupTransfer(input: { ${input} }) { errors group { fullPath } } }`);
    expect(await group(`fullPath: "${team.path}", parent: "${to.path}"`)).toMatchObject({
      data: { groupTransfer: { errors: [], group: { fullPath: team.path.replace(from.path, to.path) } } },
    });
    expect(await group(`fullPath: "${to.path}"`)).toMatchObject({
      data: { groupTransfer: { errors: ['Group is already a root group.'], group: null } },
    });
    // A former path is none for a change.
    expect(refusal(await group(`fullPath: "${team.path}"`))).toMatchObject({ code: 'NOT_FOUND', id: team.id });
    expect(await run(`mutation { projectTransfer(input: { fullPath: "${shop.id}" }) { errors } }`)).toMatchObject({
      data: { projectTransfer: { errors: ['Name a namespace or a group.'] } },
    });
  });
});

describe('transfer locations', () => {
  const locations = async (path: string, token?: string, search?: string) =>
    (await call('GET', `${path}/transfer_locations`, search === undefined ? {} : { search }, token)).body.map(
      (one: { full_path: string }) => one.full_path,
    );

  test('are the groups that the caller may transfer into, without those it is in', async () => {
    const mia = await newUser(gateway, 'mia');
    const as = (parent_id?: number) => {
      const path = `loc${++number}`;
      return call('POST', '/groups', { name: path, path, parent_id }, mia.token).then(({ body }) => body);
    };
    const [one, two] = [await as(), await as()];
    const below = await as(one.id);
    const shop = (await call('POST', '/projects', { name: 'Shop', namespace_id: below.id }, mia.token)).body;
    await make.group('kept', 'PUBLIC');
    await make.group('worked', 'PUBLIC');
    await addMember(gateway, mia, 'MAINTAINER', { group: 'kept' });
    await addMember(gateway, mia, 'DEVELOPER', { group: 'worked' });
    expect(await locations(`/projects/${shop.id}`, mia.token)).toEqual(['kept', one.full_path, two.full_path]);
    expect(await locations(`/groups/${below.id}`, mia.token)).toEqual(['kept', two.full_path]);
    expect(await locations(`/groups/${one.id}`, mia.token)).toEqual(['kept', two.full_path]);
    expect(await locations(`/groups/${one.id}`, mia.token, two.path)).toEqual([two.full_path]);
    const { body, headers } = await call('GET', `/groups/${one.id}/transfer_locations`, { search: 'kept' }, mia.token);
    expect(headers.get('x-total')).toBe('1');
    expect(body).toEqual([
      {
        id: expect.any(Number),
        web_url: `${gateway.url}/groups/kept`,
        name: 'kept',
        avatar_url: null,
        full_name: 'kept',
        full_path: 'kept',
      },
    ]);
    const searched = await locations(`/groups/${one.id}`, rita.token, 'worked');
    expect(searched).toEqual(['worked']);
    expect(await answered('GET', `/groups/kept/transfer_locations`, {}, mia.token)).toEqual([403, '403 Forbidden']);
    expect(await answered('GET', `/groups/hidden-two/transfer_locations`, {}, mia.token)).toEqual([
      404,
      '404 Group Not Found',
    ]);
  });
});

describe('requests at the same time', () => {
  /** Pairs of requests about `a` and `b` (trees of olga's) that must not meet halfway. */
  const races: Record<string, (a: Tree, b: Tree) => (readonly [string, string, object?])[]> = {
    'two transfers into each other': (a, b) => [
      ['POST', `/groups/${a.top.id}/transfer`, { group_id: b.below.id }],
      ['POST', `/groups/${b.top.id}/transfer`, { group_id: a.below.id }],
    ],
    'two transfers of one group': (a, b) => [
      ['POST', `/groups/${a.below.id}/transfer`, { group_id: b.top.id }],
      ['POST', `/groups/${a.below.id}/transfer`],
    ],
    'a transfer and a rename above it': (a, b) => [
      ['POST', `/groups/${a.below.id}/transfer`, { group_id: b.below.id }],
      ['PUT', `/groups/${b.top.id}`, { path: `${b.top.path}-now` }],
      ['PUT', `/groups/${a.top.id}`, { path: `${a.top.path}-now`, visibility: 'private' }],
    ],
    'a transfer and something new in it': (a, b) => [
      ['POST', `/groups/${a.top.id}/transfer`, { group_id: b.top.id }],
      ['POST', '/projects', { name: 'New', namespace_id: a.below.id, visibility: 'public' }],
      ['POST', '/groups', { name: 'New', path: 'fresh', parent_id: a.below.id }],
      ['PUT', `/projects/${a.shop.id}`, { visibility: 'public' }],
    ],
    'a transfer and something new at its path': (a, b) => [
      ['POST', `/groups/${a.below.id}/transfer`, { group_id: b.top.id }],
      ['POST', '/groups', { name: 'Twin', path: a.below.path.split('/')[1], parent_id: b.top.id }],
    ],
    'a transfer and the deletion of its target': (a, b) => [
      ['POST', `/groups/${a.below.id}/transfer`, { group_id: b.below.id }],
      ['DELETE', `/groups/${b.top.id}`],
    ],
    'the deletion of a group and a transfer out of it': (a, b) => [
      ['DELETE', `/groups/${a.top.id}`],
      ['PUT', `/projects/${a.shop.id}/transfer`, { namespace: b.top.id }],
      ['POST', `/groups/${a.below.id}/transfer`],
    ],
    'two transfers of one project': (a, b) => [
      ['PUT', `/projects/${a.shop.id}/transfer`, { namespace: b.top.id }],
      ['PUT', `/projects/${a.shop.id}/transfer`, { namespace: b.below.id }],
      ['PUT', `/projects/${a.shop.id}`, { path: 'renamed', visibility: 'public' }],
    ],
    'a project and its group': (a, b) => [
      ['PUT', `/projects/${a.shop.id}/transfer`, { namespace: b.below.id }],
      ['POST', `/groups/${a.top.id}/transfer`, { group_id: b.top.id }],
      ['POST', `/groups/${b.below.id}/transfer`],
    ],
    'a project and something new at its path': (a, b) => [
      ['PUT', `/projects/${a.shop.id}/transfer`, { namespace: b.top.id }],
      ['POST', '/projects', { name: 'Twin', path: a.shop.name, namespace_id: b.top.id }],
      ['POST', '/groups', { name: 'Twin', path: a.shop.name, parent_id: b.top.id }],
    ],
  };

  interface Tree {
    readonly top: { id: number; path: string };
    readonly below: { id: number; path: string };
    readonly shop: { id: number; path: string; name: string };
  }

  async function aTree(visibility: string): Promise<Tree> {
    const top = await aGroup({ visibility });
    const below = await aGroup({ parent_id: top.id, visibility });
    return { top, below, shop: await aProject(below.id) };
  }

  test.each(Object.keys(races))('%s: each is done or refused, and the trees are right', async (name) => {
    for (let round = 0; round < 2 * runs; round++) {
      const [a, b] = [await aTree('public'), await aTree(round % 2 === 0 ? 'internal' : 'private')];
      const asked = races[name]!(a, b);
      const answers = await Promise.all(
        (round % 2 === 0 ? asked : asked.toReversed()).map(([method, path, values]) => call(method, path, values)),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      expect(statuses.some((status) => status < 300)).toBe(true);
      expect(await contradictions(), name).toEqual([]);
    }
  });
});
