import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dataOf, refusal } from '../../support/answers.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { addMember, newUser, type TestUser } from '../../support/people.ts';
import { statementsOf } from '../../support/statements.ts';
import { workspace, type Workspace } from '../../support/workspace.ts';

/** Members of groups and projects over GraphQL. */

let gateway: TestGateway;
let make: Workspace;
const people: Record<string, TestUser> = {};
const names = ['olga', 'mia', 'dan', 'gina', 'zoe'] as const;
const ids: Record<string, string> = {};

beforeAll(async () => {
  gateway = await testGateway();
  make = workspace(gateway);
  for (const name of names) people[name] = await newUser(gateway, name);
  ids.firm = await make.group('firm');
  ids.team = await make.group('firm/team');
  ids.shop = await make.project('firm/team/shop');
  ids.site = await make.project('firm/site', 'PUBLIC');
});

/** Olga owns the firm, Mia maintains the team, Dan is a developer of the firm, Gina a guest of the shop, Zoe nothing. */
beforeEach(async () => {
  const id = (name: string) => people[name]!.id;
  await gateway.sql('delete from group_members where group_id in ($1, $2)', [ids.firm, ids.team]);
  await gateway.sql('delete from project_members where project_id in ($1, $2)', [ids.shop, ids.site]);
  await gateway.sql(
    'insert into group_members (user_id, group_id, access_level) values ($1, $4, 50), ($2, $5, 40), ($3, $4, 30)',
    [id('olga'), id('mia'), id('dan'), ids.firm, ids.team],
  );
  await gateway.sql('insert into project_members (user_id, project_id, access_level) values ($1, $2, 10)', [
    id('gina'),
    ids.shop,
  ]);
});

interface Listed {
  readonly id: string;
  readonly user: { readonly username: string };
  readonly accessLevel: { readonly integerValue: number; readonly stringValue: string };
  readonly group?: { readonly fullPath: string };
  readonly project?: { readonly fullPath: string };
}
const common = 'id user { username } accessLevel { integerValue stringValue } createdAt expiresAt';
const ofGroup = `${common} group { fullPath }`;
const ofProject = `${common} project { fullPath }`;
const fields = `${common} ... on GroupMember { group { fullPath } } ... on ProjectMember { project { fullPath } }`;
const inShort = (one: Listed) =>
  `${one.user.username} ${one.accessLevel.stringValue} ${one.group?.fullPath ?? one.project?.fullPath}`;

async function list(args: string, who: keyof typeof people = 'olga'): Promise<string[]> {
  const answer = await gateway.graphql<{ members: { nodes: Listed[] } }>(
    `{ members(${args}) { nodes { ${fields} } } }`,
    { token: people[who]!.token },
  );
  return dataOf(answer).members.nodes.map(inShort);
}

/** The data of a query as a person sees it, or without a credential. */
async function seen<Data>(query: string, who: keyof typeof people | null = 'olga'): Promise<Data> {
  return dataOf(await gateway.graphql<Data>(query, who === null ? {} : { token: people[who]!.token }));
}

type Change = 'addMembers' | 'updateMember' | 'removeMember';
const change = (mutation: Change, input: Record<string, unknown>, who: keyof typeof people = 'olga') =>
  gateway.graphql<Record<Change, { member: Listed; members: Listed[]; errors: string[] }>>(
    `mutation ($input: ${mutation[0]!.toUpperCase()}${mutation.slice(1)}Input!) {
      ${mutation}(input: $input) { ${mutation === 'addMembers' ? 'members' : 'member'} { ${fields} } errors }
    }`,
    { variables: { input }, token: people[who]!.token },
  );
/** What is wrong with the input of a refused mutation. */
function complaints(answer: Awaited<ReturnType<typeof change>>): string[] {
  const [{ errors, ...records }] = Object.values(dataOf(answer)) as [
    { errors: string[]; member?: Listed; members?: Listed[] },
  ];
  expect(Object.values(records)).toEqual([null]);
  return errors;
}
const id = (name: string) => people[name]!.id;

