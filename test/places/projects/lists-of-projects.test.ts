import { beforeAll, describe, expect, test, vi } from 'vitest';
import { dataOf } from '../../support/requests/answers.ts';
import { at, makeShop } from '../../support/places/shop.ts';
import { statementsOf } from '../../support/databases/statements.ts';

/** The lists of projects: all, of a group, of a person. */

const { gateway, make, tokens, api, aProject } = await makeShop();

describe('the list of projects', () => {
  /** @param token null for an anonymous caller */
  const paths = async (query: Record<string, string>, token: string | null = tokens.guest) =>
    (
      (await api('GET', 'projects', token ?? undefined, { query: { per_page: '100', ...query } })).body as {
        path_with_namespace: string;
      }[]
    ).map((project) => project.path_with_namespace);

  beforeAll(async () => {
    await make.group('list', 'PUBLIC');
    await make.group('list/deep');
    await make.member('the-guest', 'GUEST', { group: 'list/deep' });
    await make.project('list/open', 'PUBLIC');
    await make.project('list/inside', 'INTERNAL');
    await make.project('list/secret');
    await make.project('list/deep/below');
    await make.project('list/direct');
    await make.member('the-guest', 'MAINTAINER', { project: 'list/direct' });
    await gateway.sql(
      `update projects set topics = '{red,blue}', description = 'All 100% of_it', star_count = 7 where full_path = 'list/open'`,
    );
  });
  const listed = async (query: Record<string, string>, token?: string | null) =>
    (await paths(query, token)).filter((path) => path.startsWith('list/')).sort();

  test('has all projects that the caller may see, with or without a membership', async () => {
    expect(await listed({}, null)).toEqual(['list/open']);
    expect(await listed({}, tokens.stranger)).toEqual(['list/inside', 'list/open']);
    expect(await listed({})).toEqual(['list/deep/below', 'list/direct', 'list/inside', 'list/open']);
    expect(await listed({}, tokens.root)).toEqual([
      'list/deep/below',
      'list/direct',
      'list/inside',
      'list/open',
      'list/secret',
    ]);
  });

  test.each([
    [{ membership: 'true' }, ['list/deep/below', 'list/direct']],
    [{ min_access_level: '40' }, ['list/direct']],
    [{ owned: 'true' }, []],
    [{ visibility: 'internal' }, ['list/inside']],
    [{ topic: 'red,blue' }, ['list/open']],
    [{ topic: 'red,green' }, []],
    [{ search: 'INSID' }, ['list/inside']],
    [{ search: '100% of_it' }, ['list/open']],
    [{ search: '0%o' }, []],
    [{ search: 'deep' }, []],
    [{ search: 'deep', search_namespaces: 'true' }, ['list/deep/below']],
    // The commands of API::GitForge look for a fork like this, until they find it.
    [{ search: 'list/open' }, ['list/open']],
    [{ search: 'op' }, []],
    [{ search: 'is a INSID' }, ['list/inside']],
    [{ search: 'is a' }, []],
    [{ last_activity_before: '2020-01-01' }, []],
    [{ updated_after: '2020-01-01', order_by: 'updated_at', visibility: 'internal' }, ['list/inside']],
    [{ visibility: '' }, undefined],
  ] as [Record<string, string>, string[] | undefined][])('of %o holds %o', async (query, expected) => {
    if (expected) expect(await listed(query)).toEqual(expected);
    else
      expect(await api('GET', 'projects', tokens.guest, { query })).toMatchObject({
        status: 400,
        body: { error: 'visibility does not have a valid value' },
      });
  });

  test.each([
    { search: 'nothing like it' },
    { search: 'nothing like it', search_namespaces: 'true', order_by: 'similarity' },
    { topic: 'none' },
    { topic_id: '1' },
    { with_programming_language: 'Ruby' },
    { imported: 'true' },
    { active: 'false' },
    { archived: 'true' },
    { archived: 'false', active: 'false' },
    { id_after: '999999' },
    { id_before: '1' },
    { last_activity_after: '2100-01-01' },
    { last_activity_before: '2000-01-01' },
    { updated_after: '2100-01-01', order_by: 'updated_at' },
    { updated_before: '2000-01-01', order_by: 'updated_at' },
    { owned: 'true', visibility: 'public' },
    { membership: 'true', topic: 'red' },
    { starred: 'true' },
    { visibility: 'internal', min_access_level: '50' },
  ] as Record<string, string>[])('is empty for %o, which nothing matches', async (query) => {
    expect(await paths(query)).toEqual([]);
  });

  test.each([
    [{ min_access_level: '60' }, 'min_access_level does not have a valid value'],
    [{ active: 'maybe' }, 'active is invalid'],
    [{ topic_id: 'x' }, 'topic_id is invalid'],
    [{ with_issues_enabled: 'x' }, 'with_issues_enabled is invalid'],
    [{ last_activity_after: 'x' }, 'last_activity_after is invalid'],
    [{ order_by: 'size' }, 'order_by does not have a valid value'],
  ] as [Record<string, string>, string][])('refuses %o', async (query, error) => {
    expect(await api('GET', 'projects', tokens.guest, { query })).toMatchObject({ status: 400, body: { error } });
  });

  test('ignores what it doesn’t know, what is for administrators, and filters that are false', async () => {
    const all = await listed({});
    for (const query of [
      {
        repository_storage: 'x',
        include_pending_delete: 'true',
        'custom_attributes[a]': 'b',
        wiki_checksum_failed: '1',
      },
      {
        owned: 'false',
        membership: 'false',
        imported: 'false',
        with_issues_enabled: 'false',
        with_programming_language: '',
      },
      { active: 'true', with_issues_enabled: 'true', with_merge_requests_enabled: 'true' },
    ] as Record<string, string>[])
      expect(await listed(query)).toEqual(all);
    expect(await listed({ min_access_level: '15' })).toEqual(['list/direct']);
    expect(await listed({ min_access_level: '5' })).toEqual(['list/deep/below', 'list/direct']);
  });

  test('is empty for an administrator who asks for custom attributes, which nothing has', async () => {
    const asRoot = (query: Record<string, string>) => api('GET', 'projects', tokens.root, { query });
    expect((await asRoot({ 'custom_attributes[a]': 'b' })).body).toEqual([]);
    expect((await asRoot({ 'custom_attributes[a]': 'b', archived: 'false' })).headers.get('x-total')).toBe('0');
    expect(await asRoot({ custom_attributes: 'b' })).toMatchObject({
      status: 400,
      body: { error: 'custom_attributes is invalid' },
    });
  });

  test('has those that one imported, and administrators’ those in a storage', async () => {
    const idOf = async (name: string, table = 'projects', column = 'full_path') =>
      (await gateway.sql<{ id: number }>(`select id from ${table} where ${column} = $1`, [name]))[0]!.id;
    // As an import writes them.
    const [origin] = await gateway.sql<{ id: number }>(
      `insert into origins (url) values ('https://else.example') returning id`,
    );
    const records = [
      ['list/open', '\\x00'],
      ['list/inside', '\\x00'],
      // Was there before.
      ['list/direct', null],
    ] as const;
    for (const [path, digest] of records)
      await gateway.sql(
        `insert into imported_records (origin_id, kind, key, local_id, digest) values ($1, 'projects', $2::text, $3, $4::bytea)`,
        [origin!.id, path, await idOf(path), digest],
      );
    const creator = await idOf('the-guest', 'users', 'username');
    await gateway.sql(
      `update projects set creator_id = $1 where full_path in ('list/open', 'list/direct', 'list/deep/below')`,
      [creator],
    );
    expect(await paths({ imported: 'true' })).toEqual(['list/open']);
    expect(await paths({ imported: 'true' }, null)).toEqual([]);
    expect(await paths({ imported: 'true' }, tokens.root)).toEqual([]);
    const search = { search: 'list', search_namespaces: 'true' };
    expect(await paths({ ...search, repository_storage: 'default' }, tokens.root)).toEqual(
      await paths(search, tokens.root),
    );
    expect(await paths({ repository_storage: 'second' }, tokens.root)).toEqual([]);
    await api('PUT', at('list/open'), tokens.root, { json: { repository_storage: 'second' } });
    expect(await paths({ repository_storage: 'second' }, tokens.root)).toEqual(['list/open']);
    await api('PUT', at('list/open'), tokens.root, { json: { repository_storage: null } });
    await gateway.sql('delete from origins');
  });

  test('has those that are being removed, if administrators ask for them', async () => {
    // Again, if the sweep removes it meanwhile.
    await vi.waitFor(async () => {
      await gateway.sql(`delete from projects where full_path = 'list/leaving'`);
      await gateway.sql(
        `insert into projects (namespace_id, creator_id, path, name, full_path, deleting_since)
         select namespace_id, creator_id, 'leaving', 'leaving', 'list/leaving', now() from projects where full_path = 'list/open'`,
      );
      expect(await paths({ include_pending_delete: 'true' }, tokens.root)).toContain('list/leaving');
    });
    for (const [query, by] of [
      [{ include_pending_delete: 'false' }, tokens.root],
      [{}, tokens.root],
      [{ include_pending_delete: 'true' }, tokens.owner],
    ] as [Record<string, string>, string][])
      expect(await paths(query, by)).not.toContain('list/leaving');
    await gateway.sql(`delete from projects where full_path = 'list/leaving'`);
  });

  test('is ordered by similarity with a search, and otherwise by creation', async () => {
    await make.project('list/alike-more', 'PUBLIC');
    await make.project('list/not-alike', 'PUBLIC');
    await make.project('list/alike', 'PUBLIC');
    const query = { search: 'alike', order_by: 'similarity' };
    expect(await paths(query)).toEqual(['list/alike', 'list/alike-more', 'list/not-alike']);
    expect(await paths({ ...query, sort: 'asc' })).toEqual(['list/not-alike', 'list/alike-more', 'list/alike']);
    expect(await paths({ order_by: 'similarity' })).toEqual(await paths({}));
    await gateway.sql(`delete from projects where full_path like 'list/%alike%'`);
  });

  test('of a group has filters of its own, and the projects above and below it', async () => {
    const inGroup = async (query: Record<string, string>) =>
      (
        (await api('GET', 'groups/list%2Fdeep/projects', tokens.root, { query })).body as {
          path_with_namespace: string;
        }[]
      )
        .map((project) => project.path_with_namespace)
        .sort();
    expect(await inGroup({})).toEqual(['list/deep/below']);
    expect(await inGroup({ id_after: '999999', membership: 'true' })).toEqual(['list/deep/below']);
    expect(await inGroup({ search: 'nothing like it' })).toEqual([]);
    expect(await inGroup({ include_ancestor_groups: 'true', include_subgroups: 'true' })).toEqual([
      'list/deep/below',
      'list/direct',
      'list/inside',
      'list/open',
      'list/secret',
    ]);
  });

  test('to which a person contributed has those in which they did something in the last year', async () => {
    const contributor = await make.user('the-contributor');
    await make.member('the-contributor', 'DEVELOPER', { group: 'shop' });
    const [open, second, secret, old] = [
      await aProject('PUBLIC'),
      await aProject('PUBLIC'),
      await aProject(),
      await aProject('PUBLIC'),
    ];
    for (const path of [open, secret, old, second, open])
      await api('POST', at(path, '/issues'), contributor, { json: { title: 'Something' } });
    await gateway.sql(
      `update events set at = now() - interval '367 days' where project_id = (select id from projects where full_path = $1)`,
      [old],
    );
    const contributed = async (token: string | undefined, query: Record<string, string> = {}) =>
      (
        (await api('GET', 'users/the-contributor/contributed_projects', token, { query })).body as {
          path_with_namespace: string;
        }[]
      ).map((project) => project.path_with_namespace);
    expect(await contributed(tokens.guest)).toEqual([secret, second, open]);
    expect(await contributed(undefined, { order_by: 'path', sort: 'asc' })).toEqual([open, second].toSorted());
    expect(await contributed(tokens.stranger, { per_page: '1', page: '2', simple: 'true' })).toEqual([open]);
    const overGraphql = async (token: string) =>
      dataOf(
        await gateway.graphql<{ users: { nodes: { contributedProjects: { nodes: { fullPath: string }[] } }[] } }>(
          `{ users(usernames: ["the-contributor"]) { nodes { contributedProjects { nodes { fullPath } } } } }`,
          { token },
        ),
      ).users.nodes.map((user) => user.contributedProjects.nodes.map(({ fullPath }) => fullPath));
    expect(await overGraphql(tokens.guest)).toEqual([[secret, second, open]]);

    await gateway.sql(`update users set private_profile = true where username = 'the-contributor'`);
    expect([await contributed(tokens.guest), await overGraphql(tokens.guest)]).toEqual([[], [[]]]);
    expect([await contributed(contributor), await contributed(tokens.root)]).toEqual([
      [secret, second, open],
      [secret, second, open],
    ]);
    await gateway.sql(`update users set private_profile = false where username = 'the-contributor'`);
    expect(await contributed(tokens.stranger)).toEqual([second, open]);
    expect(await api('GET', 'users/nobody/contributed_projects', tokens.owner)).toMatchObject({
      status: 404,
      body: { message: '404 User Not Found' },
    });
  });

  test('of owned and starred projects is empty for anonymous callers', async () => {
    for (const name of ['owned', 'membership']) expect(await paths({ [name]: 'true' }, null)).toEqual([]);
    expect(await paths({ min_access_level: '10' }, null)).toEqual([]);
    expect(await paths({ starred: 'true' }, null)).toContain('list/open');
  });

  test('has the requested order, and the newest first by default', async () => {
    expect((await paths({ search: 'list', search_namespaces: 'true' }))[0]).toBe('list/direct');
    expect((await paths({ order_by: 'star_count', search: 'list', search_namespaces: 'true' }))[0]).toBe('list/open');
    const names = (await paths({ order_by: 'path', sort: 'asc', search: 'list', search_namespaces: 'true' })).map(
      (path) => path.split('/').at(-1)!,
    );
    expect(names).toEqual(names.toSorted());
  });

  test('filtered by time of change is refused with another order', async () => {
    expect(await api('GET', 'projects', tokens.guest, { query: { updated_after: '2020-01-01' } })).toMatchObject({
      status: 400,
      body: { message: '400 Bad request - `updated_at` filter and `updated_at` sorting must be paired' },
    });
  });

  test('of a person has the projects in their personal namespace that the caller may see', async () => {
    await api('POST', 'projects', tokens.maintainer, { json: { name: 'own-public', visibility: 'public' } });
    await api('POST', 'projects', tokens.maintainer, { json: { name: 'own-private' } });
    const names = async (token: string | undefined, user = 'The-Maintainer') =>
      ((await api('GET', `users/${user}/projects`, token)).body as { name: string }[]).map(({ name }) => name);
    expect(await names(undefined)).toEqual(['own-public']);
    expect((await names(tokens.maintainer)).sort()).toEqual(['own-private', 'own-public']);
    expect(await api('GET', 'users/nobody/projects', tokens.maintainer)).toMatchObject({
      status: 404,
      body: { message: '404 User Not Found' },
    });
  });

  test('loses at once projects whose membership ended, and those deleted with their group', async () => {
    await make.group('brief');
    await make.project('brief/one');
    await make.member('the-stranger', 'GUEST', { group: 'brief' });
    expect(await paths({}, tokens.stranger)).toContain('brief/one');
    await gateway.sql(
      `update group_members set expires_at = (now() at time zone 'utc')::date where group_id = (select id from namespaces where full_path = 'brief')`,
    );
    expect(await paths({}, tokens.stranger)).not.toContain('brief/one');
    expect(await paths({}, tokens.root)).toContain('brief/one');
    await gateway.sql(`update namespaces set deleting_since = now() where full_path = 'brief'`);
    expect(await paths({}, tokens.root)).not.toContain('brief/one');
    for (const one of [at('brief/one'), 'groups/brief/notification_settings'])
      expect((await api('GET', one, tokens.root)).status).toBe(404);
  });

  test('needs the same number of statements at any length', async () => {
    const count = async (query: Record<string, string>) =>
      (await statementsOf(() => api('GET', 'projects', tokens.owner, { query }))).length;
    expect(await count({ per_page: '1' })).toBeGreaterThan(1);
    // Credential, page with total; then owners, sources, and their visibility.
    expect(await count({ per_page: '100' })).toBeLessThanOrEqual(5);
    expect((await statementsOf(() => api('GET', 'projects/1/starrers', tokens.owner))).length).toBeLessThanOrEqual(3);
  });
});
