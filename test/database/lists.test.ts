import LinkHeader from 'http-link-header';
import { beforeAll, describe, expect, test } from 'vitest';
import { contractFiles } from '../../src/contract.ts';
import { pageHeaders } from '../../src/rest/engine/pages.ts';
import { routes } from '../../src/rest/routes.ts';
import { dataOf, refusal } from '../support/requests/answers.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { workspace } from '../support/places/workspace.ts';

/** What all lists have in common: pages and their links, over REST and GraphQL. */

let gateway: TestGateway;
let token: string;
let lister: number;
const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];
/** The thread of the one record of each kind. */
const threads: Readonly<Record<string, string>> = {
  issues: 'a1'.repeat(20),
  snippets: 'b2'.repeat(20),
  merge_requests: 'c3'.repeat(20),
  commits: 'd4'.repeat(20),
};
beforeAll(async () => {
  gateway = await testGateway();
  const make = workspace(gateway);
  token = await make.user('lister');
  // Epics are for people on the higher tier.
  await gateway.sql(`update users set tier = 'PREMIUM' where username = 'root'`);
  lister = (await gateway.rest('GET', '/api/v4/user', { token })).body.id;
  await make.group('listed');
  await make.member('lister', 'MAINTAINER', { group: 'listed' });
  for (const name of names) await make.project(`listed/${name}`);
  // For lists inside records of a project or a group.
  const inAlpha = `from projects where full_path = 'listed/alpha'`;
  await gateway.sql(`insert into issues (project_id, iid, title, author_id) select id, 1, 'One', ${lister} ${inAlpha}`);
  await gateway.sql(
    `insert into merge_requests (project_id, source_project_id, iid, title, author_id, source_branch, target_branch)
       select id, id, 1, 'One', ${lister}, 'a', 'main' ${inAlpha}`,
  );
  await gateway.sql(`insert into milestones (id, project_id, iid, title) select 1, id, 1, 'One' ${inAlpha}`);
  await gateway.sql(
    `insert into snippets (id, project_id, title, author_id, visibility) select 1, id, 'One', ${lister}, 'PUBLIC' ${inAlpha}`,
  );
  for (const [id, column, record, thread] of [
    [1, 'issue_id', '(select id from issues i where i.project_id = projects.id)', threads.issues],
    [2, 'snippet_id', '1', threads.snippets],
    [
      3,
      'merge_request_id',
      '(select id from merge_requests m where m.project_id = projects.id)',
      threads.merge_requests,
    ],
  ])
    await gateway.sql(
      `insert into notes (id, ${column}, project_id, discussion_id, type, author_id, body)
         select ${id}, ${record}, id, decode('${thread}', 'hex'), 'DISCUSSION', ${lister}, 'A remark.' ${inAlpha}`,
    );
  await gateway.sql(
    `insert into milestones (id, group_id, iid, title) select 2, id, 1, 'Two' from namespaces where full_path = 'listed'`,
  );
  const { body: commit } = await gateway.rest('POST', '/api/v4/projects/listed%2Falpha/repository/commits', {
    token: gateway.tokens.root,
    json: {
      branch: 'main',
      commit_message: 'One',
      actions: [{ action: 'create', file_path: 'a.txt', content: 'a\n' }],
    },
  });
  await gateway.sql(
    `insert into commit_comments (project_id, sha, title, author_id, note, discussion_id)
       select id, $1, 'One', ${lister}, 'A remark.', decode('${threads.commits}', 'hex') ${inAlpha}`,
    [commit.id],
  );
  await gateway.sql(
    `insert into pipelines (id, project_id, iid, ref, sha, source) select 1, id, 1, 'main', repeat('a', 40), 'api' ${inAlpha}`,
  );
  await gateway.sql(
    `insert into pipeline_schedules (id, project_id, description, ref, cron) select 1, id, 'One', 'main', '0 3 * * *' ${inAlpha}`,
  );
  await gateway.rest('POST', '/api/v4/user/runners', {
    token: gateway.tokens.root,
    json: { runner_type: 'instance_type' },
  });
  await gateway.sql(
    `with place as (
       insert into environments (project_id, name, slug, tier) select id, 'one', 'one', 'other' ${inAlpha} returning id, project_id
     ) insert into deployments (id, project_id, environment_id, iid, ref, tag, sha)
       select 1, project_id, id, 1, 'main', false, repeat('a', 40) from place`,
  );
});