describe('a list of members', () => {
  test('has the direct members of the place', async () => {
    expect(await list('group: "firm"')).toEqual(['olga OWNER firm', 'dan DEVELOPER firm']);
    expect(await list('group: "firm/team"')).toEqual(['mia MAINTAINER firm/team']);
    expect(await list('project: "firm/team/shop"')).toEqual(['gina GUEST firm/team/shop']);
  });

  test('has inherited members on request, each person once with the highest role', async () => {
    await addMember(gateway, people.dan!, 'MAINTAINER', { group: 'firm/team' });
    await addMember(gateway, people.dan!, 'OWNER', { project: 'firm/team/shop' });
    expect(await list('group: "firm/team", inherited: true')).toEqual([
      'olga OWNER firm',
      'mia MAINTAINER firm/team',
      'dan MAINTAINER firm/team',
    ]);
    expect(await list('project: "firm/team/shop", inherited: true')).toEqual([
      'olga OWNER firm',
      'mia MAINTAINER firm/team',
      'dan OWNER firm/team/shop',
      'gina GUEST firm/team/shop',
    ]);
  });

  test('doesn’t show members of a group that the viewer may not see, though they see a project in it', async () => {
    await addMember(gateway, people.gina!, 'GUEST', { project: 'firm/site' });
    expect(await list('project: "firm/site", inherited: true', 'zoe')).toEqual(['gina GUEST firm/site']);
    expect(await list('project: "firm/site", inherited: true')).toEqual([
      'olga OWNER firm',
      'dan DEVELOPER firm',
      'gina GUEST firm/site',
    ]);
  });

  test('is filtered by a part of a name, by people, and by excluded people', async () => {
    const inherited = 'project: "firm/team/shop", inherited: true';
    expect(await list(`${inherited}, search: "GIN"`)).toEqual(['gina GUEST firm/team/shop']);
    expect(await list(`${inherited}, search: "_"`)).toEqual([]);
    expect(await list(`${inherited}, userIds: ["${id('dan')}", "${id('zoe')}", "x"]`)).toEqual(['dan DEVELOPER firm']);
    expect(await list(`${inherited}, skipUserIds: ["${id('dan')}", "${id('olga')}"]`)).toEqual([
      'mia MAINTAINER firm/team',
      'gina GUEST firm/team/shop',
    ]);
  });

  test('continues after its cursor when members are added, and backwards too', async () => {
    const page = async (args: string) => {
      const answer = await gateway.graphql<{
        members: { nodes: Listed[]; pageInfo: { startCursor: string; endCursor: string; hasNextPage: boolean } };
      }>(
        `{ members(project: "firm/team/shop", inherited: true, ${args}) { nodes { user { username } } pageInfo { startCursor endCursor hasNextPage } } }`,
        { token: people.olga!.token },
      );
      const { nodes, pageInfo } = dataOf(answer).members;
      return { users: nodes.map(({ user }) => user.username), ...pageInfo };
    };
    const first = await page('first: 2');
    expect(first).toMatchObject({ users: ['olga', 'mia'], hasNextPage: true });
    await gateway.sql(
      'insert into project_members (user_id, project_id, access_level) select id, $1, 10 from users where username = $2',
      [ids.shop, 'root'],
    );
    expect(await page(`first: 2, after: "${first.endCursor}"`)).toMatchObject({
      users: ['dan', 'gina'],
      hasNextPage: false,
    });
    expect(await page(`last: 1, before: "${first.endCursor}"`)).toMatchObject({ users: ['olga'] });
    for (const cursor of [
      'x',
      Buffer.from('["a"]').toString('base64url'),
      Buffer.from('[99999999999]').toString('base64url'),
    ]) {
      const answer = await gateway.graphql(`{ members(group: "firm", after: "${cursor}") { nodes { id } } }`, {
        token: people.olga!.token,
      });
      expect(refusal(answer)).toMatchObject({ code: 'BAD_REQUEST' });
    }
  });

  test('leaves out expired members, who see nothing', async () => {
    await gateway.sql(`update group_members set expires_at = (now() at time zone 'utc')::date where user_id = $1`, [
      id('dan'),
    ]);
    expect(await list('group: "firm"')).toEqual(['olga OWNER firm']);
    const answer = await gateway.graphql('{ members(group: "firm") { nodes { id } } }', {
      token: people.dan!.token,
    });
    expect(refusal(answer)).toMatchObject({ code: 'NOT_FOUND', subject: 'Group' });
    expect(
      dataOf(
        await change('addMembers', { group: 'firm', userIds: [id('dan')], accessLevel: 'GUEST' }),
      ).addMembers.members.map(inShort),
    ).toEqual(['dan GUEST firm']);
  });

  test('needs two statements for a page, besides the one for the token', async () => {
    const token = people.olga!.token;
    const one = await statementsOf(() =>
      gateway.graphql(
        `{ members(project: "firm/team/shop", inherited: true) { nodes { accessLevel { stringValue } user { username } } } }`,
        { token },
      ),
    );
    // Token, place, members with their users.
    expect(one).toHaveLength(3);
  });
});

