import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { pageContext } from '../../../src/context.ts';
import { runningJob } from '../../pipelines/support/jobs.ts';
import { browserSession } from '../../support/pages/browser-session.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { secretKey } from '../../support/run/global-setup.ts';
import {
  account,
  asPage,
  basic,
  codeFor,
  codeForm,
  codeRequest,
  decide,
  deviceGrant,
  fragment,
  inBody,
  pkce,
  refreshForm,
  registerApplication,
  sessionOf,
  signIn,
  somewhere,
  withChallenge,
  type Form,
  type RegisteredApplication,
  type Session,
  type Tokens,
} from '../../support/oauth/oauth.ts';
import { killProcesses, startProcess, type GatewayProcess } from '../../support/run/process.ts';
import { everyRow, secretKeeper } from '../../support/oauth/secrets.ts';

/**
 * A gateway in a process of its own, with verbose logging, through which
 * every kind of secret passes (row 34).
 */
let gateway: TestGateway;
let process: GatewayProcess;
let url: string;
/** What was answered with an error. */
const refusals: string[] = [];

const { keep, kinds, found } = secretKeeper();
const canary = (what: string) => keep(what, `canary-${randomUUID()}`);

async function send(path: string, init: RequestInit = {}): Promise<{ status: number; text: string }> {
  const response = await fetch(new URL(path, url), { redirect: 'manual', ...init });
  const text = await response.text();
  if (response.status >= 400) refusals.push(text, JSON.stringify([...response.headers]));
  return { status: response.status, text };
}
const post = (path: string, form: Form, headers: Record<string, string> = {}) =>
  send(path, { method: 'POST', body: new URLSearchParams(form), headers });

async function exchange(form: Form, headers?: Record<string, string>): Promise<Tokens> {
  const { status, text } = await post('/oauth/token', form, headers);
  expect([form.grant_type, status]).toEqual([form.grant_type, 200]);
  const tokens = JSON.parse(text) as Tokens;
  keep('access token', tokens.access_token);
  if (tokens.refresh_token) keep('refresh token', tokens.refresh_token);
  return tokens;
}

let person: Session;
let username: string;
let application: RegisteredApplication;
let open: RegisteredApplication;
/** Credentials that would still work. */
let unspent: { code: Form; device: Form; refresh: Form };

