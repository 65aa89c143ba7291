import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import {
  applicationInput,
  basic,
  codeFor,
  codeForm,
  codeRequest,
  decide,
  deviceGrant,
  fragment,
  inBody,
  post,
  refresh,
  refusalOf,
  registerApplication,
  session,
  statusOf,
  token,
  tokensFor,
  tokensOf,
  type RegisteredApplication,
  type Session,
} from '../../support/oauth/oauth.ts';

let gateway: TestGateway;
let person: Session;
let application: RegisteredApplication;
beforeAll(async () => {
  gateway = await testGateway();
  person = await session(gateway, 'person');
});
beforeEach(async () => {
  application = await registerApplication(person, { scopes: ['api', 'read_user', 'email'] });
});

/** What the owner makes of it. */
const keep = (...scopes: string[]) =>
  person.run(
    'mutation ($id: ID!, $input: ApplicationInput!) { updateApplication(id: $id, input: $input) { secret } }',
    {
      id: application.id,
      input: applicationInput({ scopes }),
    },
  );
const scopesOf = async (accessToken: string) => {
  const { status, body } = await gateway.rest('GET', '/oauth/token/info', {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  return status === 200 ? (body as { scope: string[] }).scope : status;
};
const introspected = async (secret: string) => {
  const { body } = await post(gateway, '/oauth/introspect', { token: secret }, basic(application));
  return (body as { active: boolean; scope?: string }).scope ?? (body as { active: boolean }).active;
};
const listed = async () => {
  const { authorizedApplications } = await person.run<{
    authorizedApplications: { application: { clientId: string }; scopes: string[] }[];
  }>('{ authorizedApplications { application { clientId } scopes } }');
  return authorizedApplications.find(({ application: { clientId } }) => clientId === application.clientId)?.scopes;
};
const invalidGrant = [400, 'invalid_grant'];

describe('an application that gives scopes up', () => {
  test('has tokens without them from then on, wherever one asks, and with them again when it takes them back', async () => {
    const tokens = await tokensFor(person, application, 'email api read_user');
    await keep('read_user', 'email');
    expect(await scopesOf(tokens.access_token)).toEqual(['email', 'read_user']);
    expect([await introspected(tokens.access_token), await introspected(tokens.refresh_token)]).toEqual([
      'email read_user',
      'email read_user',
    ]);
    expect(await listed()).toEqual(['email', 'read_user']);
    const change = await gateway.rest('PUT', '/api/v4/notification_settings', {
      headers: { authorization: `Bearer ${tokens.access_token}` },
      form: { level: 'watch' },
    });
    expect([change.status, (change.body as { error: string }).error]).toEqual([403, 'insufficient_scope']);
    expect(await statusOf(gateway, tokens.access_token)).toBe(200);
    await keep('api', 'read_user', 'email');
    expect(await scopesOf(tokens.access_token)).toEqual(['email', 'api', 'read_user']);
  });

  test('refreshes to what is left, for good, and asks for the rest in vain', async () => {
    const tokens = await tokensFor(person, application, 'api read_user');
    await keep('read_user');
    expect(refusalOf(await refresh(gateway, application, tokens.refresh_token, { scope: 'api' }))).toEqual([
      400,
      'invalid_scope',
    ]);
    const next = tokensOf(await refresh(gateway, application, tokens.refresh_token));
    expect(next.scope).toBe('read_user');
    await keep('api', 'read_user', 'email');
    expect(await scopesOf(next.access_token)).toEqual(['read_user']);
    expect(tokensOf(await refresh(gateway, application, next.refresh_token)).scope).toBe('read_user');
  });

  test('gets the pair of a rotation that came before once more, with what is left', async () => {
    const tokens = await tokensFor(person, application, 'api read_user');
    const next = tokensOf(await refresh(gateway, application, tokens.refresh_token));
    await keep('read_user');
    const again = tokensOf(await refresh(gateway, application, tokens.refresh_token));
    expect([again.access_token, again.refresh_token, again.scope]).toEqual([
      next.access_token,
      next.refresh_token,
      'read_user',
    ]);
  });

  test('redeems a code, and completes a device code, for what is left', async () => {
    const code = await codeFor(person, application, { scope: 'api read_user' });
    const { body: device } = await post(gateway, '/oauth/authorize_device', {
      scope: 'api read_user',
      ...inBody(application),
    });
    const { device_code, user_code: userCode } = device as { device_code: string; user_code: string };
    await keep('read_user');
    const shown = await person.run('query ($userCode: String!) { pendingDevice(userCode: $userCode) { scopes } }', {
      userCode,
    });
    expect(shown).toEqual({ pendingDevice: { scopes: ['read_user'] } });
    await person.run('mutation ($input: DecideDeviceInput!) { decideDevice(input: $input) }', {
      input: { userCode, approved: true },
    });
    const redeemed = tokensOf(await token(gateway, codeForm(application, code)));
    const completed = tokensOf(await token(gateway, { grant_type: deviceGrant, device_code, ...inBody(application) }));
    expect([redeemed.scope, completed.scope]).toEqual(['read_user', 'read_user']);
    await keep('api', 'read_user');
    expect([await scopesOf(redeemed.access_token), await scopesOf(completed.access_token)]).toEqual([
      ['read_user'],
      ['read_user'],
    ]);
  });

  test('has nothing where nothing is left: no token, no refresh, no code, and nothing is listed', async () => {
    const tokens = await tokensFor(person, application, 'api');
    const implicit = fragment(
      await decide(person, codeRequest(application, { responseType: 'token', scope: 'api' })),
    ).get('access_token')!;
    const own = tokensOf(
      await token(gateway, { grant_type: 'client_credentials', scope: 'api', ...inBody(application) }),
    );
    const code = await codeFor(person, application, { scope: 'api' });
    await keep('read_user');
    expect(
      await Promise.all([tokens, { access_token: implicit }, own].map(({ access_token: one }) => scopesOf(one))),
    ).toEqual([401, 401, 401]);
    expect([await introspected(tokens.access_token), await introspected(tokens.refresh_token)]).toEqual([false, false]);
    expect(await listed()).toBeUndefined();
    expect(refusalOf(await refresh(gateway, application, tokens.refresh_token))).toEqual(invalidGrant);
    expect(refusalOf(await token(gateway, codeForm(application, code)))).toEqual(invalidGrant);
  });
});
