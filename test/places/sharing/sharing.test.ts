import { beforeEach, describe, expect, test } from 'vitest';
import { endExpiredShares } from '../../../src/jobs/end-shares.ts';
import { dataOf } from '../../support/requests/answers.ts';
import { addMember, newUser } from '../../support/places/people.ts';
import { signIn } from '../../support/pages/browser-session.ts';
import { useFirm } from '../../support/places/firm.ts';

/**
 * Shares of groups and projects with groups. Olga owns the firm, Mia maintains its team, Dan is a developer of the firm,
 * Gina a guest of the team's shop. The group ops has Zoe as a maintainer; Pia is a developer of the group ops/night.
 */

const firm = useFirm();
let ops: string;
const ask = (who: string, method: string, path: string, json?: object) =>
  firm.gateway.rest(method, `/api/v4${path}`, { token: firm.people[who]!.token, ...(json && { json }) });
const answer = async (who: string, method: string, path: string, json?: object) => {
  const { status, body } = await ask(who, method, path, json);
  return [status, body];
};
const share = (kind: 'groups' | 'projects', id: string, json: object, who = 'olga') =>
  answer(who, 'POST', `/${kind}/${id}/share`, json);
const sql = (text: string, values: unknown[] = []) => firm.gateway.sql<Record<string, unknown>>(text, values);
const days = (more: number) => new Date(Date.now() + more * 86_400_000).toISOString().slice(0, 10);

/** Signs in over the page, with the password of the demo workspace. */
async function open(who: string) {
  await sql(
    `update users set password_hash = (select password_hash from users where username = 'guest') where id = $1`,
    [firm.id(who)],
  );
  return await signIn(firm.gateway, who);
}

beforeEach(async () => {
  if (!ops) {
    ops = await firm.make.group('ops');
    await firm.make.group('ops/night');
    firm.people.pia = await newUser(firm.gateway, 'pia');
    await addMember(firm.gateway, firm.people.pia, 'DEVELOPER', { group: 'ops/night' });
  }
  await sql('delete from group_shares');
  await sql('delete from project_shares');
  await sql('delete from group_members where group_id = $1', [ops]);
  await sql('insert into group_members (user_id, group_id, access_level) values ($1, $3, 40), ($2, $3, 10)', [
    firm.id('zoe'),
    firm.id('olga'),
    ops,
  ]);
  await sql('update namespaces set share_with_group_lock = false, prevent_sharing_groups_outside_hierarchy = false');
});

