import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { browserSession } from '../support/pages/browser-session.ts';
import { fieldsOfOneRequest } from '../support/requests/costs.ts';
import { dropDatabase, makeDatabase } from '../support/databases/database.ts';
import { newCode } from '../repository/support/code.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { account, inBody, registerApplication, session, token } from '../support/oauth/oauth.ts';
import { freePort } from '../support/run/ports.ts';
import { killProcesses, startProcess } from '../support/run/process.ts';
import type { RestAnswer, RestRequest } from '../support/requests/rest-client.ts';
import { elsewhere, from } from '../support/oauth/token-endpoint.ts';

/** The rate limit headers of an answer. */
function standing(headers: Headers): Record<string, string | null> {
  const names = [
    'RateLimit-Name',
    'RateLimit-Limit',
    'RateLimit-Observed',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'RateLimit-ResetTime',
    'Retry-After',
  ];
  return Object.fromEntries(names.filter((name) => headers.has(name)).map((name) => [name, headers.get(name)]));
}

const observed = ({ headers }: Pick<RestAnswer, 'headers'>) => Number(headers.get('ratelimit-observed'));
const statuses = (answers: readonly Pick<RestAnswer, 'status'>[]) => answers.map(({ status }) => status);

async function inTurn<T>(times: number, ask: () => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (let time = 0; time < times; time++) answers.push(await ask());
  return answers;
}

const inAMoment = /^([1-9]|1[01]\d|120|[1-9]\d)$/;