describe('the members of a group as its field', () => {
  const membersOf = async (args: string, { group = 'firm/team', who = 'olga' as keyof typeof people } = {}) => {
    const query = `{ group(fullPath: "${group}") { groupMembers${args} { nodes { ${ofGroup} } count } } }`;
    const { nodes, count } = (await seen<{ group: { groupMembers: { nodes: Listed[]; count: number } } }>(query, who))
      .group.groupMembers;
    expect(count).toBe(nodes.length);
    return nodes.map(inShort);
  };

  test('are the direct and the inherited ones, unless the query names other relations', async () => {
    const [olga, dan, mia] = ['olga OWNER firm', 'dan DEVELOPER firm', 'mia MAINTAINER firm/team'];
    expect(await membersOf('')).toEqual([olga, mia, dan]);
    expect(await membersOf('(relations: null)')).toEqual([olga, mia, dan]);
    expect(await membersOf('(relations: [DIRECT])')).toEqual([mia]);
    expect(await membersOf('(relations: [INHERITED])')).toEqual([olga, dan]);
    expect(await membersOf('(relations: [SHARED_FROM_GROUPS])')).toEqual([]);
    expect(await membersOf('(relations: [])')).toEqual([]);
    expect(await membersOf('(relations: [DESCENDANTS])', { group: 'firm' })).toEqual([mia]);
    expect(await membersOf('(relations: [DIRECT, DESCENDANTS])', { group: 'firm' })).toEqual([olga, mia, dan]);
  });

  test('appear once, with the highest role and the nearest place that gives it', async () => {
    for (const name of ['dan', 'gina']) await addMember(gateway, people[name]!, 'MAINTAINER', { group: 'firm/team' });
    await addMember(gateway, people.gina!, 'MAINTAINER', { group: 'firm' });
    expect(await membersOf('(relations: [DIRECT, DESCENDANTS])', { group: 'firm' })).toEqual([
      'olga OWNER firm',
      'mia MAINTAINER firm/team',
      'dan MAINTAINER firm/team',
      'gina MAINTAINER firm',
    ]);
  });

  test('are those of visible subgroups only', async () => {
    await make.group('firm/secret');
    await gateway.sql(`update namespaces set visibility = 'PUBLIC' where id = $1`, [ids.firm]);
    await addMember(gateway, people.gina!, 'GUEST', { group: 'firm/secret' });
    const everybody = '(relations: [DIRECT, DESCENDANTS])';
    expect(await membersOf(everybody, { group: 'firm', who: 'zoe' })).toEqual([
      'olga OWNER firm',
      'dan DEVELOPER firm',
    ]);
    expect(await membersOf(everybody, { group: 'firm' })).toHaveLength(4);
    await gateway.sql(`update namespaces set visibility = 'PRIVATE' where id = $1`, [ids.firm]);
    await gateway.sql(`delete from group_members where user_id = $1`, [id('gina')]);
  });

  test('are filtered by their highest role', async () => {
    await addMember(gateway, people.dan!, 'MAINTAINER', { group: 'firm/team' });
    expect(await membersOf('(accessLevels: [DEVELOPER])')).toEqual([]);
    expect(await membersOf('(accessLevels: [DEVELOPER], relations: [INHERITED])')).toEqual(['dan DEVELOPER firm']);
    expect(await membersOf('(accessLevels: [MAINTAINER, GUEST])')).toEqual([
      'mia MAINTAINER firm/team',
      'dan MAINTAINER firm/team',
    ]);
    expect(await membersOf('(accessLevels: [MAINTAINER], search: "dan")')).toEqual(['dan MAINTAINER firm/team']);
  });

  test('are still listed by the deprecated name', async () => {
    const { group } = await seen<{ group: Record<string, { nodes: Listed[] }> }>(
      `{ group(fullPath: "firm/team") {
          own: members { nodes { ${fields} sourceGroup { fullPath } sourceProject { fullPath } } }
          all: members(inherited: true) { nodes { ${fields} } }
      } }`,
    );
    expect(group.own!.nodes).toMatchObject([{ sourceGroup: { fullPath: 'firm/team' }, sourceProject: null }]);
    expect(group.all!.nodes.map(inShort)).toEqual([
      'olga OWNER firm',
      'mia MAINTAINER firm/team',
      'dan DEVELOPER firm',
    ]);
  });
});

