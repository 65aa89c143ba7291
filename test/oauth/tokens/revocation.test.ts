import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { approveDevice, decideDevice } from '../../support/oauth/authorization-request.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import {
  account,
  age,
  codeFor,
  codeForm,
  codeRequest,
  decide,
  deviceGrant,
  digestOf,
  fragment,
  inBody,
  pkce,
  post,
  prospect,
  refresh,
  refreshForm,
  refusalOf,
  registerApplication,
  session,
  sessionOf,
  signIn,
  statusOf,
  token,
  tokensFor,
  tokensOf,
  withChallenge,
  type Form,
  type RegisteredApplication,
  type Session,
  type Tokens,
} from '../../support/oauth/oauth.ts';

const invalidGrant = [400, 'invalid_grant'];

/** All that an application can hold for a person at one moment. */
interface Holdings {
  readonly application: RegisteredApplication;
  /** A pair whose refresh token was rotated a moment ago, and its successor. */
  readonly rotated: Tokens;
  readonly current: Tokens;
  /** Got by the other grants. */
  readonly others: Tokens[];
  readonly implicit: string;
  /** Forms that redeem what isn't redeemed yet. */
  readonly code: Form;
  readonly device: Form;
}

async function hold(person: Session, application: RegisteredApplication, password: string): Promise<Holdings> {
  const { gateway } = person;
  const rotated = await tokensFor(person, application);
  const current = tokensOf(await refresh(gateway, application, rotated.refresh_token));
  const byPassword = { grant_type: 'password', username: person.username, password, ...inBody(application) };
  const others = [
    tokensOf(await token(gateway, await approveDevice(person, application))),
    ...(application.confidential ? [tokensOf(await token(gateway, byPassword))] : []),
  ];
  const implicit = fragment(await decide(person, codeRequest(application, { responseType: 'token' }))).get(
    'access_token',
  )!;
  const proof = pkce();
  const code = codeForm(application, await codeFor(person, application, withChallenge(proof)), {
    code_verifier: proof.verifier,
  });
  return { application, rotated, current, others, implicit, code, device: await approveDevice(person, application) };
}

let first: TestGateway;
let second: TestGateway;
let owner: Session;
beforeAll(async () => {
  first = await testGateway();
  second = await testGateway({}, first);
  owner = await session(first, 'owner');
});

const accessTokens = ({ rotated, current, others, implicit }: Holdings) => [
  rotated.access_token,
  current.access_token,
  ...others.map(({ access_token }) => access_token),
  implicit,
];
const refreshTokens = ({ rotated, current, others }: Holdings) => [
  rotated.refresh_token,
  current.refresh_token,
  ...others.map(({ refresh_token }) => refresh_token),
];

/** What still works of them, at one gateway, on every endpoint. `credentials`: the client's at present. */
async function alive(
  gateway: TestGateway,
  holdings: Holdings,
  credentials: Form = inBody(holdings.application),
): Promise<string[]> {
  const works: string[] = [];
  const note = (what: string, worked: boolean) => void (worked && works.push(what));
  for (const accessToken of accessTokens(holdings)) {
    const bearer = { headers: { authorization: `Bearer ${accessToken}` } };
    note('REST', (await gateway.rest('GET', '/api/v4/user', bearer)).status === 200);
    note(
      'REST, in the query string',
      (await gateway.rest('GET', '/api/v4/user', { query: { access_token: accessToken } })).status === 200,
    );
    note('token information', (await gateway.rest('GET', '/oauth/token/info', bearer)).status === 200);
    note(
      'GraphQL',
      (await gateway.graphql<{ currentUser: unknown }>('{ currentUser { id } }', { token: accessToken })).data
        ?.currentUser != null,
    );
  }
  const { application } = holdings;
  if (application.confidential) {
    for (const one of [...accessTokens(holdings), ...refreshTokens(holdings)]) {
      const { body } = await post(gateway, '/oauth/introspect', { token: one, ...credentials });
      note('introspection', body.active === true);
    }
  }
  // The window of the rotated one is still open: it would answer the successor.
  for (const refreshToken of refreshTokens(holdings)) {
    note(
      'refresh',
      (await token(gateway, { ...refreshForm(application, refreshToken), ...credentials })).status === 200,
    );
  }
  note('code', (await token(gateway, { ...holdings.code, ...credentials })).status === 200);
  note('device code', (await token(gateway, { ...holdings.device, ...credentials })).status === 200);
  return works;
}