describe('with limits of three requests in two minutes', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await testGateway({
      CAUSEWAY_TRUSTED_PROXIES: 'loopback',
      CAUSEWAY_LIMIT_UNAUTHENTICATED_API: '3/120',
      CAUSEWAY_LIMIT_AUTHENTICATED_API: '3/120',
      CAUSEWAY_LIMIT_PROTECTED_PATHS: '3/120',
    });
  });

  const user = (request: RestRequest) => gateway.rest('GET', '/api/v4/user', request);
  /** The token of a new person without requests. */
  async function newPerson(username: string): Promise<string> {
    await account(gateway, username);
    return await gateway.personalToken(username, ['api']);
  }

  test('the answers to a person count down, and the fourth is 429 with a text', async () => {
    const mine = await newPerson('counted');
    const begun = Math.floor(Date.now() / 1000);
    const answers = await inTurn(4, () => user({ token: mine }));
    expect(statuses(answers)).toEqual([200, 200, 200, 429]);
    const counted = answers.map(({ headers }) => standing(headers));
    const usual = {
      'RateLimit-Name': 'throttle_authenticated_api',
      'RateLimit-Limit': '2',
      'RateLimit-Reset': expect.stringMatching(/^\d+$/),
    };
    expect(counted).toEqual([
      { ...usual, 'RateLimit-Observed': '1', 'RateLimit-Remaining': '2' },
      { ...usual, 'RateLimit-Observed': '2', 'RateLimit-Remaining': '1' },
      { ...usual, 'RateLimit-Observed': '3', 'RateLimit-Remaining': '0' },
      {
        ...usual,
        'RateLimit-Observed': '4',
        'RateLimit-Remaining': '0',
        'RateLimit-ResetTime': expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/),
        'Retry-After': expect.stringMatching(inAMoment),
      },
    ]);
    const { headers, text } = answers[3]!;
    expect(text).toBe('Retry later');
    expect(headers.get('content-type')).toBe('text/plain');
    const reset = Number(headers.get('ratelimit-reset'));
    expect(reset).toBeGreaterThan(begun);
    expect(reset).toBeLessThanOrEqual(begun + 240);
    expect(Date.parse(headers.get('ratelimit-resettime')!) / 1000).toBe(reset);
  });

  test('all tokens of a person count together, of either kind and at either door, and no one else’s do', async () => {
    const mine = await newPerson('many-tokens');
    const another = await gateway.accessToken('many-tokens', ['read_api']);
    expect(observed(await user({ token: mine }))).toBe(1);
    expect(observed(await user({ headers: { authorization: `Bearer ${another}` } }))).toBe(2);
    const { headers } = await gateway.graphql('{ currentUser { username } }', { token: another });
    expect(headers.get('ratelimit-observed')).toBe('3');
    expect((await user({ token: mine })).status).toBe(429);
    expect((await user({ token: await newPerson('next-door') })).status).toBe(200);
  });

  test('an application that speaks for itself counts as one', async () => {
    const application = await registerApplication(await session(gateway, 'owner-of-one'));
    const own = async () =>
      (await token(gateway, { grant_type: 'client_credentials', ...inBody(application) }, from(elsewhere()))).body
        .access_token as string;
    const asked = [await own(), await own()].map((one) =>
      gateway.rest('GET', '/api/v4/projects', { headers: { authorization: `Bearer ${one}` } }),
    );
    expect((await Promise.all(asked)).map(observed).sort()).toEqual([1, 2]);
  });

  test('requests with sudo count for the administrator', async () => {
    await account(gateway, 'asked-as');
    await account(gateway, 'asking');
    await gateway.sql(`update users set administrator = true where username = 'asking'`);
    const sudo = await gateway.personalToken('asking', ['api', 'sudo']);
    expect(observed(await user({ token: sudo }))).toBe(1);
    expect(observed(await user({ token: sudo, headers: { sudo: 'asked-as' } }))).toBe(2);
    expect(observed(await user({ token: await gateway.personalToken('asked-as', ['api']) }))).toBe(1);
  });

  test('anonymous requests count by their address, all of a /64 as one', async () => {
    const projects = (address: string) => gateway.rest('GET', '/api/v4/projects', from(address));
    const answers = [
      await projects('2001:db8:7:7::1'),
      await projects('2001:db8:7:7:ffff::2'),
      await projects('2001:db8:7:7:1:2:3:4'),
      await projects('2001:db8:7:7::1'),
    ];
    expect(statuses(answers)).toEqual([200, 200, 200, 429]);
    expect(standing(answers[3]!.headers)).toMatchObject({
      'RateLimit-Name': 'throttle_unauthenticated_api',
      'RateLimit-Observed': '4',
    });
    expect((await projects('2001:db8:7:8::1')).status).toBe(200);
  });

  test('row 44: a flood of invalid tokens is refused by its address, and good ones from there are answered all along', async () => {
    const address = elsewhere();
    const good = await Promise.all([newPerson('between-1'), newPerson('between-2')]);
    const bad = () =>
      Promise.all(
        Array.from({ length: 20 }, (_one, index) =>
          user(from(address, { token: `cwpat_${String(index).padStart(43, 'x')}` })),
        ),
      );
    const flood = bad();
    expect((await user(from(address, { token: good[0]! }))).status).toBe(200);
    expect(statuses(await flood).sort()).toEqual([...Array<number>(3).fill(401), ...Array<number>(17).fill(429)]);
    expect(new Set(statuses(await bad()))).toEqual(new Set([429]));
    expect((await user(from(address, { token: good[1]! }))).status).toBe(200);
    const expired = await gateway.accessToken('between-1', ['api'], { expiresIn: -1 });
    expect((await user(from(address, { headers: { authorization: `Bearer ${expired}` } }))).status).toBe(429);
  });

  /** GraphQL answers by two ways, depending on what a request accepts. */
  const ways = [
    ['*/*', 'way-1'],
    ['application/json; charset=utf-8', 'way-2'],
  ] as const;

  test.each(ways)('GraphQL reports it as an error with a code where %s is accepted', async (accept, username) => {
    const mine = await newPerson(username);
    const ask = () => gateway.graphql('{ currentUser { username } }', { token: mine, headers: { accept } });
    const answers = await inTurn(4, ask);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const { data, errors, headers } = answers[3]!;
    expect([data, errors]).toEqual([null, [{ message: 'Retry later', extensions: { code: 'RATE_LIMITED' } }]]);
    expect(standing(headers)).toMatchObject({
      'RateLimit-Observed': '4',
      'Retry-After': expect.stringMatching(inAMoment),
    });
    const stranger = elsewhere();
    const invalid = () =>
      gateway.graphql('{ __typename }', {
        token: 'nobody-has-this-token',
        headers: { accept, 'x-forwarded-for': stranger },
      });
    expect((await inTurn(4, invalid)).map(({ status }) => status)).toEqual([401, 401, 401, 429]);
  });

  test.each(ways)(
    'GraphQL counts a query for what it may be answered with, to who accepts %s',
    async (accept, username) => {
      const mine = await newPerson(`costly-${username}`);
      const list = (name: string) => `${name}: projects(first: 100) { nodes { ${fieldsOfOneRequest} } }`;
      const { status, headers } = await gateway.graphql(`{ ${list('a')} ${list('b')} }`, {
        token: mine,
        headers: { accept },
      });
      expect(status).toBe(200);
      // A complexity of 5000 or somewhat more is two beyond the usual one.
      expect(headers.get('ratelimit-observed')).toBe('3');
      expect((await gateway.graphql('{ currentUser { username } }', { token: mine })).status).toBe(429);
    },
  );

  test('the sign-in form is counted by address, on a page, and looking at it isn’t', async () => {
    const address = elsewhere();
    const browser = browserSession(gateway);
    const form = (await browser.get('/users/sign_in')).form('Sign in');
    const password = inject('passwords').demo;
    const press = (fields: Record<string, string>) => browser.press(form, fields, { 'x-forwarded-for': address });
    for (const login of ['nobody-1', 'nobody-2', 'nobody-3'])
      expect((await press({ login, password: 'wrong' })).status).toBe(422);
    const refused = await press({ login: 'guest', password });
    expect(refused.status).toBe(429);
    expect(refused.html).toContain('<h1>Too many requests</h1>');
    expect(refused.html).toMatch(/Nothing was changed. Wait (a minute|2 minutes), then go back and send it again/);
    expect(standing(refused.headers)).toMatchObject({
      'RateLimit-Name': 'throttle_unauthenticated_protected_paths',
      'RateLimit-Limit': '2',
      'Retry-After': expect.stringMatching(inAMoment),
    });
    expect((await browser.press(form, { login: 'guest', password }, { 'x-forwarded-for': elsewhere() })).status).toBe(
      303,
    );
    const looked = await fetch(`${gateway.url}/users/sign_in`, { headers: { 'x-forwarded-for': address } });
    expect([looked.status, standing(looked.headers)]).toEqual([200, {}]);
  });

  test.each([
    '/users/sign_in/second_factor',
    '/users/sign_up',
    '/users/password/new',
    '/users/password/edit',
    '/oauth/device',
  ])('%s counts with it, before anything of the form is looked at', async (path) => {
    const address = elsewhere();
    const send = () =>
      fetch(`${gateway.url}${path}`, { method: 'POST', redirect: 'manual', headers: { 'x-forwarded-for': address } });
    const answers = await inTurn(4, send);
    expect(answers[2]!.status).not.toBe(429);
    expect(answers[3]!.status).toBe(429);
  });

  test('the password grant is counted too, with an error of its own, and no other grant', async () => {
    const application = await registerApplication(await session(gateway, 'owner-of-grants'));
    const address = elsewhere();
    const ask = (grant_type: string) =>
      token(
        gateway,
        {
          grant_type,
          ...(grant_type === 'password' && { username: 'nobody', password: 'wrong' }),
          ...inBody(application),
        },
        from(address),
      );
    const answers = await inTurn(4, () => ask('password'));
    expect(statuses(answers)).toEqual([400, 400, 400, 429]);
    const { body, headers } = answers[3]!;
    expect(body).toEqual({ error: 'temporarily_unavailable', error_description: 'Retry later' });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(standing(headers)).toMatchObject({
      'RateLimit-Observed': '4',
      'Retry-After': expect.stringMatching(inAMoment),
    });
    const other = await ask('client_credentials');
    expect([other.status, standing(other.headers)]).toEqual([200, {}]);
  });

  test('requests outside the classes are not counted and have no headers', async () => {
    for (const path of ['/', '/docs/openapi.json', '/oauth/token/info', '/.well-known/oauth-authorization-server']) {
      expect([path, standing((await fetch(`${gateway.url}${path}`)).headers)]).toEqual([path, {}]);
    }
  });
});

