import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dataOf, inputErrors, refusal } from '../../support/requests/answers.ts';
import { browserSession, signIn, type BrowserSession } from '../../support/pages/browser-session.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { addMember, newUser } from '../../support/places/people.ts';
import { newGroup, newProject } from '../../support/places/places.ts';
import type { RestRequest } from '../../support/requests/rest-client.ts';
import { sentBy } from '../../support/databases/statements.ts';

/**
 * Snippets of people and of two projects in the group `tree`: `open` (public) and `shut` (private). Gus is guest, Rita
 * reporter and Max maintainer of the tree; Zoe has no role, Eva is external, and Root administers the instance.
 */

let gateway: TestGateway;
const tokens: Record<string, string | undefined> = {};
const ids: Record<string, number> = {};
beforeAll(async () => {
  gateway = await testGateway();
  ids.tree = Number(await newGroup(gateway, { path: 'tree', visibility: 'PUBLIC' }));
  ids.open = Number(await newProject(gateway, { path: 'open', visibility: 'PUBLIC', group: 'tree' }));
  ids.shut = Number(await newProject(gateway, { path: 'shut', visibility: 'PRIVATE', group: 'tree' }));
  const roles = { gus: 'GUEST', rita: 'REPORTER', max: 'MAINTAINER', zoe: null, eva: null, root: null } as const;
  for (const [name, role] of Object.entries(roles)) {
    const user = await newUser(gateway, name === 'root' ? 'chief' : name, { administrator: name === 'root' });
    tokens[name] = user.token;
    ids[name] = Number(user.id);
    if (role) await addMember(gateway, user, role, { group: 'tree' });
  }
  await gateway.sql('update users set external = true where id = $1', [ids.eva]);
});
beforeEach(async () => {
  await gateway.sql('delete from snippets');
  await gateway.sql('delete from events');
  await gateway.sql(`update projects set attributes = '{}', archived = false`);
});

const open = '/projects/tree%2Fopen/snippets';
const shut = '/projects/tree%2Fshut/snippets';

const api = (call: string, json?: object, who = 'rita', more: RestRequest = {}) => {
  const [method, path] = call.split(' ') as [string, string];
  return gateway.rest(method, `/api/v4${path}`, { token: tokens[who], ...(json && { json }), ...more });
};
const file = { file_name: 'sum.py', content: 'print(1 + 2)' };
const make = async (path: string, more: object = {}, who = 'rita') => {
  const { status, body } = await api(`POST ${path}`, { title: 'Adder', visibility: 'private', ...file, ...more }, who);
  expect([status, body]).toEqual([201, expect.objectContaining({ title: expect.any(String) as string })]);
  return (body as { id: number }).id;
};
const refused = async (call: string, json: object | undefined, who?: string) => {
  const { status, body } = await api(call, json, who);
  return [status, body.error ?? body.message] as [number, unknown];
};
const idsIn = async (path: string, who: string) => {
  const { status, body } = await api(`GET ${path}`, undefined, who);
  return status === 200 ? (body as { id: number }[]).map(({ id }) => id) : status;
};
const happened = async () =>
  (
    await gateway.sql<{ kind: string; project_id: number | null; actor_id: number; subject_id: number }>(
      'select kind, project_id, actor_id, subject_id from events order by id',
    )
  ).map(({ kind, project_id, actor_id, subject_id }) => [kind, project_id, actor_id, subject_id]);
const off = (level: string) =>
  gateway.sql(`update projects set attributes = jsonb_build_object('snippetsAccessLevel', $1::text)`, [level]);

