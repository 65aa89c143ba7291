import { beforeAll, describe, expect, test } from 'vitest';
import { dataOf, refusal } from '../../support/requests/answers.ts';
import { fields, inShort, ofGroup, ofProject, useFirm, type Listed } from '../../support/places/firm.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { addMember, newUser } from '../../support/places/people.ts';
import { statementsOf } from '../../support/databases/statements.ts';
import type { Workspace } from '../../support/places/workspace.ts';

/** Lists of members of groups and projects, and of memberships of people, over GraphQL. */

const firm = useFirm();
const { people, ids, id, list, seen, change } = firm;
let gateway: TestGateway;
let make: Workspace;
beforeAll(() => {
  ({ gateway, make } = firm);
});

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

test('the people with a role in a group or a project complete a text field', async () => {
  const proposed = async (place: string, search: string, who = 'olga') => {
    const found = await seen<{ place: { autocompleteUsers: readonly { username: string }[] } }>(
      `{ place: ${place} { autocompleteUsers${search} { id username name avatarUrl ... on User { webUrl } } } }`,
      who,
    );
    return found.place.autocompleteUsers.map(({ username }) => username).join(' ');
  };
  const project = 'project(fullPath: "firm/team/shop")';
  expect(await proposed(project, '')).toBe('olga mia dan gina');
  expect(await proposed(project, '(search: "A")')).toBe('olga mia dan gina');
  expect(await proposed(project, '(search: "gi")')).toBe('gina');
  expect(await proposed('group(fullPath: "firm/team")', '')).toBe('olga mia dan');
  const admin = gateway.tokens.root;
  await gateway.rest('POST', `/api/v4/users/${id('gina')}/block`, { token: admin });
  expect(await proposed(project, '')).toBe('olga mia dan');
  await gateway.rest('POST', `/api/v4/users/${id('gina')}/unblock`, { token: admin });
});

describe('the members of a group as its field', () => {
  const membersOf = async (args: string, { group = 'firm/team', who = 'olga' } = {}) => {
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
  const membershipsOf = async (name: string, who: string = name, page = '') => {
    const rest = 'count pageInfo { endCursor hasNextPage }';
    const query = `{ user(username: "${name}") {
      groupMemberships${page} { nodes { ${ofGroup} } ${rest} }
      projectMemberships${page} { nodes { ${ofProject} } ${rest} }
    } }`;
    return (await seen<{ user: Record<'groupMemberships' | 'projectMemberships', Memberships> }>(query, who)).user;
  };
  const inPlaces = async (name: string, who: string = name) => {
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
    const withoutToken = await seen(
      '{ project(fullPath: "firm/site") { projectMembers { nodes { user { groupMemberships { count } projectMemberships { nodes { project { fullPath } } } } } } } }',
      null,
    );
    expect(withoutToken).toEqual({
      project: {
        projectMembers: {
          nodes: [
            {
              user: {
                groupMemberships: { count: 0 },
                projectMemberships: { nodes: [{ project: { fullPath: 'firm/site' } }] },
              },
            },
          ],
        },
      },
    });
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
    const permissions = async (who: string) =>
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