describe('a project', () => {
  const path = () => `/projects/${firm.ids.shop}/share`;

  test('is shared by its maintainers with a group of theirs', async () => {
    const [status, body] = await share('projects', firm.ids.shop!, {
      group_id: ops,
      group_access: 30,
      expires_at: '2999-01-31',
    });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number) as number,
        project_id: Number(firm.ids.shop),
        group_id: Number(ops),
        group_access: 30,
        expires_at: '2999-01-31',
      },
    ]);
    const shown = {
      group_id: Number(ops),
      group_name: 'ops',
      group_full_path: 'ops',
      group_access_level: 30,
      expires_at: '2999-01-31',
    };
    const { body: record } = await ask('olga', 'GET', `/projects/${firm.ids.shop}`);
    expect(record.shared_with_groups).toEqual([shown]);
    const { body: list } = await ask('olga', 'GET', '/projects?membership=true');
    const shares = (list as { id: number; shared_with_groups: object[] }[]).map((one) => [
      one.id,
      one.shared_with_groups,
    ]);
    expect(shares).toContainEqual([Number(firm.ids.shop), [shown]]);
    expect(shares).toContainEqual([Number(firm.ids.site), []]);
    const { body: invited } = await ask('zoe', 'GET', `/groups/${ops}`);
    expect([invited.projects, (invited.shared_projects as { id: number }[]).map(({ id }) => id)]).toEqual([
      [],
      [Number(firm.ids.shop)],
    ]);
    // Dan isn’t in the private group ops, and manages nothing here.
    expect((await ask('dan', 'GET', `/projects/${firm.ids.shop}`)).body.shared_with_groups).toEqual([]);
    expect(await answer('zoe', 'GET', `/projects/${firm.ids.shop}`)).toMatchObject([
      200,
      { shared_with_groups: [shown], permissions: { project_access: null, group_access: null } },
    ]);
    // What comes by a share is no membership, but counts for what one sees and does: also in a list.
    expect((await ask('zoe', 'GET', '/projects?membership=true')).body).toMatchObject([
      { permissions: { project_access: null, group_access: null }, can_create_merge_request_in: true },
    ]);
    // A subgroup of the invited group has no part in it.
    expect((await ask('pia', 'GET', `/projects/${firm.ids.shop}`)).status).toBe(404);
  });

  test.each([
    [{}, 'group_id is missing, group_access is missing, group_access does not have a valid value'],
    [{ group_id: 'x', group_access: 5 }, 'group_id is invalid, group_access does not have a valid value'],
    [{ group_id: 1, group_access: 60 }, 'group_access does not have a valid value'],
    [{ group_id: 1, group_access: 30, expires_at: 'soon' }, 'expires_at is invalid'],
  ])('isn’t shared with %j', async (json, error) => {
    expect(await share('projects', firm.ids.shop!, json)).toEqual([400, { error }]);
  });

  test('is refused in the order of the interface', async () => {
    const wanted = { group_id: Number(ops), group_access: 50 };
    const to = (who: string, json: object = wanted, id = firm.ids.shop!) => share('projects', id, json, who);
    expect(await to('zoe')).toEqual([404, { message: '404 Project Not Found' }]);
    expect(await to('dan')).toEqual([403, { message: '403 Forbidden' }]);
    await sql('update namespaces set share_with_group_lock = true where id = $1', [firm.ids.team]);
    expect(await to('mia')).toEqual([400, { message: 'The project sharing with group is disabled' }]);
    await sql('update namespaces set share_with_group_lock = false');
    expect(await to('mia', { group_id: 999_999, group_access: 50 })).toEqual([403, { message: '403 Forbidden' }]);
    expect(await to('mia', { group_id: 999_999, group_access: 30 })).toEqual([404, { message: 'Not Found' }]);
    // Mia isn’t a member of ops, even while it is public.
    await sql(`update namespaces set visibility = 'PUBLIC' where id = $1`, [ops]);
    expect(await to('mia', { ...wanted, group_access: 30 })).toEqual([404, { message: 'Not Found' }]);
    await sql(`update namespaces set visibility = 'PRIVATE' where id = $1`, [ops]);
    await sql('update namespaces set prevent_sharing_groups_outside_hierarchy = true where id = $1', [firm.ids.firm]);
    expect(await to('olga')).toEqual([404, { message: 'Not Found' }]);
    await sql('update namespaces set prevent_sharing_groups_outside_hierarchy = false');
    const inside = 'Project cannot be shared with the group it is in or one of its ancestors.';
    expect(await to('olga', { group_id: firm.ids.firm, group_access: 30 })).toEqual([409, { message: inside }]);
    expect(await to('olga', { group_id: firm.ids.team, group_access: 30 })).toEqual([409, { message: inside }]);
    expect((await to('olga'))[0]).toBe(201);
    expect(await to('olga')).toEqual([409, { message: 'Project already shared with this group' }]);
    expect(await sql('select count(*)::int as n from project_shares')).toEqual([{ n: 1 }]);
  });

  test('stops being shared by its maintainers; a share that makes owners, by owners only', async () => {
    await share('projects', firm.ids.shop!, { group_id: ops, group_access: 50 });
    const end = (who: string, id: string = ops) => answer(who, 'DELETE', `${path()}/${id}`);
    expect(await end('olga', 'x')).toEqual([400, { error: 'group_id is invalid' }]);
    expect(await end('dan')).toEqual([403, { message: '403 Forbidden' }]);
    expect(await end('mia', '999999')).toEqual([404, { message: '404 Group Link Not Found' }]);
    expect(await end('mia')).toEqual([403, { message: 'Forbidden' }]);
    // Zoe maintains ops, so she is a maintainer here.
    expect((await ask('zoe', 'GET', `/projects/${firm.ids.shop}`)).status).toBe(200);
    expect(await end('olga')).toEqual([204, '']);
    expect((await ask('zoe', 'GET', `/projects/${firm.ids.shop}`)).status).toBe(404);
    expect(await end('olga')).toEqual([404, { message: '404 Group Link Not Found' }]);
  });

  test('has dormant shares while its group locks them', async () => {
    await share('projects', firm.ids.shop!, { group_id: ops, group_access: 30 });
    const status = async () => (await ask('zoe', 'GET', `/projects/${firm.ids.shop}`)).status;
    await sql('update namespaces set share_with_group_lock = true where id = $1', [firm.ids.team]);
    expect(await status()).toBe(404);
    const { body } = await ask('olga', 'GET', `/projects/${firm.ids.shop}`);
    expect(body.shared_with_groups).toHaveLength(1);
    await sql('update namespaces set share_with_group_lock = false');
    expect(await status()).toBe(200);
  });
});

