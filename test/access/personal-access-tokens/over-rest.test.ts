import { Gitlab } from '@gitbeaker/rest';
import pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { testGateway } from '../../support/gateway.ts';
import { statusOf } from '../../support/oauth/oauth.ts';
import { newUser, type TestUser } from '../../support/places/people.ts';
import type { RestAnswer } from '../../support/requests/rest-client.ts';

const gateway = await testGateway();
const path = '/api/v4/personal_access_tokens';

let anna: TestUser;
let bert: TestUser;
beforeAll(async () => {
  anna = await newUser(gateway, 'anna');
  bert = await newUser(gateway, 'bert');
});

const { tokens } = gateway;
const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
const get = (token: string | undefined, to = path, query: Record<string, string> = {}) =>
  gateway.rest('GET', to, { token, query });
const rotate = (token: string, id: string | number = 'self', form: Record<string, string> = {}) =>
  gateway.rest('POST', `${path}/${id}/rotate`, { token, form });
const remove = (token: string, id: string | number = 'self') => gateway.rest('DELETE', `${path}/${id}`, { token });
const make = (token: string, user: { id: string }, form: Record<string, string> | [string, string][]) =>
  gateway.rest('POST', `/api/v4/users/${user.id}/personal_access_tokens`, { token, form });

const self = async (token: string) =>
  (await get(token, `${path}/self`)).body as {
    id: number;
    scopes: string[];
    last_used_at: string | null;
    name: string;
  };
const answerOf = ({ status, body }: RestAnswer) => [status, body as unknown];
const eventsOf = async (kind: string, user: TestUser) =>
  await gateway.sql<{ detail: string; actor: string | null; scopes: string[] }>(
    'select detail, actor_id::text as actor, scopes from audit_events where kind = $1 and user_id = $2 order by id',
    [kind, user.id],
  );

const revokedAnswer = [
  401,
  { error: 'invalid_token', error_description: 'Token was revoked. You have to re-authorize from the user.' },
];

describe('a user’s token', () => {
  test.each([['api'], ['read_api'], ['read_user'], ['profile'], ['email']])(
    'can show and revoke itself with only the scope %s',
    async (scope) => {
      const token = await gateway.personalToken('anna', [scope]);
      const { status, body } = await get(token, `${path}/self`);
      expect([status, body]).toEqual([
        200,
        {
          id: expect.any(Number),
          name: 'test',
          revoked: false,
          created_at: expect.any(String),
          description: '',
          scopes: [scope],
          user_id: Number(anna.id),
          last_used_at: expect.any(String),
          active: true,
          expires_at: day(365),
        },
      ]);
      expect((await remove(token)).status).toBe(204);
      expect(answerOf(await get(token, `${path}/self`))).toEqual(revokedAnswer);
    },
  );

  test('is found by its id; other users’ tokens aren’t', async () => {
    const { id } = await self(bert.token);
    expect((await get(bert.token, `${path}/${id}`)).body).toMatchObject({ id, user_id: Number(bert.id) });
    expect((await get(tokens.root, `${path}/${id}`)).body).toMatchObject({ id });
    const missing = { message: '404 Personal Access Token Not Found' };
    for (const other of [id, 999_999, 'x', '99999999999999999999']) {
      expect(answerOf(await get(anna.token, `${path}/${other}`)), String(other)).toEqual([404, missing]);
      expect(answerOf(await remove(anna.token, other))).toEqual([404, missing]);
      expect(answerOf(await rotate(anna.token, other))).toEqual([404, missing]);
    }
    expect(await statusOf(gateway, bert.token)).toBe(200);
  });

  test('requires api to revoke or rotate other tokens, and at least read_api to see them', async () => {
    const { id } = await self(anna.token);
    const reader = await gateway.personalToken('anna', ['read_api']);
    const narrow = await gateway.personalToken('anna', ['read_user', 'profile', 'email']);
    expect((await get(reader, `${path}/${id}`)).status).toBe(200);
    expect((await get(narrow, `${path}/${id}`)).body).toMatchObject({
      error: 'insufficient_scope',
      scope: 'api read_api',
    });
    for (const token of [reader, narrow]) {
      for (const refused of [await remove(token, id), await rotate(token, id), await rotate(token)]) {
        expect(answerOf(refused)).toMatchObject([403, { error: 'insufficient_scope', scope: 'api' }]);
      }
    }
  });

  test('isn’t accessible with an OAuth token or without a credential', async () => {
    const oauth = await gateway.accessToken('anna', ['api']);
    const { id } = await self(anna.token);
    for (const [method, to] of [
      ['GET', path],
      ['GET', `${path}/self`],
      ['GET', `${path}/${id}`],
      ['DELETE', `${path}/${id}`],
      ['POST', `${path}/self/rotate`],
    ] as const) {
      expect((await gateway.rest(method, to, { headers: { authorization: `Bearer ${oauth}` } })).status).toBe(403);
      expect((await gateway.rest(method, to)).status).toBe(401);
    }
  });
});