describe('a snippet', () => {
  test('of a project has the members that clients know', async () => {
    const { status, body } = await api(`POST ${open}`, {
      title: ' Adder ',
      description: 'It *adds*.',
      visibility: 'internal',
      files: [
        { file_path: 'lib/sum two.py', content: 'print(1 + 2)' },
        { file_path: 'README', content: 'Adds.' },
      ],
    });
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
    const web = `${gateway.url}/tree/open/-/snippets/${body.id}`;
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        title: 'Adder',
        description: 'It *adds*.',
        visibility: 'internal',
        author: expect.objectContaining({ id: ids.rita, username: 'rita' }),
        created_at: moment,
        updated_at: moment,
        project_id: ids.open,
        web_url: web,
        raw_url: `${web}/raw`,
        ssh_url_to_repo: null,
        http_url_to_repo: null,
        file_name: 'lib/sum two.py',
        files: [
          { path: 'lib/sum two.py', raw_url: `${web}/raw/main/lib/sum%20two.py` },
          { path: 'README', raw_url: `${web}/raw/main/README` },
        ],
        imported: false,
        imported_from: 'none',
      },
    ]);
    expect((await api(`GET ${open}/${body.id}`)).body).toEqual(body);
    expect((await api(`GET ${open}`)).body).toEqual([body]);
    expect(await happened()).toEqual([['snippet.created', ids.open, ids.rita, body.id]]);
  });

  test('of a person has no project, and is internal unless they say otherwise', async () => {
    const { status, body } = await api('POST /snippets', { title: 'Mine', ...file }, 'zoe');
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        project_id: null,
        visibility: 'internal',
        description: null,
        file_name: 'sum.py',
        web_url: `${gateway.url}/-/snippets/${body.id}`,
      }),
    ]);
    expect((await api(`GET /snippets/${body.id}`, undefined, 'zoe')).body).toEqual(body);
    expect(await happened()).toEqual([['snippet.created', null, ids.zoe, body.id]]);
  });

  test('takes files from forms, as ruby sends them', async () => {
    const form: [string, string][] = [
      ['title', 'Two'],
      ['visibility', 'private'],
      ['files[][file_path]', 'a.txt'],
      ['files[][content]', 'A'],
      ['files[][file_path]', 'b.txt'],
      ['files[][content]', 'B'],
    ];
    const { status, body } = await api(`POST ${open}`, undefined, 'rita', { form });
    expect([status, (body.files as { path: string }[]).map(({ path }) => path)]).toEqual([201, ['a.txt', 'b.txt']]);
    expect((await api(`GET ${open}/${body.id}/files/main/b.txt/raw`)).text).toBe('B');
  });

  test('is missing in the words of version 4', async () => {
    const id = await make(open);
    const own = await make('/snippets');
    for (const which of ['0', 'x', '99999999999', String(own)])
      expect(await refused(`GET ${open}/${which}`, undefined)).toEqual([404, '404 Not found']);
    expect(await refused(`GET ${shut}/${id}`, undefined)).toEqual([404, '404 Not found']);
    for (const call of [`GET ${shut}/${id}/raw`, `PUT ${shut}/${id}`, `DELETE ${shut}/${id}`, 'GET /snippets/0'])
      expect(await refused(call, call.startsWith('PUT') ? { title: 'x' } : undefined)).toEqual([
        404,
        '404 Snippet Not Found',
      ]);
    expect(await refused('GET /projects/0/snippets/1', undefined)).toEqual([404, '404 Project Not Found']);
  });

  test('is reported as spam to no service, as administrators are answered', async () => {
    const id = await make(open);
    const mark = (token: string | undefined) =>
      gateway.graphql(
        `mutation { markAsSpamSnippet(input: { id: "gid://gitlab/ProjectSnippet/${id}" }) { errors snippet { id } } }`,
        { token },
      );
    expect((await mark(gateway.tokens.root)).data).toEqual({
      markAsSpamSnippet: { errors: ['There is no service for spam here: nothing was reported.'], snippet: null },
    });
    expect((await mark(gateway.tokens.guest)).errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  });

  test('tells administrators that what it was created with isn’t stored', async () => {
    const id = await make(open);
    for (const path of [`${open}/${id}`, `/snippets/${id}`]) {
      const call = `GET ${path}/user_agent_detail`;
      expect(await refused(call, undefined, 'max')).toEqual([403, '403 Forbidden']);
      expect(await refused(call, undefined, 'root')).toEqual([404, '404 UserAgentDetail Not Found']);
      expect((await gateway.rest('GET', `/api/v4${path}/user_agent_detail`)).status).toBe(401);
    }
    const missing = `GET ${open}/0/user_agent_detail`;
    expect(await refused(missing, undefined, 'root')).toEqual([404, '404 Snippet Not Found']);
  });
});

describe('a file', () => {
  const content = '<script>alert(1)</script>\r\nünïcode\n\n';

  test('is sent as it is, as text that runs nothing', async () => {
    const id = await make(open, { visibility: 'public', file_name: 'a/b c.html', content });
    for (const path of ['raw', 'files/main/a%2Fb%20c.html/raw', 'files/HEAD/a%2Fb%20c.html/raw']) {
      for (const of of [`${open}/${id}`, `/snippets/${id}`]) {
        const { status, text, headers } = await gateway.rest('GET', `/api/v4${of}/${path}`);
        expect([status, text]).toEqual([200, content]);
        expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
        expect(headers.get('content-disposition')).toBe('inline');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('content-security-policy')).toContain('sandbox');
      }
    }
  });

  test('is missing, or on a branch that is missing', async () => {
    const id = await make(open);
    const at = (path: string) => refused(`GET ${open}/${id}/files/${path}/raw`, undefined);
    expect(await at('main/other.py')).toEqual([404, '404 File Not Found']);
    expect(await at('dev/sum.py')).toEqual([404, '404 Reference Not Found']);
    expect(await at('main/..%2Fsum.py')).toEqual([400, 'file_path should be a valid file path']);
  });
});