describe('a group', () => {
  test('is shared by its owners with a group that they see', async () => {
    const { status, body } = await ask('olga', 'POST', `/groups/${firm.ids.firm}/share`, {
      group_id: ops,
      group_access: 20,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: Number(firm.ids.firm),
      shared_with_groups: [
        { group_id: Number(ops), group_name: 'ops', group_full_path: 'ops', group_access_level: 20, expires_at: null },
      ],
    });
    expect(body).not.toHaveProperty('projects');
    const { body: read } = await ask('olga', 'GET', `/groups/${firm.ids.firm}`);
    expect(read.shared_with_groups).toEqual(body.shared_with_groups);
    expect((await ask('zoe', 'GET', `/groups/${firm.ids.team}`)).body.shared_with_groups).toEqual([]);
    expect(await firm.list(`group: ${firm.ids.team}, inherited: true`)).toEqual([
      'olga OWNER firm',
      'mia MAINTAINER firm/team',
      'dan DEVELOPER firm',
      'zoe REPORTER ops',
    ]);
    expect(await answer('olga', 'GET', `/groups/${firm.ids.team}/members/all/${firm.id('zoe')}`)).toMatchObject([
      200,
      { username: 'zoe', access_level: 20, expires_at: null },
    ]);
    expect((await ask('olga', 'GET', `/groups/${firm.ids.firm}/members/${firm.id('zoe')}`)).status).toBe(404);
  });

  test('is refused in the order of the interface', async () => {
    const wanted = { group_id: Number(ops), group_access: 30 };
    const to = (who: string, json: object = wanted) => share('groups', firm.ids.firm!, json, who);
    expect(await to('olga', { group_id: ops, group_access: 0 })).toEqual([
      400,
      { error: 'group_access does not have a valid value' },
    ]);
    expect(await to('zoe')).toEqual([404, { message: '404 Group Not Found' }]);
    expect(await to('dan')).toEqual([404, { message: '404 Group Not Found' }]);
    await sql(`update namespaces set visibility = 'PUBLIC' where id = $1`, [ops]);
    expect(await to('dan')).toEqual([404, { message: 'Not Found' }]);
    await sql(`update namespaces set visibility = 'PRIVATE' where id = $1`, [ops]);
    await sql('update namespaces set prevent_sharing_groups_outside_hierarchy = true where id = $1', [firm.ids.firm]);
    expect(await to('olga')).toEqual([404, { message: 'Not Found' }]);
    await sql('update namespaces set prevent_sharing_groups_outside_hierarchy = false');
    const twice = [409, { message: 'Shared group The group has already been shared with this group' }];
    expect(await to('olga', { group_id: firm.ids.firm, group_access: 30 })).toEqual(twice);
    expect((await to('olga'))[0]).toBe(201);
    expect(await to('olga')).toEqual(twice);
    expect((await to('olga', { group_id: firm.ids.team, group_access: 30 }))[0]).toBe(201);
  });

  test('stops being shared by its owners', async () => {
    await share('groups', firm.ids.firm!, { group_id: ops, group_access: 50 });
    const end = (who: string, id: string = ops) => answer(who, 'DELETE', `/groups/${firm.ids.firm}/share/${id}`);
    expect(await end('olga', 'x')).toEqual([400, { error: 'group_id is invalid' }]);
    expect(await end('dan')).toEqual([404, { message: 'Not Found' }]);
    expect(await end('olga', '999999')).toEqual([404, { message: '404 Group Link Not Found' }]);
    expect((await ask('zoe', 'GET', `/groups/${firm.ids.team}`)).status).toBe(200);
    expect(await end('olga')).toEqual([204, '']);
    expect((await ask('zoe', 'GET', `/groups/${firm.ids.team}`)).status).toBe(404);
    expect(await end('olga')).toEqual([404, { message: '404 Group Link Not Found' }]);
  });
});