describe('last_used_at', () => {
  test('is updated on use, at most every 10 minutes', async () => {
    const token = await gateway.personalToken('anna', ['api']);
    const used = async () =>
      (
        await gateway.sql<{ at: Date | null }>(
          'select last_used_at as at from personal_access_tokens order by id desc limit 1',
        )
      )[0]!.at;
    expect(await used()).toBeNull();
    await statusOf(gateway, token);
    const first = await used();
    expect(first).not.toBeNull();
    const [from] = await gateway.sql('select last_used_ip from personal_access_tokens order by id desc limit 1');
    expect(from).toEqual({ last_used_ip: '127.0.0.1' });
    await statusOf(gateway, token);
    expect(await used()).toEqual(first);
    await gateway.sql(
      `update personal_access_tokens set last_used_at = now() - interval '11 minutes' where last_used_at is not null`,
    );
    await statusOf(gateway, token);
    expect((await used())!.getTime()).toBeGreaterThanOrEqual(first!.getTime());
  });

  test('isn’t updated by a refused request', async () => {
    await statusOf(gateway, await gateway.personalToken('anna', ['api'], { revoked: true }));
    await statusOf(gateway, await gateway.personalToken('anna', ['api'], { expired: true }));
    const rows = await gateway.sql<{ at: null }>(
      'select last_used_at as at from personal_access_tokens order by id desc limit 2',
    );
    expect(rows).toEqual([{ at: null }, { at: null }]);
  });
});

