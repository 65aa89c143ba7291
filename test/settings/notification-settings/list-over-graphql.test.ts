import { beforeAll, describe, expect, test } from 'vitest';
import { dataOf, refusal } from '../../support/requests/answers.ts';
import { testGateway, type GraphQLAnswer, type TestGateway } from '../../support/gateway.ts';
import { settingsOverGraphQL, type Setting } from '../../support/places/notification-settings.ts';
import { statementsOf } from '../../support/databases/statements.ts';
import { workspace, type Workspace } from '../../support/places/workspace.ts';

/** The list of notification settings over GraphQL, and how many statements one or a hundred settings need. */

let gateway: TestGateway;
let make: Workspace;
beforeAll(async () => {
  gateway = await testGateway();
  make = workspace(gateway);
});
const { bulk, set, forgetAll } = settingsOverGraphQL(() => gateway);

describe('the list of a user’s settings', () => {
  interface Page {
    readonly edges: { readonly cursor: string; readonly node: Setting }[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly startCursor: string;
      readonly endCursor: string;
    };
  }
  type Paging = {
    first?: number;
    after?: string | null;
    last?: number;
    before?: string | null;
    search?: string;
    inherited?: boolean;
    changed?: boolean;
  };

  const ask = (token: string, paging: Paging = {}) =>
    gateway.graphql<{ currentUser: { notificationSettings: Page } }>(
      `query ($first: Int, $after: String, $last: Int, $before: String, $search: String, $inherited: Boolean, $changed: Boolean) {
        currentUser {
          notificationSettings(first: $first, after: $after, last: $last, before: $before, search: $search, inherited: $inherited, changed: $changed) {
            edges { cursor node { scope level group { fullPath } project { fullPath } } }
            pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
          }
        }
      }`,
      { token, variables: paging },
    );
  const page = async (token: string, paging: Paging = {}) =>
    dataOf(await ask(token, paging)).currentUser.notificationSettings;
  const pathOf = ({ scope, group, project }: Setting) =>
    scope === 'GLOBAL' ? '' : (group?.fullPath ?? project!.fullPath);
  const paths = (one: Page) => one.edges.map(({ node }) => pathOf(node));

  /** In tree order: capitals first, and each group directly followed by its contents. */
  const all = ['', 'Zoo', 'lane', 'lane/a', 'lane/a/house', 'lane/b', 'lane-side', 'late'];
  let token: string;
  beforeAll(async () => {
    await forgetAll();
    token = await make.user('lia');
    for (const path of ['lane', 'lane/a', 'lane/b', 'Zoo', 'lane-side', 'late', 'lost', 'left', 'past', 'lent'])
      await make.group(path);
    for (const path of ['lane/a/house', 'lost/thing', 'lent/tool']) await make.project(path);
    for (const group of ['lane', 'Zoo', 'lane-side', 'late', 'left', 'past'])
      await make.member('lia', 'GUEST', { group });
    await make.member('lia', 'GUEST', { project: 'lent/tool' });
    for (const group of ['lane/a', 'lane/b', 'left']) await set(token, { group, level: 'WATCH' });
    await set(token, { project: 'lane/a/house', level: 'MENTION' });
    await set(token, { project: 'lent/tool', level: 'MENTION' });
    // Places that lia has settings for, but can no longer see.
    await gateway.sql(
      `delete from group_members where group_id = (select namespace_id from routes where path = 'left')`,
    );
    await gateway.sql(
      `update group_members set expires_at = current_date where group_id = (select namespace_id from routes where path = 'past')`,
    );
    await gateway.sql(`update project_members set expires_at = current_date - 1`);
  });

  test('is in tree order, the global setting first', async () => {
    const { edges, pageInfo } = await page(token);
    expect(edges.map(({ node }) => [node.scope, pathOf(node)])).toEqual(
      all.map((path) => [path === '' ? 'GLOBAL' : path.endsWith('house') ? 'PROJECT' : 'GROUP', path]),
    );
    expect(pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
  });

  test('never includes a hidden place, even if it has a setting', async () => {
    for (const group of ['left', 'past', 'lost', 'lent']) {
      expect(
        dataOf(
          await gateway.graphql('query ($id: ID!) { group(id: $id) { id } }', { token, variables: { id: group } }),
        ),
      ).toEqual({ group: null });
    }
    const listed = paths(await page(token, { first: 100 }));
    expect(listed.filter((path) => /^(left|past|lost|lent)/.test(path))).toEqual([]);
  });

  test.each([
    ['lane/A', ['lane/a', 'lane/a/house']],
    [' zoo ', ['Zoo']],
    ['%', []],
    ['lost', []],
    ['', all],
  ])('can be searched for “%s” in names and paths', async (search, found) => {
    expect(paths(await page(token, { search }))).toEqual(found);
  });

  test('includes everything visible below the user’s groups if requested', async () => {
    await make.group('lane/deep');
    await make.group('lane/deep/er');
    await make.project('lane/deep/er/end');
    await make.project('lane-side/shed');
    const below = ['lane-side/shed', 'lane/deep/er', 'lane/deep/er/end'];
    expect(paths(await page(token))).not.toEqual(expect.arrayContaining(below));
    const listed = paths(await page(token, { inherited: true }));
    const lane = ['lane', 'lane/a', 'lane/a/house', 'lane/b', 'lane/deep', 'lane/deep/er', 'lane/deep/er/end'];
    expect(listed).toEqual(['', 'Zoo', ...lane, 'lane-side', 'lane-side/shed', 'late']);
    await gateway.sql(`delete from projects where full_path in ('lane/deep/er/end', 'lane-side/shed')`);
    await gateway.sql(`delete from namespaces where full_path = 'lane/deep/er'`);
    await gateway.sql(`delete from namespaces where full_path = 'lane/deep'`);
  });

  test('has only changed ones if requested', async () => {
    expect(paths(await page(token, { changed: true }))).toEqual(['lane/a', 'lane/a/house', 'lane/b']);
    expect(paths(await page(token, { changed: true, inherited: true, search: 'house' }))).toEqual(['lane/a/house']);
  });

  test('refuses a search that is too long', async () => {
    expect(refusal(await ask(token, { search: 'x'.repeat(256) }))).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test.each([1, 2, 3, 5, 7, 8, 100])('can be read forwards and backwards in pages of %i', async (size) => {
    const forwards: string[] = [];
    for (let after: string | null = null, more = true; more;) {
      const { edges, pageInfo } = await page(token, { first: size, after });
      expect(edges.length).toBeLessThanOrEqual(size);
      expect(pageInfo).toMatchObject({
        startCursor: edges[0]!.cursor,
        endCursor: edges.at(-1)!.cursor,
        hasPreviousPage: after !== null,
      });
      forwards.push(...edges.map(({ node }) => pathOf(node)));
      ({ endCursor: after, hasNextPage: more } = pageInfo);
    }
    expect(forwards).toEqual(all);

    const backwards: string[] = [];
    for (let before: string | null = null, more = true; more;) {
      const { edges, pageInfo } = await page(token, { last: size, before });
      expect(edges.length).toBeLessThanOrEqual(size);
      expect(pageInfo).toMatchObject({
        startCursor: edges[0]!.cursor,
        endCursor: edges.at(-1)!.cursor,
        hasNextPage: before !== null,
      });
      backwards.unshift(...edges.map(({ node }) => pathOf(node)));
      ({ startCursor: before, hasPreviousPage: more } = pageInfo);
    }
    expect(backwards).toEqual(all);
  });

  test('can be read between two cursors, from either end', async () => {
    const { edges } = await page(token);
    const between = { after: edges[1]!.cursor, before: edges[6]!.cursor };
    expect(paths(await page(token, between))).toEqual(all.slice(2, 6));
    expect(paths(await page(token, { ...between, first: 2 }))).toEqual(all.slice(2, 4));
    expect(paths(await page(token, { ...between, last: 2 }))).toEqual(all.slice(4, 6));
    expect(paths(await page(token, { after: edges[6]!.cursor, before: edges[1]!.cursor }))).toEqual([]);
    expect(paths(await page(token, { first: 0 }))).toEqual([]);
  });

  test('continues at the same position after an insertion or a removal', async () => {
    const first = await page(token, { first: 7 });
    await make.group('alms');
    await make.group('lane-side/x', 'PUBLIC');
    await set(token, { group: 'lane-side/x', level: 'WATCH' });
    await make.member('lia', 'GUEST', { group: 'alms' });
    // The entry that the cursor points at.
    await gateway.sql(
      `delete from group_members where group_id = (select namespace_id from routes where path = 'lane-side')`,
    );
    try {
      expect(paths(first)).toEqual(all.slice(0, 7));
      expect(paths(await page(token, { first: 10, after: first.pageInfo.endCursor }))).toEqual(['lane-side/x', 'late']);
    } finally {
      for (const group of ['alms', 'lane-side/x'])
        await gateway.sql('delete from namespaces where full_path = $1', [group]);
      await make.member('lia', 'GUEST', { group: 'lane-side' });
    }
  });

  test.each([
    ['an invalid cursor', { after: 'x' }],
    ['an empty cursor', { before: '' }],
    ['a cursor with a NUL in it', { after: Buffer.from('/a\0').toString('base64url') }],
    ['a negative number', { first: -1 }],
    ['a negative number from the end', { last: -1 }],
    ['first and last together', { first: 1, last: 1 }],
  ])('refuses %s', async (_what, paging) => {
    expect(refusal(await ask(token, paging))).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('is only for the user and administrators', async () => {
    const query = `{ user(username: "lia") { notificationSettings { nodes { scope group { fullPath } project { fullPath } } } } }`;
    expect(refusal(await gateway.graphql(query, { token: gateway.tokens.maintainer }))).toMatchObject({
      code: 'FORBIDDEN',
    });
    const { user } = dataOf(
      await gateway.graphql<{ user: { notificationSettings: { nodes: Setting[] } } }>(query, {
        token: gateway.tokens.root,
      }),
    );
    expect(user.notificationSettings.nodes.map(pathOf)).toEqual(
      expect.arrayContaining([...all, 'left', 'past', 'lent/tool']),
    );
  });

  test('has 100 entries per page, by default and at most', async () => {
    const many = await make.user('mila');
    await gateway.sql(
      `with made as (
         insert into namespaces (kind, path, name, full_path, visibility)
         select 'GROUP', 'many' || i, 'many', 'many' || i, 'PUBLIC' from generate_series(100, 249) i returning id
       ) insert into group_members (user_id, group_id, access_level)
         select (select owner_id from namespaces where full_path = 'mila'), id, 10 from made`,
    );
    for (const [paging, expected] of [
      [{ first: 1000 }, 100],
      [{ last: 1000 }, 100],
      [{ first: 101 }, 100],
      [{}, 100],
    ] as const) {
      const { edges, pageInfo } = await page(many, paging);
      expect(edges).toHaveLength(expected);
      expect(pageInfo.hasNextPage || pageInfo.hasPreviousPage).toBe(true);
    }
  });
});

describe('the number of SQL statements', () => {
  const count = async (work: () => Promise<GraphQLAnswer<unknown>>) => {
    const statements = await statementsOf(async () => void dataOf(await work()));
    return statements.length;
  };
  const tokens: Record<number, string> = {};
  const places: Record<number, string[]> = {};

  beforeAll(async () => {
    for (const size of [1, 100]) {
      tokens[size] = await make.user(`size${size}`);
      await make.group(`of${size}`, 'PUBLIC');
      places[size] = [];
      for (let index = 0; index < size; index++) {
        const group = `of${size}/g${index}`;
        await make.group(group);
        await make.member(`size${size}`, 'GUEST', { group });
        // Each in its own group, so that levels have as many sources.
        await make.project(`${group}/p`);
        places[size].push(group);
      }
      for (let at = 0; at < size; at += 100) {
        const part = places[size].slice(at, at + 100);
        dataOf(
          await bulk(
            tokens[size],
            part.map((group) => ({ group, level: 'WATCH' })),
          ),
        );
        dataOf(
          await bulk(
            tokens[size],
            part.map((group) => ({ project: `${group}/p`, level: 'GLOBAL' })),
          ),
        );
      }
    }
  });

  const list = `{
    currentUser { notificationSettings(first: 100) { nodes {
      scope level group { fullPath } project { fullPath } effective { level source sourceGroup { fullPath } } events { event isSet }
    } } }
  }`;

  test('of a page with effective levels, groups and projects is the same for 1 place and for 100', async () => {
    const counts = [
      await count(() => gateway.graphql(list, { token: tokens[1]! })),
      await count(() => gateway.graphql(list, { token: tokens[100]! })),
    ];
    // Token with user; page with effective levels; its groups with the sources of levels; its projects.
    expect(counts).toEqual([4, 4]);
  });

  test.each([
    ['projects', (size: number) => `projects(group: "of${size}", includeSubgroups: true)`, 'project'],
    ['groups', (size: number) => `groups(parentPath: "of${size}")`, 'group'],
  ])('of the settings of a page of %s is the same for 1 and for 100', async (_what, page, place) => {
    for (const size of [1, 100]) {
      const query = `{ page: ${page(size)} { nodes { notificationSettings { level ${place} { fullPath } effective { source sourceGroup { fullPath } } } } } }`;
      const ask = () => gateway.graphql<{ page: { nodes: object[] } }>(query, { token: tokens[size]! });
      expect(dataOf(await ask()).page.nodes).toHaveLength(size);
      // Token with user; the group; the page; its settings; their places; their effective levels; the sources of these.
      expect(await count(ask)).toBe(7);
    }
  });

  test.each([
    // The token with the prefetch, and then:
    ['reading the global setting', 'query { notificationSettings { level notificationEmail events { event } } }', 1],
    ['reading a group’s', 'query { notificationSettings(group: "of1/g0") { level } }', 1],
    ['reading a project’s', 'query { notificationSettings(project: "of1/g0/p") { level } }', 1],
    [
      'reading one with its effective level and source',
      'query { notificationSettings(project: "of1/g0/p") { effective { level source sourceGroup { fullPath } } } }',
      3,
    ],
    [
      'reading three at once',
      'query { notificationSettings { level } a: notificationSettings(group: "of1") { level } b: notificationSettings(group: "of1/g0") { level } }',
      3,
    ],
    [
      'reading three effective levels at once',
      'query { notificationSettings { ...E } a: notificationSettings(group: "of1") { ...E } b: notificationSettings(group: "of1/g0") { ...E } } fragment E on NotificationSettings { effective { level } }',
      6,
    ],
    [
      'changing one',
      'mutation { updateNotificationSettings(input: { group: "of1/g0", level: WATCH }) { notificationSettings { level } } }',
      2,
    ],
    [
      'changing the address',
      'mutation { updateNotificationSettings(input: { notificationEmail: "size1@example.com" }) { notificationSettings { level } } }',
      3,
    ],
    [
      'changing nothing',
      'mutation { updateNotificationSettings(input: { group: "of1/g0" }) { notificationSettings { level } } }',
      1,
    ],
    [
      'resetting one',
      'mutation { resetNotificationSettings(input: { group: "of1" }) { notificationSettings { level } } }',
      3,
    ],
  ])('of %s is bounded', async (_what, query, expected) => {
    expect(await count(() => gateway.graphql(query, { token: tokens[1]! }))).toBe(expected);
  });

  test.each([
    ['groups', (size: number) => places[size]!.map((group) => ({ group, level: 'WATCH' })), 4],
    ['projects', (size: number) => places[size]!.map((group) => ({ project: `${group}/p`, level: 'GLOBAL' })), 4],
    [
      'places of every kind',
      (size: number) => [
        { level: 'WATCH' },
        ...places[size]!.slice(0, 49).flatMap((group) => [
          { group, level: 'WATCH' },
          { project: `${group}/p`, level: 'GLOBAL' },
        ]),
      ],
      8,
    ],
  ])('of a bulk change of %s is the same for one and for a hundred', async (_what, changes, expected) => {
    const one =
      'mutation ($input: BulkUpdateNotificationSettingsInput!) { bulkUpdateNotificationSettings(input: $input) { notificationSettings { level } } }';
    for (const size of [1, 100]) {
      expect(
        await count(() =>
          gateway.graphql(one, { token: tokens[size]!, variables: { input: { settings: changes(size) } } }),
        ),
      ).toBe(expected);
    }
  });
});