test('a group that is shared shows its projects to the invited group over REST, GraphQL and pages until the share ends', async () => {
  await share('groups', firm.ids.firm!, { group_id: ops, group_access: 20, expires_at: days(1) });
  const zoe = await open('zoe');
  /** What each page lists, or its status. */
  const pages = async () =>
    await Promise.all(
      ['/groups/firm/team', '/groups/ops', '/firm/team/shop'].map(async (path) => {
        const { status, html } = await zoe.get(path);
        return status === 200 && path.startsWith('/groups')
          ? [...html.matchAll(/href="(\/groups\/firm|\/firm\/team\/[\w-]+)"/g)].map(([, found]) => found)
          : status;
      }),
    );
  const seen = async () => {
    const { body: projects } = await ask('zoe', 'GET', '/projects?membership=true&order_by=id&sort=asc');
    const { body: groups } = await ask('zoe', 'GET', '/groups');
    const over = await firm.seen<{
      project: { name: string; userPermissions: { downloadCode: boolean; pushCode: boolean } } | null;
      projects: { count: number };
      notificationSettings: { nodes: { group?: object }[] } | null;
    }>(
      `{ project(fullPath: "firm/team/shop") { name userPermissions { downloadCode pushCode } }
         projects(membership: true, minAccessLevel: REPORTER) { count } }`,
      'zoe',
    );
    return {
      projects: (projects as { path: string }[]).map(({ path }) => path),
      groups: (groups as { full_path: string }[]).map(({ full_path: path }) => path),
      one: (await ask('zoe', 'GET', `/projects/${firm.ids.shop}/notification_settings`)).status,
      over,
      pages: await pages(),
    };
  };
  expect(await seen()).toEqual({
    projects: ['shop', 'site'],
    groups: ['firm', 'ops', 'ops/night', 'firm/team'].sort((a, b) =>
      a.split('/').pop()! < b.split('/').pop()! ? -1 : 1,
    ),
    one: 200,
    over: {
      project: { name: 'shop', userPermissions: { downloadCode: true, pushCode: false } },
      projects: { count: 2 },
    },
    pages: [expect.arrayContaining(['/firm/team/shop']), ['/groups/firm'], 200],
  });
  await ask('zoe', 'PUT', `/projects/${firm.ids.shop}/notification_settings`, { level: 'watch' });
  // Its last day has begun.
  await sql('update group_shares set expires_at = $1', [days(0)]);
  expect(await seen()).toEqual({
    projects: [],
    groups: ['night', 'ops'].map((name) => (name === 'night' ? 'ops/night' : name)),
    one: 404,
    over: { project: null, projects: { count: 0 } },
    pages: [404, [], 404],
  });
  const { gateway } = firm;
  expect(await endExpiredShares(gateway.gateway.application.database)).toBe(1);
  expect(await sql('select count(*)::int as n from group_shares')).toEqual([{ n: 0 }]);
  expect(
    await sql('select count(*)::int as n from project_notification_settings where user_id = $1', [firm.id('zoe')]),
  ).toEqual([{ n: 0 }]);
  expect(
    await sql(`select detail from audit_events where kind = 'group_share_removed' order by id desc limit 1`),
  ).toEqual([{ detail: 'firm with the group ops: it expired' }]);
});