describe('who reads a snippet', () => {
  const readers = ['anonymous', 'zoe', 'eva', 'gus', 'rita', 'max', 'root'];
  /** Who reads each, alone, in its list, and in the list of all. */
  const readersOf = async (id: number, list: string) => {
    const seen: string[] = [];
    for (const who of readers) {
      const alone = (await api(`GET ${list}/${id}`, undefined, who)).status === 200;
      expect((await api(`GET ${list}/${id}/raw`, undefined, who)).status === 200).toBe(alone);
      if (who !== 'anonymous') {
        const all = (await idsIn('/snippets/all?per_page=100', who)) as number[];
        expect([who, all.includes(id)]).toEqual([who, alone]);
        const there = list === '/snippets' ? all : await idsIn(list, who);
        if (Array.isArray(there)) expect([who, there.includes(id)]).toEqual([who, alone]);
      }
      if (alone) seen.push(who);
    }
    return seen.join(' ');
  };

  test('of a person: everyone, people of the instance, or only they', async () => {
    const of = async (visibility: string) => await readersOf(await make('/snippets', { visibility }), '/snippets');
    expect(await of('public')).toBe('anonymous zoe eva gus rita max root');
    expect(await of('internal')).toBe('zoe gus rita max root');
    expect(await of('private')).toBe('rita root');
  });

  test('of a public project: its members read private ones, too', async () => {
    const of = async (visibility: string) => await readersOf(await make(open, { visibility }), open);
    expect(await of('public')).toBe('anonymous zoe eva gus rita max root');
    expect(await of('internal')).toBe('zoe gus rita max root');
    expect(await of('private')).toBe('gus rita max root');
  });

  test('of a private project: nobody who doesn’t see the project', async () => {
    const id = await make(shut, { visibility: 'public' });
    expect(await readersOf(id, shut)).toBe('gus rita max root');
    expect(await readersOf(id, '/snippets')).toBe('gus rita max root');
  });

  test('where snippets are for members, or for nobody', async () => {
    const id = await make(open, { visibility: 'public' });
    await off('private');
    expect(await readersOf(id, open)).toBe('gus rita max root');
    expect(await refused(`GET ${open}`, undefined, 'zoe')).toEqual([403, '403 Forbidden']);
    expect(await refused(`GET ${open}/${id}`, undefined, 'zoe')).toEqual([404, '404 Not found']);
    await off('disabled');
    expect(await readersOf(id, open)).toBe('');
    expect(await refused(`GET ${open}`, undefined, 'root')).toEqual([403, '403 Forbidden']);
    expect(await refused(`POST ${open}`, { title: 'x', visibility: 'public', ...file })).toEqual([
      403,
      '403 Forbidden',
    ]);
    expect(await refused(`PUT ${open}/${id}`, { title: 'x' })).toEqual([404, '404 Snippet Not Found']);
    await off('enabled');
    expect(await readersOf(id, open)).toBe('anonymous zoe eva gus rita max root');
  });

  test('its author, where they lost their role', async () => {
    const id = await make(open, { visibility: 'private' });
    await gateway.sql('update snippets set author_id = $2 where id = $1', [id, ids.zoe]);
    expect(await readersOf(id, open)).toBe('zoe gus rita max root');
  });

  test('nobody, where its project is being removed', async () => {
    const id = await make(open, { visibility: 'public' });
    await gateway.sql('update projects set deleting_since = now() where id = $1', [ids.open]);
    try {
      expect((await api(`GET /snippets/${id}`)).status).toBe(404);
      expect(await idsIn('/snippets/all', 'root')).toEqual([]);
    } finally {
      await gateway.sql('update projects set deleting_since = null');
    }
  });
});

