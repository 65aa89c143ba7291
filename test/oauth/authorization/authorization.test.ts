import { beforeAll, describe, expect, test } from 'vitest';
import {
  callback,
  codeRequest,
  decide,
  fragment,
  pkce,
  prospect,
  registerApplication,
  session,
  withChallenge,
  type AuthorizationParameters,
  type RegisteredApplication,
} from '../../support/oauth/oauth.ts';
import { makeWorld, type World } from '../../support/oauth/world.ts';

describe('the implicit grant (RFC 6749 §4.2)', () => {
  const ask = (application: RegisteredApplication, more: AuthorizationParameters = {}) =>
    codeRequest(application, { responseType: 'token', state: 'a state', ...more });

  test('puts token, lifetime and state into the fragment, and nothing into the query string', async () => {
    const { gateway, person, confidential, open } = await makeWorld();
    for (const application of [confidential, open]) {
      const location = await decide(person, ask(application, { scope: 'read_user' }));
      expect(location.href.startsWith(`${callback}#`)).toBe(true);
      expect(location.search).toBe('');
      const members = Object.fromEntries(fragment(location));
      expect(Object.keys(members)).toEqual(['access_token', 'token_type', 'expires_in', 'state']);
      expect(members).toMatchObject({ token_type: 'bearer', expires_in: '7200', state: 'a state' });
      const info = await gateway.rest('GET', '/oauth/token/info', {
        headers: { authorization: `Bearer ${members.access_token}` },
      });
      expect(info.body).toMatchObject({ scope: ['read_user'], application: { uid: application.clientId } });
    }
    const [refreshTokens] = await gateway.sql('select count(*)::int as count from refresh_tokens');
    expect(refreshTokens).toEqual({ count: 0 });
  });

  test('reports errors in the fragment too', async () => {
    const { person, confidential } = await makeWorld();
    const refused = await decide(person, ask(confidential), false);
    expect([refused.search, fragment(refused).get('error'), fragment(refused).get('state')]).toEqual([
      '',
      'access_denied',
      'a state',
    ]);
    const unknown = await decide(person, ask(confidential, { scope: 'openid' }));
    expect([unknown.search, fragment(unknown).get('error')]).toEqual(['', 'invalid_scope']);
  });

  test('is refused to an application that didn’t register it', async () => {
    const { person } = await makeWorld();
    const application = await registerApplication(person, { grants: ['authorization_code'] });
    expect(fragment(await decide(person, ask(application))).get('error')).toBe('unauthorized_client');
    const other = await registerApplication(person, { grants: ['implicit'] });
    expect((await decide(person, codeRequest(other))).searchParams.get('error')).toBe('unauthorized_client');
  });

  test('“the implicit grant … SHOULD NOT be used” (RFC 9700 §2.1.2): the profile strict has none', async () => {
    const { person, confidential, gateway } = await makeWorld({ CAUSEWAY_PROFILE: 'strict' });
    const location = await decide(person, ask(confidential));
    expect([fragment(location).get('error'), location.hash.includes('access_token')]).toEqual([
      'unsupported_response_type',
      false,
    ]);
    const { body } = await gateway.rest('GET', '/.well-known/oauth-authorization-server');
    expect([body.response_types_supported, body.grant_types_supported.includes('implicit')]).toEqual([['code'], false]);
  });
});
describe('other parameters of an authorization request', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld();
  });
  const refused = async (more: AuthorizationParameters) => {
    const location = await decide(world.person, codeRequest(world.confidential, { state: 's', ...more }));
    expect([location.searchParams.get('state'), location.searchParams.has('code')]).toEqual(['s', false]);
    return location.searchParams.get('error');
  };

  test.each<[parameters: AuthorizationParameters, description: string]>([
    [{ clientId: '' }, 'Missing required parameter: client_id.'],
    [{ responseType: '' }, 'Missing required parameter: response_type.'],
    [{ responseMode: 'form_post' }, 'The authorization server does not support this response mode.'],
    [{ prompt: 'none' }, 'The authorization server requires interaction with the person.'],
  ])('%j is reported with a description: %s', async (more, description) => {
    const { errorDescription } = await prospect(
      world.gateway,
      world.person.secret,
      codeRequest(world.confidential, more),
    );
    expect(errorDescription).toBe(description);
  });

  test.each([
    'https://client.example/cb?',
    'https://client.example/cb?a=1',
    'https://client.example/cb?a=1&',
    'https://client.example/cb',
  ])('the answer follows the registered address %s, character by character (RFC 6749 §3.1.2)', async (redirectUri) => {
    const application = await registerApplication(world.person, { redirectUris: [redirectUri] });
    const { href } = await decide(world.person, codeRequest(application, { state: 's' }));
    const between = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&';
    expect(href).toMatch(/[?&]code=cwac_[A-Za-z0-9_-]{43}&state=s$/);
    expect(href.startsWith(`${redirectUri}${between}code=`)).toBe(true);
  });

  test.each<[parameters: AuthorizationParameters, error: string]>([
    [{ responseType: null }, 'invalid_request'],
    [{ responseType: '' }, 'invalid_request'],
    [{ responseType: 'id_token' }, 'unsupported_response_type'],
    [{ responseType: 'code token' }, 'unsupported_response_type'],
    [{ responseType: 'CODE' }, 'unsupported_response_type'],
    [{ responseMode: 'form_post' }, 'invalid_request'],
    [{ responseMode: 'fragment' }, 'invalid_request'],
    [{ scope: null }, 'invalid_scope'],
    [{ scope: '' }, 'invalid_scope'],
    [{ scope: ' ' }, 'invalid_scope'],
    [{ scope: 'openid' }, 'invalid_scope'],
    [{ scope: 'api\tread_user' }, 'invalid_scope'],
    [{ prompt: 'none' }, 'interaction_required'],
  ])('%j is reported to the client as %s', async (parameters, error) => {
    expect(await refused(parameters)).toBe(error);
  });

  test('the ordinary response mode may be named', async () => {
    expect(
      (await decide(world.person, codeRequest(world.confidential, { responseMode: 'query' }))).searchParams.has('code'),
    ).toBe(true);
    expect(
      fragment(
        await decide(
          world.person,
          codeRequest(world.confidential, { responseType: 'token', responseMode: 'fragment' }),
        ),
      ).has('access_token'),
    ).toBe(true);
  });

  test('a scope that the application didn’t register can’t be asked for', async () => {
    const narrow = await registerApplication(world.person, { scopes: ['read_user'] });
    expect(
      (await decide(world.person, codeRequest(narrow, { scope: 'read_user api' }))).searchParams.get('error'),
    ).toBe('invalid_scope');
  });

  test('an absent state is left out of the answer', async () => {
    const location = await decide(world.person, codeRequest(world.confidential));
    expect([...location.searchParams.keys()]).toEqual(['code']);
  });

  test('a state can’t break out of the query string', async () => {
    const state = '&code=forged#x\r\nLocation: https://evil.example';
    const location = await decide(world.person, codeRequest(world.confidential, { state }));
    expect(location.searchParams.getAll('code')).toHaveLength(1);
    expect(location.searchParams.get('state')).toBe(state);
  });
});