test('over GraphQL a share has its group, its role and its end, and mutations say what is wrong', async () => {
  const change = (mutation: string, input: object, who = 'olga') =>
    firm.gateway.graphql(
      `mutation ($input: ${mutation[0]!.toUpperCase()}${mutation.slice(1)}Input!) { ${mutation}(input: $input) { errors } }`,
      { variables: { input }, token: firm.people[who]!.token },
    );
  const input = { project: 'firm/team/shop', invitedGroup: 'ops', accessLevel: 'PLANNER', expiresAt: '2999-01-31' };
  expect(dataOf(await change('shareProjectWithGroup', input))).toEqual({ shareProjectWithGroup: { errors: [] } });
  expect(dataOf(await change('shareProjectWithGroup', input))).toEqual({
    shareProjectWithGroup: { errors: ['Project already shared with this group'] },
  });
  expect(
    dataOf(await change('shareGroupWithGroup', { group: 'firm', invitedGroup: 'ops', accessLevel: 'OWNER' })),
  ).toEqual({
    shareGroupWithGroup: { errors: [] },
  });
  const shares = 'sharedWithGroups { group { fullPath } accessLevel { stringValue } expiresAt }';
  const relations = (...names: string[]) =>
    `(relations: [${names.join()}]) { nodes { user { username } accessLevel { stringValue } } }`;
  const list = (...names: string[]) => ({
    nodes: names.map((name) => ({
      user: { username: name.split(' ')[0] },
      accessLevel: { stringValue: name.split(' ')[1] },
    })),
  });
  expect(
    await firm.seen(`{
      project(fullPath: "firm/team/shop") {
        ${shares} invited: projectMembers${relations('INVITED_GROUPS')} above: projectMembers${relations('SHARED_INTO_ANCESTORS')}
      }
      group(fullPath: "firm/team") { ${shares} groupMembers${relations('SHARED_FROM_GROUPS')} }
      firm: group(fullPath: "firm") { ${shares} }
    }`),
  ).toEqual({
    project: {
      sharedWithGroups: [
        { group: { fullPath: 'ops' }, accessLevel: { stringValue: 'PLANNER' }, expiresAt: '2999-01-31T00:00:00.000Z' },
      ],
      invited: list('olga GUEST', 'zoe PLANNER'),
      above: list('olga GUEST', 'zoe MAINTAINER'),
    },
    group: { sharedWithGroups: [], groupMembers: list('olga GUEST', 'zoe MAINTAINER') },
    firm: {
      sharedWithGroups: [{ group: { fullPath: 'ops' }, accessLevel: { stringValue: 'OWNER' }, expiresAt: null }],
    },
  });
  expect(
    (await change('unshareProjectWithGroup', { project: 'firm/team/shop', invitedGroup: 'ops' })).errors,
  ).toBeUndefined();
  expect((await change('unshareGroupWithGroup', { group: 'firm', invitedGroup: 'ops' }, 'dan')).errors).toMatchObject([
    { extensions: { code: 'FORBIDDEN' } },
  ]);
  expect((await change('unshareGroupWithGroup', { group: 'firm', invitedGroup: ops })).errors).toBeUndefined();
  expect(
    await firm.seen(`{ project(fullPath: "firm/team/shop") { ${shares} } group(fullPath: "firm") { ${shares} } }`),
  ).toEqual({
    project: { sharedWithGroups: [] },
    group: { sharedWithGroups: [] },
  });
});