describe('the members of a project as its field', () => {
  const membersOf = async (args: string) => {
    const query = `{ project(fullPath: "firm/team/shop") { projectMembers${args} { nodes { __typename ${fields} } count } } }`;
    const { nodes, count } = (
      await seen<{ project: { projectMembers: { nodes: (Listed & { __typename: string })[]; count: number } } }>(query)
    ).project.projectMembers;
    expect(count).toBe(nodes.length);
    expect(nodes.map((one) => one.__typename)).toEqual(
      nodes.map(({ project }) => (project ? 'ProjectMember' : 'GroupMember')),
    );
    return nodes.map(inShort);
  };

  test('are its own and those of its groups', async () => {
    const inherited = ['olga OWNER firm', 'mia MAINTAINER firm/team', 'dan DEVELOPER firm'];
    expect(await membersOf('')).toEqual([...inherited, 'gina GUEST firm/team/shop']);
    expect(await membersOf('(relations: [DIRECT])')).toEqual(['gina GUEST firm/team/shop']);
    expect(await membersOf('(relations: [INHERITED])')).toEqual(inherited);
    expect(await membersOf('(relations: [DESCENDANTS, INVITED_GROUPS, SHARED_INTO_ANCESTORS])')).toEqual([]);
  });

  test('are filtered by a part of the name and by role', async () => {
    await addMember(gateway, people.dan!, 'OWNER', { project: 'firm/team/shop' });
    expect(await membersOf('(search: "GIN")')).toEqual(['gina GUEST firm/team/shop']);
    expect(await membersOf('(accessLevels: [DEVELOPER])')).toEqual([]);
    expect(await membersOf('(accessLevels: [OWNER])')).toEqual(['olga OWNER firm', 'dan OWNER firm/team/shop']);
  });
});

describe('the memberships of a person', () => {
  interface Memberships {
    readonly nodes: Listed[];
    readonly count: number;
    readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
  }
  const membershipsOf = async (name: string, who: keyof typeof people | null = name, page = '') => {
    const rest = 'count pageInfo { endCursor hasNextPage }';
    const query = `{ user(username: "${name}") {
      groupMemberships${page} { nodes { ${ofGroup} } ${rest} }
      projectMemberships${page} { nodes { ${ofProject} } ${rest} }
    } }`;
    return (await seen<{ user: Record<'groupMemberships' | 'projectMemberships', Memberships> }>(query, who)).user;
  };
  const inPlaces = async (name: string, who: keyof typeof people | null = name) => {
    const { groupMemberships, projectMemberships } = await membershipsOf(name, who);
    for (const { nodes, count } of [groupMemberships, projectMemberships]) expect(count).toBe(nodes.length);
    return [...groupMemberships.nodes, ...projectMemberships.nodes].map(inShort);
  };

  test('are the direct ones', async () => {
    expect(await inPlaces('dan')).toEqual(['dan DEVELOPER firm']);
    expect(await inPlaces('gina')).toEqual(['gina GUEST firm/team/shop']);
  });

  test('are those that the viewer may see', async () => {
    await addMember(gateway, people.gina!, 'GUEST', { project: 'firm/site' });
    expect(await inPlaces('gina', 'zoe')).toEqual(['gina GUEST firm/site']);
    expect(await inPlaces('dan', 'zoe')).toEqual([]);
    expect(await inPlaces('gina', 'olga')).toEqual(['gina GUEST firm/team/shop', 'gina GUEST firm/site']);
  });

  test('end with the day on which they expire', async () => {
    await gateway.sql(`update group_members set expires_at = (now() at time zone 'utc')::date where user_id = $1`, [
      id('mia'),
    ]);
    expect(await inPlaces('mia')).toEqual([]);
  });

  test('are listed in pages', async () => {
    await addMember(gateway, people.gina!, 'GUEST', { project: 'firm/site' });
    const first = (await membershipsOf('gina', 'gina', '(first: 1)')).projectMemberships;
    expect(first).toMatchObject({ count: 2, pageInfo: { hasNextPage: true } });
    expect(first.nodes.map(inShort)).toEqual(['gina GUEST firm/team/shop']);
    const { projectMemberships } = await seen<{ user: { projectMemberships: Memberships } }>(
      `{ user(username: "gina") { projectMemberships(first: 1, after: "${first.pageInfo.endCursor}") { nodes { id project { fullPath } } pageInfo { hasNextPage } } } }`,
    ).then(({ user }) => user);
    expect(projectMemberships).toMatchObject({
      nodes: [{ project: { fullPath: 'firm/site' } }],
      pageInfo: { hasNextPage: false },
    });
  });

  test('show what the viewer may do in their places', async () => {
    const permissions = async (who: keyof typeof people) =>
      await seen(
        `{ user(username: "gina") { projectMemberships { nodes { userPermissions { adminProject } } } }
           group(fullPath: "firm/team") { groupMembers(relations: [DIRECT]) { nodes { userPermissions { createSubgroup } } } } }`,
        who,
      );
    const expected = (adminProject: boolean, createSubgroup: boolean) => ({
      user: { projectMemberships: { nodes: [{ userPermissions: { adminProject } }] } },
      group: { groupMembers: { nodes: [{ userPermissions: { createSubgroup } }] } },
    });
    expect(await permissions('mia')).toEqual(expected(true, true));
    expect(await permissions('dan')).toEqual(expected(false, false));
  });

  test('are shown to a token that may read places, and to no other', async () => {
    const query = '{ currentUser { username groupMemberships { nodes { group { fullPath } } } } }';
    const answer = await gateway.graphql<object>(query, { token: await gateway.personalToken('dan', ['read_user']) });
    expect(answer.data).toEqual({ currentUser: { username: 'dan', groupMemberships: null } });
    expect(refusal(answer)).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    const reading = await gateway.graphql<object>(query, { token: await gateway.personalToken('dan', ['read_api']) });
    expect(dataOf(reading)).toEqual({
      currentUser: { username: 'dan', groupMemberships: { nodes: [{ group: { fullPath: 'firm' } }] } },
    });
  });
});