beforeAll(async () => {
  gateway = await testGateway();
  process = startProcess({
    DATABASE_URL: gateway.databaseUrl,
    CAUSEWAY_SECRET_KEY: keep('instance key', secretKey),
    CAUSEWAY_DEMO: 'on',
    CAUSEWAY_LOG_LEVEL: 'debug',
    CAUSEWAY_ACCESS_LOG: 'on',
    CAUSEWAY_PASSWORD_GRANT_WITHOUT_CLIENT: 'on',
  });
  url = await process.ready();
  for (const one of Object.values(gateway.tokens)) keep('personal token', one);

  // A person, signed in over the page, who changes the password later on.
  ({ username } = await account(gateway, 'canary'));
  const password = canary('password');
  const { id } = (
    await gateway.operator<{ user: { id: string } }>('query ($u: String!) { user(username: $u) { id } }', {
      u: username,
    })
  ).user;
  await gateway.operator('mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) { user { id } } }', {
    input: { userId: id, password },
  });
  const browser = browserSession({ url });
  const page = await browser.get('/users/sign_in');
  refusals.push(
    (await browser.press(page.form('Sign in'), { login: username, password: canary('wrong password') })).html,
  );
  const signedIn = await browser.press((await browser.get('/users/sign_in')).form('Sign in'), {
    login: username,
    password,
  });
  expect(signedIn.status).toBe(303);
  for (const [name, value] of browser.cookies) keep(`cookie ${name}`, value);
  person = sessionOf(gateway, username, (await signIn(gateway, username, password)).secret);
  keep('session', person.secret);

  application = await registerApplication(person);
  open = await registerApplication(person, { confidential: false });
  keep('client secret', application.secret);
  await post('/oauth/token', {
    grant_type: 'client_credentials',
    client_id: application.clientId,
    client_secret: canary('wrong client secret'),
  });
  await post(
    '/oauth/token',
    { grant_type: 'client_credentials' },
    basic({ clientId: application.clientId, secret: canary('wrong client secret') }).headers,
  );

  // Consent over the page.
  const proof = pkce(keep('verifier', pkce().verifier));
  const query = new URLSearchParams({
    client_id: application.clientId,
    redirect_uri: application.redirectUris[0]!,
    response_type: 'code',
    scope: 'api',
    state: canary('state'),
    code_challenge: proof.challenge,
    code_challenge_method: 'S256',
  });
  const consent = await browser.get(`/oauth/authorize?${query.toString()}`);
  for (const form of consent.forms)
    for (const [name, value] of Object.entries(form.fields))
      if (name === 'authenticity_token') keep('form token', value);
  const approved = await browser.press(consent.form('Authorize'));
  const code = keep('code', new URL(approved.location!).searchParams.get('code')!);
  await post('/oauth/token', codeForm(application, code, { code_verifier: keep('verifier', pkce().verifier) }));
  const first = await exchange(codeForm(application, code, { code_verifier: proof.verifier }));
  const second = await exchange(refreshForm(application, first.refresh_token));
  await exchange(refreshForm(application, first.refresh_token));

  // The other grants.
  await exchange({ grant_type: 'password', username, password, ...inBody(application) });
  await exchange({ grant_type: 'password', username, password });
  await post('/oauth/token', {
    grant_type: 'password',
    username,
    password: canary('wrong password'),
    ...inBody(application),
  });
  await post('/oauth/token', {
    grant_type: 'password',
    username: canary('mistaken for a name'),
    password: canary('wrong password'),
  });
  await exchange({ grant_type: 'client_credentials', ...inBody(application) });
  keep(
    'implicit token',
    fragment(await decide(person, codeRequest(application, { responseType: 'token' }))).get('access_token')!,
  );
  const begin = async () => {
    const { text } = await post('/oauth/authorize_device', { scope: 'api', ...inBody(open) });
    const { device_code: device, user_code: user } = JSON.parse(text) as Record<string, string>;
    keep('device code', device!);
    keep('user code', user!);
    keep('user code', user!.replace('-', ''));
    await person.run('mutation ($input: DecideDeviceInput!) { decideDevice(input: $input) }', {
      input: { userCode: user, approved: true },
    });
    return { grant_type: deviceGrant, device_code: device!, ...inBody(open) };
  };
  await exchange(await begin());

  // Tokens in every place that takes one, and in some that don't.
  for (const one of [second.access_token, gateway.tokens.developer, 'cwat_'.concat(canary('unknown token'))]) {
    const query = new URLSearchParams({ access_token: one });
    for (const path of [
      `/api/v4/user?${query}`,
      `/oauth/token/info?${query}`,
      `/api/v4/user?private_token=${one}`,
      `/graphql?${query}`,
      `/oauth/token?${query}`,
      `/oauth/authorize?${query}`,
      `/api/v4/nowhere/${one}?${query}`,
    ])
      await send(path);
    await send('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${one}` },
      body: JSON.stringify({ query: '{ currentUser { id } }' }),
    });
    await post('/oauth/introspect', { token: one, ...inBody(application) });
    await post('/oauth/revoke', { token: one, ...inBody(open) });
    await send('/api/v4/user', { headers: { authorization: `Basic ${Buffer.from(`x:${one}`).toString('base64')}` } });
  }
  await machines();

  // Bodies that can't be read, with secrets inside.
  const broken = canary('in a broken body');
  for (const [type, body] of [
    ['application/json', `{"code": "${broken}"`],
    ['application/x-www-form-urlencoded', `code=${broken}&x=%zz`],
    ['text/plain', broken],
    ['application/json', JSON.stringify({ code: [broken] })],
    ['application/x-www-form-urlencoded', `code=${broken}&code=${broken}`],
  ] as const) {
    await send('/oauth/token', { method: 'POST', headers: { 'content-type': type }, body });
  }
  // A defect: what is stored can't be verified at all.
  const damaged = await account(gateway, 'damaged');
  await gateway.sql(`update users set password_hash = 'no hash' where id = $1`, [damaged.id]);
  expect(
    (
      await post('/oauth/token', {
        grant_type: 'password',
        username: 'damaged',
        password: canary('password'),
        ...inBody(application),
      })
    ).status,
  ).toBe(500);
  // The database is away for a moment.
  await gateway.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name = 'causeway'`,
  );
  await post('/oauth/token', { grant_type: 'client_credentials', ...inBody(application) });
  // The gateway in this process may still meet connections that have ended.
  await vi.waitFor(() => person.run('{ currentUser { id } }'));

  // What would still work.
  const last = pkce(keep('verifier', pkce().verifier));
  unspent = {
    code: codeForm(application, keep('code', await codeFor(person, application, withChallenge(last))), {
      code_verifier: last.verifier,
    }),
    device: await begin(),
    refresh: refreshForm(application, second.refresh_token),
  };
  for (let time = 0; time < 3; time++) await codeFor(person, application);
});
afterAll(killProcesses);

/** What machines authenticate with, and variables: made over the API, and sent in every place that reads one. */
async function machines(): Promise<void> {
  const [project] = await gateway.sql<{ id: number }>(`select id from projects where full_path = 'demo/storefront'`);
  const made = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'private-token': gateway.tokens.root };
    const { status, text } = await send(path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([path, status]).toEqual([path, 201]);
    return (JSON.parse(text) as { token: string }).token;
  };
  const at = `/api/v4/projects/${project!.id}`;
  await made(`${at}/variables`, { key: 'CANARY', value: canary('variable') });
  const job = await runningJob(gateway, { id: project!.id, sha: 'a'.repeat(40) });
  const { explore } = await person.run<{ explore: { token: string } }>(
    'mutation { explore(input: { writes: true }) { token } }',
  );
  for (const secret of [
    keep('runner token', await made('/api/v4/user/runners', { runner_type: 'project_type', project_id: project!.id })),
    keep('registration token', await made(`${at}/runners/reset_registration_token`, {})),
    keep('trigger token', await made(`${at}/triggers`, { description: 'canary' })),
    keep('job token', job.token),
    keep('token of a page', explore.token),
    canary('unknown token'),
  ]) {
    const json = { 'content-type': 'application/json' };
    const basicOf = (name: string) => `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
    for (const name of ['x', 'oauth2', 'gitlab-ci-token'])
      for (const rest of ['info/refs?service=git-upload-pack', `info/refs?service=git-receive-pack&token=${secret}`])
        await send(`/demo/storefront.git/${rest}`, { headers: { authorization: basicOf(name) } });
    for (const [method, path, body] of [
      ['POST', '/api/v4/runners/verify', { token: secret }],
      ['POST', '/api/v4/jobs/request', { token: secret, last_update: [secret] }],
      ['PUT', `/api/v4/jobs/${job.id}`, { token: secret, state: secret }],
      ['POST', `${at}/trigger/pipeline`, { token: secret, ref: 'gone' }],
      ['POST', `${at}/trigger/pipeline`, `{"token": "${secret}"`],
    ] as const)
      await send(path, { method, headers: json, body: typeof body === 'string' ? body : JSON.stringify(body) });
    for (const [method, path] of [
      ['GET', `/api/v4/job?job_token=${secret}`],
      ['PATCH', `/api/v4/jobs/${job.id}/trace?token=${secret}`],
      ['GET', `/api/v4/jobs/${job.id}/artifacts?token=${secret}`],
      ['POST', `${at}/trigger/pipeline?token=${secret}&ref=gone`],
    ] as const)
      await send(path, { method, headers: { 'job-token': secret } });
  }
}