test('routes with limits of their own answer with JSON, without the headers of the others', async () => {
  const gateway = await testGateway({ CAUSEWAY_LIMIT_ENDPOINTS: 'on' });
  const remove = (token: string) => gateway.rest('DELETE', '/api/v4/projects/demo%2Fwebsite/members/999999', { token });
  const answers = await Promise.all(Array.from({ length: 61 }, () => remove(gateway.tokens.maintainer)));
  const refused = answers.filter(({ status }) => status === 429);
  expect([refused.length, new Set(statuses(answers))]).toEqual([1, new Set([404, 429])]);
  expect(refused[0]!.body).toEqual({
    message: { error: 'This endpoint has been requested too many times. Try again later.' },
  });
  expect(standing(refused[0]!.headers)).toEqual({ 'Retry-After': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/) });
  expect((await remove(gateway.tokens.developer)).status).not.toBe(429);
  expect((await gateway.rest('GET', '/api/v4/user', { token: gateway.tokens.maintainer })).status).toBe(200);
});

test('large files are read as JSON a few times a minute, of each project and by all people together', async () => {
  const gateway = await testGateway({ CAUSEWAY_LIMIT_ENDPOINTS: 'on' });
  const { rest, tokens } = gateway;
  const token = tokens.maintainer;
  const filled = async (size: number) => {
    const code = await newCode(gateway);
    const content = Buffer.alloc(size, 'abc').toString('base64');
    const actions = ['large.bin', 'small.txt'].map((file_path, at) => ({
      action: 'create',
      file_path,
      content: at === 0 ? content : 'eA==',
      encoding: 'base64',
    }));
    await code.commit({}, { actions });
    return (what: string, method = 'GET', by = token) =>
      rest(method, `${code.path}/repository/${what}?ref=main`, { token: by });
  };
  const [read, other] = [await filled(10 * 2 ** 20 + 1), await filled(10 * 2 ** 20)];
  expect((await read('files/large.bin', 'HEAD')).status).toBe(200);
  const answers: RestAnswer[] = [];
  for (const by of [token, tokens.developer, token, token, token, tokens.developer])
    answers.push(await read('files/large.bin', 'GET', by));
  expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 429]);
  expect(answers[5]!.body).toEqual({
    message: { error: 'This endpoint has been requested too many times. Try again later.' },
  });
  expect(answers[5]!.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
  // The same content by its name is counted with it; what is sent as it is, and smaller files, aren't.
  const sha = (await read('files/large.bin', 'HEAD')).headers.get('x-gitlab-blob-id')!;
  expect((await read(`blobs/${sha}`)).status).toBe(429);
  expect((await read(`blobs/${sha}/raw`)).status).toBe(200);
  expect((await read('files/small.txt')).status).toBe(200);
  expect((await read('files/large.bin/raw')).status).toBe(200);
  // Another project, and a file that isn't larger.
  for (let round = 0; round < 6; round++) expect((await other('files/large.bin')).status).toBe(200);
});