describe('a membership', () => {
  const whole = `{ id databaseId createdAt updatedAt createdBy { username } expiresAt user { username } accessLevel { integerValue } }`;
  interface Whole {
    readonly id: string;
    readonly databaseId: number;
    readonly createdAt: string;
    readonly updatedAt: string;
    readonly createdBy: { readonly username: string } | null;
  }
  const read = async (userId: string) =>
    (await seen<{ member: Whole }>(`{ member(group: "firm", userId: "${userId}") ${whole} }`)).member;

  test('has a global id, its author and the time of its last change', async () => {
    dataOf(
      await change('addMembers', { group: 'firm', usernames: ['zoe'], accessLevel: 'GUEST', expiresAt: '2999-01-01' }),
    );
    const added = await read(id('zoe'));
    expect(added).toEqual({
      id: `gid://gitlab/GroupMember/${added.databaseId}`,
      databaseId: expect.any(Number),
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: added.createdAt,
      createdBy: { username: 'olga' },
      expiresAt: '2999-01-01T00:00:00.000Z',
      user: { username: 'zoe' },
      accessLevel: { integerValue: 10 },
    });
    dataOf(await change('updateMember', { group: 'firm', userId: id('zoe'), accessLevel: 'REPORTER' }));
    const changed = await read(`gid://gitlab/User/${id('zoe')}`);
    expect(changed).toMatchObject({ ...added, updatedAt: expect.any(String), accessLevel: { integerValue: 20 } });
    expect(Date.parse(changed.updatedAt)).toBeGreaterThan(Date.parse(added.updatedAt));
  });

  test('of a creator of a group was made by the creator', async () => {
    dataOf(
      await gateway.graphql('mutation { createGroup(input: { path: "authored", name: "a" }) { group { id } } }', {
        token: people.dan!.token,
      }),
    );
    const { group } = await seen<{ group: { groupMembers: { nodes: Whole[] } } }>(
      `{ group(fullPath: "authored") { groupMembers { nodes ${whole} } } }`,
      'dan',
    );
    expect(group.groupMembers.nodes).toMatchObject([{ createdBy: { username: 'dan' } }]);
  });

  test('that replaces an expired one is another one', async () => {
    const before = await read(id('dan'));
    await gateway.sql(`update group_members set expires_at = '2020-01-01' where user_id = $1`, [id('dan')]);
    await change('addMembers', { group: 'firm', userIds: [id('dan')], accessLevel: 'GUEST' });
    const after = await read(id('dan'));
    expect(before.createdBy).toBeNull();
    expect(after.createdBy).toEqual({ username: 'olga' });
    expect(after.databaseId).toBeGreaterThan(before.databaseId);
  });

  test('remains when its author’s account is removed, without the author', async () => {
    const boss = await newUser(gateway, 'boss');
    await addMember(gateway, boss, 'OWNER', { group: 'firm' });
    people.boss = boss;
    dataOf(await change('addMembers', { group: 'firm', userIds: [id('zoe')], accessLevel: 'GUEST' }, 'boss'));
    expect((await read(id('zoe'))).createdBy).toEqual({ username: 'boss' });
    await gateway.sql('delete from users where id = $1', [boss.id]);
    expect((await read(id('zoe'))).createdBy).toBeNull();
  });
});