const lists = routes.filter(({ connection }) => connection);
const list = (query: Record<string, string>) => gateway.rest('GET', '/api/v4/projects', { token, query });
const mine = { membership: 'true', order_by: 'id', sort: 'asc' };
const pathsOf = (body: { path: string }[]) => body.map(({ path }) => path);
const links = (headers: Headers) =>
  LinkHeader.parse(headers.get('link') ?? '').refs.map(({ rel, uri }) => ({ rel, uri: new URL(uri) }));
const pageNames = ['x-page', 'x-per-page', 'x-next-page', 'x-prev-page', 'x-total', 'x-total-pages'];
const pageOf = (headers: Headers) => pageNames.map((name) => headers.get(name));

describe('every list', () => {
  /** An existing value for each parameter of a path. */
  const address = (path: string) =>
    path
      .replace('/projects/:id', '/projects/listed%2Falpha')
      .replace('/groups/:id', '/groups/listed')
      .replace('/listed/milestones/:milestone_id', '/listed/milestones/2')
      .replace('/users/:id/emails', `/users/${lister}/emails`)
      .replace('/users/:id/memberships', `/users/${lister}/memberships`)
      .replace('/users/:id', '/users/lister')
      .replace('/snippets/:snippet_id/notes/:note_id', '/snippets/1/notes/2')
      .replace('/merge_requests/:merge_request_iid/notes/:note_id', '/merge_requests/1/notes/3')
      .replace(
        /(issues|merge_requests|snippets)\/:\w+\/discussions\/:discussion_id/,
        (_all, of: string) => `${of}/1/discussions/${threads[of]}`,
      )
      .replace('/:sha/discussions/:discussion_id', `/main/discussions/${threads.commits}`)
      .replace(/:(sha|branch|name|tag_name)\b/, 'main')
      .replaceAll(/:\w+/g, '1');

  test.each(lists.map((route) => [route.path, route] as const))('%s links from page to page', async (path, route) => {
    const { status, headers, body } = await gateway.rest('GET', address(path), {
      token: gateway.tokens.root,
      query: {
        per_page: '1',
        ...(path.endsWith('/search') && { search: 'listed', scope: 'users' }),
        ...(path.endsWith('/notification_recipients') && { event: 'moved_project' }),
      },
    });
    expect({ status, isArray: Array.isArray(body) }).toEqual({ status: 200, isArray: true });
    expect(pageOf(headers).slice(0, 2)).toEqual(['1', '1']);
    // The last two are totals.
    const named = route.uncounted ? pageOf(headers).slice(0, 4) : pageOf(headers);
    expect(named).not.toContain(null);
    const wanted = route.uncounted ? ['first'] : ['first', 'last'];
    expect(links(headers).map(({ rel }) => rel)).toEqual(expect.arrayContaining(wanted));
  });

  test('is declared a list in the reference, which has no other arrays', () => {
    const { paths } = JSON.parse(contractFiles('0')['openapi.json']!) as {
      paths: Record<
        string,
        Record<
          string,
          {
            responses: Record<
              string,
              { headers?: object; content?: { 'application/json'?: { schema: { type?: string } } } }
            >;
          }
        >
      >;
    };
    const arrays = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ responses }) =>
        Object.values(responses).flatMap(({ headers, content }) =>
          content?.['application/json']?.schema.type === 'array' ? [{ path, headers: Object.keys(headers ?? {}) }] : [],
        ),
      ),
    );
    expect(arrays.map(({ path }) => path).sort()).toEqual(
      lists.map(({ path }) => path.replace(/:(\w+)/g, '{$1}')).sort(),
    );
    for (const { headers } of arrays) expect(headers).toEqual(expect.arrayContaining(['Link', 'X-Total']));
  });
});

