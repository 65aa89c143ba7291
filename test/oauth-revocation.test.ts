import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { clientContext, pageContext, type Application, type Context } from '../src/context.ts';
import { compileOperation } from '../src/operation.ts';
import { schema } from '../src/schema/index.ts';
import { testGateway, type TestGateway } from './support/gateway.ts';
import {
  account,
  age,
  applicationInput,
  asksFor,
  asPage,
  codeFor,
  codeForm,
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
  somewhere,
  statusOf,
  token,
  tokensFor,
  tokensOf,
  withChallenge,
  type Form,
  type RegisteredApplication,
  type Session,
  type Tokens,
} from './support/oauth.ts';

const invalidGrant = [400, 'invalid_grant'];

const decideDevice = 'mutation ($input: DecideDeviceInput!) { decideDevice(input: $input) }';

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

async function approveDevice({ gateway, run }: Session, application: RegisteredApplication): Promise<Form> {
  const { body } = await post(gateway, '/oauth/authorize_device', { scope: 'api', ...inBody(application) });
  await run(decideDevice, { input: { userCode: body.user_code, approved: true } });
  return { grant_type: deviceGrant, device_code: body.device_code, ...inBody(application) };
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
  const implicit = fragment(await decide(person, asksFor(application, { responseType: 'token' }))).get('access_token')!;
  const proof = pkce();
  const code = codeForm(application, await codeFor(person, application, withChallenge(proof)), { code_verifier: proof.verifier });
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
  rotated.access_token, current.access_token, ...others.map(({ access_token }) => access_token), implicit,
];
const refreshTokens = ({ rotated, current, others }: Holdings) => [
  rotated.refresh_token, current.refresh_token, ...others.map(({ refresh_token }) => refresh_token),
];

