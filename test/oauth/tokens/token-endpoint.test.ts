import { beforeAll, describe, expect, test } from 'vitest';
import {
  basic,
  callback,
  codeFor,
  codeForm,
  deviceGrant,
  inBody,
  pkce,
  post,
  refreshForm,
  registerApplication,
  statusOf,
  tokensFor,
  tokensOf,
  withChallenge,
  type Form,
  type RegisteredApplication,
} from '../../support/oauth/oauth.ts';
import { rawClient } from '../../support/requests/raw-client.ts';
import type { RestRequest } from '../../support/requests/rest-client.ts';
import {
  invalidRequest,
  makeWorld,
  missing,
  refusal,
  statusAndBody,
  unauthenticated,
  type World,
} from '../../support/oauth/token-endpoint.ts';

/** A code with its proof, as a form to redeem it. */
async function codeToRedeem(
  { person }: World,
  application: RegisteredApplication,
  scope = 'api',
  more: Form = {},
): Promise<Form> {
  const proof = pkce();
  const code = await codeFor(person, application, { scope, ...withChallenge(proof) });
  return codeForm(application, code, { code_verifier: proof.verifier, ...more });
}

/** A device code that the person approved. */
async function approvedDevice(
  { gateway, person }: World,
  application: RegisteredApplication,
  scope = 'api',
): Promise<string> {
  const { body } = await post(gateway, '/oauth/authorize_device', { scope, ...inBody(application) });
  await person.run('mutation ($input: DecideDeviceInput!) { decideDevice(input: $input) }', {
    input: { userCode: body.user_code, approved: true },
  });
  return body.device_code;
}