describe('rotating', () => {
  test('returns a new token with the same name and scopes, for a week or until the given day; revokes the old one', async () => {
    const old = await gateway.personalToken('anna', ['api', 'read_user']);
    const before = await self(old);
    const { status, body } = await rotate(old);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        name: 'test',
        scopes: ['api', 'read_user'],
        expires_at: day(7),
        active: true,
        token: expect.stringMatching(/^cwpat_/),
      }),
    ]);
    expect(body.id).not.toBe(before.id);
    expect((await self(body.token)).id).toBe(body.id);
    expect((await get(anna.token, `${path}/${before.id}`)).body).toMatchObject({ revoked: true, active: false });
    const until = await rotate(anna.token, body.id, { expires_at: day(40) });
    expect(until.body).toMatchObject({ expires_at: day(40) });
    expect(await eventsOf('personal_token_rotated', anna)).toContainEqual({
      detail: 'test',
      actor: anna.id,
      scopes: ['api', 'read_user'],
    });
    expect(await statusOf(gateway, until.body.token)).toBe(200);
  });

  test.each([
    ['the old one over REST', (old: string) => get(old, '/api/v4/user')],
    [
      'the old one as a bearer',
      (old: string) => gateway.rest('GET', '/api/v4/user', { headers: { authorization: `Bearer ${old}` } }),
    ],
    ['the old one over GraphQL', (old: string) => gateway.graphql('{ currentUser { id } }', { token: old })],
    ['the old one to rotate it again', (old: string) => rotate(old)],
  ])('using %s again revokes the whole family, with one audit event', async (_name, present) => {
    const user = await newUser(gateway, `reused-${_name.replaceAll(' ', '-').toLowerCase()}`);
    const second = (await rotate(user.token)).body.token as string;
    const third = (await rotate(second)).body.token as string;
    const bystander = await gateway.personalToken(user.username, ['api']);
    expect(await statusOf(gateway, third)).toBe(200);
    for (let round = 0; round < 3; round++) expect((await present(user.token)).status).toBe(401);
    expect(answerOf(await get(third, '/api/v4/user'))).toEqual(revokedAnswer);
    expect(await statusOf(gateway, bystander)).toBe(200);
    expect(await eventsOf('personal_token_reused', user)).toEqual([{ detail: 'test', actor: null, scopes: ['api'] }]);
  });

  test('a revoked token that wasn’t rotated revokes no others', async () => {
    const user = await newUser(gateway, 'plain-revoked');
    const second = (await rotate(user.token)).body.token as string;
    const other = await gateway.personalToken(user.username, ['api']);
    await remove(second);
    expect(await statusOf(gateway, second)).toBe(401);
    expect(await statusOf(gateway, other)).toBe(200);
    expect(await eventsOf('personal_token_reused', user)).toEqual([]);
  });

  test('concurrently returns one new token', async () => {
    const user = await newUser(gateway, 'racing');
    const { id } = await self(user.token);
    const administrator = tokens.root;
    const answers = await Promise.all(Array.from({ length: 12 }, () => rotate(administrator, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 11 }, () => 400)]);
    const live = await gateway.sql('select id from personal_access_tokens where user_id = $1 and revoked_at is null', [
      user.id,
    ]);
    expect(live).toHaveLength(1);
  });

  test('revokes the whole family when an old token is used during a rotation', async () => {
    const user = await newUser(gateway, 'under-way');
    const { id } = await self((await rotate(user.token)).body.token as string);
    // A rotation that isn't committed yet.
    const rotation = new pg.Client(gateway.databaseUrl);
    await rotation.connect();
    await rotation.query('begin');
    await rotation.query('update personal_access_tokens set revoked_at = now(), rotated_at = now() where id = $1', [
      id,
    ]);
    await rotation.query(
      `insert into personal_access_tokens (user_id, name, digest, scopes, family_id)
       select user_id, name, '\\x0badcafe', scopes, family_id from personal_access_tokens where id = $1`,
      [id],
    );
    const presented = get(user.token, '/api/v4/user');
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await vi.waitFor(async () => expect(await gateway.sql(waiting)).not.toEqual([]), { timeout: 10_000 });
    await rotation.query('commit');
    await rotation.end();
    expect((await presented).status).toBe(401);
    expect(
      await gateway.sql('select id from personal_access_tokens where user_id = $1 and revoked_at is null', [user.id]),
    ).toEqual([]);
  });

  test('requires an active token', async () => {
    const dead = await gateway.personalToken('anna', ['api'], { revoked: true });
    const [{ id }] = (await gateway.sql<{ id: number }>('select max(id) as id from personal_access_tokens')) as [
      { id: number },
    ];
    expect(answerOf(await rotate(anna.token, id))).toEqual([
      400,
      { message: '400 Bad request - The token works no longer, so it can’t be rotated.' },
    ]);
    expect((await rotate(dead)).status).toBe(401);
  });

  test.each([
    ['today', day(0)],
    ['more than a year ahead', day(366)],
  ])('with the expiry %s is refused, and nothing is rotated', async (_name, expires_at) => {
    expect(answerOf(await rotate(anna.token, 'self', { expires_at }))).toEqual([
      400,
      { message: { expires_at: [`must be a day from tomorrow to ${day(365)}`] } },
    ]);
    expect(answerOf(await rotate(anna.token, 'self', { expires_at: '2026-02-31' }))).toEqual([
      400,
      { error: 'expires_at is invalid' },
    ]);
    expect(await statusOf(gateway, anna.token)).toBe(200);
  });

  test('a token with more scopes than the requesting one is refused', async () => {
    const powerful = await gateway.personalToken('root', ['api', 'sudo']);
    const { id } = await self(powerful);
    const plain = await gateway.personalToken('root', ['api']);
    expect(answerOf(await rotate(plain, id))).toMatchObject([403, { error: 'insufficient_scope' }]);
    expect(await statusOf(gateway, powerful)).toBe(200);
    expect((await rotate(powerful)).body).toMatchObject({ scopes: ['api', 'sudo'] });
  });
});