test('lists show what is shared with a group, which groups are invited, and which may be', async () => {
  await share('projects', firm.ids.shop!, { group_id: ops, group_access: 30 });
  await share('groups', firm.ids.firm!, { group_id: ops, group_access: 20 });
  const names = async (path: string, who = 'olga') => {
    const { status, body } = await ask(who, 'GET', path);
    return status === 200 ? (body as { path: string }[]).map((one) => one.path) : [status, body];
  };
  expect(await names(`/groups/${ops}/projects/shared`)).toEqual(['shop']);
  // As in every list of a group's projects, without the roles of the viewer.
  expect(((await ask('olga', 'GET', `/groups/${ops}/projects/shared`)).body as object[])[0]).not.toHaveProperty(
    'permissions',
  );
  expect(await names(`/groups/${ops}/projects`)).toEqual(['shop']);
  expect(await names(`/groups/${ops}/projects?with_shared=false`)).toEqual([]);
  expect(await names(`/groups/${ops}/groups/shared`)).toEqual(['firm']);
  expect(await names(`/groups/${firm.ids.firm}/invited_groups`)).toEqual(['ops']);
  expect(await names(`/groups/${firm.ids.team}/invited_groups`)).toEqual(['ops']);
  expect(await names(`/groups/${firm.ids.team}/invited_groups?relation[]=direct`)).toEqual([]);
  expect(await names(`/groups/${firm.ids.team}/invited_groups?relation=direct,inherited`)).toEqual(['ops']);
  expect(await names(`/groups/${firm.ids.team}/invited_groups?relation[]=other`)).toEqual([
    400,
    { error: 'relation does not have a valid value' },
  ]);
  expect(await names(`/projects/${firm.ids.site}/invited_groups`)).toEqual(['ops']);
  expect(await names(`/projects/${firm.ids.site}/invited_groups?relation[]=direct`)).toEqual([]);
  expect(await names(`/projects/${firm.ids.shop}/invited_groups?relation[]=direct`)).toEqual(['ops']);
  const groupsAround = async (query: string, who = 'olga') => {
    const { body } = await ask(who, 'GET', `/projects/${firm.ids.shop}/groups${query}`);
    return (body as { full_path: string }[]).map((one) => one.full_path).sort();
  };
  expect(await groupsAround('')).toEqual(['firm', 'firm/team']);
  expect(await groupsAround('?with_shared=true')).toEqual(['firm', 'firm/team', 'ops']);
  expect(await groupsAround('?with_shared=true&shared_min_access_level=40')).toEqual(['firm', 'firm/team']);
  expect(await groupsAround(`?with_shared=true&skip_groups[]=${ops}`)).toEqual(['firm', 'firm/team']);
  expect(await groupsAround('?with_shared=true', 'dan')).toEqual(['firm', 'firm/team']);
  // Dan sees the project, but not ops.
  expect(await names(`/projects/${firm.ids.shop}/invited_groups`, 'dan')).toEqual([]);
  expect(await names(`/groups/999999/groups/shared`)).toEqual([404, { message: '404 Group Not Found' }]);
  const locations = async (project: string, who = 'olga') => {
    const { body } = await ask(who, 'GET', `/projects/${project}/share_locations`);
    return (body as { full_path: string }[]).map((one) => one.full_path);
  };
  expect(await locations(firm.ids.site!)).toEqual(['ops/night', 'ops', 'firm/team'].filter((one) => one !== 'firm'));
  expect(await locations(firm.ids.shop!)).toEqual(['ops/night']);
  expect(await locations(firm.ids.shop!, 'dan')).toEqual([]);
  expect(
    Object.keys(((await ask('olga', 'GET', `/projects/${firm.ids.site}/share_locations`)).body as object[])[0]!),
  ).toEqual(['id', 'web_url', 'name', 'avatar_url', 'full_name', 'full_path']);
  const around = '{ nodes { fullPath } }';
  expect(
    await firm.seen(
      `{ group(fullPath: "ops") { sharedProjects ${around} sharedGroups ${around} }
         project(fullPath: "firm/team/shop") { invitedGroups ${around} }
         firm: group(fullPath: "firm") { invitedGroups ${around} } }`,
    ),
  ).toEqual({
    group: {
      sharedProjects: { nodes: [{ fullPath: 'firm/team/shop' }] },
      sharedGroups: { nodes: [{ fullPath: 'firm' }] },
    },
    project: { invitedGroups: { nodes: [{ fullPath: 'ops' }] } },
    firm: { invitedGroups: { nodes: [{ fullPath: 'ops' }] } },
  });
});

test('an external person is listed no internal places, after others were', async () => {
  await sql(`update projects set visibility = 'INTERNAL' where id = $1`, [firm.ids.shop]);
  const [zoe, pia] = ['zoe', 'pia'];
  const seen = async (who: string) => {
    const text = `{ user(id: "${firm.id('gina')}") { projectMemberships { nodes { project { fullPath } } } } }`;
    const { user } = await firm.seen<{ user: { projectMemberships: { nodes: object[] } | null } }>(text, who);
    return user.projectMemberships?.nodes.length;
  };
  expect(await seen(zoe)).toBe(1);
  await sql('update users set external = true where id = $1', [firm.id(pia)]);
  expect(await seen(pia)).toBe(0);
  await sql(`update projects set visibility = 'PRIVATE' where id = $1`, [firm.ids.shop]);
});