describe('who writes', () => {
  const body = { title: 'x', visibility: 'public', ...file };

  test('creates in a project: reporters and above', async () => {
    const statuses = async (path: string, names: readonly string[]) =>
      await Promise.all(names.map(async (who) => (await api(`POST ${path}`, body, who)).status));
    expect(await statuses(open, ['anonymous', 'zoe', 'gus', 'rita', 'max', 'root'])).toEqual([
      401, 403, 403, 201, 201, 201,
    ]);
    expect(await statuses(shut, ['anonymous', 'zoe', 'gus', 'rita'])).toEqual([401, 404, 403, 201]);
    expect(await statuses('/snippets', ['anonymous', 'eva', 'zoe'])).toEqual([401, 403, 201]);
  });

  test('changes and removes: the author, and in a project maintainers', async () => {
    for (const [list, writers] of [
      [open, { gus: 403, zoe: 403, max: 200, root: 200, rita: 200 }],
      ['/snippets', { gus: 404, zoe: 404, max: 404, root: 200, rita: 200 }],
    ] as const) {
      const id = await make(list, { visibility: 'public' });
      for (const [who, status] of Object.entries(writers)) {
        expect([who, (await api(`PUT ${list}/${id}`, { title: who }, who)).status]).toEqual([who, status]);
        const gone = (await api(`DELETE ${list}/${id}`, undefined, who, { headers: yesterday })).status;
        expect([who, gone]).toEqual([who, status === 200 ? 412 : status]);
      }
      expect((await api(`PUT ${list}/${id}`, { title: 'x' }, 'anonymous')).status).toBe(401);
      expect((await api(`DELETE ${list}/${id}`)).status).toBe(204);
      expect((await api(`DELETE ${list}/${id}`)).status).toBe(404);
    }
    expect((await happened()).map(([kind]) => kind)).toEqual([
      'snippet.created',
      ...Array.from({ length: 3 }, () => 'snippet.updated'),
      'snippet.destroyed',
      'snippet.created',
      ...Array.from({ length: 2 }, () => 'snippet.updated'),
      'snippet.destroyed',
    ]);
  });

  const yesterday = { 'if-unmodified-since': new Date(Date.now() - 86_400_000).toUTCString() };

  test('nothing in an archived project, which is still read', async () => {
    const id = await make(open);
    await gateway.sql('update projects set archived = true where id = $1', [ids.open]);
    expect(await refused(`POST ${open}`, body)).toEqual([403, '403 Forbidden']);
    expect(await refused(`PUT ${open}/${id}`, { title: 'x' })).toEqual([403, '403 Forbidden']);
    expect(await refused(`DELETE ${open}/${id}`, undefined)).toEqual([403, '403 Forbidden']);
    expect((await api(`GET ${open}/${id}`)).status).toBe(200);
  });
});

describe('creating one', () => {
  const cases: readonly (readonly [json: object, text: string])[] = [
    [{ title: 'x' }, 'files, content are missing, exactly one parameter must be provided'],
    [{ title: 'x', ...file, files: [] }, 'files, content are mutually exclusive'],
    [{ title: 'x', content: 'x' }, 'file_name is missing'],
    [{ title: ' ', ...file }, 'title is empty'],
    [{ ...file }, 'title is missing, title is empty'],
    [{ title: 'x', file_name: 'x', content: '' }, 'content is empty'],
    [{ title: 'x', files: [{ file_path: 'x', content: ' ' }] }, 'files[0][content] is empty'],
    [{ title: 'x', files: [{ file_path: '', content: 'x' }] }, 'files[0][file_path] is empty'],
    [{ title: 'x', files: [{ file_path: '../x', content: 'x' }] }, 'files[0][file_path] should be a valid file path'],
    [{ title: 'x', files: [{ file_path: '/x', content: 'x' }] }, 'files[0][file_path] should be a valid file path'],
    [{ title: 'x', files: 'x' }, 'files is invalid'],
    [{ title: 'x', ...file, visibility: 'secret' }, 'visibility does not have a valid value'],
  ];
  test.each(cases)('refuses %j', async (json, text) => {
    expect(await refused(`POST ${open}`, { visibility: 'private', ...json })).toEqual([400, text]);
    expect(await refused('POST /snippets', json)).toEqual([400, text]);
  });

  test('needs a visibility in a project', async () => {
    const text = 'visibility is missing, visibility does not have a valid value';
    expect(await refused(`POST ${open}`, { title: 'x', ...file })).toEqual([400, text]);
  });

  const many = (count: number) =>
    Array.from({ length: count }, (_each, at) => ({ file_path: `${at}.txt`, content: `${at}` }));
  const reason = (text: string) => ({ error: `Repository Error creating the snippet - ${text}` });

  test('is bounded in the number and the size of its files, and in its title', async () => {
    const post = (json: object) => refused('POST /snippets', { title: 'x', ...json });
    expect((await api('POST /snippets', { title: 'x', files: many(10) })).status).toBe(201);
    expect(await post({ files: many(11) })).toEqual([400, reason('The repository must contain up to 10 files.')]);
    expect(await post({ files: [] })).toEqual([400, reason('The repository must contain at least 1 file.')]);
    expect(await post({ files: [...many(1), ...many(1)] })).toEqual([
      400,
      reason('A file with this name already exists'),
    ]);
    const title = 'é'.repeat(255);
    expect((await api('POST /snippets', { ...file, title })).status).toBe(201);
    expect(await post({ ...file, title: `${title}x` })).toEqual([
      400,
      { error: 'Title is too long (maximum is 255 characters)' },
    ]);
    const [row] = await gateway.sql<{ count: number }>('select count(*)::int as count from snippets');
    expect(row!.count).toBe(2);
  });
});

