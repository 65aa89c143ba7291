import { beforeAll, describe, expect, test, vi } from 'vitest';
import { endExpiredMemberships } from '../../../src/jobs/end-memberships.ts';
import { removeGroups } from '../../../src/jobs/remove-groups.ts';
import { dataOf, inputErrors, refusal } from '../../support/requests/answers.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { addMember, newUser, type TestUser } from '../../support/places/people.ts';
import { statementsOf } from '../../support/databases/statements.ts';
import { workspace, type Workspace } from '../../support/places/workspace.ts';

/** Creating, updating, moving and deleting groups over GraphQL. */

let gateway: TestGateway;
let make: Workspace;
let olga: TestUser;
let dan: TestUser;
beforeAll(async () => {
  gateway = await testGateway();
  make = workspace(gateway);
  [olga, dan] = [await newUser(gateway, 'olga'), await newUser(gateway, 'dan')];
});

interface Shown {
  readonly id: string;
  readonly fullPath: string;
  readonly name: string;
  readonly description: string;
  readonly visibility: string;
}
type Change = 'createGroup' | 'groupUpdate' | 'deleteGroup';
const change = (mutation: Change, input: Record<string, unknown>, who = olga) =>
  gateway.graphql<Record<Change, { group: Shown; errors: string[] }>>(
    `mutation ($input: ${mutation[0]!.toUpperCase()}${mutation.slice(1)}Input!) { ${mutation}(input: $input) { errors group { id fullPath name description visibility } } }`,
    { variables: { input }, token: who.token },
  );
const created = async (input: Record<string, unknown>, who = olga) =>
  dataOf(await change('createGroup', { name: String(input.path), ...input }, who)).createGroup.group;
/** The number in a global id. */
const numberOf = (id: string) => Number(id.split('/').at(-1));
const sight = async (kind: 'group' | 'project', id: string, who = olga) =>
  dataOf(
    await gateway.graphql<Record<string, { fullPath: string } | null>>(
      `query ($id: ID!) { ${kind}(fullPath: $id) { fullPath } }`,
      { token: who.token, variables: { id } },
    ),
  )[kind]?.fullPath;
const members = async (group: string) => {
  const answer = await gateway.graphql<{
    members: { nodes: { user: { username: string }; accessLevel: { stringValue: string } }[] };
  }>('query ($group: ID!) { members(group: $group) { nodes { user { username } accessLevel { stringValue } } } }', {
    token: gateway.tokens.root,
    variables: { group },
  });
  return dataOf(answer).members.nodes.map(({ user, accessLevel }) => `${user.username} ${accessLevel.stringValue}`);
};

