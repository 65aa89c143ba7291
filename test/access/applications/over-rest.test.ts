import { Gitlab } from '@gitbeaker/rest';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { signIn as signInByPage } from '../../support/pages/browser-session.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import {
  basic,
  callback,
  decide as decideOn,
  deviceGrant,
  everyGrant,
  post,
  registerApplication,
  registerInstanceApplication,
  session,
  statusOf,
  token,
  tokensFor,
} from '../../support/oauth/oauth.ts';

/** Applications over REST for administrators, and the instance settings that affect applications. */

let gateway: TestGateway;
let second: TestGateway;
let root: string;
beforeAll(async () => {
  gateway = await testGateway();
  second = await testGateway({ CAUSEWAY_PASSWORD_GRANT_WITHOUT_CLIENT: 'on' }, gateway);
  root = gateway.tokens.root;
});

const gatewayOf = {
  compatible: async () => gateway,
  withoutClient: async () => second,
  strict: () => testGateway({ CAUSEWAY_PROFILE: 'strict' }, gateway),
};
const asRoot = (method: string, path: string, json?: object) =>
  gateway.rest(method, `/api/v4${path}`, { token: root, ...(json && { json }) });
const draft = {
  name: 'Dashboard',
  redirect_uri: 'https://dashboard.example/a\nhttps://dashboard.example/b',
  scopes: 'read_api read_user',
};
const fields = ['id', 'application_id', 'application_name', 'callback_url', 'confidential'];

const change = async (input: object) =>
  gateway.operator(
    'mutation ($input: UpdateInstanceSettingsInput!) { updateInstanceSettings(input: $input) { settings { greeting } } }',
    { input },
  );