describe('on pages', () => {
  test('a place is shared and unshared, and an expired share vanishes at once', async () => {
    const olga = await open('olga');
    const zoe = await open('zoe');
    for (const place of ['/groups/firm/team', '/firm/team/shop']) {
      const here = `${place}/-/sharing`;
      expect((await zoe.get(place)).status).toBe(404);
      const shared = await olga.press((await olga.get(here)).form('Share'), {
        group: 'ops',
        role: 'DEVELOPER',
        expires_at: '2999-01-31',
      });
      expect([shared.status, shared.location]).toEqual([303, here]);
      expect((await olga.get(here)).text).toMatch(/Shared with the group\..*ops ops Developer 31 January 2999/);
      expect((await olga.get(place)).text).toMatch(/Shared with groups ops ops Developer/);
      expect((await zoe.get(place)).status).toBe(200);
      for (const table of ['group_shares', 'project_shares'])
        await sql(`update ${table} set expires_at = $1`, [days(0)]);
      expect((await zoe.get(place)).status).toBe(404);
      expect((await olga.get(here)).text).toContain('It isn’t shared with any group that you can see.');
      expect((await olga.get(place)).text).not.toContain('Shared with groups');
      await olga.press((await olga.get(here)).form('Share'), { group: 'ops' });
      expect((await zoe.get(place)).status).toBe(200);
      expect((await olga.press((await olga.get(here)).form('Remove'))).status).toBe(303);
      expect((await zoe.get(place)).status).toBe(404);
    }
    expect((await zoe.get('/ops')).status).toBe(303);
  });

  test('each refusal is beside its field, and says what the person may not do', async () => {
    const olga = await open('olga');
    const mia = await open('mia');
    const refused = async (browser: typeof olga, place: string, fields: Record<string, string>) => {
      const page = await browser.press((await browser.get(`${place}/-/sharing`)).form('Share'), fields);
      return [page.status, /<ul class="mistakes"[^>]*><li>([^<]*)/.exec(page.html)?.[1]];
    };
    const none = [422, 'There is no such group that you are a member of and that may be invited.'];
    expect(await refused(olga, '/firm/team/shop', { group: 'nowhere' })).toEqual(none);
    expect(await refused(mia, '/firm/team/shop', { group: 'ops' })).toEqual(none);
    expect(await refused(olga, '/groups/firm', { group: 'gid://gitlab/Project/1' })).toEqual([422, expect.any(String)]);
    expect(await refused(olga, '/groups/firm', { group: 'ops', expires_at: '2026-02-31' })).toEqual([
      422,
      'The end must be a day.',
    ]);
    expect(await refused(olga, '/groups/firm', { group: 'ops', role: 'KING' })).toEqual([422, 'Choose a role.']);
    expect(await refused(olga, '/firm/team/shop', { group: 'firm' })).toEqual([
      422,
      'Project cannot be shared with the group it is in or one of its ancestors.',
    ]);
    await share('groups', firm.ids.firm!, { group_id: ops, group_access: 20 });
    expect(await refused(olga, '/groups/firm', { group: 'ops' })).toEqual([
      422,
      'The group has already been shared with this group.',
    ]);
    // Mia maintains the shop: she neither gives nor ends the role owner, nor transfers it.
    await share('projects', firm.ids.shop!, { group_id: ops, group_access: 50 });
    const page = await mia.get('/firm/team/shop/-/sharing');
    expect(page.text).toMatch(/Only owners can remove it\..*Only owners can give the Owner role\./);
    expect(page.form('Share').controls.find(({ name }) => name === 'role')!.options).not.toContain('OWNER');
    expect((await mia.get('/firm/team/shop/-/edit')).text).toMatch(
      /Only owners change the visibility\..*Only owners transfer this project\./,
    );
    const pages = ['/groups/firm', '/firm/site', '/firm/team/shop'].flatMap((place) =>
      ['edit', 'sharing', 'transfer'].map((part) => `${place}/-/${part}`),
    );
    const dan = await open('dan');
    for (const path of pages) {
      expect([path, (await dan.get(path)).status]).toEqual([path, 403]);
      expect([path, (await olga.get(path)).status]).toEqual([path, 200]);
    }
    expect((await dan.get('/firm/nothing/-/sharing')).status).toBe(404);
    await sql('update namespaces set share_with_group_lock = true where id = $1', [firm.ids.team]);
    const locked = await olga.get('/firm/team/shop/-/sharing');
    expect([locked.forms.some(({ button }) => button === 'Share'), locked.text]).toEqual([
      false,
      expect.stringContaining('doesn’t allow sharing'),
    ]);
  });

  test('settings are changed, and places are transferred', async () => {
    const olga = await open('olga');
    const press = async (path: string, button: string, fields: Record<string, string>) => {
      const answer = await olga.press((await olga.get(path)).form(button), fields);
      return [answer.status, answer.location ?? answer.text];
    };
    expect(
      await press('/groups/firm/team/-/edit', 'Save changes', {
        description: 'The team',
        projectCreationLevel: 'maintainer',
        mentionsDisabled: 'on',
        twoFactorGracePeriod: '12',
        requestAccessEnabled: '',
      }),
    ).toEqual([303, '/groups/firm/team/-/edit']);
    expect((await ask('olga', 'GET', `/groups/${firm.ids.team}`)).body).toMatchObject({
      description: 'The team',
      project_creation_level: 'maintainer',
      mentions_disabled: true,
      two_factor_grace_period: 12,
      request_access_enabled: false,
    });
    for (const [fields, says] of [
      [{ twoFactorGracePeriod: 'soon' }, 'Hours to set it up must be a whole number.'],
      [{ twoFactorGracePeriod: '-1' }, 'Hours to set it up must be greater than or equal to 0.'],
      [{ projectCreationLevel: 'king' }, 'Who creates projects does not have a valid value.'],
      [{ path: 'a b' }, 'The path can contain only'],
      [{ visibility: 'public' }, 'The visibility public is not allowed'],
    ] as const)
      expect(await press('/groups/firm/team/-/edit', 'Save changes', fields)).toEqual([
        422,
        expect.stringContaining(says),
      ]);
    expect(
      await press('/firm/team/shop/-/edit', 'Save changes', {
        topics: 'one, two',
        forkingAccessLevel: 'private',
        mergeMethod: 'ff',
        buildTimeout: '1800',
        keepLatestArtifact: '',
        path: 'store',
      }),
    ).toEqual([303, '/firm/team/store/-/edit']);
    expect((await ask('olga', 'GET', `/projects/${firm.ids.shop}`)).body).toMatchObject({
      topics: ['one', 'two'],
      forking_access_level: 'private',
      merge_method: 'ff',
      build_timeout: 1800,
      keep_latest_artifact: false,
      ci_separated_caches: true,
      path: 'store',
    });
    expect(await press('/firm/team/store/-/edit', 'Save changes', { repositoryAccessLevel: 'disabled' })).toEqual([
      422,
      expect.stringContaining('cannot have higher visibility level than repository access level.'),
    ]);
    expect(await press('/firm/team/store/-/edit', 'Save changes', { path: 'shop' })).toEqual([
      303,
      '/firm/team/shop/-/edit',
    ]);

    expect(await press('/firm/team/shop/-/transfer', 'Transfer', { to: 'firm' })).toEqual([303, '/firm/shop']);
    expect(await press('/firm/shop/-/transfer', 'Transfer', { to: 'firm' })).toEqual([
      422,
      expect.stringContaining('Project is already in this namespace.'),
    ]);
    // Nothing is chosen before the person does.
    expect(await press('/firm/shop/-/transfer', 'Transfer', {})).toEqual([
      422,
      expect.stringContaining('Choose where it goes.'),
    ]);
    expect(await press('/firm/shop/-/transfer', 'Transfer', { to: 'ops' })).toEqual([422, expect.any(String)]);
    expect(await press('/firm/shop/-/transfer', 'Transfer', { to: 'firm/team' })).toEqual([303, '/firm/team/shop']);
    expect(await press('/groups/firm/team/-/transfer', 'Transfer', { to: '/' })).toEqual([303, '/groups/team']);
    expect(await press('/groups/team/-/transfer', 'Transfer', { to: 'nowhere' })).toEqual([
      422,
      expect.stringContaining('You can’t transfer it there.'),
    ]);
    expect(await press('/groups/team/-/transfer', 'Transfer', { to: 'firm' })).toEqual([303, '/groups/firm/team']);
  });
});

test('the page of a group lists what is shared with it page by page', async () => {
  const names = Array.from({ length: 25 }, (_, index) => `crowd-${String(index).padStart(2, '0')}`);
  for (const name of names) await firm.make.group(name);
  await sql(
    `insert into group_shares (group_id, invited_group_id, access_level) select id, $1, 20 from namespaces where full_path like 'crowd-%'`,
    [ops],
  );
  const zoe = await open('zoe');
  const shown: string[] = [];
  let path: string | undefined = '/groups/ops';
  for (const count of [20, 5]) {
    const { html } = await zoe.get(path!);
    const found = [...html.matchAll(/href="\/groups\/(crowd-\d\d)"/g)].map(([, name]) => name!);
    expect(found).toHaveLength(count);
    shown.push(...found);
    path = /<a [^>]*rel="next"[^>]* href="(\/groups\/ops\?shared_groups_after=[^"]*)"/.exec(html)?.[1];
  }
  expect([shown.toSorted(), path]).toEqual([names, undefined]);
});