/** Every value of every column of every table. */
async function everyValue(): Promise<{ table: string; column: string; value: unknown }[]> {
  const tables = await gateway.sql<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const values = await Promise.all(
    tables.map(async ({ name }) =>
      (await gateway.sql<Record<string, unknown>>(`select * from "${name}"`)).flatMap((row) =>
        Object.entries(row).map(([column, value]) => ({ table: name, column, value })),
      ),
    ),
  );
  return values.flat();
}

test('every kind of secret was there to be found', () => {
  for (const kind of [
    'password',
    'wrong password',
    'client secret',
    'wrong client secret',
    'code',
    'verifier',
    'access token',
    'refresh token',
    'implicit token',
    'device code',
    'user code',
    'session',
    'personal token',
    'instance key',
    'unknown token',
    'runner token',
    'registration token',
    'trigger token',
    'job token',
    'token of a page',
    'variable',
  ]) {
    expect(kinds()).toContain(kind);
  }
  expect(refusals.length).toBeGreaterThan(20);
});

test('none is in the database, as it is or encoded', async () => {
  const everything = await everyRow(gateway);
  expect(everything).toContain('canary@example.com');
  expect(found(everything)).toEqual([]);
});

test('none is in an error', () => {
  expect(found(refusals.join('\n'))).toEqual([]);
});

test('none is in what is measured', async () => {
  const { status, text } = await send('/-/metrics');
  expect([status, text.includes('causeway_refusals_total{kind="password_refused"}')]).toEqual([200, true]);
  expect(found(text)).toEqual([]);
});