describe.each(['compatible', 'strict'] as const)('in the profile %s', (profile) => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld({ CAUSEWAY_PROFILE: profile });
  });

  describe('a successful answer (RFC 6749 §5.1)', () => {
    const withRefresh = ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope', 'created_at'];

    test.each<
      [grant: string, form: (application: RegisteredApplication) => Promise<Form>, members: string[], scope: string]
    >([
      [
        'authorization_code',
        (application) => codeToRedeem(world, application, 'read_user api'),
        withRefresh,
        'read_user api',
      ],
      [
        'refresh_token',
        async (application) =>
          refreshForm(application, (await tokensFor(world.person, application, 'api read_user')).refresh_token),
        withRefresh,
        'api read_user',
      ],
      [
        'client_credentials',
        async (application) => ({ grant_type: 'client_credentials', scope: 'read_api', ...inBody(application) }),
        withRefresh.filter((name) => name !== 'refresh_token'),
        'read_api',
      ],
      [
        'device_code',
        async (application) => ({
          grant_type: deviceGrant,
          device_code: await approvedDevice(world, application, 'profile'),
          ...inBody(application),
        }),
        withRefresh,
        'profile',
      ],
    ])('of the grant %s has its members, and no more', async (_grant, form, members, scope) => {
      const before = Math.floor(Date.now() / 1000);
      const { status, body } = await world.ask(await form(world.confidential));
      expect([status, Object.keys(body)]).toEqual([200, members]);
      expect(body).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope });
      expect(body.created_at).toBeGreaterThanOrEqual(before - 1);
      expect(body.created_at).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 1);
      expect(body.access_token).toMatch(/^cwat_[A-Za-z0-9_-]{43}$/);
      if (members.includes('refresh_token')) expect(body.refresh_token).toMatch(/^cwrt_[A-Za-z0-9_-]{43}$/);
    });

    test('carries no refresh token for an application that may not use one', async () => {
      const grants = ['authorization_code', deviceGrant];
      const application = await registerApplication(world.person, { grants });
      const forms = [
        await codeToRedeem(world, application),
        { grant_type: deviceGrant, device_code: await approvedDevice(world, application), ...inBody(application) },
      ];
      for (const form of forms) {
        const { status, body } = await world.ask(form);
        expect([form.grant_type, status, 'refresh_token' in body]).toEqual([form.grant_type, 200, false]);
        expect(await statusOf(world.gateway, body.access_token)).toBe(200);
      }
    });

    test('“the authorization server MUST include the ‘scope’” where it isn’t what was asked for (§5.1): it always does', async () => {
      const { body } = await world.ask({ grant_type: 'client_credentials', ...inBody(world.confidential) });
      expect(body.scope).toBe('api');
    });

    test('names each scope once, in the order asked for', async () => {
      const { body } = await world.ask({
        grant_type: 'client_credentials',
        scope: 'profile  api profile ',
        ...inBody(world.confidential),
      });
      expect(body.scope).toBe('profile api');
    });
  });

  test('gives a token of the client credentials grant no person', async () => {
    const { body } = await world.ask({ grant_type: 'client_credentials', scope: 'api', ...inBody(world.confidential) });
    expect(await statusOf(world.gateway, body.access_token)).toBe(401);
    const info = await world.gateway.rest('GET', '/oauth/token/info', {
      headers: { authorization: `Bearer ${body.access_token}` },
    });
    expect(info.body).toMatchObject({ resource_owner_id: null, application: { uid: world.confidential.clientId } });
    const { data } = await world.gateway.graphql('{ currentUser { username } }', { token: body.access_token });
    expect(data).toEqual({ currentUser: null });
  });

  describe('client authentication (RFC 6749 §2.3, §3.2.1)', () => {
    const form: Form = { grant_type: 'client_credentials', scope: 'api' };
    const refusedAs = async (expected: unknown[], parameters: Form, request?: RestRequest) =>
      expect(statusAndBody(await world.ask({ ...form, ...parameters }, request))).toEqual(expected);
    const basicOf = (clientId: string, secret: string) => basic({ clientId, secret });
    const raw = (credentials: string) => ({
      headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    });

    test('“MUST support the HTTP Basic authentication scheme” (§2.3.1)', async () => {
      expect((await world.ask(form, basic(world.confidential))).status).toBe(200);
    });

    test('takes Basic whatever its case, and the raw form like the encoded one', async () => {
      const { clientId, secret } = world.confidential;
      const { headers } = raw(`${clientId}:${secret}`);
      expect((await world.ask(form, { headers })).status).toBe(200);
      expect(
        (await world.ask(form, { headers: { authorization: headers.authorization.replace('Basic', 'bASIC') } })).status,
      ).toBe(200);
    });

    test('decodes each half of Basic as a form does (§2.3.1)', async () => {
      const { clientId, secret } = world.confidential;
      const percent = (text: string) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
      expect((await world.ask(form, raw(`${percent(clientId)}:${percent(secret)}`))).status).toBe(200);
    });

    test('takes the credentials in the body', async () => {
      expect((await world.ask({ ...form, ...inBody(world.confidential) })).status).toBe(200);
    });

    test('takes a client_id in the body that equals the one in Basic', async () => {
      expect(
        (await world.ask({ ...form, client_id: world.confidential.clientId }, basic(world.confidential))).status,
      ).toBe(200);
    });

    test('refuses another client_id beside Basic (row 12)', async () => {
      const expected = invalidRequest('The client_id differs from the one in the Authorization header.');
      await refusedAs(expected, { client_id: world.open.clientId }, basic(world.confidential));
    });

    test('“the client MUST NOT use more than one authentication method in each request” (§2.3)', async () => {
      const expected = invalidRequest('The client must not use more than one authentication method.');
      await refusedAs(expected, inBody(world.confidential), basic(world.confidential));
      await refusedAs(expected, { client_secret: 'another' }, basic(world.confidential));
    });

    test('an empty secret beside Basic counts as absent', async () => {
      expect((await world.ask({ ...form, client_secret: '' }, basic(world.confidential))).status).toBe(200);
    });

    const last = (secret: string) => `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`;
    test.each<[what: string, secret: (right: string) => string]>([
      ['no secret', () => ''],
      ['a blank secret', () => ' '],
      ['a secret wrong in its last character', last],
      ['a secret wrong in its first character', (right) => `x${right.slice(1)}`],
      ['a secret in another case', (right) => right.toUpperCase()],
      ['half a secret', (right) => right.slice(0, 20)],
      ['a secret and more', (right) => `${right}x`],
      ['a very long secret', () => 's'.repeat(500_000)],
      ['its digest', () => '\\x'],
    ])('refuses a confidential client with %s, in the body', async (_what, secret) => {
      const { clientId, secret: right } = world.confidential;
      await refusedAs(unauthenticated, { client_id: clientId, client_secret: secret(right) });
    });

    test.each<[what: string, secret: (right: string) => string]>([
      ['no secret', () => ''],
      ['a secret wrong in its last character', last],
      ['a secret and more', (right) => `${right}x`],
    ])('refuses a confidential client with %s, in Basic', async (_what, secret) => {
      const { clientId, secret: right } = world.confidential;
      await refusedAs(unauthenticated, {}, basicOf(clientId, secret(right)));
    });

    test('refuses an unknown client with the very same answer', async () => {
      await refusedAs(unauthenticated, { client_id: 'nobody', client_secret: world.confidential.secret });
      await refusedAs(unauthenticated, {}, basicOf('nobody', 'x'));
      await refusedAs(unauthenticated, { client_id: 'nobody' });
    });

    test('refuses a confidential client that has no secret at all, whatever it sends', async () => {
      const damaged = await registerApplication(world.person);
      await world.gateway.sql('update applications set secret_digest = null where id = $1', [damaged.id]);
      for (const client_secret of ['', damaged.secret, 'null'])
        await refusedAs(unauthenticated, { client_id: damaged.clientId, client_secret });
      await refusedAs(unauthenticated, {}, basicOf(damaged.clientId, ''));
    });

    test('refuses a secret of another client', async () => {
      const other = await registerApplication(world.person);
      await refusedAs(unauthenticated, { client_id: world.confidential.clientId, client_secret: other.secret });
    });

    test('refuses a request without any client', async () => {
      await refusedAs(unauthenticated, {});
      await refusedAs(unauthenticated, { client_secret: world.confidential.secret });
    });

    test.each([
      ['no base64', 'Basic !!!'],
      ['nothing', 'Basic'],
      ['a broken escape', raw('%zz:secret').headers.authorization],
      ['an escape that is no UTF-8', raw('%ff:secret').headers.authorization],
      ['no colon', raw('just-an-id').headers.authorization],
      ['no id', raw(':secret').headers.authorization],
      ['bytes that are no UTF-8', `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`],
      ['NUL', raw('id\0:secret').headers.authorization],
      ['an encoded NUL', raw('id%00:secret').headers.authorization],
    ])('refuses Basic with %s as invalid_client, and never as a defect', async (_what, authorization) => {
      await refusedAs(unauthenticated, {}, { headers: { authorization } });
    });

    test('“MUST NOT be included in the request URI” (§2.3.1, row 41): credentials in the query string are refused', async () => {
      const { clientId, secret } = world.confidential;
      const expected = invalidRequest('The parameters must be sent in the body of the request.');
      await refusedAs(expected, {}, { query: { client_id: clientId, client_secret: secret } });
      await refusedAs(expected, inBody(world.confidential), { query: { client_secret: secret } });
    });

    test('a public client sends its id and no secret', async () => {
      expect((await world.ask(await codeToRedeem(world, world.open))).status).toBe(200);
      const byBasic = await codeToRedeem(world, world.open);
      expect((await world.ask(byBasic, basicOf(world.open.clientId, ''))).status).toBe(200);
      const empty = await codeToRedeem(world, world.open, 'api', { client_secret: '' });
      expect((await world.ask(empty)).status).toBe(200);
    });

    test('a public client with a secret is unknown', async () => {
      const redeem = await codeToRedeem(world, world.open);
      expect(statusAndBody(await world.ask({ ...redeem, client_secret: 'anything' }))).toEqual(unauthenticated);
      expect(
        statusAndBody(await world.ask({ ...redeem, client_id: '' }, basicOf(world.open.clientId, 'anything'))),
      ).toEqual(unauthenticated);
      expect((await world.ask(redeem)).status).toBe(200);
    });

    test('failing spends neither a code nor a refresh token, so a client may try the other way', async () => {
      const redeem = await codeToRedeem(world, world.confidential);
      expect(statusAndBody(await world.ask({ ...redeem, client_secret: 'wrong' }))).toEqual(unauthenticated);
      const tokens = tokensOf(await world.ask(redeem));
      const again = refreshForm(world.confidential, tokens.refresh_token);
      expect(statusAndBody(await world.ask({ ...again, client_secret: 'wrong' }))).toEqual(unauthenticated);
      expect(statusAndBody(await world.ask({ ...again, client_secret: '' }))).toEqual(unauthenticated);
      expect((await world.ask(again)).status).toBe(200);
    });

    test('a token doesn’t authenticate a client', async () => {
      const { access_token: bearer } = await tokensFor(world.person, world.confidential);
      await refusedAs(unauthenticated, {}, { headers: { authorization: `Bearer ${bearer}` } });
      await refusedAs(
        unauthenticated,
        { client_id: world.confidential.clientId },
        { headers: { authorization: `Bearer ${bearer}` } },
      );
    });
  });

  describe('what may be exchanged', () => {
    test('grant_type is required', async () => {
      expect(statusAndBody(await world.ask(inBody(world.confidential)))).toEqual(missing('grant_type'));
      expect(statusAndBody(await world.ask({ grant_type: '', ...inBody(world.confidential) }))).toEqual(
        missing('grant_type'),
      );
      expect(statusAndBody(await world.ask({}))).toEqual(missing('grant_type'));
    });

    test.each([
      'unknown',
      'implicit',
      'Password',
      'constructor',
      '__proto__',
      'toString',
      'authorization_code ',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
    ])('grant_type %s is unsupported', async (grant_type) => {
      expect(statusAndBody(await world.ask({ grant_type, ...inBody(world.confidential) }))).toEqual(
        refusal('unsupported_grant_type'),
      );
    });

    test.each<[grant: string, form: Form]>([
      ['authorization_code', { grant_type: 'authorization_code', code: 'x', redirect_uri: callback }],
      ['refresh_token', { grant_type: 'refresh_token', refresh_token: 'x' }],
      ['client_credentials', { grant_type: 'client_credentials' }],
      ['device_code', { grant_type: deviceGrant, device_code: 'x' }],
    ])('an application that didn’t register %s may not use it', async (_grant, form) => {
      const application = await registerApplication(world.person, { grants: ['implicit'] });
      expect(statusAndBody(await world.ask({ ...form, ...inBody(application) }))).toEqual(
        refusal('unauthorized_client'),
      );
    });

    test('a public client can’t even register client_credentials (RFC 6749 §4.4.2)', async () => {
      await expect(
        registerApplication(world.person, { confidential: false, grants: ['client_credentials'] }),
      ).rejects.toMatchObject({
        fields: { grants: ['need a confidential application for client_credentials'] },
      });
      const stray = await registerApplication(world.person, { confidential: false });
      await world.gateway.sql(
        `update applications set grant_types = array_append(grant_types, 'client_credentials') where id = $1`,
        [stray.id],
      );
      expect(statusAndBody(await world.ask({ grant_type: 'client_credentials', ...inBody(stray) }))).toEqual(
        refusal('unauthorized_client'),
      );
    });

    test.each<[grant: string, name: string, form: Form]>([
      ['authorization_code', 'code', { redirect_uri: callback }],
      ['authorization_code', 'redirect_uri', { code: 'x' }],
      ['refresh_token', 'refresh_token', {}],
      [deviceGrant, 'device_code', {}],
    ])('%s needs %s, which is asked for before the client', async (grant_type, name, form) => {
      expect(statusAndBody(await world.ask({ grant_type, ...form, ...inBody(world.confidential) }))).toEqual(
        missing(name),
      );
      expect(statusAndBody(await world.ask({ grant_type, ...form, [name]: '' }))).toEqual(missing(name));
      expect(statusAndBody(await world.ask({ grant_type, ...form, [name]: ' ' }))).toEqual(missing(name));
    });

    test.each<Form>([
      { grant_type: 'authorization_code', code: 'nobody-issued-it', redirect_uri: callback },
      { grant_type: 'refresh_token', refresh_token: 'nobody-issued-it' },
      { grant_type: deviceGrant, device_code: 'nobody-issued-it' },
    ])('an unknown $grant_type credential is invalid_grant', async (form) => {
      expect(statusAndBody(await world.ask({ ...form, ...inBody(world.confidential) }))).toEqual(
        refusal('invalid_grant'),
      );
    });

    test.each([
      'wide api',
      'openid',
      'API',
      'api,read_user',
      'api\tread_user',
      'api\nread_user',
      'api\u00a0read_user',
      'ap\u0131',
    ])('the scope %j is invalid_scope', async (scope) => {
      expect(
        statusAndBody(await world.ask({ grant_type: 'client_credentials', scope, ...inBody(world.confidential) })),
      ).toEqual(refusal('invalid_scope'));
    });

    test('a scope that the application didn’t register is invalid_scope', async () => {
      const application = await registerApplication(world.person, { scopes: ['read_user'] });
      const form = { grant_type: 'client_credentials', ...inBody(application) };
      expect(statusAndBody(await world.ask({ ...form, scope: 'api' }))).toEqual(refusal('invalid_scope'));
      expect(statusAndBody(await world.ask({ ...form, scope: 'read_user api' }))).toEqual(refusal('invalid_scope'));
      // The default would be `api`: nothing of it is left.
      expect(statusAndBody(await world.ask(form))).toEqual(refusal('invalid_scope'));
    });
  });

  describe('how parameters are sent', () => {
    const form = () => ({ grant_type: 'client_credentials', scope: 'api', ...inBody(world.confidential) });
    const names = [
      'grant_type',
      'client_id',
      'client_secret',
      'scope',
      'code',
      'redirect_uri',
      'code_verifier',
      'refresh_token',
      'username',
      'password',
      'device_code',
    ];

    test.each(names)(
      '“Request and response parameters MUST NOT be included more than once” (§3.2): %s',
      async (name) => {
        const sent = Object.entries<string>({ ...form(), [name]: form()[name as 'scope'] ?? 'x' });
        const twice = await world.ask([...sent, [name, (form() as Form)[name] ?? 'x']]);
        expect(statusAndBody(twice)).toEqual(invalidRequest(`The parameter ${name} is repeated.`));
        const different = await world.ask([...sent, [name, 'another']]);
        expect(different.status).toBe(400);
      },
    );

    test('an unknown parameter is ignored, but not twice', async () => {
      expect((await world.ask({ ...form(), unknown: 'x' })).status).toBe(200);
      expect((await world.ask([...Object.entries(form()), ['unknown', 'x'], ['unknown', 'y']])).status).toBe(400);
    });

    test('a parameter repeated under an escaped name is still repeated', async () => {
      const body = `${new URLSearchParams(form()).toString()}&grant%5Ftype=password`;
      const answer = await world.ask(
        {},
        { raw: body, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      );
      expect(statusAndBody(answer)).toEqual(invalidRequest('The parameter grant_type is repeated.'));
    });

    test.each([
      ['a name', `"scope":"api","scope":"api"`, 'scope'],
      ['a name with another value', `"scope":"api","x":{"scope":"y"},"scope":null`, 'scope'],
      ['a name that is written in another way', `"scope":"a\\"pi","\\u0073cope" : "api"`, 'scope'],
      ['an unknown name', `"x":[{}],"x":1`, 'x'],
    ])('%s repeated in JSON is refused like one in a form', async (_what, members, name) => {
      const raw = `{${JSON.stringify(form())
        .slice(1, -1)
        .replace(/,?"scope":"api"/, '')},${members}}`;
      const answer = await world.ask({}, { raw, headers: { 'content-type': 'application/json' } });
      expect(statusAndBody(answer)).toEqual(invalidRequest(`The parameter ${name} is repeated.`));
    });

    test('what is alike in JSON without being a repeated name is no matter', async () => {
      const raw = `{"x":"y","y":["x","x",{"x":1,"z":{"x":2}}],"z":":","scope" :"api",${JSON.stringify(form())
        .slice(1, -1)
        .replace(/,?"scope":"api"/, '')},"\\"":"\\\\"}`;
      expect((await world.ask({}, { raw, headers: { 'content-type': 'application/json' } })).status).toBe(200);
    });

    test.each(names)('the query string is no place for %s', async (name) => {
      const answer = await world.ask(form(), { query: { [name]: 'x' } });
      expect(statusAndBody(answer)).toEqual(invalidRequest('The parameters must be sent in the body of the request.'));
    });

    test.each(names)('%s as a list or an object is refused', async (name) => {
      for (const value of [['x'], { a: 'x' }, [], {}, [['x']]]) {
        const answer = await world.ask({}, { json: { ...form(), [name]: value } });
        expect(statusAndBody(answer)).toEqual(invalidRequest(`${name} is invalid`));
      }
      for (const key of [`${name}[]`, `${name}[a]`]) {
        const rest = Object.entries(form()).filter(([given]) => given !== name);
        expect((await world.ask([...rest, [key, 'x']])).status).toBe(400);
        expect((await world.ask([...Object.entries(form()), [key, 'x']])).status).toBe(400);
      }
    });

    test('JSON is taken too, as GitLab does, with numbers for strings', async () => {
      expect((await world.ask({}, { json: form() })).status).toBe(200);
      const answer = await world.ask({}, { json: { ...form(), client_secret: 12_345 } });
      expect(statusAndBody(answer)).toEqual(unauthenticated);
    });

    test('a multipart form is taken too', async () => {
      expect((await world.ask({}, { multipart: form() })).status).toBe(200);
    });

    test('“Parameters sent without a value MUST be treated as if they were omitted” (§3.2)', async () => {
      const empty = Object.fromEntries(names.filter((name) => !(name in form())).map((name) => [name, '']));
      expect((await world.ask({ ...empty, ...form() })).status).toBe(200);
      expect(
        (
          await world.ask(
            {},
            { json: { ...Object.fromEntries(Object.keys(empty).map((name) => [name, null])), ...form() } },
          )
        ).status,
      ).toBe(200);
      expect((await world.ask({ ...form(), scope: '' })).body.scope).toBe('api');
    });

    test.each([
      ['a broken escape', 'grant_type=%zz', 'application/x-www-form-urlencoded'],
      ['NUL', 'grant_type=a%00b', 'application/x-www-form-urlencoded'],
      ['bytes that are no UTF-8', 'grant_type=%ff', 'application/x-www-form-urlencoded'],
      ['broken JSON', '{"grant_type":', 'application/json'],
      ['NUL in JSON', '{"grant_type":"a\\u0000"}', 'application/json'],
      ['JSON that is no object', '["grant_type"]', 'application/json'],
      ['an empty body', '', 'application/x-www-form-urlencoded'],
    ])('%s is a bad request', async (_what, body, type) => {
      const { status, body: said } = await world.ask({}, { raw: body, headers: { 'content-type': type } });
      expect([status, said.error]).toEqual([400, 'invalid_request']);
    });

    test('half a surrogate pair is a value like any other', async () => {
      for (const name of [
        'client_id',
        'client_secret',
        'code',
        'refresh_token',
        'device_code',
        'code_verifier',
        'redirect_uri',
      ]) {
        const json = {
          grant_type: 'authorization_code',
          code: 'x',
          redirect_uri: 'x',
          ...inBody(world.confidential),
          [name]: '\ud800',
        };
        const { status } = await world.ask(
          {},
          { raw: JSON.stringify(json), headers: { 'content-type': 'application/json' } },
        );
        expect([400, 401]).toContain(status);
      }
    });

    test('another media type is refused', async () => {
      const answer = await world.ask({}, { raw: 'grant_type=password', headers: { 'content-type': 'text/xml' } });
      expect([answer.status, answer.body.error]).toEqual([415, 'invalid_request']);
    });

    test('more than a mebibyte is refused', async () => {
      const answer = await world.ask({ ...form(), state: 'x'.repeat(1_048_577) });
      expect([answer.status, answer.body.error]).toEqual([413, 'invalid_request']);
    });

    test.each(names)('nearly a mebibyte of %s is answered, not failed', async (name) => {
      const { status } = await world.ask({ ...form(), [name]: 'x'.repeat(1_000_000) });
      expect([200, 400, 401]).toContain(status);
    });
  });

  test('“The client MUST use the HTTP ‘POST’ method” (§3.2): every other is 405 with Allow', async () => {
    const raw = rawClient(world.gateway.url);
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await raw({ method, path: '/oauth/token?grant_type=client_credentials' });
      expect([method, status, headers.allow]).toEqual([method, 405, 'OPTIONS, POST']);
    }
  });

  test('a page of any origin may ask, with the headers that clients send (CORS)', async () => {
    for (const path of ['/oauth/token', '/oauth/revoke']) {
      const preflight = await world.gateway.rest('OPTIONS', path, {
        headers: {
          origin: 'https://app.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        },
      });
      expect(preflight.status).toBe(200);
      expect(Object.fromEntries(preflight.headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': expect.stringContaining('POST'),
        'access-control-allow-headers': 'authorization',
      });
      expect(preflight.headers.has('access-control-allow-credentials')).toBe(false);
    }
    const answer = await world.ask(
      { grant_type: 'client_credentials', ...inBody(world.confidential) },
      { headers: { origin: 'https://app.example' } },
    );
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
  });

  test('a session cookie means nothing here', async () => {
    const { status } = await world.ask(
      { grant_type: 'client_credentials', client_id: world.confidential.clientId },
      { headers: { cookie: `causeway_session=${world.person.secret}; session=${world.person.secret}` } },
    );
    expect(status).toBe(401);
  });
});
