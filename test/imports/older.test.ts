import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { OriginClient } from '../../src/import/client.ts';
import { olderInstance } from './support/older.ts';
import { emptyTarget } from './support/target.ts';

/** Importing from an older instance, whose records lack members and have others, and that answers badly. */

const older = await olderInstance();
const target = await emptyTarget();

const person = (id: number, username: string, more: object = {}) => ({
  id,
  username,
  name: username,
  state: 'active',
  email: `${username}@example.com`,
  ...more,
});

const take = (options = {}) => target.take(older, options);
const here = async (path: string) =>
  (await target.rest('GET', `/api/v4${path}`, { token: target.token })).body as Record<string, unknown>;

beforeEach(() => {
  older.interferes = () => false;
  older.asked.length = 0;
});

test('what an older instance gives is taken, and what it doesn’t give is told', async () => {
  older.answers.set('/users', [
    person(1, 'root', { is_admin: true }),
    person(11, 'ada', {
      confirmed_at: '2019-05-01T10:00:00Z',
      created_at: '2019-05-01T09:00:00Z',
      unheard_of: [1],
      identities: [{ provider: 'saml', extern_uid: 'one' }],
    }),
    person(12, 'bob', {
      state: 'ldap_blocked',
      bio: 'x'.repeat(3_000),
      theme_id: 99,
      projects_limit: 'many',
      commit_email: 'root@example.com',
      identities: [
        { provider: 'ldap', extern_uid: 'x'.repeat(300) },
        { provider: 'saml', extern_uid: 'ONE' },
      ],
    }),
    { id: 13 },
    person(14, 'ghost'),
    person(15, 'cyd', { name: '   ', email: null }),
    person(16, 'admin'),
    person(17, 'eve', { email: 'ADA@example.com' }),
    person(18, 'ada\u202e'),
  ]);
  older.answers.set('/groups', [
    { id: 5, path: 'fleet', full_path: 'fleet', name: 'Fleet', visibility: 'private' },
    { id: 6, path: 'tugs', full_path: 'fleet/tugs', name: 'Tugs', visibility: 'public', parent_id: 5 },
    { id: 7, path: 'lost', full_path: 'nowhere/lost', name: 'Lost', visibility: 'secret', parent_id: 404 },
  ]);
  older.answers.set('/groups/5', {
    id: 5,
    path: 'fleet',
    full_path: 'fleet',
    name: 'Fleet',
    visibility: 'private',
    shared_with_groups: [{ group_id: 6, group_access_level: 35 }],
  });
  older.answers.set('/groups/5/members', [
    { id: 11, access_level: 50 },
    { id: 12, access_level: 5 },
    { id: 99, access_level: 30 },
  ]);
  older.answers.set('/projects', [
    {
      id: 21,
      path: 'harbour',
      path_with_namespace: 'fleet/tugs/harbour',
      name: 'Harbour',
      namespace: { id: 6, kind: 'group' },
      visibility: 'public',
      tag_list: ['sea'],
      default_branch: 'main',
    },
    { id: 22, path: 'own', path_with_namespace: 'ada/own', namespace: { id: 3, kind: 'user' }, owner: { id: 11 } },
    { id: 23, path: 'x/../../y', path_with_namespace: 'fleet/x', namespace: { id: 5, kind: 'group' } },
  ]);
  const report = (await take()).toJSON();
  expect(report.counts).toMatchObject({
    people: { created: 2, refused: 4 },
    groups: { created: 2, refused: 1 },
    projects: { created: 2, refused: 1 },
  });
  expect(await here('/users/11')).toMatchObject({
    username: 'ada',
    confirmed_at: '2019-05-01T10:00:00.000Z',
    identities: [{ provider: 'saml', extern_uid: 'one' }],
  });
  expect(await here('/users/12')).toMatchObject({
    state: 'blocked',
    bio: '',
    projects_limit: 100_000,
    commit_email: 'bob@example.com',
    identities: [],
  });
  expect(await here('/groups/6')).toMatchObject({ full_path: 'fleet/tugs', visibility: 'private' });
  expect(await here('/projects/21')).toMatchObject({ visibility: 'private', topics: ['sea'] });
  expect(await here('/projects/21/protected_branches')).toMatchObject([{ name: 'main', allow_force_push: false }]);
  expect(await here('/projects/22')).toMatchObject({ path_with_namespace: 'ada/own', visibility: 'private' });
  expect(await here('/groups/5/members')).toMatchObject([{ username: 'ada', access_level: 50 }]);

  const told = report.differences.map(({ kind, name, text }) => `${kind} ${name}: ${text}`);
  for (const text of [
    'people bob: bio isn’t valid here: it has its default.',
    'people bob: An identity isn’t valid here: it is left out.',
    'people bob: Someone else here has 1 of its identities.',
    "people cyd: email can't be blank",
    'people admin: username is a reserved name',
    'people eve: ada@example.com is the address of ada here. If they are the same person, say so with --same eve=ada.',
    'groups fleet/tugs: It is private, as what contains it, instead of public.',
    'groups nowhere/lost: The group that contains it wasn’t imported.',
    'members fleet: 1 members weren’t imported.',
    'members fleet: 1 members have a role that doesn’t exist here: they get none.',
  ])
    expect(told).toContain(text);
  expect(told.join('\n')).toContain('path can contain only letters');
  expect(report.missing).toContainEqual({ what: 'SSH keys of people', status: 404, times: expect.any(Number) });

  for (const counts of Object.values((await take()).counts)) expect(counts).toMatchObject({ created: 0, updated: 0 });
});