describe('applications of the instance', () => {
  test('are registered with a secret that is shown only once (row 34)', async () => {
    const { status, body } = await asRoot('POST', '/applications', draft);
    expect([status, Object.keys(body)]).toEqual([201, [...fields, 'secret']]);
    expect(body).toMatchObject({
      application_name: 'Dashboard',
      callback_url: draft.redirect_uri,
      confidential: true,
      secret: expect.stringMatching(/^cwcs_/),
    });
    const { headers, body: all, text } = await asRoot('GET', '/applications');
    expect([headers.get('x-total'), Object.keys(all.at(-1))]).toEqual([String(all.length), fields]);
    expect(text).not.toContain('cwcs_');
    expect((await asRoot('DELETE', `/applications/${body.id}`)).status).toBe(204);
    const again = await asRoot('DELETE', `/applications/${body.id}`);
    expect([again.status, again.body]).toEqual([404, { message: '404 Application Not Found' }]);
  });

  test('a public one has no secret', async () => {
    expect((await asRoot('POST', '/applications', { ...draft, confidential: false })).body).toMatchObject({
      confidential: false,
      secret: null,
    });
  });

  describe('without grant_types', () => {
    const grantsOf = async (id: number) =>
      (await gateway.sql<{ grant_types: string[] }>('select grant_types from applications where id = $1', [id]))[0]!
        .grant_types;

    test.each([
      ['a confidential one', gatewayOf.compatible, {}, everyGrant],
      [
        'a public one',
        gatewayOf.compatible,
        { confidential: false },
        everyGrant.filter((grant) => grant !== 'client_credentials' && grant !== 'password'),
      ],
      [
        'a public one, if the password grant needs no client',
        gatewayOf.withoutClient,
        { confidential: false },
        everyGrant.filter((grant) => grant !== 'client_credentials'),
      ],
      ['one in the profile strict', gatewayOf.strict, {}, ['authorization_code', 'refresh_token']],
    ] as const)('%s gets all grants for its kind', async (_which, at, more, expected) => {
      const { status, body } = await (
        await at()
      ).rest('POST', '/api/v4/applications', { token: root, json: { ...draft, ...more } });
      expect([status, await grantsOf(body.id)]).toEqual([201, expected]);
    });

    test('get the administrators’ defaults', async () => {
      await change({ impliedGrants: ['authorization_code', 'client_credentials'] });
      const confidential = await asRoot('POST', '/applications', draft);
      const open = await asRoot('POST', '/applications', { ...draft, confidential: false });
      expect([await grantsOf(confidential.body.id), await grantsOf(open.body.id)]).toEqual([
        ['authorization_code', 'client_credentials'],
        ['authorization_code'],
      ]);
      await change({ impliedGrants: null });
      await expect(change({ impliedGrants: [] })).rejects.toMatchObject({
        fields: { impliedGrants: ["can't be blank"] },
      });
    });

    test.each([
      ['as a text', 'password refresh_token'],
      ['as a list', ['password', 'refresh_token']],
    ])('accept grant_types %s', async (_how, grant_types) => {
      expect(await grantsOf((await asRoot('POST', '/applications', { ...draft, grant_types })).body.id)).toEqual([
        'password',
        'refresh_token',
      ]);
    });

    test.each<[given: unknown, more: object, message: string]>([
      ['telepathy', {}, "doesn't match configured on the server."],
      [['password', 'telepathy'], {}, "doesn't match configured on the server."],
      ['', {}, "can't be blank"],
      ['client_credentials', { confidential: false }, 'need a confidential application for client_credentials'],
    ])('refuse grant_types %j (%j)', async (grant_types, more, message) => {
      const { status, body } = await asRoot('POST', '/applications', { ...draft, ...more, grant_types });
      expect([status, body]).toEqual([400, { message: { grant_types: [message] } }]);
    });
  });

  test('a token can’t get a secret with more scopes than its own', async () => {
    const { body: made } = await asRoot('POST', '/applications', { ...draft, scopes: 'api sudo' });
    const path = `/api/v4/applications/${made.id}/renew-secret`;
    const { status, body } = await gateway.rest('POST', path, { token: await gateway.personalToken('root', ['api']) });
    expect([status, body.error, body.scope]).toEqual([403, 'insufficient_scope', 'api sudo']);
    expect(
      (await gateway.rest('POST', path, { token: await gateway.personalToken('root', ['api', 'sudo']) })).status,
    ).toBe(201);
  });

  test('a new secret revokes all tokens, for any user’s application', async () => {
    const owner = await session(gateway, 'owner-of-one');
    const made = await registerApplication(owner);
    const tokens = await tokensFor(owner, made);
    const { status, body } = await asRoot('POST', `/applications/${made.id}/renew-secret`);
    expect([status, body.application_id, body.secret === made.secret]).toEqual([201, made.clientId, false]);
    expect(await statusOf(gateway, tokens.access_token)).toBe(401);
  });

  test('report errors by the wire names of fields', async () => {
    const refusals = [
      [{}, { error: 'name is missing, redirect_uri is missing, scopes is missing, scopes is empty' }],
      [{ ...draft, scopes: '' }, { error: 'scopes is empty' }],
      [{ ...draft, name: ' ' }, { message: { name: ["can't be blank"] } }],
      [{ ...draft, redirect_uri: '' }, { message: { redirect_uri: ["can't be blank"] } }],
      [
        { ...draft, scopes: 'read_api write_all' },
        { message: { scopes: ["doesn't match configured on the server."] } },
      ],
      [{ ...draft, redirect_uri: '/callback' }, { message: { redirect_uri: ['must be an absolute URI.'] } }],
    ] as const;
    for (const [json, body] of refusals) {
      const answer = await asRoot('POST', '/applications', json);
      expect([answer.status, answer.body]).toEqual([400, body]);
    }
  });

  test('have at most the scopes of the token that creates them', async () => {
    const api = await gateway.personalToken('root', ['api']);
    const { status, body } = await gateway.rest('POST', '/api/v4/applications', {
      token: api,
      json: { ...draft, scopes: 'api sudo' },
    });
    expect([status, body]).toMatchObject([403, { error: 'insufficient_scope', scope: 'api sudo' }]);
    expect(
      (await gateway.rest('POST', '/api/v4/applications', { token: root, json: { ...draft, scopes: 'api sudo' } }))
        .status,
    ).toBe(201);
  });

  test('require an administrator’s personal access token', async () => {
    const routes = [
      ['GET', '/applications'],
      ['POST', '/applications'],
      ['DELETE', '/applications/1'],
      ['POST', '/applications/1/renew-secret'],
    ] as const;
    const credentials = {
      'an anonymous request': [undefined, 401],
      'a user': [gateway.tokens.maintainer, 403],
      'an OAuth token of an administrator': [await gateway.accessToken('root', ['api', 'sudo']), 403],
    } as const;
    for (const [method, path] of routes) {
      for (const [who, [credential, expected]] of Object.entries(credentials)) {
        const { status } = await gateway.rest(method, `/api/v4${path}`, {
          ...(credential !== undefined && { headers: { authorization: `Bearer ${credential}` } }),
          ...(method === 'POST' && path === '/applications' && { json: draft }),
        });
        expect([method, path, who, status]).toEqual([method, path, who, expected]);
      }
    }
  });

  test('work with gitbeaker', async () => {
    const { Applications } = new Gitlab({ host: gateway.url, token: root }) as unknown as Record<
      string,
      Record<string, (...parameters: unknown[]) => Promise<never>>
    >;
    const made = (await Applications!.create!('By gitbeaker', 'https://client.example/callback', 'read_user')) as {
      id: number;
      secret: string;
    };
    expect(made.secret).toMatch(/^cwcs_/);
    expect(await Applications!.all!()).toEqual(expect.arrayContaining([expect.objectContaining({ id: made.id })]));
    await Applications!.remove!(made.id);
  });
});