describe('a group', () => {
  test('is created by any user, who then owns it, and is private by default', async () => {
    expect(await created({ path: 'Acme', name: 'The Acme' })).toEqual({
      id: expect.stringMatching(/^gid:\/\/gitlab\/Group\/\d+$/),
      fullPath: 'Acme',
      name: 'The Acme',
      description: '',
      visibility: 'private',
    });
    expect(await members('acme')).toEqual(['olga OWNER']);
    expect(
      await created({ parent: 'acme', path: 'lab', visibility: 'private', description: 'Where things smoke.' }),
    ).toMatchObject({
      fullPath: 'Acme/lab',
      visibility: 'private',
      description: 'Where things smoke.',
    });
  });

  test('in a group is created by maintainers of the parent', async () => {
    await created({ path: 'host' });
    expect(refusal(await change('createGroup', { parent: 'host', path: 'a', name: 'a' }, dan))).toMatchObject({
      code: 'NOT_FOUND',
      subject: 'Group',
    });
    await addMember(gateway, dan, 'DEVELOPER', { group: 'host' });
    expect(refusal(await change('createGroup', { parent: 'host', path: 'a', name: 'a' }, dan))).toMatchObject({
      code: 'FORBIDDEN',
    });
    await gateway.sql('update group_members set access_level = 40 where user_id = $1', [dan.id]);
    await created({ parent: 'host', path: 'a' }, dan);
    expect(await members('host/a')).toEqual(['dan OWNER']);
  });

  test.each([
    ['a path that is taken, whatever its case', { path: 'DEMO' }, ['Path has already been taken']],
    ['a path that a person has', { path: 'root' }, ['Path has already been taken']],
    ['a path that is kept', { path: 'api' }, ['Path is a reserved name']],
    ['no path', { path: '' }, ["Path can't be blank"]],
    ['a slash', { path: 'a/b' }, [expect.stringMatching(/^Path can contain only/)]],
    ['no name', { path: 'free', name: ' ' }, ["Name can't be blank"]],
    ['a branch that can’t be', { path: 'free', defaultBranch: 'a..b' }, ['Default branch is invalid']],
    [
      'a name that is too long',
      { path: 'free', name: 'x'.repeat(256) },
      ['Name is too long (maximum is 255 characters)'],
    ],
    [
      'a description that is too long',
      { path: 'free', description: 'x'.repeat(501) },
      ['Description is too long (maximum is 500 characters)'],
    ],
  ])('can’t have %s', async (_what, input, errors) => {
    const answer = await change('createGroup', { name: 'x', ...input });
    expect(inputErrors(answer)).toEqual(errors);
    expect(await sight('group', 'free')).toBeUndefined();
  });

  test('is created only once when several requests send the same path at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => change('createGroup', { path: 'wanted', name: 'w' })),
    );
    const refused = answers.filter((answer) => dataOf(answer).createGroup.errors.length > 0);
    expect(refused).toHaveLength(7);
    for (const answer of refused) expect(inputErrors(answer)).toEqual(['Path has already been taken']);
  });

  test('is nested at most nineteen groups deep, with an error beyond', async () => {
    let parent = (await created({ path: 'deep' })).fullPath;
    for (let depth = 2; depth <= 20; depth++) parent = (await created({ parent, path: `g${depth}` })).fullPath;
    expect(inputErrors(await change('createGroup', { parent, path: 'g21', name: 'x' }))).toEqual([
      'Parent id has too deep level of nesting',
    ]);
    expect(await sight('group', parent)).toBe(parent);
  });

  test('has a full path that fits into an index', async () => {
    let parent = (await created({ path: 'long' })).fullPath;
    for (let depth = 2; depth <= 5; depth++)
      parent = (await created({ parent, path: 'x'.repeat(depth < 5 ? 255 : 251) })).fullPath;
    expect(parent).toHaveLength(1_024);
    const tooLong = ['Path makes a full path that is too long (maximum is 1024 characters)'];
    expect(inputErrors(await change('createGroup', { parent, path: 'x', name: 'x' }))).toEqual(tooLong);
    expect(inputErrors(await change('groupUpdate', { fullPath: 'long', path: 'longer' }))).toEqual(tooLong);
    expect(await sight('group', parent)).toBe(parent);
  });
});