describe('changing one', () => {
  const files = async (id: number) =>
    await gateway.sql<{ path: string; content: string }>(
      'select path, content from snippet_files where snippet_id = $1 order by position',
      [id],
    );
  const put = (id: number, json: object) => api(`PUT ${open}/${id}`, json);
  const two = () =>
    make(open, {
      file_name: undefined,
      content: undefined,
      files: [
        { file_path: 'a', content: 'A' },
        { file_path: 'b', content: 'B' },
      ],
    });

  test('changes what is sent, and the only file by its name', async () => {
    const id = await make(open, { description: 'It adds.' });
    const { body } = await put(id, { title: 'Two', visibility: 'public' });
    expect(body).toMatchObject({ title: 'Two', visibility: 'public', description: 'It adds.', file_name: 'sum.py' });
    expect((await put(id, { file_name: 'add.py' })).body.file_name).toBe('add.py');
    expect((await put(id, { content: 'print(3)' })).status).toBe(200);
    expect(await files(id)).toEqual([{ path: 'add.py', content: 'print(3)' }]);
    expect((await put(id, { description: '' })).body.description).toBeNull();
  });

  test('does actions one after the other, in one transaction', async () => {
    const id = await two();
    const { status, body } = await put(id, {
      files: [
        { action: 'move', previous_path: 'a', file_path: 'c' },
        { action: 'move', previous_path: 'b', file_path: 'a', content: 'new' },
        { action: 'move', previous_path: 'c', file_path: 'b' },
        { action: 'create', file_path: 'd', content: 'D' },
        { action: 'create', file_path: 'e', content: 'E' },
        { action: 'update', file_path: 'd', content: 'D2' },
        { action: 'delete', file_path: 'e' },
      ],
    });
    expect([status, (body.files as { path: string }[]).map(({ path }) => path)]).toEqual([200, ['b', 'a', 'd']]);
    expect(await files(id)).toEqual([
      { path: 'b', content: 'A' },
      { path: 'a', content: 'new' },
      { path: 'd', content: 'D2' },
    ]);
  });

  const nothing =
    'content, description, files, file_name, title, visibility are missing, at least one parameter must be provided';
  const invalid = { error: 'Snippet actions have invalid data' };
  const fails = (text: string) => ({ error: `Repository Error updating the snippet - ${text}` });
  const cases: readonly (readonly [json: object, status: number, text: unknown])[] = [
    [{}, 400, nothing],
    [{ title: '' }, 400, 'title is empty'],
    [{ files: [{ action: 'copy', file_path: 'a' }] }, 400, 'files[0][action] does not have a valid value'],
    [{ files: [{ action: 'move', file_path: 'c' }] }, 422, invalid],
    [{ files: [{ action: 'move', file_path: 'a', previous_path: 'a' }] }, 422, invalid],
    [{ files: [{ action: 'update', file_path: 'a' }] }, 422, invalid],
    [{ files: [{ action: 'create', file_path: 'c' }] }, 422, invalid],
    [
      { files: [{ action: 'create', file_path: 'a', content: 'x' }] },
      400,
      fails('A file with this name already exists'),
    ],
    [
      { files: [{ action: 'update', file_path: 'c', content: 'x' }] },
      400,
      fails("A file with this name doesn't exist"),
    ],
    [
      { files: [{ action: 'move', file_path: 'b', previous_path: 'a' }] },
      400,
      fails('A file with this name already exists'),
    ],
    [
      { files: ['a', 'b'].map((path) => ({ action: 'delete', file_path: path })) },
      400,
      fails('The repository must contain at least 1 file.'),
    ],
    [
      { title: 'new', content: 'x' },
      400,
      { error: 'To update Snippets with multiple files, you must use the `files` parameter' },
    ],
    [{ files: [], content: 'x' }, 400, 'files, content are mutually exclusive'],
    [{ files: [], file_name: 'x' }, 400, 'files, file_name are mutually exclusive'],
  ];
  test.each(cases)('refuses %j, and changes nothing', async (json, status, text) => {
    const id = await two();
    const { body: before } = await api(`GET ${open}/${id}`);
    expect(await refused(`PUT ${open}/${id}`, json)).toEqual([status, text]);
    expect((await api(`GET ${open}/${id}`)).body).toEqual(before);
    expect(await files(id)).toEqual([
      { path: 'a', content: 'A' },
      { path: 'b', content: 'B' },
    ]);
  });

  test('by many at once loses no file', async () => {
    const id = await make(open);
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_each, at) =>
        put(id, { files: [{ action: 'create', file_path: `${at}`, content: `${at}` }] }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 200));
    const rows = await files(id);
    expect(rows).toHaveLength(10);
    expect(rows[0]!.path).toBe('sum.py');
  });
});