describe('remembered consent', () => {
  let world: World;
  let fresh: RegisteredApplication;
  beforeAll(async () => {
    world = await makeWorld();
  });

  const remembers = async (parameters: AuthorizationParameters) =>
    (await prospect(world.gateway, world.person.secret, parameters)).remembered;
  const application = async (overrides: Parameters<typeof registerApplication>[1] = {}) =>
    (fresh = await registerApplication(world.person, overrides));

  test('holds for the same redirect URI and the same or fewer scopes of a confidential application', async () => {
    const app = await application({ redirectUris: [callback, 'https://client.example/other'] });
    const parameters = codeRequest(app, { scope: 'api read_user' });
    expect(await remembers(parameters)).toBe(false);
    await decide(world.person, parameters);
    expect(await remembers(parameters)).toBe(true);
    expect(await remembers({ ...parameters, scope: 'read_user' })).toBe(true);
    expect(await remembers({ ...parameters, scope: 'read_user api' })).toBe(true);
    expect(await remembers({ ...parameters, scope: 'api profile' })).toBe(false);
    expect(await remembers({ ...parameters, redirectUri: 'https://client.example/other' })).toBe(false);
    expect((await prospect(world.gateway, null, parameters)).remembered).toBe(false);
    const other = await session(world.gateway, 'another-person');
    expect((await prospect(world.gateway, other.secret, parameters)).remembered).toBe(false);
  });

  test('isn’t made by a refusal', async () => {
    const parameters = codeRequest(await application());
    await decide(world.person, parameters, false);
    expect(await remembers(parameters)).toBe(false);
  });

  test('a narrower approval doesn’t make it narrower', async () => {
    const parameters = codeRequest(await application(), { scope: 'api read_user' });
    await decide(world.person, parameters);
    await decide(world.person, { ...parameters, scope: 'read_user' });
    expect(await remembers(parameters)).toBe(true);
  });

  test('is never for a public application, a token in a fragment, or sudo (row 26)', async () => {
    const app = await application();
    for (const parameters of [
      codeRequest(world.open, withChallenge(pkce())),
      codeRequest(app, { responseType: 'token' }),
      codeRequest(app, { scope: 'api sudo' }),
    ]) {
      await decide(world.person, parameters);
      expect(await remembers(parameters)).toBe(false);
    }
    // And sudo with consent to all else.
    await decide(world.person, codeRequest(app));
    expect(await remembers(codeRequest(app, { scope: 'sudo' }))).toBe(false);
    expect(await remembers(codeRequest(app, { responseType: 'token' }))).toBe(false);
  });

  const forgets = async (act: () => Promise<unknown>) => {
    const parameters = codeRequest(fresh);
    await decide(world.person, parameters);
    expect(await remembers(parameters)).toBe(true);
    await act();
    expect(await remembers(parameters)).toBe(false);
  };
  const update = (change: object) =>
    world.person.run(
      'mutation ($id: ID!, $input: ApplicationInput!) { updateApplication(id: $id, input: $input) { secret } }',
      {
        id: fresh.id,
        input: {
          name: fresh.name,
          redirectUris: fresh.redirectUris,
          scopes: fresh.scopes,
          grants: fresh.grants,
          confidential: true,
          ...change,
        },
      },
    );

  test('is forgotten when the person takes it back', async () => {
    await application();
    await forgets(() =>
      world.person.run('mutation ($id: ID!) { revokeAuthorization(applicationId: $id) }', { id: fresh.id }),
    );
  });

  test('is forgotten when the application’s redirect URIs change', async () => {
    await application();
    await forgets(() => update({ redirectUris: [callback, 'https://client.example/more'] }));
  });

  test('is forgotten when the application’s kind changes, and changes back', async () => {
    await application();
    await forgets(async () => {
      await update({ confidential: false, grants: ['authorization_code'] });
      await update({});
    });
  });

  test('lives on when only its name changes', async () => {
    await application();
    await decide(world.person, codeRequest(fresh));
    await update({ name: 'Another name' });
    expect(await remembers(codeRequest(fresh))).toBe(true);
  });
});