test('nothing is limited unless an operator sets limits', async () => {
  const gateway = await testGateway();
  const answers = [
    await gateway.rest('GET', '/api/v4/user', { token: gateway.tokens.guest }),
    await gateway.rest('GET', '/api/v4/projects'),
    await gateway.graphql('{ currentUser { username } }', { token: gateway.tokens.guest }),
    await browserSession(gateway).get('/users/sign_in'),
  ];
  expect(answers.map(({ headers }) => standing(headers))).toEqual([{}, {}, {}, {}]);
});

test('several processes count together over their database, within a moment and without keeping a request waiting', async () => {
  const settings = { CAUSEWAY_LIMIT_AUTHENTICATED_API: '100/600' };
  const one = await testGateway(settings);
  const other = await testGateway(settings, one);
  const ask = (gateway: TestGateway) => gateway.rest('GET', '/api/v4/user', { token: one.tokens.guest });
  await Promise.all(Array.from({ length: 40 }, () => ask(one)));
  // By itself it would have to be asked forty times.
  await vi.waitFor(async () => expect(observed(await ask(other))).toBeGreaterThan(40), {
    timeout: 15_000,
    interval: 500,
  });
  await Promise.all(Array.from({ length: 60 }, () => ask(other)));
  expect((await ask(other)).status).toBe(429);
  // One more at the first, which has counted fewer than a hundred.
  await vi.waitFor(async () => expect((await ask(one)).status).toBe(429), { timeout: 15_000, interval: 500 });
});

test('a gateway that was built counts as well, with its packages in a bundle', async () => {
  const { name, url } = await makeDatabase();
  const built = startProcess({
    DATABASE_URL: url,
    CAUSEWAY_SECRET_KEY: secretKey,
    CAUSEWAY_LIMIT_AUTHENTICATED_API: '1000/60',
    // There is no server, which delays nothing.
    REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
  });
  const { headers } = await fetch(`${await built.ready()}/api/v4/user`, {
    headers: { 'private-token': inject('tokens').maintainer },
  });
  expect(headers.get('ratelimit-observed')).toBe('1');
  await killProcesses();
  await dropDatabase(name);
});