test('a record that changed there is changed here; one that was removed here stays removed', async () => {
  await target.rest('DELETE', '/api/v4/projects/22', { token: target.token });
  older.answers.set('/users', [
    person(1, 'root'),
    person(11, 'ada', { name: 'Ada L.', is_admin: true, confirmed_at: '2019-05-01T10:00:00Z' }),
  ]);
  older.answers.set('/groups/5/members', [{ id: 11, access_level: 40, expires_at: '2999-01-31' }]);
  const projects = older.answers.get('/projects') as object[];
  older.answers.set('/projects', [
    { ...projects[0], archived: true },
    { ...projects[1], name: 'Other' },
  ]);
  // What people ask for ends once they are imported as members.
  await target.sql('insert into access_requests (user_id, group_id) values (11, 5), (12, 5)');
  await target.sql(
    `insert into todos (user_id, author_id, group_id, action) values (1, 11, 5, 'MEMBER_ACCESS_REQUESTED'), (1, 12, 5, 'MEMBER_ACCESS_REQUESTED')`,
  );
  const report = (await take()).toJSON();
  expect(report.counts).toMatchObject({
    people: { created: 0, updated: 1 },
    projects: { updated: 1, refused: 1 },
    members: { updated: 1 },
  });
  expect(report.differences).toContainEqual({
    kind: 'projects',
    key: '22',
    name: 'ada/own',
    text: 'It was removed here.',
  });
  expect(await here('/users/11')).toMatchObject({ name: 'Ada L.', is_admin: true });
  expect(await here('/projects/21')).toMatchObject({ archived: true });
  expect(await here('/groups/5/members')).toMatchObject([{ access_level: 40, expires_at: '2999-01-31' }]);
  expect(await here('/groups/5/access_requests')).toMatchObject([{ username: 'bob' }]);
  expect(await target.sql('select author_id, state from todos order by author_id')).toEqual([
    { author_id: 11, state: 'DONE' },
    { author_id: 12, state: 'PENDING' },
  ]);
});

test('requests for access come with their times; what ended there or here stays ended', async () => {
  await target.sql('delete from access_requests');
  const listed = async (...people: readonly [id: number, requested_at: string][]) => {
    older.answers.set(
      '/groups/5/access_requests',
      people.map(([id, requested_at]) => ({ id, username: `u${id}`, requested_at })),
    );
    const { counts, differences } = (await take()).toJSON();
    const texts = differences.flatMap((one) => (one.kind === 'accessRequests' ? [one.text] : []));
    return { outcome: counts.accessRequests, texts, here: await here('/groups/5/access_requests') };
  };
  const [first, second] = ['2020-02-02T02:02:02.000Z', '2021-03-03T03:03:03.000Z'];
  const bob = (requested_at: string) => ({ id: 12, username: 'bob', requested_at });
  // A member, and a person who isn't here.
  expect(await listed([11, first], [12, first], [99, first])).toMatchObject({
    texts: ['1 people who ask weren’t imported.'],
    here: [bob(first)],
  });
  await target.sql('delete from access_requests');
  expect(await listed([12, first])).toMatchObject({ outcome: { updated: 1 }, here: [] });
  expect(await listed([12, second])).toMatchObject({ here: [bob(second)] });
  expect(await listed([12, second])).toMatchObject({ outcome: { updated: 0 }, here: [bob(second)] });
  expect(await listed()).toMatchObject({ here: [] });
  // One that was made here.
  await target.sql('insert into access_requests (user_id, group_id) values (12, 5)');
  expect((await listed([11, first])).here).toMatchObject([{ id: 12 }]);
  expect(await target.sql(`select from todos where action = 'MEMBER_ACCESS_REQUESTED' and state = 'PENDING'`)).toEqual(
    [],
  );
  expect(await target.sql('select from notifications')).toEqual([]);
});