test('none is in what the process wrote, though it logged every request', async () => {
  await process.stop();
  const { stdout, stderr } = process.output;
  const lines = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.filter(({ route }) => route === 'POST /oauth/token').length).toBeGreaterThan(10);
  expect(lines.some(({ level }) => level === 'error')).toBe(true);
  expect(lines.some(({ status }) => status === 500)).toBe(true);
  // A path is logged as it came: what a client puts there is public before it arrives.
  expect(found(stdout.replaceAll(/"path":"\/api\/v4\/nowhere\/[^"]*"/g, '') + stderr)).toEqual([]);
  for (const line of lines) expect(line).not.toHaveProperty('query');
});

describe('every stored value, replayed as a credential, is refused', () => {
  /** Encodings of what was found. */
  const spellings = (value: unknown): string[] => {
    if (Buffer.isBuffer(value)) {
      return [
        value.toString('hex'),
        `\\x${value.toString('hex')}`,
        value.toString('base64'),
        value.toString('base64url'),
        value.toString('latin1').replaceAll('\0', ''),
      ];
    }
    return typeof value === 'string'
      ? [value]
      : Array.isArray(value)
        ? value.filter((one) => typeof one === 'string')
        : [];
  };
  let candidates: string[];
  beforeAll(async () => {
    const secretive = [
      'sessions',
      'access_tokens',
      'refresh_tokens',
      'authorization_codes',
      'device_codes',
      'applications',
      'personal_access_tokens',
      'known_places',
      'users',
    ];
    const values = (await everyValue()).filter(({ table }) => secretive.includes(table));
    candidates = [...new Set(values.flatMap(({ value }) => spellings(value)))].filter((text) => text !== '');
    expect(values.filter(({ value }) => Buffer.isBuffer(value)).length).toBeGreaterThan(30);
  });

  /** Tries each, bare and with the prefix that the real ones have. @returns what came of it */
  async function outcomes<T>(prefix: string, attempt: (credential: string) => Promise<T>): Promise<T[]> {
    const left = candidates.flatMap((candidate) => [candidate, prefix + candidate]);
    const results = new Set<T>();
    // Fewer at once than one address may send.
    while (left.length > 0)
      for (const result of await Promise.all(left.splice(0, 50).map(attempt))) results.add(result);
    return [...results];
  }
  const statusOf = (form: Form, name: string) => async (credential: string) =>
    (await gateway.rest('POST', '/oauth/token', { form: { ...form, [name]: credential } })).status;

  test('as an access token or a personal one', async () => {
    for (const prefix of ['cwat_', 'cwpat_']) {
      const statuses = await outcomes(prefix, async (credential) => {
        const text = credential.replaceAll(/[^\x21-\x7e]/g, '');
        return (
          await gateway.rest('GET', '/api/v4/user', {
            headers: { authorization: `Bearer ${text}`, 'private-token': text },
          })
        ).status;
      });
      expect(statuses).toEqual([401]);
    }
  });

  test('as a refresh token, a code, a device code', async () => {
    expect(await outcomes('cwrt_', statusOf(unspent.refresh, 'refresh_token'))).toEqual([400]);
    expect(await outcomes('cwac_', statusOf(unspent.code, 'code'))).toEqual([400]);
    expect(await outcomes('cwdc_', statusOf(unspent.device, 'device_code'))).toEqual([400]);
  });

  test('as a verifier', async () => {
    expect(await outcomes('', statusOf(unspent.code, 'code_verifier'))).toEqual([400]);
  });

  test('as a client secret', async () => {
    expect(
      await outcomes(
        'cwcs_',
        statusOf({ grant_type: 'client_credentials', client_id: application.clientId }, 'client_secret'),
      ),
    ).toEqual([401]);
  });

  test('as a session', async () => {
    const people = await outcomes(
      'cwss_',
      async (credential) =>
        (await pageContext(gateway.gateway.application, credential, { origin: somewhere })).viewer.person,
    );
    expect(people).toEqual([null]);
  });

  test('as a password', async () => {
    const [user] = await gateway.sql<{ password_hash: string }>('select password_hash from users where username = $1', [
      username,
    ]);
    for (const guess of [user!.password_hash, user!.password_hash.split('$').at(-1)!]) {
      await expect(
        signIn(gateway, username, guess, { address: '203.0.113.99', requestId: 'a-test' }),
      ).rejects.toMatchObject({ fields: {} });
    }
  });

  test('and the real ones work all the same, afterwards', async () => {
    expect(
      (await asPage<{ applications: unknown[] }>(gateway, person.secret, '{ applications { id } }')).applications,
    ).toHaveLength(2);
    for (const form of Object.values(unspent)) {
      const { status } = await gateway.rest('POST', '/oauth/token', { form });
      expect([form.grant_type, status]).toEqual([form.grant_type, 200]);
    }
  });
});