describe('offset pagination', () => {
  test('has headers for its position and its neighbours', async () => {
    const { headers, body } = await list({ ...mine, per_page: '2', page: '2' });
    expect(pathsOf(body)).toEqual(['gamma', 'delta']);
    expect(pageOf(headers)).toEqual(['2', '2', '3', '1', '5', '3']);
    expect(links(headers).map(({ rel, uri }) => [rel, uri.searchParams.get('page')])).toEqual([
      ['prev', '1'],
      ['next', '3'],
      ['first', '1'],
      ['last', '3'],
    ]);
  });

  test('links absolute addresses with all parameters, sorted by name, and no secret', async () => {
    const { headers } = await gateway.rest('GET', '/api/v4/projects', {
      query: { ...mine, per_page: '2', private_token: token, foo: 'bar' },
    });
    const { uri } = links(headers).find(({ rel }) => rel === 'next')!;
    expect(uri.origin + uri.pathname).toBe(`${gateway.url}/api/v4/projects`);
    const given = [...uri.searchParams.keys()];
    expect(given).toEqual(given.toSorted());
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      membership: 'true',
      order_by: 'id',
      owned: 'false',
      page: '2',
      per_page: '2',
      simple: 'false',
      sort: 'asc',
      starred: 'false',
      statistics: 'false',
    });
    const next = await gateway.rest('GET', uri.pathname + uri.search, { token });
    expect(pathsOf(next.body)).toEqual(['gamma', 'delta']);
  });

  test('has no next page at the end, and no neighbours beyond it', async () => {
    const last = await list({ ...mine, per_page: '2', page: '3' });
    expect(pageOf(last.headers)).toEqual(['3', '2', '', '2', '5', '3']);
    const beyond = await list({ ...mine, per_page: '2', page: '4' });
    expect(beyond.body).toEqual([]);
    expect(pageOf(beyond.headers)).toEqual(['4', '2', '', '', '5', '3']);
    expect(links(beyond.headers).map(({ rel }) => rel)).toEqual(['first', 'last']);
  });

  test('has one page for an empty list', async () => {
    const { headers, body } = await list({ search: 'nothing like it' });
    expect(body).toEqual([]);
    expect(pageOf(headers)).toEqual(['1', '20', '', '', '0', '1']);
    expect(links(headers).map(({ rel, uri }) => [rel, uri.searchParams.get('page')])).toEqual([
      ['first', '1'],
      ['last', '1'],
    ]);
  });

  test.each([
    [{ per_page: '1000' }, '100', '1'],
    [{ per_page: '-1', page: '0' }, '20', '1'],
    [{ page: '-7' }, '20', '1'],
    [{ page: '', per_page: '' }, '20', '1'],
  ])('of %o has %s records and is page %s', async (query, size, number) => {
    const { headers } = await list(query);
    expect([headers.get('x-per-page'), headers.get('x-page')]).toEqual([size, number]);
  });

  test.each([
    [{ per_page: '0' }, 'per_page has a value not allowed'],
    [{ per_page: 'x', page: 'y' }, 'page is invalid, per_page is invalid'],
    [{ order_by: 'size', sort: 'up' }, 'order_by does not have a valid value, sort does not have a valid value'],
  ])('of %o is refused: %s', async (query, error) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { error } });
  });

  test('ends at 50,000 records, except with keyset pagination where there is one', async () => {
    expect((await list({ page: '501', per_page: '100' })).status).toBe(200);
    expect(await list({ page: '502', per_page: '100' })).toMatchObject({
      status: 405,
      body: {
        error:
          'Offset pagination has a maximum allowed offset of 50000 for requests that return objects of type Project. Remaining records can be retrieved using keyset pagination.',
      },
    });
  });

  test('of more than 10,000 records has no total', () => {
    const connection = (hasNextPage: boolean, nodes: unknown[] = [{}]) => ({
      nodes,
      pageInfo: { hasNextPage },
      count: 10_001,
    });
    const first = pageHeaders('http://x/list', {}, connection(true));
    expect(Object.keys(first)).not.toEqual(expect.arrayContaining(['x-total']));
    expect(first).toMatchObject({
      'x-next-page': 2,
      'x-prev-page': '',
      link: '<http://x/list?page=2&per_page=20>; rel="next", <http://x/list?page=1&per_page=20>; rel="first"',
    });
    expect(pageHeaders('http://x/list', { page: 700 }, connection(false, []))).toMatchObject({
      'x-next-page': '',
      'x-prev-page': '',
    });
  });

  test('answers 304 to its tag, but never to a viewer who sees something else', async () => {
    const first = await list(mine);
    const again = await gateway.rest('GET', '/api/v4/projects', {
      token,
      query: mine,
      headers: { 'if-none-match': first.headers.get('etag')! },
    });
    expect([again.status, again.text, again.headers.get('x-total')]).toEqual([304, '', '5']);
  });
});