describe('the owner of a personal namespace', () => {
  test('is a member of the projects in it, and stays one', async () => {
    await gateway.sql(
      `with made as (insert into projects (namespace_id, path, name, full_path) select id, 'own', 'own', 'zoe/own' from namespaces where owner_id = $1 returning id)
       insert into routes (path, project_id) select 'zoe/own', id from made`,
      [id('zoe')],
    );
    expect(await list('project: "zoe/own"', 'zoe')).toEqual(['zoe OWNER zoe/own']);
    // Its id is like any other, and stays.
    const { members } = await seen<{ members: { nodes: Listed[] } }>(
      '{ members(project: "zoe/own") { nodes { id user { username } } } }',
      'zoe',
    );
    expect(members.nodes).toEqual([
      { id: expect.stringMatching(/^gid:\/\/gitlab\/ProjectMember\/\d+$/), user: { username: 'zoe' } },
    ]);
    const { currentUser } = await seen<{ currentUser: { projectMemberships: { nodes: Listed[] } } }>(
      `{ currentUser { projectMemberships { nodes { id accessLevel { stringValue } project { fullPath } } count } } }`,
      'zoe',
    );
    expect(currentUser.projectMemberships).toEqual({
      nodes: [{ id: members.nodes[0]!.id, accessLevel: { stringValue: 'OWNER' }, project: { fullPath: 'zoe/own' } }],
      count: 1,
    });
    expect(
      complaints(await change('addMembers', { project: 'zoe/own', userIds: [id('zoe')], accessLevel: 'GUEST' }, 'zoe')),
    ).toEqual(['Member already exists']);
    for (const mutation of ['updateMember', 'removeMember'] as const) {
      const input = {
        project: 'zoe/own',
        userId: id('zoe'),
        ...(mutation === 'updateMember' && { accessLevel: 'GUEST' }),
      };
      expect(refusal(await change(mutation, input, 'zoe'))).toMatchObject({ code: 'FORBIDDEN' });
    }
  });
});

describe('adding members', () => {
  test('accepts several at once, by id or by username, each once', async () => {
    const input = {
      project: 'firm/site',
      usernames: ['ZOE', 'gina', 'zoe'],
      accessLevel: 'REPORTER',
      expiresAt: '2999-01-01',
    };
    const { members } = dataOf(await change('addMembers', input)).addMembers;
    expect(members).toMatchObject([
      {
        user: { username: 'gina' },
        accessLevel: { integerValue: 20, stringValue: 'REPORTER' },
        expiresAt: '2999-01-01T00:00:00.000Z',
        project: { fullPath: 'firm/site' },
      },
      { user: { username: 'zoe' } },
    ]);
  });

  const refusals: [what: string, input: () => Record<string, unknown>, errors: string[]][] = [
    ['an existing member', () => ({ userIds: [id('zoe'), id('olga')] }), ['Member already exists']],
    [
      'people in two ways',
      () => ({ userIds: [id('zoe')], usernames: ['zoe'] }),
      ['Name people by their numbers or by their usernames.'],
    ],
    [
      'more people than at once',
      () => ({ userIds: Array.from({ length: 101 }, (_, index) => String(index)) }),
      ['Name no more than 100 people.'],
    ],
    ['no role', () => ({ accessLevel: null }), ['Access level is not included in the list']],
    ['a day that is over', () => ({ expiresAt: '2020-01-01' }), ['Expires at cannot be a date in the past']],
    [
      'both',
      () => ({ accessLevel: null, expiresAt: '2020-01-01' }),
      ['Access level is not included in the list', 'Expires at cannot be a date in the past'],
    ],
    ['two places', () => ({ project: 'firm/site' }), ['Name a group or a project.']],
  ];
  const missing: [what: string, input: () => Record<string, unknown>][] = [
    ['an unknown user', () => ({ userIds: [id('zoe'), '999999'] })],
    ['an empty list', () => ({ userIds: [] })],
    ['a name of a group', () => ({ usernames: ['firm'] })],
  ];
  const add = (input: Record<string, unknown>) =>
    change('addMembers', {
      group: 'firm',
      accessLevel: 'GUEST',
      ...('userIds' in input || 'usernames' in input ? {} : { userIds: [id('zoe')] }),
      ...input,
    });
  test.each(refusals)('refuses %s, and adds no one', async (_what, input, errors) => {
    expect(complaints(await add(input()))).toEqual(errors);
    expect(await list('group: "firm"')).toEqual(['olga OWNER firm', 'dan DEVELOPER firm']);
  });
  test.each(missing)('finds nobody for %s, and adds no one', async (_what, input) => {
    expect(refusal(await add(input()))).toMatchObject({ code: 'NOT_FOUND', subject: 'User' });
    expect(await list('group: "firm"')).toEqual(['olga OWNER firm', 'dan DEVELOPER firm']);
  });

  test('refuses a role below the inherited one', async () => {
    const answer = await change('addMembers', { group: 'firm/team', userIds: [id('dan')], accessLevel: 'REPORTER' });
    expect(complaints(answer)).toEqual([
      'Access level should be greater than or equal to Developer inherited membership from group firm',
    ]);
    dataOf(await change('addMembers', { group: 'firm/team', userIds: [id('dan')], accessLevel: 'DEVELOPER' }));
  });

  test('in a project is for maintainers, who can’t grant a role above their own', async () => {
    const add = (accessLevel: string, who: string) =>
      change('addMembers', { project: 'firm/team/shop', userIds: [id('zoe')], accessLevel }, who);
    expect(refusal(await add('OWNER', 'mia'))).toMatchObject({ code: 'FORBIDDEN' });
    expect(refusal(await add('GUEST', 'dan'))).toMatchObject({ code: 'FORBIDDEN' });
    dataOf(await add('MAINTAINER', 'mia'));
  });

  test('of the same person by two concurrent requests succeeds once', async () => {
    const input = { group: 'firm', userIds: [id('zoe')], accessLevel: 'GUEST' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => change('addMembers', input)));
    expect(answers.map((answer) => dataOf(answer).addMembers.errors).toSorted((a, b) => a.length - b.length)).toEqual([
      [],
      ...Array.from({ length: 7 }, () => ['Member already exists']),
    ]);
  });
});