const everywhere = async (holdings: Holdings, credentials?: Form) => [
  ...(await alive(second, holdings, credentials)),
  ...(await alive(first, holdings, credentials)),
];

/** A person, what an application of theirs holds, what another one does, and a personal token. */
async function scene(confidential = true) {
  const { id, username, password } = await account(first, `user-${randomUUID().slice(0, 8)}`);
  const person = await signIn(first, username, password);
  const application = await registerApplication(owner, { confidential });
  const holdings = await hold(person, application, password);
  const other = await hold(person, await registerApplication(owner), password);
  const personal = await first.personalToken(username, ['api']);
  const personalStatus = async () => (await second.rest('GET', '/api/v4/user', { token: personal })).status;
  const sessionAlive = async (secret: string) =>
    await prospect(second, secret, codeRequest(application, withChallenge(pkce()))).then(() =>
      sessionOf(second, username, secret)
        .run('{ authorizedApplications { scopes } }')
        .then(
          () => true,
          () => false,
        ),
    );
  return { id, username, password, person, application, holdings, other, personal, personalStatus, sessionAlive };
}

describe('revocation reaches every token, code and device code, at every gateway (row 21)', () => {
  test('before it, everything works everywhere', async () => {
    const { holdings, personalStatus } = await scene();
    const works = await alive(second, holdings);
    expect(new Set(works)).toEqual(
      new Set([
        'REST',
        'REST, in the query string',
        'token information',
        'GraphQL',
        'introspection',
        'refresh',
        'code',
        'device code',
      ]),
    );
    // A rotated refresh token is reported as dead, though its window answers.
    expect(works.filter((what) => what === 'introspection')).toHaveLength(
      accessTokens(holdings).length + refreshTokens(holdings).length - 1,
    );
    expect(works.filter((what) => what === 'refresh')).toHaveLength(refreshTokens(holdings).length);
    expect(await personalStatus()).toBe(200);
  });

  test.each([true, false])(
    'when the person takes it back from an application (confidential: %s): that one’s end, no other’s',
    async (confidential) => {
      const { person, application, holdings, other, personalStatus } = await scene(confidential);
      await person.run('mutation ($id: ID!) { revokeAuthorization(applicationId: $id) }', { id: application.id });
      expect(await everywhere(holdings)).toEqual([]);
      expect(new Set(await alive(second, other)).size).toBe(8);
      expect(await personalStatus()).toBe(200);
      // And may allow it again.
      expect(await statusOf(second, (await tokensFor(person, application)).access_token)).toBe(200);
    },
  );

  test('of one person, another’s live on', async () => {
    const [one, two] = [await scene(), await session(first, `user-${randomUUID().slice(0, 8)}`)];
    const theirs = await tokensFor(two, one.application);
    await one.person.run('mutation ($id: ID!) { revokeAuthorization(applicationId: $id) }', { id: one.application.id });
    expect(await statusOf(second, theirs.access_token)).toBe(200);
    expect((await refresh(second, one.application, theirs.refresh_token)).status).toBe(200);
  });

  test.each(['access_token', 'refresh_token'] as const)(
    'when the client revokes an %s: its whole family, and no other',
    async (kind) => {
      for (const confidential of [true, false]) {
        const { holdings, application } = await scene(confidential);
        const { rotated, current, others } = holdings;
        expect((await post(second, '/oauth/revoke', { token: current[kind], ...inBody(application) })).status).toBe(
          200,
        );
        for (const gateway of [first, second]) {
          for (const dead of [rotated, current]) {
            expect(await statusOf(gateway, dead.access_token)).toBe(401);
            expect(refusalOf(await refresh(gateway, application, dead.refresh_token))).toEqual(invalidGrant);
          }
          expect(await statusOf(gateway, others[0]!.access_token)).toBe(200);
        }
        expect((await token(second, holdings.code)).status).toBe(200);
      }
    },
  );

  test.each(['access_token', 'refresh_token'] as const)('also by the replaced %s of it', async (kind) => {
    const { holdings, application } = await scene();
    expect(
      (await post(second, '/oauth/revoke', { token: holdings.rotated[kind], ...inBody(application) })).status,
    ).toBe(200);
    expect(await statusOf(first, holdings.current.access_token)).toBe(401);
    expect(refusalOf(await refresh(first, application, holdings.current.refresh_token))).toEqual(invalidGrant);
  });

  test('when the application is deleted', async () => {
    const { application, holdings, other, personalStatus } = await scene();
    await owner.run('mutation ($id: ID!) { deleteApplication(id: $id) }', { id: application.id });
    expect(await everywhere(holdings)).toEqual([]);
    expect(new Set(await alive(second, other)).size).toBe(8);
    expect(await personalStatus()).toBe(200);
  });

  test('when its secret is renewed, with the old secret and the new one', async () => {
    const { application, holdings, other, person } = await scene();
    const undecided = (await post(first, '/oauth/authorize_device', { scope: 'api', ...inBody(application) })).body;
    const { renewApplicationSecret } = await owner.run<{ renewApplicationSecret: { secret: string } }>(
      'mutation ($id: ID!) { renewApplicationSecret(id: $id) { secret } }',
      { id: application.id },
    );
    const credentials = { client_id: application.clientId, client_secret: renewApplicationSecret.secret };
    expect(await everywhere(holdings)).toEqual([]);
    expect(await everywhere(holdings, credentials)).toEqual([]);
    // What was asked for with the old secret brings nothing, even if it is approved afterwards.
    await decideDevice(person, undecided.user_code as string);
    expect(
      refusalOf(await token(second, { grant_type: deviceGrant, device_code: undecided.device_code, ...credentials })),
    ).toEqual(invalidGrant);
    expect(new Set(await alive(second, other)).size).toBe(8);
    const renewed = { ...application, secret: renewApplicationSecret.secret };
    expect(await statusOf(second, (await tokensFor(person, renewed)).access_token)).toBe(200);
  });

  test('when its kind changes, either way', async () => {
    for (const confidential of [true, false]) {
      const { application, holdings } = await scene(confidential);
      const { updateApplication } = await owner.run<{ updateApplication: { secret: string | null } }>(
        'mutation ($id: ID!, $input: ApplicationInput!) { updateApplication(id: $id, input: $input) { secret } }',
        {
          id: application.id,
          input: {
            name: 'Changed',
            redirectUris: application.redirectUris,
            scopes: application.scopes,
            grants: ['authorization_code', 'refresh_token'],
            confidential: !confidential,
          },
        },
      );
      const secret = updateApplication.secret ?? '';
      expect(secret === '').toBe(confidential);
      expect(await everywhere(holdings)).toEqual([]);
      expect(await everywhere(holdings, { client_id: application.clientId, client_secret: secret })).toEqual([]);
    }
  });

  test('but not when its name changes', async () => {
    const [{ application, holdings }, untouched] = [await scene(), await scene()];
    const { redirectUris, scopes, grants, confidential } = application;
    await owner.run(
      'mutation ($id: ID!, $input: ApplicationInput!) { updateApplication(id: $id, input: $input) { secret } }',
      {
        id: application.id,
        input: { name: 'Renamed', redirectUris, scopes, grants, confidential },
      },
    );
    expect(await everywhere(holdings)).toEqual(await everywhere(untouched.holdings));
  });

  const block = 'mutation ($id: ID!) { blockUser(input: { userId: $id }) { changed } }';
  const unblock = 'mutation ($id: ID!) { unblockUser(input: { userId: $id }) { changed } }';

  test('when the person is blocked (row 22); the personal token is suspended, and the session is over', async () => {
    const { id, username, password, person, holdings, other, personalStatus, sessionAlive } = await scene();
    await first.operator(block, { id });
    expect([...(await everywhere(holdings)), ...(await everywhere(other))]).toEqual([]);
    expect(await personalStatus()).toBe(403);
    expect(await sessionAlive(person.secret)).toBe(false);
    await expect(signIn(second, username, password)).rejects.toMatchObject({ fields: { password: expect.anything() } });
    // What the block ended stays ended.
    await first.operator(unblock, { id });
    expect([...(await everywhere(holdings)), ...(await everywhere(other))]).toEqual([]);
    expect(await sessionAlive(person.secret)).toBe(false);
    expect(await personalStatus()).toBe(200);
  });

  test('when the person is blocked in the database itself', async () => {
    const { id, holdings, personalStatus } = await scene();
    await first.sql(`update users set state = 'BLOCKED' where id = $1`, [id]);
    expect(await everywhere(holdings)).toEqual([]);
    expect(await personalStatus()).toBe(403);
  });

  test('when the person is deleted, personal tokens too', async () => {
    const { id, holdings, other, person, personalStatus, sessionAlive } = await scene();
    await first.operator('mutation ($id: ID!) { deleteUser(input: { userId: $id }) { finished } }', { id });
    expect([...(await everywhere(holdings)), ...(await everywhere(other))]).toEqual([]);
    expect(await personalStatus()).toBe(401);
    expect(await sessionAlive(person.secret)).toBe(false);
  });

  test('when the password is changed: every other session too, but not this one, nor personal tokens', async () => {
    const { username, password, person, holdings, other, personalStatus, sessionAlive } = await scene();
    const elsewhere = await signIn(second, username, password);
    await person.run('mutation ($input: ChangePasswordInput!) { changePassword(input: $input) }', {
      input: { current: password, password: 'another password' },
    });
    expect([...(await everywhere(holdings)), ...(await everywhere(other))]).toEqual([]);
    expect([await sessionAlive(person.secret), await sessionAlive(elsewhere.secret)]).toEqual([true, false]);
    expect(await personalStatus()).toBe(200);
    await expect(signIn(second, username, password)).rejects.toMatchObject({ fields: {} });
    expect(await sessionAlive((await signIn(second, username, 'another password')).secret)).toBe(true);
  });

  test('when an administrator sets the password: every session', async () => {
    const { id, person, holdings, other, personalStatus, sessionAlive } = await scene();
    await first.operator('mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) { user { id } } }', {
      input: { userId: id, password: 'set by another' },
    });
    expect([...(await everywhere(holdings)), ...(await everywhere(other))]).toEqual([]);
    expect(await sessionAlive(person.secret)).toBe(false);
    expect(await personalStatus()).toBe(200);
  });

  test('when the person signs out everywhere: this session too, not personal tokens', async () => {
    const { username, password, person, holdings, other, personalStatus, sessionAlive } = await scene();
    const elsewhere = await signIn(second, username, password);
    await person.run('mutation { signOutEverywhere }');
    expect([...(await everywhere(holdings)), ...(await everywhere(other))]).toEqual([]);
    expect([await sessionAlive(person.secret), await sessionAlive(elsewhere.secret)]).toEqual([false, false]);
    expect(await personalStatus()).toBe(200);
  });

  test('a plain sign-out ends its session and nothing else', async () => {
    const { username, password, person, holdings, sessionAlive } = await scene();
    const elsewhere = await signIn(second, username, password);
    await person.run('mutation { signOut }');
    expect([await sessionAlive(person.secret), await sessionAlive(elsewhere.secret)]).toEqual([false, true]);
    expect(new Set(await alive(second, holdings)).size).toBe(8);
  });

  test('when a code is used twice, or a refresh token after its window: its family, and no other', async () => {
    const { holdings, application } = await scene();
    const tokens = tokensOf(await token(first, holdings.code));
    await age(
      first,
      'authorization_codes',
      ['redeemed_at'],
      11,
      `digest = '\\x${digestOf(holdings.code.code!).toString('hex')}'`,
    );
    expect(refusalOf(await token(second, holdings.code))).toEqual(invalidGrant);
    await age(
      first,
      'refresh_tokens',
      ['rotated_at'],
      31,
      `digest = '\\x${digestOf(holdings.rotated.refresh_token).toString('hex')}'`,
    );
    expect(refusalOf(await refresh(second, application, holdings.rotated.refresh_token))).toEqual(invalidGrant);
    for (const gateway of [first, second]) {
      expect([
        await statusOf(gateway, tokens.access_token),
        await statusOf(gateway, holdings.current.access_token),
      ]).toEqual([401, 401]);
      expect(refusalOf(await refresh(gateway, application, tokens.refresh_token))).toEqual(invalidGrant);
      expect(refusalOf(await refresh(gateway, application, holdings.current.refresh_token))).toEqual(invalidGrant);
      expect(await statusOf(gateway, holdings.others[0]!.access_token)).toBe(200);
    }
  });

  test('the API answers “Token was revoked”', async () => {
    const { person, application, holdings } = await scene();
    await person.run('mutation ($id: ID!) { revokeAuthorization(applicationId: $id) }', { id: application.id });
    const { status, body, headers } = await second.rest('GET', '/api/v4/user', {
      headers: { authorization: `Bearer ${holdings.current.access_token}` },
    });
    expect([status, body.error, body.error_description]).toEqual([
      401,
      'invalid_token',
      'Token was revoked. You have to re-authorize from the user.',
    ]);
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
  });
});

/**
 * Requests that were let in a moment before something ended, and go on a moment
 * after: the statement that issues is held back until the end has come.
 */