describe('the list', () => {
  let lena: TestUser;
  const names = async (query: Record<string, string>, token = lena.token) =>
    ((await get(token, path, { per_page: '100', ...query })).body as { name: string }[]).map(({ name }) => name);
  beforeAll(async () => {
    lena = await newUser(gateway, 'lena');
    await gateway.sql('update personal_access_tokens set name = $1 where user_id = $2', ['asking', lena.id]);
    await gateway.sql(
      `insert into personal_access_tokens (user_id, name, digest, scopes, created_at, expires_at, revoked_at, last_used_at)
       values ($1, 'Old backup', '\\x01', '{api}', '2026-01-01', '2026-03-01', null, '2026-02-01'),
              ($1, 'Revoked backup', '\\x02', '{api}', '2026-02-01', current_date + 100, now(), null),
              ($1, 'Editor', '\\x03', '{read_api}', '2026-03-01', current_date + 50, null, '2026-04-01')`,
      [lena.id],
    );
  });

  test.each<[Record<string, string>, string[]]>([
    [{}, ['asking', 'Editor', 'Revoked backup', 'Old backup']],
    [{ state: 'active' }, ['asking', 'Editor']],
    [{ state: 'inactive' }, ['Revoked backup', 'Old backup']],
    [{ revoked: 'true' }, ['Revoked backup']],
    [{ revoked: 'false' }, ['asking', 'Editor', 'Old backup']],
    [{ search: 'BACKUP' }, ['Revoked backup', 'Old backup']],
    [{ search: '%%%' }, []],
    [{ created_after: '2026-01-15', created_before: '2026-02-15T10:00:00Z' }, ['Revoked backup']],
    [{ last_used_before: '2026-03-01T00:00:00Z' }, ['Old backup']],
    [{ last_used_after: '2026-03-01T00:00:00Z' }, ['asking', 'Editor']],
    [{ expires_before: '2026-03-02' }, ['Old backup']],
    [{ expires_after: day(60), expires_before: day(200) }, ['Revoked backup']],
    [{ sort: 'created_asc' }, ['Old backup', 'Revoked backup', 'Editor', 'asking']],
    [{ sort: 'last_used_desc' }, ['asking', 'Editor', 'Old backup', 'Revoked backup']],
    [{ sort: 'expires_asc' }, ['Old backup', 'Editor', 'Revoked backup', 'asking']],
    [{ sort: 'name_desc', state: 'inactive' }, ['Revoked backup', 'Old backup']],
  ])('can be filtered and sorted by %o', async (query, expected) => {
    await statusOf(gateway, lena.token);
    expect(await names(query)).toEqual(expected);
  });

  test('has the user’s own tokens; administrators see all, or one user’s', async () => {
    const { id: own } = await self(lena.token);
    expect(answerOf(await get(lena.token, path, { user_id: bert.id }))).toEqual([401, { message: '401 Unauthorized' }]);
    expect(await names({ user_id: lena.id })).toHaveLength(4);
    expect(await names({ user_id: lena.id }, tokens.root)).toHaveLength(4);
    const all = (await get(tokens.root, path, { per_page: '100' })).body as { user_id: number; id: number }[];
    expect(new Set(all.map(({ user_id: id }) => id)).size).toBeGreaterThan(2);
    expect((await get(bert.token, path)).body).not.toContainEqual(expect.objectContaining({ id: own }));
  });

  test('is paginated', async () => {
    const answer = await get(lena.token, path, { per_page: '3' });
    expect([answer.headers.get('x-total'), answer.headers.get('x-next-page'), answer.body.length]).toEqual([
      '4',
      '2',
      3,
    ]);
    expect((await get(lena.token, path, { per_page: '3', page: '2' })).body).toMatchObject([{ name: 'Old backup' }]);
  });

  test.each([
    [{ state: 'dead' }, 'state does not have a valid value'],
    [{ sort: 'id_asc' }, 'sort does not have a valid value'],
    [{ user_id: 'x' }, 'user_id is invalid'],
    [{ created_after: 'soon' }, 'created_after is invalid'],
  ])('refuses %o', async (query, error) => {
    expect(answerOf(await get(lena.token, path, query as unknown as Record<string, string>))).toEqual([400, { error }]);
  });

  test('never shows a token', async () => {
    expect((await get(tokens.root, path, { per_page: '100' })).text).not.toMatch(/"token"|cwpat_/);
  });
});