describe('updating a member', () => {
  test('sets the given fields and keeps the others', async () => {
    const base = { group: 'firm', userId: id('dan') };
    const changed = async (input: object) =>
      dataOf(await change('updateMember', { ...base, ...input })).updateMember.member;
    expect(await changed({ expiresAt: '2999-12-31' })).toMatchObject({
      accessLevel: { stringValue: 'DEVELOPER' },
      expiresAt: '2999-12-31T00:00:00.000Z',
    });
    expect(await changed({ accessLevel: 'REPORTER' })).toMatchObject({
      accessLevel: { stringValue: 'REPORTER' },
      expiresAt: '2999-12-31T00:00:00.000Z',
    });
    expect(await changed({ expiresAt: null })).toMatchObject({
      accessLevel: { stringValue: 'REPORTER' },
      expiresAt: null,
    });
  });

  test('refuses what adding refuses, and people who are only inherited members', async () => {
    const input = { group: 'firm', userId: id('dan'), accessLevel: 'GUEST' };
    expect(complaints(await change('updateMember', { ...input, accessLevel: null }))).toEqual([
      'Access level is not included in the list',
    ]);
    expect(complaints(await change('updateMember', { ...input, expiresAt: '2020-01-01' }))).toEqual([
      'Expires at cannot be a date in the past',
    ]);
    for (const userId of [id('zoe'), '0', 'dan'])
      expect(refusal(await change('updateMember', { ...input, userId }))).toMatchObject({
        code: 'NOT_FOUND',
        subject: 'Member',
      });
    expect(refusal(await change('updateMember', { ...input, group: 'firm/team' }))).toMatchObject({
      code: 'NOT_FOUND',
      subject: 'Member',
    });
    expect(refusal(await change('updateMember', { ...input, accessLevel: 'OWNER' }, 'mia'))).toMatchObject({
      code: 'NOT_FOUND',
      subject: 'Group',
    });
  });

  test('of a project’s owner is not for its maintainers', async () => {
    await addMember(gateway, people.zoe!, 'OWNER', { project: 'firm/team/shop' });
    const input = { project: 'firm/team/shop', userId: id('zoe') };
    expect(refusal(await change('updateMember', { ...input, accessLevel: 'GUEST' }, 'mia'))).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(refusal(await change('removeMember', input, 'mia'))).toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('the last owner of a group', () => {
  test('can neither leave nor get a lower role', async () => {
    const self = { group: 'firm', userId: id('olga') };
    expect(refusal(await change('removeMember', self))).toMatchObject({ code: 'FORBIDDEN' });
    expect(refusal(await change('updateMember', { ...self, accessLevel: 'MAINTAINER' }))).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await list('group: "firm"')).toEqual(['olga OWNER firm', 'dan DEVELOPER firm']);
    // An expired owner doesn't count.
    await gateway.sql(
      `insert into group_members (user_id, group_id, access_level, expires_at) values ($1, $2, 50, '2020-01-01')`,
      [id('zoe'), ids.firm],
    );
    expect(refusal(await change('removeMember', self))).toMatchObject({ code: 'FORBIDDEN' });
  });

  test('stays when two owners leave at the same time', async () => {
    await addMember(gateway, people.zoe!, 'OWNER', { group: 'firm' });
    const answers = await Promise.all(
      ['olga', 'zoe'].map((name) => change('removeMember', { group: 'firm', userId: id(name) }, name)),
    );
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(1);
    const [{ count }] = (await gateway.sql<{ count: number }>(
      'select count(*)::int from group_members where group_id = $1 and access_level = 50',
      [ids.firm],
    )) as [{ count: number }];
    expect(count).toBe(1);
  });

  test('of a subgroup may leave, since owners of the parent own it too', async () => {
    await addMember(gateway, people.zoe!, 'OWNER', { group: 'firm/team' });
    dataOf(await change('removeMember', { group: 'firm/team', userId: id('zoe') }, 'zoe'));
  });
});

describe('leaving', () => {
  test('is for the members themselves; only owners remove others', async () => {
    expect(refusal(await change('removeMember', { group: 'firm', userId: id('olga') }, 'dan'))).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(
      inShort(dataOf(await change('removeMember', { group: 'firm', userId: id('dan') }, 'dan')).removeMember.member),
    ).toBe('dan DEVELOPER firm');
    expect(refusal(await change('removeMember', { group: 'firm', userId: id('dan') }))).toMatchObject({
      code: 'NOT_FOUND',
      subject: 'Member',
    });
  });

  test('a group ends the memberships in everything in it too, unless they are to be kept', async () => {
    const rejoin = async () => {
      for (const place of [{ group: 'firm' }, { group: 'firm/team' }, { project: 'firm/team/shop' }])
        await addMember(gateway, people.zoe!, 'GUEST', place);
    };
    await rejoin();
    dataOf(await change('removeMember', { group: 'firm', userId: id('zoe'), keepBelow: true }));
    expect(await list('group: "firm/team", search: "zoe"')).toHaveLength(1);
    await gateway.sql('delete from group_members where user_id = $1', [id('zoe')]);
    await gateway.sql('delete from project_members where user_id = $1', [id('zoe')]);
    await rejoin();
    dataOf(await change('removeMember', { group: 'firm', userId: id('zoe') }));
    expect(await list('project: "firm/team/shop", inherited: true, search: "zoe"')).toEqual([]);
  });

  test('deletes the notification settings for what the person no longer sees, and no others', async () => {
    await addMember(gateway, people.zoe!, 'GUEST', { group: 'firm' });
    const set = (place: object) =>
      gateway.graphql(
        'mutation ($input: UpdateNotificationSettingsInput!) { updateNotificationSettings(input: $input) { notificationSettings { level } } }',
        {
          variables: { input: { ...place, level: 'WATCH' } },
          token: people.zoe!.token,
        },
      );
    const own = async () => {
      const rows = await gateway.sql<{ path: string }>(
        `select n.full_path as path from group_notification_settings s join namespaces n on n.id = s.group_id where s.user_id = $1
         union all select p.full_path from project_notification_settings s join projects p on p.id = s.project_id where s.user_id = $1 order by 1`,
        [id('zoe')],
      );
      return rows.map(({ path }) => path);
    };
    // Joining sets nothing.
    expect(await own()).toEqual([]);
    for (const place of [
      { group: 'firm' },
      { group: 'firm/team' },
      { project: 'firm/team/shop' },
      { project: 'firm/site' },
      { group: 'demo' },
    ])
      dataOf(await set(place));
    await addMember(gateway, people.zoe!, 'GUEST', { group: 'firm/team' });
    dataOf(await change('removeMember', { group: 'firm', userId: id('zoe'), keepBelow: true }));
    expect(await own()).toEqual(['demo', 'firm/site', 'firm/team', 'firm/team/shop']);
    dataOf(await change('removeMember', { group: 'firm/team', userId: id('zoe') }));
    expect(await own()).toEqual(['demo', 'firm/site']);
  });
});

test('every change of a membership is an audit event about the member', async () => {
  dataOf(
    await change('addMembers', { group: 'firm', userIds: [id('zoe')], accessLevel: 'GUEST', expiresAt: '2999-01-01' }),
  );
  dataOf(await change('updateMember', { group: 'firm', userId: id('zoe'), accessLevel: 'DEVELOPER' }));
  dataOf(await change('removeMember', { group: 'firm', userId: id('zoe') }));
  const answer = await gateway.graphql<{ currentUser: { auditEvents: { nodes: object[] } } }>(
    '{ currentUser { auditEvents(first: 3) { nodes { kind actorId detail } } } }',
    { token: people.zoe!.token },
  );
  const actorId = id('olga');
  expect(dataOf(answer).currentUser.auditEvents.nodes).toEqual([
    { kind: 'member_removed', actorId, detail: 'group firm' },
    { kind: 'member_updated', actorId, detail: 'group firm as developer until 2999-01-01' },
    { kind: 'member_added', actorId, detail: 'group firm as guest until 2999-01-01' },
  ]);
});
