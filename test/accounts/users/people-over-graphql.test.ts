import { beforeAll, describe, expect, test } from 'vitest';
import { dataOf, refusal } from '../../support/requests/answers.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { sentBy } from '../../support/databases/statements.ts';
import { workspace, type Workspace } from '../../support/places/workspace.ts';

/** People over GraphQL, as clients that are written for GitLab ask for them. */

let gateway: TestGateway;
let make: Workspace;
let token: string;
let other: string;
let id: number;
beforeAll(async () => {
  gateway = await testGateway();
  make = workspace(gateway);
  token = await make.user('petra');
  other = await make.user('otto');
  [{ id }] = (await gateway.sql<{ id: number }>(`select id from users where username = 'petra'`)) as [{ id: number }];
});

const ask = <Data>(query: string, options: { token?: string | undefined; variables?: Record<string, unknown> } = {}) =>
  gateway.graphql<Data>(query, options);

describe('the types of people', () => {
  test('are the interface User with UserCore and CurrentUser, which have the same fields, the last one three more', async () => {
    const type = (name: string) => `${name}: __type(name: "${name}") { kind fields { name } interfaces { name } }`;
    const { User, UserCore, CurrentUser } = dataOf(
      await ask<Record<string, { kind: string; fields: object[]; interfaces: object[] }>>(
        `{ ${['User', 'UserCore', 'CurrentUser'].map(type).join(' ')} }`,
        { token },
      ),
    );
    expect([User!.kind, UserCore!.kind, CurrentUser!.kind]).toEqual(['INTERFACE', 'OBJECT', 'OBJECT']);
    expect(UserCore).toMatchObject({ fields: User!.fields, interfaces: [{ name: 'User' }] });
    // What a person did, has to do and was told is their own.
    const more = ['events', 'notifications', 'todos'];
    const own = CurrentUser!.fields.filter((field) => !more.includes((field as { name: string }).name));
    expect([own, CurrentUser!.interfaces]).toEqual([User!.fields, [{ name: 'User' }]]);
  });

  test('are named as in GitLab, wherever a person is shown', async () => {
    const query = `{
      currentUser { __typename }
      user(username: "petra") { __typename }
      users(first: 1) { __typename nodes { __typename } }
      project(fullPath: "demo/storefront") { owner { __typename } }
    }`;
    expect(dataOf(await ask(query, { token }))).toEqual({
      currentUser: { __typename: 'CurrentUser' },
      user: { __typename: 'UserCore' },
      users: { __typename: 'UserCoreConnection', nodes: [{ __typename: 'UserCore' }] },
      project: { owner: null },
    });
  });

  test.each([['planned, from the second time on'], ['once more']])('take fragments on each of them, %s', async () => {
    const query = `query ($username: String!) {
      currentUser { ...Person ... on CurrentUser { state } ... on User { active } }
      user(username: $username) { ...Person ...Core ... on User { active } }
    }
    fragment Person on User { username }
    fragment Core on UserCore { state }`;
    const petra = { username: 'petra', state: 'active', active: true };
    expect(dataOf(await ask(query, { token, variables: { username: 'petra' } }))).toEqual({
      currentUser: petra,
      user: petra,
    });
    expect((await ask('{ currentUser { ... on UserCore { id } } }', { token })).errors![0]!.message).toContain(
      'can never be of type "UserCore"',
    );
  });

  test('cost one statement for the person of the credential, also through fragments', async () => {
    const query = `{ currentUser { id databaseId ...P } }
      fragment P on User { username email namespaceId avatarUrl webPath location status { message } bot }`;
    const sent = await sentBy(async () => dataOf(await ask(query, { token })));
    expect(sent).toHaveLength(1);
  });
});