describe('lists', () => {
  test('of one’s own, of public ones and of all, the newest first', async () => {
    const own = await make('/snippets', { visibility: 'private' });
    const ofProject = await make(open, { visibility: 'private' });
    const others = await make('/snippets', { visibility: 'public' }, 'zoe');
    await make('/snippets', { visibility: 'private' }, 'zoe');
    expect(await idsIn('/snippets', 'rita')).toEqual([ofProject, own]);
    expect(await idsIn('/snippets/public', 'rita')).toEqual([others]);
    expect(await idsIn('/snippets/all', 'rita')).toEqual([others, ofProject, own]);
    for (const path of ['/snippets', '/snippets/public', '/snippets/all', open])
      expect([path, await idsIn(path, 'anonymous')]).toEqual([path, 401]);
    await gateway.sql(`update snippets set created_at = '2026-01-01' where id = $1`, [own]);
    expect(await idsIn('/snippets?created_before=2026-01-02', 'rita')).toEqual([own]);
    expect(await idsIn('/snippets?created_after=2026-01-02', 'rita')).toEqual([ofProject]);
    const { headers } = await api('GET /snippets/all?per_page=2');
    expect([headers.get('x-total'), headers.get('x-next-page')]).toEqual(['3', '2']);
  });

  test('take as many statements for twenty as for one', async () => {
    const count = async () => (await sentBy(() => api('GET /snippets/all'))).length;
    await make(open);
    const one = await count();
    for (let number = 0; number < 5; number++) await make(number % 2 ? '/snippets' : open, {}, 'max');
    expect(await count()).toBe(one);
  });
});

describe('over GraphQL', () => {
  const ask = <Data>(query: string, variables: Record<string, unknown> = {}, who = 'rita') =>
    gateway.graphql<Data>(query, { variables, token: tokens[who] });

  test('it is created, changed, read and removed under GitLab’s names', async () => {
    const fields = `id title description visibilityLevel fileName author { username } project { fullPath } webUrl rawUrl
      blobs { nodes { path name size rawPlainData rawPath } }`;
    const { createSnippet } = dataOf(
      await ask<{ createSnippet: { snippet: { id: string }; errors: string[] } }>(
        `mutation ($input: CreateSnippetInput!) { createSnippet(input: $input) { errors snippet { ${fields} } } }`,
        {
          input: {
            projectPath: 'tree/open',
            title: 'Adder',
            visibilityLevel: 'internal',
            blobActions: [
              { action: 'create', filePath: '', content: 'é' },
              { action: 'create', filePath: 'lib/b', content: 'B' },
            ],
          },
        },
      ),
    );
    const { id } = createSnippet.snippet;
    expect(createSnippet).toMatchObject({
      errors: [],
      snippet: {
        id: expect.stringMatching(/^gid:\/\/gitlab\/ProjectSnippet\/\d+$/),
        visibilityLevel: 'internal',
        description: null,
        fileName: 'snippetfile1.txt',
        author: { username: 'rita' },
        project: { fullPath: 'tree/open' },
        blobs: {
          nodes: [
            { path: 'snippetfile1.txt', name: 'snippetfile1.txt', size: 2, rawPlainData: 'é' },
            { path: 'lib/b', name: 'b', size: 1, rawPlainData: 'B' },
          ],
        },
      },
    });
    const lists = await ask<{ snippets: object; project: object; user: object }>(
      `query ($id: SnippetID!) {
        snippets(ids: [$id], type: project, visibility: internal) { count nodes { id blob { path } userPermissions { updateSnippet createNote } } }
        project(fullPath: "tree/open") { snippets(ids: [$id], visibility: internal) { nodes { id } } }
        user(username: "rita") { snippets(type: project) { nodes { id blobs(paths: ["lib/b"]) { nodes { path } } } } }
      }`,
      { id },
    );
    expect(dataOf(lists)).toEqual({
      snippets: {
        count: 1,
        nodes: [{ id, blob: { path: 'snippetfile1.txt' }, userPermissions: { updateSnippet: true, createNote: true } }],
      },
      project: { snippets: { nodes: [{ id }] } },
      user: { snippets: { nodes: [{ id, blobs: { nodes: [{ path: 'lib/b' }] } }] } },
    });
    const { updateSnippet } = dataOf(
      await ask<{ updateSnippet: object }>(
        `mutation ($input: UpdateSnippetInput!) { updateSnippet(input: $input) { errors snippet { title fileName } } }`,
        { input: { id, title: 'Two', blobActions: [{ action: 'delete', filePath: 'snippetfile1.txt' }] } },
      ),
    );
    expect(updateSnippet).toEqual({ errors: [], snippet: { title: 'Two', fileName: 'lib/b' } });
    const destroy = 'mutation ($id: SnippetID!) { destroySnippet(input: { id: $id }) { errors snippet { id } } }';
    expect(refusal(await ask(destroy, { id }, 'zoe')).code).toBe('FORBIDDEN');
    expect(dataOf(await ask(destroy, { id }))).toEqual({ destroySnippet: { errors: [], snippet: null } });
    const again = await ask<{ snippet: null }>('query ($id: SnippetID!) { snippet(id: $id) { id } }', { id });
    expect(dataOf(again)).toEqual({ snippet: null });
  });

  test('tells what is wrong with an input in its payload', async () => {
    const create = (more: object) =>
      ask('mutation ($input: CreateSnippetInput!) { createSnippet(input: $input) { errors snippet { id } } }', {
        input: { title: 'x', visibilityLevel: 'private', ...more },
      });
    expect(inputErrors(await create({ title: ' ', blobActions: [] }))).toEqual(["Title can't be blank"]);
    expect(inputErrors(await create({}))).toEqual([
      'Repository Error creating the snippet - The repository must contain at least 1 file.',
    ]);
    expect(inputErrors(await create({ blobActions: [{ action: 'move', filePath: 'x' }] }))).toEqual([
      'Snippet actions have invalid data',
    ]);
  });

  test('the files of a private snippet are nobody else’s', async () => {
    const id = await make('/snippets', { visibility: 'private' });
    const query = `{ snippet(id: ${id}) { id } snippets(ids: [${id}]) { nodes { id } }
      user(username: "rita") { snippets { nodes { id } } } }`;
    expect(dataOf(await ask(query, {}, 'zoe'))).toEqual({
      snippet: null,
      snippets: { nodes: [] },
      user: { snippets: { nodes: [] } },
    });
    const both = await ask(`{ snippets(authorId: ${ids.rita}, projectId: ${ids.open}) { nodes { id } } }`);
    expect(refusal(both).message).toBe('Filtering by both an author and a project is not supported');
  });
});