/** What still works of them, at one gateway, on every endpoint. `credentials`: the client's at present. */
async function alive(gateway: TestGateway, holdings: Holdings, credentials: Form = inBody(holdings.application)): Promise<string[]> {
  const works: string[] = [];
  const note = (what: string, worked: boolean) => void (worked && works.push(what));
  for (const accessToken of accessTokens(holdings)) {
    const bearer = { headers: { authorization: `Bearer ${accessToken}` } };
    note('REST', (await gateway.rest('GET', '/api/v4/user', bearer)).status === 200);
    note('REST, in the query string', (await gateway.rest('GET', '/api/v4/user', { query: { access_token: accessToken } })).status === 200);
    note('token information', (await gateway.rest('GET', '/oauth/token/info', bearer)).status === 200);
    note('GraphQL', (await gateway.graphql<{ currentUser: unknown }>('{ currentUser { id } }', { token: accessToken })).data?.currentUser != null);
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
    note('refresh', (await token(gateway, { ...refreshForm(application, refreshToken), ...credentials })).status === 200);
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
    await prospect(second, secret, asksFor(application, withChallenge(pkce()))).then(
      () => sessionOf(second, username, secret).run('{ authorizedApplications { scopes } }').then(() => true, () => false),
    );
  return { id, username, password, person, application, holdings, other, personal, personalStatus, sessionAlive };
}

describe('revocation reaches every token, code and device code, at every gateway (row 21)', () => {
  test('before it, everything works everywhere', async () => {
    const { holdings, personalStatus } = await scene();
    const works = await alive(second, holdings);
    expect(new Set(works)).toEqual(
      new Set(['REST', 'REST, in the query string', 'token information', 'GraphQL', 'introspection', 'refresh', 'code', 'device code']),
    );
    // A rotated refresh token is told as dead, though its window answers.
    expect(works.filter((what) => what === 'introspection')).toHaveLength(accessTokens(holdings).length + refreshTokens(holdings).length - 1);
    expect(works.filter((what) => what === 'refresh')).toHaveLength(refreshTokens(holdings).length);
    expect(await personalStatus()).toBe(200);
  });

  test.each([true, false])('when the person takes it back from an application (confidential: %s): that one’s end, no other’s', async (confidential) => {
    const { person, application, holdings, other, personalStatus } = await scene(confidential);
    await person.run('mutation ($id: ID!) { revokeAuthorization(applicationId: $id) }', { id: application.id });
    expect(await everywhere(holdings)).toEqual([]);
    expect(new Set(await alive(second, other)).size).toBe(8);
    expect(await personalStatus()).toBe(200);
    // And may allow it again.
    expect(await statusOf(second, (await tokensFor(person, application)).access_token)).toBe(200);
  });

  test('of one person, another’s live on', async () => {
    const [one, two] = [await scene(), await session(first, `user-${randomUUID().slice(0, 8)}`)];
    const theirs = await tokensFor(two, one.application);
    await one.person.run('mutation ($id: ID!) { revokeAuthorization(applicationId: $id) }', { id: one.application.id });
    expect(await statusOf(second, theirs.access_token)).toBe(200);
    expect((await refresh(second, one.application, theirs.refresh_token)).status).toBe(200);
  });

  test.each(['access_token', 'refresh_token'] as const)('when the client revokes an %s: its whole family, and no other', async (kind) => {
    for (const confidential of [true, false]) {
      const { holdings, application } = await scene(confidential);
      const { rotated, current, others } = holdings;
      expect((await post(second, '/oauth/revoke', { token: current[kind], ...inBody(application) })).status).toBe(200);
      for (const gateway of [first, second]) {
        for (const dead of [rotated, current]) {
          expect(await statusOf(gateway, dead.access_token)).toBe(401);
          expect(refusalOf(await refresh(gateway, application, dead.refresh_token))).toEqual(invalidGrant);
        }
        expect(await statusOf(gateway, others[0]!.access_token)).toBe(200);
      }
      expect((await token(second, holdings.code)).status).toBe(200);
    }
  });

  test.each(['access_token', 'refresh_token'] as const)('also by the replaced %s of it', async (kind) => {
    const { holdings, application } = await scene();
    expect((await post(second, '/oauth/revoke', { token: holdings.rotated[kind], ...inBody(application) })).status).toBe(200);
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
    await person.run(decideDevice, { input: { userCode: undecided.user_code, approved: true } });
    expect(refusalOf(await token(second, { grant_type: deviceGrant, device_code: undecided.device_code, ...credentials }))).toEqual(invalidGrant);
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
          input: { name: 'Changed', redirectUris: application.redirectUris, scopes: application.scopes, grants: ['authorization_code', 'refresh_token'], confidential: !confidential },
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
    await owner.run('mutation ($id: ID!, $input: ApplicationInput!) { updateApplication(id: $id, input: $input) { secret } }', {
      id: application.id,
      input: { name: 'Renamed', redirectUris, scopes, grants, confidential },
    });
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

  test('when somebody blocks the person in the database itself', async () => {
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
    await first.operator('mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) { user { id } } }', { input: { userId: id, password: 'set by another' } });
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
    await age(first, 'authorization_codes', ['redeemed_at'], 11, `digest = '\\x${digestOf(holdings.code.code!).toString('hex')}'`);
    expect(refusalOf(await token(second, holdings.code))).toEqual(invalidGrant);
    await age(first, 'refresh_tokens', ['rotated_at'], 31, `digest = '\\x${digestOf(holdings.rotated.refresh_token).toString('hex')}'`);
    expect(refusalOf(await refresh(second, application, holdings.rotated.refresh_token))).toEqual(invalidGrant);
    for (const gateway of [first, second]) {
      expect([await statusOf(gateway, tokens.access_token), await statusOf(gateway, holdings.current.access_token)]).toEqual([401, 401]);
      expect(refusalOf(await refresh(gateway, application, tokens.refresh_token))).toEqual(invalidGrant);
      expect(refusalOf(await refresh(gateway, application, holdings.current.refresh_token))).toEqual(invalidGrant);
      expect(await statusOf(gateway, holdings.others[0]!.access_token)).toBe(200);
    }
  });

  test('“Token was revoked” is what the API says then', async () => {
    const { person, application, holdings } = await scene();
    await person.run('mutation ($id: ID!) { revokeAuthorization(applicationId: $id) }', { id: application.id });
    const { status, body, headers } = await second.rest('GET', '/api/v4/user', { headers: { authorization: `Bearer ${holdings.current.access_token}` } });
    expect([status, body.error, body.error_description]).toEqual([401, 'invalid_token', 'Token was revoked. You have to re-authorize from the user.']);
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
  });
});

/**
 * Requests that were let in a moment before something ended, and go on a moment
 * after: the statement that issues is held back until the end has come.
 */
describe('what is being given while it is taken back', () => {
  type Rows = Application['database']['rows'];

  /** A gateway whose statements go through a function of the test. */
  function withRows(rows: (run: Rows, ...call: Parameters<Rows>) => ReturnType<Rows>): TestGateway {
    const { application } = first.gateway;
    const { database, baseUrl } = application;
    const intercepted = { ...database, rows: (...call: Parameters<Rows>) => rows(database.rows, ...call) } as Application['database'];
    return { ...first, gateway: { ...first.gateway, application: { ...application, baseUrl, database: intercepted } } };
  }

  /** A gateway in which something happens right before a statement runs for the first time. */
  function interleaved(statement: string, happens: () => Promise<unknown>): TestGateway {
    let happened: Promise<unknown> | undefined;
    return withRows(async (run, one, values) => {
      if (one.name === statement) await (happened ??= happens());
      return await run(one, values);
    });
  }

  const issueToken = compileOperation<{ issueToken: { accessToken: string } }>(
    schema,
    'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { accessToken } }',
  );

  /** Runs the token endpoint's operation at such a gateway. @returns the error, or undefined */
  async function issue({ gateway: { application } }: TestGateway, input: object): Promise<string | undefined> {
    return await issueToken.execute(await clientContext(application, { origin: somewhere }), { input }).then(
      () => undefined,
      (error: { error: string }) => error.error,
    );
  }

  const signOutEverywhere = (person: Session) => () => person.run('mutation { signOutEverywhere }');
  const changePassword = (person: Session, password: string) => () =>
    person.run('mutation ($input: ChangePasswordInput!) { changePassword(input: $input) }', { input: { current: password, password: 'a newer password' } });
  const blockAndUnblock = (id: string) => async () => {
    await first.operator('mutation ($id: ID!) { blockUser(input: { userId: $id }) { changed } }', { id });
    await first.operator('mutation ($id: ID!) { unblockUser(input: { userId: $id }) { changed } }', { id });
  };
  const renewSecret = (application: RegisteredApplication) => () =>
    owner.run('mutation ($id: ID!) { renewApplicationSecret(id: $id) { secret } }', { id: application.id });
  const deleteApplication = (application: RegisteredApplication) => () =>
    owner.run('mutation ($id: ID!) { deleteApplication(id: $id) }', { id: application.id });

  async function actors() {
    const { id, username, password } = await account(first, `user-${randomUUID().slice(0, 8)}`);
    const person = await signIn(first, username, password);
    const application = await registerApplication(owner);
    const client = { clientId: application.clientId, clientSecret: application.secret };
    return { id, username, password, person, application, client };
  }
  type Actors = Awaited<ReturnType<typeof actors>>;
  const ends: [what: string, end: (actors: Actors) => () => Promise<unknown>][] = [
    ['the password changes', ({ person, password }) => changePassword(person, password)],
    ['the person signs out everywhere', ({ person }) => signOutEverywhere(person)],
    ['the person is blocked, and let in again', ({ id }) => blockAndUnblock(id)],
    ['the secret is renewed', ({ application }) => renewSecret(application)],
    ['the application is deleted', ({ application }) => deleteApplication(application)],
  ];

  test.each(ends)('a password that was right brings no living token when %s', async (_what, end) => {
    const all = await actors();
    const input = { client: all.client, grantType: 'password', username: all.username, password: all.password };
    expect(await issue(interleaved('issue_tokens', end(all)), input)).toBe('invalid_grant');
  });

  test.each(ends)('nor when %s after the client was looked at, but before the password is', async (_what, end) => {
    const all = await actors();
    const input = { client: all.client, grantType: 'password', username: all.username, password: all.password };
    expect(await issue(interleaved('find_account', end(all)), input)).toBe('invalid_grant');
  });

  test.each(ends.slice(3))('a secret that was right brings no living token when %s', async (_what, end) => {
    const all = await actors();
    expect(await issue(interleaved('issue_tokens', end(all)), { client: all.client, grantType: 'client_credentials', scope: 'api' })).toBe('invalid_client');
  });

  /** What ends the client is told as such, since it is looked at in the same statement. */
  const refusalWhen = (what: string) => (/secret|application/.test(what) ? 'invalid_client' : 'invalid_grant');

  test.each(ends)('a code brings no living token when %s', async (what, end) => {
    const all = await actors();
    const code = await codeFor(all.person, all.application);
    const input = { client: all.client, grantType: 'authorization_code', code, redirectUri: all.application.redirectUris[0] };
    expect(await issue(interleaved('redeem_code', end(all)), input)).toBe(refusalWhen(what));
  });

  test.each(ends)('a refresh token brings no living one when %s', async (what, end) => {
    const all = await actors();
    const tokens = await tokensFor(all.person, all.application);
    const input = { client: all.client, grantType: 'refresh_token', refreshToken: tokens.refresh_token };
    expect(await issue(interleaved('rotate_refresh_token', end(all)), input)).toBe(refusalWhen(what));
  });

  test.each(ends.slice(0, 3))('a session that counted gives no code when %s', async (_what, end) => {
    const all = await actors();
    const person = sessionOf(interleaved('store_code', end(all)), all.username, all.person.secret);
    await expect(decide(person, asksFor(all.application))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    const [count] = await first.sql('select count(*)::int as consents from consents where user_id = $1', [all.id]);
    expect(count).toEqual({ consents: 0 });
  });

  test('a code that is being given when the secret is renewed or the kind changes is worth nothing', async () => {
    const all = await actors();
    const person = sessionOf(interleaved('store_code', renewSecret(all.application)), all.username, all.person.secret);
    await expect(decide(person, asksFor(all.application))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test.each(ends.slice(0, 3))('a session that counted gives no implicit token when %s', async (_what, end) => {
    const all = await actors();
    const person = sessionOf(interleaved('issue_tokens', end(all)), all.username, all.person.secret);
    await expect(decide(person, asksFor(all.application, { responseType: 'token' }))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test.each(ends.slice(0, 3))('a session that counted approves no device when %s', async (_what, end) => {
    const all = await actors();
    const { body } = await post(first, '/oauth/authorize_device', { scope: 'api', ...inBody(all.application) });
    const person = sessionOf(interleaved('decide_device', end(all)), all.username, all.person.secret);
    await expect(person.run(decideDevice, { input: { userCode: body.user_code, approved: true } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const form = { grant_type: deviceGrant, device_code: body.device_code, ...inBody(all.application) };
    expect(refusalOf(await token(first, form))).toEqual([400, 'authorization_pending']);
  });

  test.each(ends.slice(0, 3))('a password that was right opens no session when %s', async (_what, end) => {
    const all = await actors();
    await expect(signIn(interleaved('open_session', end(all)), all.username, all.password)).rejects.toMatchObject({
      fields: { password: ['Name or password is wrong.'] },
    });
  });

  test('an approved device brings no living token when the person signs out everywhere', async () => {
    const all = await actors();
    const { device_code: deviceCode } = await approveDevice(all.person, all.application);
    const input = { client: all.client, grantType: deviceGrant, deviceCode };
    expect(await issue(interleaved('complete_device_code', signOutEverywhere(all.person)), input)).toBe('invalid_grant');
  });

  test('an application that is deleted while a person looks at what they allow is left out', async () => {
    const all = await actors();
    const kept = await registerApplication(owner, { name: 'Kept' });
    for (const application of [all.application, kept]) await tokensFor(all.person, application);
    const person = sessionOf(interleaved('find_client_by_id', deleteApplication(all.application)), all.username, all.person.secret);
    expect(await person.run('{ authorizedApplications { application { name } } }')).toEqual({ authorizedApplications: [{ application: { name: 'Kept' } }] });
  });

  /** A gateway in which a statement stays uncommitted while something else goes on: its moment is past, and nobody sees it yet. */
  async function whileUncommitted(statement: string, goesOn: () => Promise<unknown>): Promise<TestGateway> {
    const client = new pg.Client({ connectionString: first.databaseUrl });
    await client.connect();
    let done = false;
    return withRows(async (run, one, values) => {
      if (one.name !== statement || done) return await run(one, values);
      done = true;
      await client.query('begin');
      const { rows } = await client.query(one.text, values as unknown[]);
      await goesOn();
      await client.query('commit');
      await client.end();
      return rows as never;
    });
  }

  test('whoever is let in while the end is being written, and dated a moment after it, gets nothing either', async () => {
    const all = await actors();
    const { application } = first.gateway;
    let looked: Context | undefined;
    const slow = await whileUncommitted('end_everything', async () => {
      looked = await pageContext(application, all.person.secret, { origin: somewhere });
    });
    await sessionOf(slow, all.username, all.person.secret).run('mutation { signOutEverywhere }');
    expect(looked!.viewer.person?.username).toBe(all.username);
    const authorize = compileOperation(schema, 'mutation ($p: AuthorizationParameters!) { authorize(parameters: $p, approved: true) { location } }');
    await expect(authorize.execute(looked!, { p: asksFor(all.application) })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  const becomesPublic = (id: string) => ({ id, input: applicationInput({ confidential: false }) });
  const changesOfClients: [what: string, statement: string, change: string, variables: (id: string) => Record<string, unknown>][] = [
    ['secret is renewed', 'renew_secret', 'mutation ($id: ID!) { renewApplicationSecret(id: $id) { secret } }', (id) => ({ id })],
    ['kind changes', 'update_application', 'mutation ($id: ID!, $input: ApplicationInput!) { updateApplication(id: $id, input: $input) { secret } }', becomesPublic],
  ];

  test.each(changesOfClients)('what an application has is dead in the moment in which its %s, even if nothing more were done', async (_what, _statement, change, variables) => {
    const all = await actors();
    const { access_token: access } = await tokensFor(all.person, all.application);
    let status: number | undefined;
    const stopping = interleaved('end_application', async () => (status = await statusOf(first, access)));
    await sessionOf(stopping, 'owner', owner.secret).run(change, variables(all.application.id));
    expect(status).toBe(401);
  });

  test('and what a person has is dead in the moment in which they set a password by a link', async () => {
    const all = await actors();
    const { access_token: access } = await tokensFor(all.person, all.application);
    const make = 'mutation ($input: CreatePasswordResetLinkInput!) { createPasswordResetLink(input: $input) { url } }';
    const { createPasswordResetLink: link } = await first.operator<{ createPasswordResetLink: { url: string } }>(make, { input: { userId: all.id } });
    const secret = new URL(link.url).searchParams.get('reset_password_token')!;
    let status: number | undefined;
    const stopping = interleaved('end_everything', async () => (status = await statusOf(first, access)));
    const set = 'mutation ($input: SetForgottenPasswordInput!) { setForgottenPassword(input: $input) }';
    await asPage(stopping, null, set, { input: { token: secret, password: 'a new password' } });
    expect(status).toBe(401);
  });

  test.each(changesOfClients)('nor does a client whose %s just then', async (_what, statement, change, variables) => {
    const all = await actors();
    let letGo: () => void;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let asked: Promise<string | undefined> | undefined;
    const slow = await whileUncommitted(statement, async () => {
      await new Promise<void>((letIn) => {
        const holding = withRows(async (run, one, values) => {
          if (one.name === 'issue_tokens') {
            letIn();
            await held;
          }
          return await run(one, values);
        });
        asked = issue(holding, { client: all.client, grantType: 'client_credentials', scope: 'api' });
      });
    });
    await sessionOf(slow, 'owner', owner.secret).run(change, variables(all.application.id));
    letGo!();
    expect(await asked).toBe('invalid_client');
  });
});