test('what is taken already gets another name, and the report says so', async () => {
  await target.rest('POST', '/api/v4/groups', { token: target.token, json: { name: 'Port', path: 'port' } });
  const [{ id: taken }] = (await here('/groups?search=port')) as unknown as [{ id: number }];
  older.answers.set('/users', [person(1, 'root')]);
  older.answers.set('/projects', []);
  older.answers.set('/groups', [{ id: taken, path: 'port', full_path: 'port', name: 'Port' }]);
  const report = (await take()).toJSON();
  const told = report.differences.map(({ text }) => text);
  expect(told).toContain('The path port is taken: imported as port1.');
  expect(told.some((text) => text.startsWith(`The id ${taken} is taken: imported as `))).toBe(true);
  expect(await here('/groups/port1')).toMatchObject({ name: 'Port', visibility: 'private' });
});

describe('what was said about an issue', () => {
  const issue = (more: object = {}) => ({
    id: 31,
    iid: 1,
    title: 'Leak',
    state: 'opened',
    author: { id: 11 },
    assignees: [{ id: 11 }, { id: 12 }],
    labels: ['lost'],
    updated_at: '2020-01-01T00:00:00Z',
    ...more,
  });
  const note = (id: number, body: string) => ({ id, body, author: { id: 11 }, created_at: '2020-01-01T00:00:00Z' });
  const discussions = (...notes: object[]) => [{ id: 'a'.repeat(40), individual_note: true, notes }];

  test('is taken by a run of its own, whose places an earlier run imported', async () => {
    older.answers.set('/projects', [
      { id: 21, path: 'harbour', path_with_namespace: 'fleet/tugs/harbour', namespace: { id: 6, kind: 'group' } },
    ]);
    older.answers.set('/projects/21/issues', [
      issue(),
      issue({ id: 32, iid: 3_000_000_000 }),
      issue({ id: 33, iid: 3, title: 'a\0b', due_date: '2023-02-31', created_at: '+100000-01-01T00:00:00Z' }),
    ]);
    // The comments aren't given this time.
    older.answers.set('/projects/21/issues/1/award_emoji', []);
    const report = (await take({ only: ['issues'] })).toJSON();
    expect(report.counts).toMatchObject({ issues: { created: 2, refused: 0 }, threads: { created: 2 } });
    expect(report.counts.people).toBeUndefined();
    const told = report.differences.map(({ kind, name, text }) => `${kind} ${name}: ${text}`);
    expect(told).toEqual(
      expect.arrayContaining([
        'issues fleet/tugs/harbour#1: It has one assignee here; there it has 2.',
        'issues fleet/tugs/harbour#1: Labels of it aren’t here.',
      ]),
    );
    expect(report.missing).toContainEqual({
      what: 'issues without an id, a number or a name',
      status: 'unreadable',
      times: 1,
    });
    expect(report.missing).toContainEqual({ what: 'comments of issues', status: 404, times: 2 });
    expect(await here('/projects/21/issues/3')).toMatchObject({ title: 'ab', due_date: null });
  });

  test('comes later if it wasn’t given, and what is removed there is removed here', async () => {
    older.answers.set('/projects/21/issues/1/discussions', discussions(note(41, 'Yes.'), note(42, 'A secret.')));
    await take({ only: ['issues'] });
    expect(await here('/projects/21/issues/1/notes?sort=asc')).toMatchObject([{ id: 41 }, { id: 42 }]);
    expect(await here('/projects/21/issues/1/discussions')).toMatchObject([{ notes: [{ id: 41 }, { id: 42 }] }]);
    older.answers.set('/projects/21/issues/1/discussions', discussions(note(41, 'Yes.')));
    older.answers.set('/projects/21/issues', [issue({ user_notes_count: 1 })]);
    await take({ only: ['issues'] });
    expect(await here('/projects/21/issues/1/notes')).toMatchObject([{ id: 41 }]);
  });

  test('isn’t left out because an interrupted import of something else had finished', async () => {
    const stop = new AbortController();
    const run: typeof target.run = async (source, variables) => {
      const result = await target.run<never>(source, variables);
      if (source.includes('importFinishPart')) stop.abort(new Error('killed'));
      return result;
    };
    const some = { only: ['issues'], since: '2019-01-01T00:00:00.000Z' };
    await expect(take({ ...some, run, signal: stop.signal })).rejects.toThrow('killed');
    older.answers.set('/projects/21/labels', [{ id: 51, name: 'lost', color: '#ff0000' }]);
    expect((await take({ only: ['issues'] })).counts).toMatchObject({ labels: { created: 1 } });
  });
});