describe('pages', () => {
  let anyone: BrowserSession;
  let mary: BrowserSession;
  let dave: BrowserSession;
  beforeAll(async () => {
    anyone = browserSession(gateway);
    mary = await signIn(gateway, 'maintainer');
    dave = await signIn(gateway, 'developer');
    tokens.mary = gateway.tokens.maintainer;
    const [user] = await gateway.sql<{ id: number }>(`select id from users where username = 'maintainer'`);
    await addMember(gateway, { id: String(user!.id) }, 'GUEST', { group: 'tree' });
  });
  const record = async (path: string, who?: string) =>
    (await api(`GET ${path}`, undefined, who)).body as {
      web_url: string;
      raw_url: string;
      files: { raw_url: string }[];
    };
  const statuses = async (address: string) => [
    (await anyone.get(address)).status,
    (await dave.get(address)).status,
    (await mary.get(address)).status,
  ];

  test('show a snippet with its files, coloured, and as they are', async () => {
    const files = [
      { file_path: 'lib/sum two.py', content: 'print("one")\r\n' },
      { file_path: 'b#?%.png', content: 'not a picture' },
    ];
    const two = { files, description: 'It *adds*.', visibility: 'public', file_name: undefined, content: undefined };
    for (const path of [open, '/snippets']) {
      const { web_url: web, raw_url: raw, files: sent } = await record(`${path}/${await make(path, two)}`);
      const page = await anyone.get(web);
      expect(page.status).toBe(200);
      for (const text of [
        'Adder',
        'Public',
        'Created just now by rita',
        '2 files',
        'lib/sum two.py',
        '14 bytes',
        'not a picture',
      ])
        expect(page.text).toContain(text);
      expect(page.html).toContain('It <em>adds</em>.');
      expect(page.html).toContain('<span class="hljs-built_in">print</span>');
      for (const anchor of ['id="L1"', 'id="file-2-L1"', 'href="#file-2-L1"']) expect(page.html).toContain(anchor);
      for (const [address, index] of [[raw, 0] as const, ...sent.map(({ raw_url: url }, at) => [url, at] as const)]) {
        const { status, html, headers } = await anyone.get(address);
        expect([address, status, html]).toEqual([address, 200, files[index]!.content]);
        expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('content-security-policy')).toContain('sandbox');
        expect(headers.get('content-disposition')).toMatch(/^inline; filename="(?:sum two.py|b#\?\?.png)"/);
        if (address !== raw) expect(page.html).toContain(`href="${new URL(address).pathname}"`);
      }
      const saved = await anyone.get(`${raw}?inline=false`);
      expect(saved.headers.get('content-disposition')).toMatch(/^attachment;/);
      for (const missing of ['/raw/dev/b', '/raw/main/c', '/raw/main/'])
        expect([missing, (await anyone.get(web + missing)).status]).toEqual([missing, 404]);
    }
  });

  test('belong to those who read the snippet', async () => {
    const cases = [
      ['/snippets', 'private', 'mary', [404, 404, 200]],
      ['/snippets', 'internal', 'mary', [404, 200, 200]],
      ['/snippets', 'private', 'rita', [404, 404, 404]],
      [open, 'internal', 'rita', [404, 200, 200]],
      [open, 'private', 'rita', [404, 404, 200]],
      [shut, 'public', 'rita', [404, 404, 200]],
    ] as const;
    for (const [path, visibility, who, expected] of cases) {
      const id = await make(path, { visibility }, who);
      const { web_url: web, raw_url: raw, files } = await record(`${path}/${id}`, who);
      for (const address of [web, raw, files[0]!.raw_url])
        expect([path, visibility, await statuses(address)]).toEqual([path, visibility, expected]);
      expect((await mary.get(`/-/snippets/${id}`)).location).toBe(path === '/snippets' ? null : new URL(web).pathname);
    }
    expect((await anyone.get('/-/snippets/1')).html).toContain('/users/sign_in');
    for (const id of ['0', 'x', '99999999999'])
      expect([await statuses(`/-/snippets/${id}`), await statuses(`/tree/open/-/snippets/${id}/raw`)]).toEqual([
        [404, 404, 404],
        [404, 404, 404],
      ]);
    const personal = await make('/snippets', { visibility: 'public' });
    expect(await statuses(`/tree/open/-/snippets/${personal}`)).toEqual([404, 404, 404]);
    const ofProject = await make(open, { visibility: 'public' });
    expect((await anyone.get(`/tree/open/snippets/${ofProject}`)).location).toBe(`/tree/open/-/snippets/${ofProject}`);
    await off('disabled');
    expect(await statuses(`/tree/open/-/snippets/${ofProject}`)).toEqual([404, 404, 404]);
    expect(await statuses('/tree/open/-/snippets')).toEqual([404, 404, 404]);
    expect((await mary.get('/tree/open')).html).not.toContain('/-/snippets');
  });

  test('list those of a project, and one’s own, by pages', async () => {
    for (let number = 0; number < 21; number++)
      await make(open, { title: `Number ${number}`, visibility: number === 20 ? 'public' : 'private' }, 'max');
    const own = await make('/snippets', { title: 'Mine alone' }, 'mary');
    const listed = async (browser: BrowserSession, path: string) => {
      const page = await browser.get(path);
      const titles = [...page.html.matchAll(/-\/snippets\/\d+"><bdi>([^<]*)</g)].map(([, title]) => title);
      return { titles, next: /rel="next" href="([^"]*)"/.exec(page.html)?.[1]!.replaceAll('&amp;', '&') };
    };
    const first = await listed(mary, '/tree/open/-/snippets');
    expect([first.titles.length, first.titles[0]]).toEqual([20, 'Number 20']);
    expect((await listed(mary, first.next!)).titles).toEqual(['Number 0']);
    expect((await listed(anyone, '/tree/open/-/snippets')).titles).toEqual(['Number 20']);
    expect((await mary.get('/tree/open')).html).toContain('href="/tree/open/-/snippets"');
    expect((await listed(mary, '/dashboard/snippets')).titles).toEqual(['Mine alone']);
    expect((await mary.get('/dashboard/snippets')).html).toContain(`href="/-/snippets/${own}"`);
    for (const former of ['/-/snippets', '/snippets'])
      expect((await mary.get(former)).location).toBe('/dashboard/snippets');
    expect((await anyone.get('/dashboard/snippets')).location).toContain('/users/sign_in');
    expect((await dave.get('/dashboard/snippets')).text).toContain('No snippets here.');
  });

  test('run nothing of a snippet, and stay short', async () => {
    const evil = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'>';
    const files = [
      { file_path: `${evil.replaceAll('/', '')}.html`, content: evil },
      { file_path: 'long.txt', content: 'long '.repeat(110_000) },
    ];
    const more = { title: evil, description: evil, files, file_name: undefined, content: undefined };
    const { web_url: web } = await record(`/snippets/${await make('/snippets', { ...more, visibility: 'public' })}`);
    const page = await anyone.get(web);
    expect(page.status).toBe(200);
    expect(page.html).not.toMatch(/<script|<img src=x/);
    expect(page.headers.get('content-security-policy')).not.toContain('script-src');
    expect(page.text).toContain(evil);
    expect(page.text).toContain('It is too long to be shown here.');
    expect(page.html.length).toBeLessThan(50_000);
    expect((await mary.get('/dashboard/snippets')).html).not.toMatch(/<script|<img src=x/);
  });
});