describe('a person', () => {
  const fields = `id databaseId username name state active bot publicEmail commitEmail avatarUrl webUrl webPath location
    organization jobTitle createdAt status { emoji message availability } userPermissions { createSnippet }`;

  test('has every field that clients ask for, empty where there is no such feature', async () => {
    const expected = {
      id: `gid://gitlab/User/${id}`,
      databaseId: id,
      username: 'petra',
      name: 'petra',
      state: 'active',
      active: true,
      bot: false,
      publicEmail: null,
      commitEmail: 'petra@example.com',
      avatarUrl: null,
      webUrl: `${gateway.url}/petra`,
      webPath: '/petra',
      location: '',
      organization: '',
      jobTitle: '',
      createdAt: expect.any(String),
      status: null,
      userPermissions: { createSnippet: true },
    };
    for (const [asking, commitEmail] of [
      [token, expected.commitEmail],
      [other, null],
    ] as const)
      expect(dataOf(await ask(`{ user(username: "petra") { ${fields} } }`, { token: asking }))).toEqual({
        user: { ...expected, commitEmail },
      });
    expect(dataOf(await ask(`{ currentUser { ${fields} } }`, { token }))).toEqual({ currentUser: expected });
  });

  test('is inactive when blocked', async () => {
    await make.user('idle');
    await gateway.sql(`update users set state = 'BLOCKED' where username = 'idle'`);
    expect(dataOf(await ask('{ user(username: "idle") { state active } }', { token }))).toEqual({
      user: { state: 'blocked', active: false },
    });
  });

  test('shows the own namespace to themselves and to administrators only', async () => {
    const [namespace] = await gateway.sql<{ id: number }>('select id from namespaces where owner_id = $1', [id]);
    const query = '{ user(username: "petra") { namespaceId namespaceDatabaseId namespace { id fullPath name kind } } }';
    const named = {
      namespaceId: `gid://gitlab/Namespaces::UserNamespace/${namespace!.id}`,
      namespaceDatabaseId: namespace!.id,
    };
    const own = { id: named.namespaceId, fullPath: 'petra', name: 'petra', kind: 'USER' };
    for (const [asking, shown] of [
      [token, own],
      [gateway.tokens.root, own],
      [other, null],
    ] as const)
      expect(dataOf(await ask(query, { token: asking }))).toEqual({ user: { ...named, namespace: shown } });
  });

  test('has addresses, which others don’t see', async () => {
    const query = `query ($names: [String!]) {
      users(usernames: $names, sort: ID_ASC) { nodes { username emails { count nodes { id databaseId email confirmedAt createdAt } } } }
    }`;
    type People = { users: { nodes: { username: string; emails: { count: number; nodes: { id: string }[] } }[] } };
    const people = async (asking?: string) =>
      dataOf(await ask<People>(query, { token: asking, variables: { names: ['petra', 'otto', 'maintainer'] } })).users
        .nodes;
    const counts = async (asking?: string) =>
      Object.fromEntries((await people(asking)).map(({ username, emails }) => [username, emails.count]));
    expect(await counts(token)).toEqual({ petra: 1, otto: 0, maintainer: 0 });
    expect(await counts(gateway.tokens.root)).toEqual({ petra: 1, otto: 1, maintainer: 2 });
    expect(await counts()).toEqual({ petra: 0, otto: 0, maintainer: 0 });
    const petra = (await people(token)).find(({ username }) => username === 'petra')!;
    const [address] = await gateway.sql<{ id: number }>('select id from emails where user_id = $1', [id]);
    expect(petra.emails.nodes).toEqual([
      {
        id: `gid://gitlab/Email/${address!.id}`,
        databaseId: address!.id,
        email: 'petra@example.com',
        confirmedAt: expect.any(String),
        createdAt: expect.any(String),
      },
    ]);
  });

  test('has addresses under their former names too', async () => {
    const { currentUser } = dataOf(
      await ask<{ currentUser: { emails: { nodes: object[] } } }>(
        '{ currentUser { emails { nodes { address verifiedAt } } } }',
        { token },
      ),
    );
    expect(currentUser.emails.nodes).toEqual([{ address: 'petra@example.com', verifiedAt: expect.any(String) }]);
  });
});