describe('keyset pagination', () => {
  test.each(['asc', 'desc'])('leads on to the next one only, to the end, %sending', async (sort) => {
    const seen: string[] = [];
    let query: Record<string, string> | undefined = {
      membership: 'true',
      pagination: 'keyset',
      order_by: 'id',
      per_page: '2',
      sort,
    };
    let pages = 0;
    while (query) {
      const { headers, body } = await list(query);
      seen.push(...pathsOf(body));
      expect(pageOf(headers)).toEqual(pageNames.map(() => null));
      const [next, ...others] = links(headers);
      expect(others).toEqual([]);
      if (next)
        expect([
          next.rel,
          next.uri.searchParams.has(sort === 'asc' ? 'id_after' : 'id_before'),
          next.uri.searchParams.has('page'),
        ]).toEqual(['next', true, false]);
      query = next && Object.fromEntries(next.uri.searchParams);
      pages++;
    }
    expect(seen).toEqual(sort === 'asc' ? names : names.toReversed());
    expect(pages).toBe(3);
  });

  test.each(['/users', '/groups', '/projects/listed%2Falpha/issues', '/projects/listed%2Falpha/jobs'])(
    'goes by a cursor through %s, and back',
    async (path) => {
      const inAlpha = `from projects, generate_series(2, 4) number where full_path = 'listed/alpha'`;
      if (path.endsWith('/issues'))
        await gateway.sql(
          `insert into issues (project_id, iid, title, author_id) select id, number, 'One', ${lister} ${inAlpha}`,
        );
      if (path.endsWith('/jobs'))
        await gateway.sql(
          `insert into ci_jobs (kind, pipeline_id, project_id, name, stage, stage_index, ref, sha)
             select 'job', 1, id, 'job ' || number, 'test', 0, 'main', repeat('a', 40) ${inAlpha}`,
        );
      const page = (query: Record<string, string>) =>
        gateway.rest('GET', `/api/v4${path}`, { token: gateway.tokens.root, query });
      const idsOf = ({ body }: { body: { id: number }[] }) => body.map(({ id }) => id);
      const all = idsOf(await page({ per_page: '100' }));
      expect(all.length).toBeGreaterThan(2);

      const first = { pagination: 'keyset', per_page: '2' };
      const seen: number[] = [];
      let last = await page(first);
      for (let pages = 0; pages < all.length; pages++) {
        seen.push(...idsOf(last));
        const [next, ...others] = links(last.headers);
        expect(others).toEqual([]);
        expect(next?.uri.searchParams.get('cursor') ?? null).toBe(last.headers.get('x-next-cursor'));
        if (!next) break;
        last = await page(Object.fromEntries(next.uri.searchParams));
      }
      expect(seen).toEqual(all);

      const before = await page({ ...first, cursor: last.headers.get('x-prev-cursor')! });
      const end = all.length - last.body.length;
      expect(idsOf(before)).toEqual(all.slice(end - 2, end));
      for (const cursor of ['x', '~x', '~']) expect((await page({ ...first, cursor })).status).toBe(400);
    },
  );

  test('is refused for an order without keys', async () => {
    expect(await list({ pagination: 'keyset', order_by: 'name' })).toMatchObject({
      status: 405,
      body: { error: 'Keyset pagination is not yet available for this type of request' },
    });
  });
});