describe('the settings of the instance', () => {
  test('turn a grant off for all applications, in every process', async () => {
    const owner = await session(gateway, 'owner-of-grants');
    const made = await registerApplication(owner);
    const ask = (at: TestGateway) => token(at, { grant_type: 'client_credentials', scope: 'read_user' }, basic(made));
    expect([(await ask(gateway)).status, (await ask(second)).status]).toEqual([200, 200]);
    await change({ grants: everyGrant.filter((grant) => grant !== 'client_credentials') });
    expect((await ask(gateway)).body).toMatchObject({ error: 'unsupported_grant_type' });
    await vi.waitFor(async () => expect((await ask(second)).body).toMatchObject({ error: 'unsupported_grant_type' }), {
      timeout: 10_000,
      interval: 100,
    });
    const metadata = (await (await fetch(`${gateway.url}/.well-known/oauth-authorization-server`)).json()) as {
      grant_types_supported: string[];
    };
    expect(metadata.grant_types_supported).not.toContain('client_credentials');
    await change({ grants: null });
    expect((await ask(gateway)).status).toBe(200);
  });

  test('turn the device grant off at its start, and issue no unusable refresh tokens', async () => {
    const owner = await session(gateway, 'owner-of-devices');
    const made = await registerApplication(owner);
    const begin = () => post(gateway, '/oauth/authorize_device', { scope: 'api' }, basic(made));
    const byPassword = () =>
      token(
        gateway,
        { grant_type: 'password', username: owner.username, password: `password of ${owner.username}` },
        basic(made),
      );
    expect([(await begin()).status, Object.keys((await byPassword()).body)]).toEqual([
      200,
      expect.arrayContaining(['refresh_token']),
    ]);
    await change({ grants: everyGrant.filter((grant) => grant !== deviceGrant && grant !== 'refresh_token') });
    expect((await begin()).body).toMatchObject({ error: 'unauthorized_client' });
    const { status, body } = await byPassword();
    expect([status, 'refresh_token' in body]).toEqual([200, false]);
    await change({ grants: null });
  });

  test('set the defaults of new applications', async () => {
    await change({ newApplicationGrants: ['client_credentials'], newApplicationScopes: ['read_user'] });
    const { body } = await asRoot('POST', '/applications', { ...draft, scopes: 'read_user' });
    const client = { clientId: body.application_id as string, secret: body.secret as string };
    expect((await token(gateway, { grant_type: 'client_credentials', scope: 'read_user' }, basic(client))).status).toBe(
      200,
    );
    const { fields: begun } = (await (await signInByPage(gateway, 'maintainer')).get('/profile/applications/new')).form(
      'Register',
    );
    expect(Object.keys(begun).filter((name) => /^(scope|grant)\./.test(name))).toEqual([
      'scope.read_user',
      'grant.client_credentials',
    ]);
    await change({ newApplicationGrants: null, newApplicationScopes: null });
  });

  test('refuse unknown values, and change nothing', async () => {
    await expect(change({ grants: ['everything'], greeting: 'x'.repeat(1_001) })).rejects.toMatchObject({
      fields: {
        grants: ["doesn't match configured on the server."],
        greeting: ['is too long (maximum is 1000 characters)'],
      },
    });
    await expect(change({ grants: [] })).rejects.toMatchObject({ fields: { grants: ["can't be blank"] } });
  });

  test('a stored value that this version doesn’t know counts as unset', async () => {
    await gateway.sql(`update instance set settings = '{"grants": "all", "greeting": 7, "other": true}'`);
    await change({ guardAdministrators: false });
    const { instanceSettings } = await second.operator<{ instanceSettings: object }>(
      '{ instanceSettings { greeting guardAdministrators } }',
    );
    expect(instanceSettings).toEqual({ greeting: '', guardAdministrators: false });
    await gateway.sql(`update instance set settings = '{}'`);
  });

  test('can keep applications of other users from acting with administrators’ rights (row 33)', async () => {
    const administrator = await session(gateway, 'chief', { administrator: true });
    const person = await session(gateway, 'worker');
    const foreign = await registerApplication(person);
    const { body } = await asRoot('POST', '/applications', {
      name: 'Own',
      redirect_uri: callback,
      scopes: 'api sudo read_user',
    });
    const own = {
      ...foreign,
      id: String(body.id),
      clientId: body.application_id as string,
      secret: body.secret as string,
    };
    const outcome = async (who: typeof person, application: typeof foreign, scope: string) => {
      const location = await decideOn(who, {
        clientId: application.clientId,
        redirectUri: callback,
        responseType: 'code',
        scope,
      });
      return location.searchParams.get('error') ?? 'code';
    };
    expect(await outcome(administrator, foreign, 'api')).toBe('code');
    await change({ guardAdministrators: true });
    expect(await outcome(administrator, foreign, 'api')).toBe('access_denied');
    expect(await outcome(administrator, foreign, 'read_user sudo')).toBe('access_denied');
    expect(await outcome(administrator, foreign, 'read_user')).toBe('code');
    expect(await outcome(administrator, own, 'api sudo')).toBe('code');
    expect(await outcome(person, foreign, 'api')).toBe('code');
    const byPassword = async (username: string) =>
      (
        await token(
          gateway,
          { grant_type: 'password', username, password: `password of ${username}`, scope: 'api' },
          basic(foreign),
        )
      ).body;
    expect(await byPassword('chief')).toMatchObject({ error: 'invalid_grant' });
    expect(await byPassword('worker')).toMatchObject({ access_token: expect.any(String) });
    // Without an application, nothing is trusted.
    const alone = async (username: string) =>
      (await token(second, { grant_type: 'password', username, password: `password of ${username}`, scope: 'api' }))
        .body;
    await vi.waitFor(async () => expect(await alone('chief')).toMatchObject({ error: 'invalid_grant' }), {
      timeout: 10_000,
      interval: 100,
    });
    expect(await alone('worker')).toMatchObject({ access_token: expect.any(String) });
    const device = async (application = foreign) =>
      (
        (
          await post(
            gateway,
            '/oauth/authorize_device',
            { client_id: application.clientId, scope: 'api' },
            basic(application),
          )
        ).body as { user_code: string }
      ).user_code;
    const decide = (who: typeof person, userCode: string, approved = true) =>
      who.run('mutation ($input: DecideDeviceInput!) { decideDevice(input: $input) }', {
        input: { userCode, approved },
      });
    const [one, other] = [await device(), await device()];
    await expect(decide(administrator, one)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      reason: 'Administrators give api and sudo only to applications of the instance itself.',
    });
    await decide(person, one);
    await decide(administrator, other, false);
    await gateway.sql('update applications set grant_types = $2 where id = $1', [own.id, everyGrant]);
    await decide(administrator, await device(own));
    await change({ guardAdministrators: null });
  });

  test('can limit the password grant to instance applications; existing tokens of others keep working', async () => {
    const person = await session(gateway, 'typist');
    const [foreign, own] = [await registerApplication(person), await registerInstanceApplication(gateway)];
    const form = { grant_type: 'password', username: 'typist', password: 'password of typist' };
    const before = await token(gateway, form, basic(foreign));
    expect(before.status).toBe(200);
    await change({ keepPasswordGrant: true });
    const refused = {
      error: 'unauthorized_client',
      error_description: 'The password grant is kept for applications of the instance.',
    };
    expect(await token(gateway, form, basic(foreign))).toMatchObject({ status: 400, body: refused });
    expect((await token(gateway, form, basic(own))).status).toBe(200);
    expect((await token(gateway, { grant_type: 'client_credentials' }, basic(foreign))).status).toBe(200);
    expect(
      (
        await token(
          gateway,
          { grant_type: 'refresh_token', refresh_token: before.body.refresh_token as string },
          basic(foreign),
        )
      ).status,
    ).toBe(200);
    // A request without an application isn't from one of the instance.
    await vi.waitFor(async () => expect((await token(second, form)).body).toEqual(refused), {
      timeout: 10_000,
      interval: 100,
    });
    await change({ keepPasswordGrant: null });
    expect((await token(gateway, form, basic(foreign))).status).toBe(200);
  });

  test('require an administrator with a recent password, and are audited', async () => {
    const administrator = await session(gateway, 'keeper', { administrator: true });
    const person = await session(gateway, 'visitor');
    const update =
      'mutation ($input: UpdateInstanceSettingsInput!) { updateInstanceSettings(input: $input) { settings { greeting } } }';
    const input = { greeting: 'Ask in room 12.' };
    await expect(person.run(update, { input })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await administrator.run(update, { input })).toEqual({
      updateInstanceSettings: { settings: { greeting: 'Ask in room 12.' } },
    });
    const [written] = await gateway.sql<{ kind: string; detail: string }>(
      'select kind, detail from audit_events order by id desc limit 1',
    );
    expect(written).toEqual({ kind: 'settings_updated', detail: 'greeting' });
    expect(await (await fetch(`${gateway.url}/users/sign_in`)).text()).toContain('Ask in room 12.');
    await change({ greeting: null });
  });
});