describe('the groups of a person', () => {
  beforeAll(async () => {
    await make.group('choir', 'PRIVATE');
    await make.group('choir/altos', 'PRIVATE');
    await make.group('band', 'PUBLIC');
    await make.group('office', 'PRIVATE');
    await make.project('office/plan', 'PRIVATE');
    await make.group('left', 'PUBLIC');
    await make.member('petra', 'GUEST', { group: 'choir' });
    await make.member('petra', 'OWNER', { group: 'band' });
    await make.member('petra', 'GUEST', { group: 'left' });
    await make.member('petra', 'REPORTER', { project: 'office/plan' });
    await make.member('otto', 'GUEST', { group: 'band' });
    await gateway.sql(
      `update group_members m set expires_at = current_date - 1 from namespaces n where n.id = m.group_id and n.full_path = 'left'`,
    );
  });

  const query = `query ($search: String) {
    user(username: "petra") { groupCount groups(search: $search) { count nodes { fullPath } } }
  }`;
  const groups = async (asking: string | undefined, search?: string) =>
    dataOf(
      await ask<{ user: { groupCount: number | null; groups: { nodes: { fullPath: string }[] } | null } }>(query, {
        token: asking,
        variables: { search },
      }),
    ).user;

  test('are those with a direct membership; the count has those of projects too', async () => {
    for (const asking of [token, gateway.tokens.root])
      expect(await groups(asking)).toEqual({
        groupCount: 3,
        groups: { count: 2, nodes: [{ fullPath: 'band' }, { fullPath: 'choir' }] },
      });
    expect((await groups(token, 'cho')).groups).toMatchObject({ nodes: [{ fullPath: 'choir' }] });
  });

  test('are null for others', async () => {
    expect(await groups(other)).toEqual({ groupCount: null, groups: null });
    const nobody = '{ users(usernames: ["petra"]) { nodes { groupCount groups { count } namespace { id } } } }';
    expect(dataOf(await ask(nobody))).toEqual({
      users: { nodes: [{ groupCount: null, groups: null, namespace: null }] },
    });
  });

  test('need a scope that reads groups', async () => {
    const narrow = await gateway.personalToken('petra', ['read_user']);
    for (const field of ['groupCount', 'groups { count }', 'namespace { id }', 'starredProjects { count }'])
      expect(refusal(await ask(`{ currentUser { ${field} } }`, { token: narrow }))).toMatchObject({
        code: 'INSUFFICIENT_SCOPE',
        accepted: ['api', 'read_api'],
      });
  });

  test('can be those in which they create projects, also by an inherited role', async () => {
    await make.group('band/brass', 'PRIVATE');
    const query = `{
      user(username: "petra") { groups(permissionScope: CREATE_PROJECTS) { nodes { fullPath maxAccessLevel { stringValue } } } }
      project(fullPath: "office/plan") { maxAccessLevel { integerValue stringValue } }
    }`;
    const owned = (fullPath: string) => ({ fullPath, maxAccessLevel: { stringValue: 'OWNER' } });
    const project = { maxAccessLevel: { integerValue: 20, stringValue: 'REPORTER' } };
    expect(dataOf(await ask(query, { token }))).toEqual({
      user: { groups: { nodes: [owned('band'), owned('band/brass')] } },
      project,
    });
    await gateway.sql(`update namespaces set project_creation_level = 'noone' where full_path = 'band'`);
    expect(dataOf(await ask(query, { token }))).toEqual({
      user: { groups: { nodes: [owned('band/brass')] } },
      project,
    });
    const none = '{ group(fullPath: "band") { maxAccessLevel { integerValue stringValue } } }';
    expect(dataOf(await ask(none))).toEqual({ group: { maxAccessLevel: { integerValue: 0, stringValue: null } } });
  });

  test('of many people take one statement, and one more for the counts', async () => {
    const list = async (fields: string) =>
      (
        await sentBy(async () =>
          dataOf(
            await ask(`{ users(usernames: ["petra", "otto", "guest"]) { nodes { ${fields} } } }`, {
              token: gateway.tokens.root,
            }),
          ),
        )
      ).length;
    const people = await list('username');
    expect((await list('groups(first: 2) { nodes { name } }')) - people).toBe(1);
    expect((await list('groups { count nodes { name } }')) - people).toBe(2);
    expect((await list('groupCount emails { nodes { email } }')) - people).toBe(2);
    expect((await list('starredProjects(first: 3) { nodes { fullPath } }')) - people).toBe(1);
  });
});