describe('a connection', () => {
  interface Page {
    nodes: { path: string }[];
    edges: { cursor: string }[];
    pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string; startCursor: string };
    count: number;
  }
  const ask = (args: string) =>
    gateway.graphql<{ projects: Page }>(
      `{ projects(membership: true${args}) { count nodes { path } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
      { token },
    );
  const read = async (args: string) => dataOf(await ask(args)).projects;

  test.each(['name', 'path', 'created', 'updated', 'latest_activity', 'stars', 'id'])(
    'continues after the last page, forwards and backwards, by %s',
    async (order) => {
      const all = await read(`, sort: "${order}_asc"`);
      expect(all.count).toBe(5);
      const paths = all.nodes.map(({ path }) => path);
      const forwards = await read(`, sort: "${order}_asc", first: 2, after: "${all.edges[1]!.cursor}"`);
      expect(forwards.nodes.map(({ path }) => path)).toEqual(paths.slice(2, 4));
      expect(forwards.pageInfo).toMatchObject({ hasNextPage: true });
      const backwards = await read(`, sort: "${order}_asc", last: 2, before: "${all.edges[3]!.cursor}"`);
      expect(backwards.nodes.map(({ path }) => path)).toEqual(paths.slice(1, 3));
      const other = await read(`, sort: "${order}_desc"`);
      expect(other.nodes.map(({ path }) => path)).toEqual(paths.toReversed());
    },
  );

  test('neither repeats nor skips existing rows when others are added', async () => {
    const first = await read(', sort: "name_asc", first: 2');
    await workspace(gateway).project('listed/aardvark');
    const second = await read(`, sort: "name_asc", first: 2, after: "${first.pageInfo.endCursor}"`);
    expect([...first.nodes, ...second.nodes].map(({ path }) => path)).toEqual(['alpha', 'beta', 'delta', 'epsilon']);
    await gateway.sql(`delete from projects where path = 'aardvark'`);
  });

  test('returns at most 100 at once', async () => {
    expect((await read(', first: 1000')).nodes).toHaveLength(5);
  });

  const cursor = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  test.each([
    [', first: 1, last: 1', 'Ask for the first or for the last ones, not for both.'],
    [', first: -1', 'A page can’t be smaller than nothing.'],
    [', offset: -1', 'An offset is from 0 to 50000.'],
    [', offset: 50001', 'An offset is from 0 to 50000.'],
    [', after: "foo"', 'A cursor is one that a page gave you, in the same order.'],
    [`, after: "${cursor('name desc', 'x', 1)}"`, 'A cursor is one that a page gave you, in the same order.'],
    [
      `, after: "${cursor('created desc', 'yesterday', 1)}"`,
      'A cursor is one that a page gave you, in the same order.',
    ],
    [`, after: "${cursor('created desc', '1', 9e99)}"`, 'A cursor is one that a page gave you, in the same order.'],
    [
      `, sort: "name_desc", after: "${cursor('name desc', '\0', 1)}"`,
      'A cursor is one that a page gave you, in the same order.',
    ],
    [`, offset: 1, after: "${cursor('created desc', '1', 1)}"`, 'Ask for an offset or for a cursor, not for both.'],
  ])('refuses %s', async (args, message) => {
    expect(refusal(await ask(args))).toMatchObject({ code: 'BAD_REQUEST', message });
  });

  test.each(['NAME', 'PATH', 'CREATED_AT', 'UPDATED_AT', 'LAST_ACTIVITY_AT', 'STAR_COUNT', 'ID'])(
    'takes the deprecated order %s',
    async (order) => {
      const paths = async (args: string) => (await read(args)).nodes.map(({ path }) => path);
      const name = {
        CREATED_AT: 'created',
        UPDATED_AT: 'updated',
        LAST_ACTIVITY_AT: 'latest_activity',
        STAR_COUNT: 'stars',
      }[order];
      expect(await paths(`, orderBy: ${order}, direction: ASC`)).toEqual(
        await paths(`, sort: "${name ?? order.toLowerCase()}_asc"`),
      );
    },
  );

  test('takes a direction without an order, also where `sort` is null', async () => {
    const paths = async (args: string) => (await read(args)).nodes.map(({ path }) => path);
    const oldestFirst = await paths(', sort: "created_asc"');
    expect(await paths(', direction: ASC')).toEqual(oldestFirst);
    expect(await paths(', sort: null, direction: ASC')).toEqual(oldestFirst);
    expect(await paths(', sort: null')).toEqual(oldestFirst.toReversed());
  });

  test('treats a cursor beyond the end as the end of the list', async () => {
    expect((await read(`, after: "${cursor('created desc', '-99999999999999', 1)}"`)).nodes).toEqual([]);
  });
});