describe('updating a group', () => {
  test('is for its owners, and keeps omitted fields', async () => {
    await created({ path: 'club', name: 'Club', description: 'Old.' });
    await addMember(gateway, dan, 'MAINTAINER', { group: 'club' });
    expect(refusal(await change('groupUpdate', { fullPath: 'club', name: 'Mine' }, dan))).toMatchObject({
      code: 'FORBIDDEN',
    });
    const changed = async (input: object) =>
      dataOf(await change('groupUpdate', { fullPath: 'club', ...input })).groupUpdate.group;
    expect(await changed({ name: 'The Club' })).toMatchObject({
      name: 'The Club',
      description: 'Old.',
      visibility: 'private',
      fullPath: 'club',
    });
    expect(await changed({ description: null, visibility: 'internal' })).toMatchObject({
      name: 'The Club',
      description: '',
      visibility: 'internal',
    });
    expect(inputErrors(await change('groupUpdate', { fullPath: 'club', name: null }))).toEqual(["Name can't be blank"]);
    expect(inputErrors(await change('groupUpdate', { fullPath: 'club', path: null }))).toEqual(["Path can't be blank"]);
  });

  test('to another path moves everything in it, to which the former paths lead', async () => {
    await created({ path: 'before' });
    await created({ parent: 'before', path: 'in' });
    await created({ parent: 'before/in', path: 'deeper' });
    await make.project('before/in/shop');
    await created({ path: 'beforehand' });
    const moved = dataOf(await change('groupUpdate', { fullPath: 'before', path: 'After' })).groupUpdate.group;
    expect(moved.fullPath).toBe('After');
    for (const below of ['', '/in', '/in/deeper']) {
      expect(await sight('group', `after${below}`)).toBe(`After${below}`);
      expect(await sight('group', `before${below}`)).toBe(`After${below}`);
      expect(await sight('group', `before${below}`, dan)).toBeUndefined();
    }
    for (const path of ['after', 'before']) expect(await sight('project', `${path}/in/shop`)).toBe('After/in/shop');
    expect(await sight('group', 'beforehand')).toBe('beforehand');
    // Only the case changes: the same path.
    expect(dataOf(await change('groupUpdate', { fullPath: 'after', path: 'AFTER' })).groupUpdate.group).toMatchObject({
      fullPath: 'AFTER',
    });
    expect(await sight('group', 'after/in')).toBe('AFTER/in');
    await created({ path: 'before' });
  });

  test('to a path that is taken changes nothing', async () => {
    await created({ path: 'one' });
    await created({ parent: 'one', path: 'sub' });
    for (const path of ['demo', 'api', 'a b']) {
      const answer = await change('groupUpdate', { fullPath: 'one', path, name: 'Changed' });
      expect(inputErrors(answer)).toEqual([expect.stringMatching(/^Path /)]);
    }
    expect(await sight('group', 'one/sub')).toBe('one/sub');
    expect(await gateway.sql(`select name from namespaces where full_path = 'one'`)).toEqual([{ name: 'one' }]);
  });

  test('while subgroups are created moves them too', async () => {
    await created({ path: 'moving' });
    const { id } = dataOf(await change('createGroup', { parent: 'moving', path: 'base', name: 'b' })).createGroup.group;
    await Promise.all([
      ...Array.from({ length: 6 }, (_, index) => created({ parent: id, path: `new${index}` })),
      change('groupUpdate', { fullPath: 'moving', path: 'moved' }),
      ...Array.from({ length: 6 }, (_, index) => created({ parent: id, path: `late${index}` })),
    ]);
    const rows = await gateway.sql<{ full_path: string; path: string }>(
      'select n.full_path, r.path from namespaces n join routes r on r.namespace_id = n.id where n.parent_id = $1',
      [numberOf(id)],
    );
    expect(rows).toHaveLength(12);
    for (const { full_path, path } of rows)
      expect([full_path, path]).toEqual([expect.stringMatching(/^moved\/base\//), full_path]);
  });
});

describe('deleting a group', () => {
  test('is for its owners', async () => {
    await created({ path: 'kept' });
    await addMember(gateway, dan, 'MAINTAINER', { group: 'kept' });
    expect(refusal(await change('deleteGroup', { group: 'kept' }, dan))).toMatchObject({ code: 'FORBIDDEN' });
  });

  test('hides it and everything in it at once, even from administrators, and deletes the rows in the background', async () => {
    await created({ path: 'gone', visibility: 'public' });
    const sub = await created({ parent: 'gone', path: 'sub', visibility: 'public' });
    await created({ parent: 'gone/sub', path: 'leaf', visibility: 'public' });
    const project = await make.project('gone/sub/shop', 'PUBLIC');
    await created({ path: 'gone-not' });
    expect(dataOf(await change('deleteGroup', { group: 'gone' })).deleteGroup.group).toMatchObject({
      fullPath: 'gone',
    });
    const root = { ...olga, token: gateway.tokens.root };
    for (const who of [olga, root]) {
      for (const id of ['gone', 'gone/sub', sub.id, 'gone/sub/leaf'])
        expect(await sight('group', id, who)).toBeUndefined();
      for (const id of ['gone/sub/shop', project]) expect(await sight('project', id, who)).toBeUndefined();
    }
    const removed = [change('deleteGroup', { group: sub.id }), change('groupUpdate', { fullPath: sub.id })];
    for (const answer of removed) expect(refusal(await answer)).toMatchObject({ code: 'NOT_FOUND' });
    // The path can be used again at once.
    await created({ path: 'gone' });
    await created({ parent: 'gone', path: 'sub' });
    const { database } = gateway.gateway.application;
    await vi.waitFor(async () => {
      await removeGroups(database);
      await gateway.sql('delete from projects where deleting_since is not null');
      expect(
        await gateway.sql('select full_path from namespaces where id = any($1) or deleting_since is not null', [
          [numberOf(sub.id)],
        ]),
      ).toEqual([]);
    });
    expect(await sight('group', 'gone-not')).toBe('gone-not');
    expect(await sight('group', 'gone/sub')).toBe('gone/sub');
  });

  test('is an audit event, like creating and updating it', async () => {
    const { id } = await created({ path: 'noted' });
    dataOf(await change('groupUpdate', { fullPath: id, name: 'Noted', visibility: 'public' }));
    dataOf(await change('deleteGroup', { group: id }));
    const answer = await gateway.graphql<{ auditEvents: { nodes: object[] } }>(
      '{ auditEvents(first: 3) { nodes { kind actorDatabaseId detail } } }',
      { token: gateway.tokens.root },
    );
    expect(dataOf(answer).auditEvents.nodes).toEqual([
      { kind: 'group_deleted', actorDatabaseId: Number(olga.id), detail: 'noted' },
      { kind: 'group_updated', actorDatabaseId: Number(olga.id), detail: 'noted' },
      { kind: 'group_created', actorDatabaseId: Number(olga.id), detail: 'noted' },
    ]);
  });
});

describe('a list of groups', () => {
  beforeAll(async () => {
    await created({ path: 'forest', name: 'Forest' });
    for (const name of ['Ash', 'Beech', 'Cedar', 'Elm'])
      await created({ parent: 'forest', path: name.toLowerCase(), name });
    await created({ parent: 'forest/ash', path: 'twig', name: 'Twig' });
    await addMember(gateway, dan, 'GUEST', { group: 'forest/elm' });
  });
  const token = () => olga.token;
  const read = async (args: string, fields = 'nodes { name } pageInfo { hasNextPage endCursor } count') =>
    dataOf(
      await gateway.graphql<{
        groups: { nodes: { name: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string }; count: number };
      }>(`{ groups(${args}) { ${fields} } }`, { token: token() }),
    ).groups;
  const named = (page: { nodes: { name: string }[] }) => page.nodes.map(({ name }) => name);

  test('continues after the cursor when groups are created or renamed between pages', async () => {
    const below = 'parentPath: "forest"';
    const first = await read(`${below}, first: 2`);
    expect([named(first), first.count, first.pageInfo.hasNextPage]).toEqual([['Ash', 'Beech'], 4, true]);
    await created({ parent: 'forest', path: 'alder', name: 'Alder' });
    expect(named(await read(`${below}, first: 2, after: "${first.pageInfo.endCursor}"`))).toEqual(['Cedar', 'Elm']);
    expect(named(await read(`${below}, sort: "path_desc", first: 2, offset: 1`))).toEqual(['Cedar', 'Beech']);
    const answer = await gateway.graphql(
      `{ groups(${below}, sort: "id_asc", after: "${first.pageInfo.endCursor}") { count } }`,
      { token: token() },
    );
    expect(refusal(answer)).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('needs the same number of statements for many groups as for one, with all fields', async () => {
    const fields = `count nodes { fullName parentId parent { name } groupMembers(first: 5) { count nodes { accessLevel { stringValue } user { username } group { name } } } }`;
    const statementsFor = (filter: string) => statementsOf(() => read(filter, fields));
    const leaf = await statementsFor('parentPath: "forest/ash"');
    const tree = await statementsFor('parentPath: "forest", includeDescendants: true');
    expect(tree).toHaveLength(leaf.length);
    // Token, parent; ids, groups, total; full names; visible parents, and their rows;
    // members, their count; people, sources.
    expect(tree.length).toBeLessThanOrEqual(12);
  });

  test('has the projects and the groups of each, in the same number of statements for one as for many', async () => {
    for (const [path, count] of [
      ['forest/ash', 1],
      ['forest/beech', 3],
      ['forest/ash/twig', 1],
    ] as const)
      for (let number = 1; number <= count; number++) await make.project(`${path}/p${number}`);
    const fields = `nodes { name
      projects(first: 2, sort: NAME_ASC) { count nodes { path namespace { fullPath } userPermissions { adminProject } } pageInfo { hasNextPage } }
      all: projects(includeSubgroups: true) { count }
      descendantGroups { count nodes { fullPath userPermissions { createProjects } } }
    }`;
    type Nested = { count: number; nodes: { path: string; fullPath: string }[]; pageInfo: { hasNextPage: boolean } };
    const readAll = async (args: string) =>
      (await read(args, fields)) as unknown as {
        nodes: { name: string; projects: Nested; all: { count: number }; descendantGroups: Nested }[];
      };
    const one = await statementsOf(() => readAll('parentPath: "forest", search: "Ash"'));
    let found: Awaited<ReturnType<typeof readAll>> | undefined;
    const many = await statementsOf(
      async () => (found = await readAll('parentPath: "forest", includeDescendants: true')),
    );
    expect(many).toHaveLength(one.length);
    const summary = Object.fromEntries(
      found!.nodes.map(({ name, projects, all, descendantGroups }) => [
        name,
        [
          projects.nodes.map(({ path }) => path),
          projects.count,
          projects.pageInfo.hasNextPage,
          all.count,
          descendantGroups.count,
        ],
      ]),
    );
    expect(summary).toMatchObject({
      Ash: [['p1'], 1, false, 2, 1],
      Beech: [['p1', 'p2'], 3, true, 3, 0],
      Twig: [['p1'], 1, false, 1, 0],
    });
  });

  test('shows of the projects and groups in a group those that the viewer sees', async () => {
    const answer = await gateway.graphql(
      '{ group(fullPath: "forest/elm") { projects { count } descendantGroups { count } userPermissions { readGroup createProjects removeGroup } } }',
      { token: dan.token },
    );
    expect(dataOf(answer)).toEqual({
      group: {
        projects: { count: 0 },
        descendantGroups: { count: 0 },
        userPermissions: { readGroup: true, createProjects: false, removeGroup: false },
      },
    });
    await make.group('mixed', 'PUBLIC');
    await make.group('mixed/hidden');
    await make.project('mixed/hidden/inside');
    await make.project('mixed/open', 'PUBLIC');
    const seen = await gateway.graphql(
      '{ group(fullPath: "mixed") { projects(includeSubgroups: true) { nodes { path } } descendantGroups { nodes { path } } } }',
      { token: dan.token },
    );
    expect(dataOf(seen)).toEqual({
      group: { projects: { nodes: [{ path: 'open' }] }, descendantGroups: { nodes: [] } },
    });
  });

  test('shows the parent only to viewers who may see it', async () => {
    const answer = await gateway.graphql('{ group(fullPath: "forest/elm") { parentId parent { name } } }', {
      token: dan.token,
    });
    expect(dataOf(answer)).toEqual({ group: { parentId: expect.any(String), parent: null } });
    expect(await read('search: "twig"', 'nodes { parent { name } }')).toEqual({
      nodes: [{ parent: { name: 'Ash' } }],
    });
  });

  test.each([
    ['skip: ["x"]', 5],
    ['search: "forest ash"', 2],
    ['parentPath: "forest", search: "forest/e"', 1],
    ['parentPath: "forest", minAccessLevel: OWNER', 5],
    ['parentPath: "forest", ownedOnly: true, visibilityLevel: public', 0],
    ['parentPath: "forest", topLevelOnly: true', 0],
    ['filter: { parent: "forest", minAccessLevel: 50, owned: true, visibility: private }, orderBy: PATH', 5],
  ])('accepts the filter %s', async (filter, count) => {
    const { nodes } = await read(`${filter}, first: 5`);
    expect(nodes).toHaveLength(count);
  });
});

test('an expired membership is deleted in the background, with notification settings for what the person no longer sees', async () => {
  await created({ path: 'season' });
  await addMember(gateway, dan, 'GUEST', { group: 'season' });
  const watch =
    'mutation { updateNotificationSettings(input: { group: "season", level: WATCH }) { notificationSettings { level } } }';
  dataOf(await gateway.graphql(watch, { token: dan.token }));
  const count = async () => {
    const [row] = await gateway.sql<{ members: number; settings: number }>(
      `select (select count(*)::int from group_members where user_id = $1 and group_id = g.id) as members,
              (select count(*)::int from group_notification_settings where user_id = $1 and group_id = g.id) as settings
         from namespaces g where full_path = 'season'`,
      [dan.id],
    );
    return row;
  };
  const { database } = gateway.gateway.application;
  await endExpiredMemberships(database);
  expect(await count()).toEqual({ members: 1, settings: 1 });
  await gateway.sql(`update group_members set expires_at = (now() at time zone 'utc')::date where user_id = $1`, [
    dan.id,
  ]);
  await endExpiredMemberships(database);
  expect(await count()).toEqual({ members: 0, settings: 0 });
});