describe('an instance that answers badly', () => {
  const client = (firstPause = 1) =>
    new OriginClient({ ...older, signal: new AbortController().signal, firstPause, timeout: 200 });
  const read = async () => (await client().all('/groups')).map(({ id }) => id);

  beforeEach(() => {
    older.answers.set(
      '/groups',
      [1, 2, 3, 4, 5].map((id) => ({ id })),
    );
  });

  test.each([
    ['too many requests', (response) => response.writeHead(429, { 'retry-after': '0' }).end('slow down')],
    ['an error', (response) => response.writeHead(500).end()],
    ['a gateway that is gone', (response) => response.writeHead(502).end('<html>')],
    ['a body that is cut', (response) => response.writeHead(200, { 'content-length': '99' }).end('[{"id":')],
    ['half of a body', (response) => response.end('[{"id":')],
    ['no answer', () => undefined],
    ['a body that never ends', (response) => response.write('[{"id":1},')],
    ['a lost connection', (response) => response.destroy()],
  ] satisfies [string, (response: ServerResponse) => unknown][])('with %s is asked again', async (_what, answer) => {
    let times = 0;
    older.interferes = (_request, response) => {
      if (times++ % 2 === 1) return false;
      answer(response);
      return true;
    };
    expect(await read()).toEqual([1, 2, 3, 4, 5]);
  });

  test('is given up after some attempts, with a remedy and without the token', async () => {
    older.interferes = (_request, response) => Boolean(response.writeHead(503).end());
    const error: unknown = await read().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ remedy: 'Run the command again later: it goes on where it stopped.' });
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain(older.token);
  });

  test('for one thing only is asked for the others', async () => {
    older.interferes = (_request, response, path) =>
      path === '/broken' && Boolean(response.writeHead(500).end('<html>'));
    const one = client();
    await expect(one.all('/broken')).rejects.toMatchObject({ status: 500 });
    expect(await one.all('/groups')).toHaveLength(5);
    older.answers.set('/text', 'no record');
    await expect(one.get('/text')).rejects.toMatchObject({ status: 'unreadable' });
  });

  test('for everything is given up', async () => {
    older.interferes = (_request, response) => Boolean(response.writeHead(500).end());
    const one = client();
    const errors: unknown[] = [];
    for (let count = 0; count < 25; count++)
      errors.push(await one.all(`/groups/${count}`).catch((error: unknown) => error));
    expect(errors[0]).toMatchObject({ status: 500 });
    expect(errors.at(-1)).toMatchObject({ remedy: 'Run the command again later: it goes on where it stopped.' });
  });

  test('with a list without an end is refused', async () => {
    older.interferes = (_request, response, path) =>
      path === '/groups' && Boolean(response.setHeader('x-next-page', '7').end('[{"id":1}]'));
    await expect(read()).rejects.toMatchObject({ status: 'endless' });
  });

  test('whose list loses records while it is read gives all others', async () => {
    let pages = 0;
    older.interferes = (_request, _response, path) => {
      if (path === '/groups' && pages++ === 1) (older.answers.get('/groups') as object[]).shift();
      return false;
    };
    expect((await read()).sort()).toEqual([1, 2, 3, 4, 5]);
  });

  test('whose list changes while it is read gives each record once', async () => {
    let pages = 0;
    older.interferes = (_request, _response, path) => {
      if (path === '/groups' && pages++ === 1) (older.answers.get('/groups') as object[]).unshift({ id: 6 });
      return false;
    };
    const ids = await read();
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining([1, 2, 3, 4, 5]));
  });

  test('that redirects to another host gets no token there', async () => {
    older.interferes = (_request, response, path) =>
      path === '/groups' && Boolean(response.writeHead(302, { location: 'http://127.0.0.2:1/api/v4/groups' }).end());
    await expect(read()).rejects.toThrow('redirects to another address');
  });

  test('with an endless answer is refused', async () => {
    older.interferes = (_request, response) => {
      const more = () =>
        void (
          response.destroyed ||
          (response.write(Buffer.alloc(2 ** 22, ' ')) ? setImmediate(more) : response.once('drain', more))
        );
      more();
      return true;
    };
    const patient = new OriginClient({ ...older, signal: new AbortController().signal, timeout: 30_000 });
    await expect(patient.all('/groups')).rejects.toThrow('larger than 64 MB');
  });

  test('is asked no more before its limit begins anew', async () => {
    let last = 0;
    const reset = Math.ceil(Date.now() / 1000) + 1;
    older.interferes = (_request, response) => {
      last = Date.now();
      if (older.asked.length === 1)
        response.setHeader('ratelimit-remaining', '0').setHeader('ratelimit-reset', String(reset));
      return false;
    };
    expect(await read()).toHaveLength(5);
    expect(last).toBeGreaterThanOrEqual(reset * 1000);
  });

  test.each([
    ['http://gitlab.example.com', 'plain text'],
    ['ftp://127.0.0.1', 'plain text'],
    ['https://root:secret@gitlab.example.com', 'password'],
    ['gitlab', 'is not an address'],
  ])('%s isn’t asked at all', (url, reason) => {
    expect(() => new OriginClient({ ...older, url, signal: new AbortController().signal })).toThrow(reason);
  });
});