describe('the projects that a person starred', () => {
  beforeAll(async () => {
    await make.group('sky', 'PRIVATE');
    await make.project('sky/hidden', 'PRIVATE');
    await make.group('ground', 'PUBLIC');
    await make.project('ground/seen', 'PUBLIC');
    await make.project('ground/later', 'PUBLIC');
    await make.member('petra', 'GUEST', { group: 'sky' });
    for (const path of ['sky/hidden', 'ground/seen', 'ground/later'])
      dataOf(
        await ask(
          'mutation ($path: ProjectID!) { starProject(input: { projectId: $path, starred: true }) { count } }',
          {
            token,
            variables: { path },
          },
        ),
      );
  });

  test.each([
    ['themselves', () => token, ['ground/later', 'ground/seen', 'sky/hidden']],
    ['an administrator', () => gateway.tokens.root, ['ground/later', 'ground/seen', 'sky/hidden']],
    ['another person', () => other, ['ground/later', 'ground/seen']],
    ['an anonymous request', () => undefined, ['ground/later', 'ground/seen']],
  ])('are shown to %s where they see the project', async (_who, asking, paths) => {
    const query = '{ users(usernames: ["petra"]) { nodes { starredProjects { count nodes { fullPath } } } } }';
    expect(dataOf(await ask(query, { token: asking() }))).toEqual({
      users: {
        nodes: [{ starredProjects: { count: paths.length, nodes: paths.map((fullPath) => ({ fullPath })) } }],
      },
    });
  });

  test('are searched, and read in pages', async () => {
    const query = `query ($after: String) { currentUser {
      found: starredProjects(search: "hidden") { nodes { fullPath } }
      page: starredProjects(first: 2, after: $after) { nodes { fullPath } pageInfo { hasNextPage endCursor } }
    } }`;
    type Page = { nodes: { fullPath: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
    const page = async (after?: string) =>
      dataOf(await ask<{ currentUser: { found: Page; page: Page } }>(query, { token, variables: { after } }))
        .currentUser;
    const first = await page();
    expect(first.found.nodes).toEqual([{ fullPath: 'sky/hidden' }]);
    expect(first.page).toMatchObject({
      nodes: [{ fullPath: 'ground/later' }, { fullPath: 'ground/seen' }],
      pageInfo: { hasNextPage: true },
    });
    expect((await page(first.page.pageInfo.endCursor)).page).toMatchObject({
      nodes: [{ fullPath: 'sky/hidden' }],
      pageInfo: { hasNextPage: false },
    });
  });
});

describe('user', () => {
  const find = (given: unknown, asking: string | undefined = token) =>
    ask<{ user: { username: string } | null }>('query ($id: UserID) { user(id: $id) { username } }', {
      token: asking,
      variables: { id: given },
    });

  test('is found by global id, and by number', async () => {
    for (const given of [`gid://gitlab/User/${id}`, String(id), id])
      expect(dataOf(await find(given))).toEqual({ user: { username: 'petra' } });
  });

  test.each([['gid://gitlab/User/2147483647'], ['gid://gitlab/User/99999999999'], ['0'], ['petra']])(
    'is null for %j',
    async (given) => {
      expect(dataOf(await find(given))).toEqual({ user: null });
    },
  );

  test('refuses the global id of another kind of record, and both ways at once', async () => {
    expect(refusal(await find('gid://gitlab/Project/1')).message).toContain('does not represent an instance of User');
    expect(refusal(await ask('{ user { id } }', { token }))).toMatchObject({ code: 'BAD_REQUEST' });
    expect(refusal(await ask(`{ user(id: "${id}", username: "petra") { id } }`, { token }))).toMatchObject({
      code: 'BAD_REQUEST',
    });
  });
});

test('pages about the viewer ask anonymous visitors to sign in', async () => {
  for (const path of ['/profile', '/profile/emails', '/profile/activity', '/petra', '/no-such-user']) {
    const { status, headers } = await fetch(gateway.url + path, { redirect: 'manual' });
    expect([path, status, headers.get('location')]).toEqual([path, 303, expect.stringContaining('/users/sign_in?')]);
  }
});

describe('users', () => {
  const list = async (args: string, asking: string | undefined = token) =>
    dataOf(
      await ask<{ users: { nodes: { username: string }[] } }>(`{ users(${args}) { nodes { username } } }`, {
        token: asking,
      }),
    ).users.nodes.map(({ username }) => username);

  test('are found by global ids, by usernames, and by words', async () => {
    expect(await list(`ids: ["gid://gitlab/User/${id}", "gid://gitlab/Project/${id}"]`)).toEqual(['petra']);
    expect(await list(`ids: ["${id}", ${id}]`)).toEqual(['petra']);
    expect(await list('usernames: ["Petra", "OTTO", "no-such-user"]')).toEqual(['otto', 'petra']);
    expect(await list('search: "petr"')).toEqual(['petra']);
  });

  test('are administrators only where an administrator asks for them', async () => {
    expect(await list('admins: true', gateway.tokens.root)).toEqual(['root']);
    expect(await list('admins: true')).toContain('petra');
  });

  test('are sorted by the names of GitLab, old ones too, for administrators', async () => {
    const names = 'usernames: ["petra", "otto"]';
    for (const sort of ['CREATED_ASC', 'created_asc', 'ID_ASC', 'UPDATED_ASC', 'updated_asc', 'USERNAME_DESC'])
      expect(await list(`${names}, sort: ${sort}`, gateway.tokens.root)).toEqual(['petra', 'otto']);
    for (const sort of ['CREATED_DESC', 'created_desc', 'UPDATED_DESC', 'updated_desc', 'NAME_ASC'])
      expect(await list(`${names}, sort: ${sort}`, gateway.tokens.root)).toEqual(['otto', 'petra']);
    expect(await list(`${names}, sort: CREATED_ASC`)).toEqual(['otto', 'petra']);
  });

  test('need usernames without a person', async () => {
    expect(dataOf(await ask('{ users(usernames: ["petra"]) { nodes { username email publicEmail } } }'))).toEqual({
      users: { nodes: [{ username: 'petra', email: null, publicEmail: null }] },
    });
    for (const args of ['', '(search: "petra")', `(ids: ["${id}"])`])
      expect(refusal(await ask(`{ users${args} { nodes { username } } }`))).toMatchObject({ code: 'FORBIDDEN' });
  });
});