describe('creating one for a user', () => {
  test('requires an administrator; the token is shown once, and works', async () => {
    const { status, body } = await make(tokens.root, bert, [
      ['name', 'Pipeline'],
      ['scopes[]', 'read_api'],
      ['scopes[]', 'read_user'],
      ['description', 'nightly'],
      ['expires_at', day(20)],
    ]);
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        name: 'Pipeline',
        description: 'nightly',
        scopes: ['read_api', 'read_user'],
        user_id: Number(bert.id),
        expires_at: day(20),
        token: expect.stringMatching(/^cwpat_/),
      }),
    ]);
    expect((await self(body.token)).id).toBe(body.id);
    expect(await eventsOf('personal_token_created', bert)).toContainEqual({
      detail: 'Pipeline',
      actor: expect.not.stringMatching(`^${bert.id}$`),
      scopes: ['read_api', 'read_user'],
    });
  });

  test('is refused to other users, even for themselves: a stolen token must not create another', async () => {
    for (const user of [anna, bert])
      expect((await make(anna.token, user, { name: 'x', scopes: 'api' })).status).toBe(403);
    const oauth = await gateway.accessToken('root', ['api', 'sudo']);
    const answer = await gateway.rest('POST', `/api/v4/users/${anna.id}/personal_access_tokens`, {
      headers: { authorization: `Bearer ${oauth}` },
      form: { name: 'x', scopes: 'api' },
    });
    expect(answer.status).toBe(403);
  });

  test('gives it at most the scopes of the requesting token', async () => {
    const plain = await gateway.personalToken('root', ['api']);
    const root = (await gateway.rest('GET', '/api/v4/user', { token: plain })).body as { id: number };
    const refused = await make(plain, { id: String(root.id) }, { name: 'x', scopes: 'api,sudo' });
    expect(answerOf(refused)).toMatchObject([403, { error: 'insufficient_scope', scope: 'api sudo' }]);
    expect((await make(plain, bert, { name: 'x', scopes: 'api,read_api,read_user,profile,email' })).status).toBe(201);
  });

  test.each<[string, Record<string, string>, unknown]>([
    ['no name', { scopes: 'api' }, { error: 'name is missing' }],
    ['an empty name', { name: ' ', scopes: 'api' }, { message: { name: ["can't be blank"] } }],
    ['no scopes', { name: 'x' }, { error: 'scopes is missing' }],
    ['empty scopes', { name: 'x', scopes: '' }, { message: { scopes: ["can't be blank"] } }],
    [
      'unknown scopes',
      { name: 'x', scopes: 'api,all' },
      { message: { scopes: ['can only contain available scopes'] } },
    ],
    [
      'sudo for a user who isn’t an administrator',
      { name: 'x', scopes: 'sudo' },
      { message: { scopes: ['can contain sudo only for administrators'] } },
    ],
    [
      'an invalid name and day',
      { name: 'x'.repeat(256), scopes: 'api', expires_at: day(0) },
      {
        message: {
          name: ['is too long (maximum is 255 characters)'],
          expires_at: [`must be a day from tomorrow to ${day(365)}`],
        },
      },
    ],
  ])('%s is refused, and nothing is created', async (_name, form, body) => {
    const count = async () => await gateway.sql('select count(*) from personal_access_tokens');
    const before = await count();
    expect(answerOf(await make(tokens.root, bert, form))).toEqual([400, body]);
    expect(await count()).toEqual(before);
  });

  test('for an unknown user is 404', async () => {
    expect(answerOf(await make(tokens.root, { id: '999999' }, { name: 'x', scopes: 'api' }))).toEqual([
      404,
      { message: '404 User Not Found' },
    ]);
  });
});

describe('gitbeaker', () => {
  const client = (token: string) => new Gitlab({ host: gateway.url, token });

  test('lists, shows, rotates and removes', async () => {
    const carla = await newUser(gateway, 'carla');
    const { PersonalAccessTokens } = client(carla.token);
    const [own] = await PersonalAccessTokens.all({ state: 'active' });
    expect(own).toMatchObject({ name: 'test', user_id: Number(carla.id), active: true });
    expect(await PersonalAccessTokens.show({ tokenId: own!.id })).toMatchObject({ id: own!.id });
    expect(await PersonalAccessTokens.show({ tokenId: 'self' })).toMatchObject({ id: own!.id });
    const rotated = (await PersonalAccessTokens.rotate('self', { expiresAt: day(30) })) as unknown as {
      token: string;
      expires_at: string;
    };
    expect(rotated.expires_at).toBe(day(30));
    const next = client(rotated.token).PersonalAccessTokens;
    await next.remove({ tokenId: 'self' });
    expect(await statusOf(gateway, rotated.token)).toBe(401);
  });

  test('creates one for a user', async () => {
    const made = (await client(tokens.root).PersonalAccessTokens.create(Number(bert.id), 'By a client', [
      'read_api',
    ])) as unknown as { token: string };
    expect((await self(made.token)).name).toBe('By a client');
  });
});