test('a whole import brings everything though each request fails at first, and its report is true', async () => {
  older.answers.set('/projects', []);
  older.answers.set('/users', [person(1, 'root'), ...[11, 12, 13].map((id) => person(id, `sailor${id}`))]);
  older.answers.set(
    '/groups',
    [5, 6, 7].map((id) => ({ id, path: `fleet${id}`, full_path: `fleet${id}`, name: `Fleet ${id}` })),
  );
  older.answers.set('/groups/5/members', [{ id: 11, access_level: 30 }]);
  older.answers.delete('/groups/5');
  const failures: readonly ((response: ServerResponse) => unknown)[] = [
    (response) => response.writeHead(429, { 'retry-after': '0' }).end('slow down'),
    (response) => response.writeHead(500, { 'retry-after': '0' }).end(),
    (response) => response.writeHead(502, { 'retry-after': '0' }).end('<html>'),
    (response) => response.writeHead(503, { 'retry-after': '0' }).end('{"message":"later"}'),
  ];
  // These are followed by a pause of the client, so only some are.
  const cuts: typeof failures = [
    (response) => response.writeHead(200, { 'content-length': '99' }).end('[{"id":'),
    (response) => response.end('[{"id":'),
    (response) => response.destroy(),
  ];
  const seen = new Set<string>();
  older.interferes = ({ url }, response) => {
    if (!url!.startsWith('/api/v4/') || seen.has(url!)) return false;
    const number = seen.add(url!).size - 1;
    (cuts[number - 1] ?? failures[number % failures.length]!)(response);
    return true;
  };
  const fresh = await emptyTarget();
  const report = (await fresh.take(older)).toJSON();
  expect(seen.size).toBeGreaterThan(20);
  expect(report.counts).toMatchObject({
    people: { created: 3, refused: 0 },
    groups: { created: 3, refused: 0 },
    members: { created: 1 },
  });
  // It names what the instance doesn't have, and nothing that it gave at the second attempt.
  expect(report.missing.filter(({ status }) => status !== 404)).toEqual([]);
  older.interferes = () => false;
  for (const counts of Object.values((await fresh.take(older)).counts))
    expect(counts).toMatchObject({ created: 0, updated: 0 });
});

test('only an administrator’s token is used', async () => {
  await expect(target.take({ url: older.url, token: 'wrong' })).rejects.toThrow('refuses the token');
  older.answers.set('/user', { id: 2, username: 'ada', is_admin: false });
  await expect(take()).rejects.toThrow('ada, who is no administrator');
  older.answers.set('/user', { id: 1, username: 'root', is_admin: true });
});
