import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { clientContext, pageContext, type Application, type Context } from '../../../src/context.ts';
import { compileOperation } from '../../../src/operation.ts';
import { schema } from '../../../src/schema/index.ts';
import { approveDevice, decideDevice } from '../../support/oauth/authorization-request.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import {
  account,
  applicationInput,
  asPage,
  codeFor,
  codeRequest,
  decide,
  deviceGrant,
  inBody,
  post,
  refusalOf,
  registerApplication,
  session,
  sessionOf,
  signIn,
  somewhere,
  statusOf,
  token,
  tokensFor,
  type RegisteredApplication,
  type Session,
} from '../../support/oauth/oauth.ts';

/** What is being given at the very moment in which it is taken back: one of both happens, and nothing that was taken back lives. */

let first: TestGateway;
let owner: Session;
beforeAll(async () => {
  first = await testGateway();
  owner = await session(first, 'owner');
});

type Rows = Application['database']['rows'];

/** A gateway whose statements go through a function of the test. */
function withRows(rows: (run: Rows, ...call: Parameters<Rows>) => ReturnType<Rows>): TestGateway {
  const { application } = first.gateway;
  const { database, baseUrl } = application;
  const intercepted = {
    ...database,
    rows: (...call: Parameters<Rows>) => rows(database.rows, ...call),
  } as Application['database'];
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
  person.run('mutation ($input: ChangePasswordInput!) { changePassword(input: $input) }', {
    input: { current: password, password: 'a newer password' },
  });
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
  expect(
    await issue(interleaved('issue_tokens', end(all)), {
      client: all.client,
      grantType: 'client_credentials',
      scope: 'api',
    }),
  ).toBe('invalid_client');
});

/** What ends the client is reported as such, since the same statement checks it. */
const refusalWhen = (what: string) => (/secret|application/.test(what) ? 'invalid_client' : 'invalid_grant');

test.each(ends)('a code brings no living token when %s', async (what, end) => {
  const all = await actors();
  const code = await codeFor(all.person, all.application);
  const input = {
    client: all.client,
    grantType: 'authorization_code',
    code,
    redirectUri: all.application.redirectUris[0],
  };
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
  await expect(decide(person, codeRequest(all.application))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  const [count] = await first.sql('select count(*)::int as consents from consents where user_id = $1', [all.id]);
  expect(count).toEqual({ consents: 0 });
});

test('a code that is being given when the secret is renewed or the kind changes is worth nothing', async () => {
  const all = await actors();
  const person = sessionOf(interleaved('store_code', renewSecret(all.application)), all.username, all.person.secret);
  await expect(decide(person, codeRequest(all.application))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test.each(ends.slice(0, 3))('a session that counted gives no implicit token when %s', async (_what, end) => {
  const all = await actors();
  const person = sessionOf(interleaved('issue_tokens', end(all)), all.username, all.person.secret);
  await expect(decide(person, codeRequest(all.application, { responseType: 'token' }))).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  });
});

test.each(ends.slice(0, 3))('a session that counted approves no device when %s', async (_what, end) => {
  const all = await actors();
  const { body } = await post(first, '/oauth/authorize_device', { scope: 'api', ...inBody(all.application) });
  const person = sessionOf(interleaved('decide_device', end(all)), all.username, all.person.secret);
  await expect(decideDevice(person, body.user_code as string)).rejects.toMatchObject({ code: 'NOT_FOUND' });
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
  const person = sessionOf(
    interleaved('find_clients_by_ids', deleteApplication(all.application)),
    all.username,
    all.person.secret,
  );
  expect(await person.run('{ authorizedApplications { application { name } } }')).toEqual({
    authorizedApplications: [{ application: { name: 'Kept' } }],
  });
});

/** A gateway in which a statement stays uncommitted while something else goes on: its moment is past, and not visible yet. */
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

test('a request that is admitted while the end is being written, and dated a moment after it, gets nothing either', async () => {
  const all = await actors();
  const { application } = first.gateway;
  let looked: Context | undefined;
  const slow = await whileUncommitted('end_everything', async () => {
    looked = await pageContext(application, all.person.secret, { origin: somewhere });
  });
  await sessionOf(slow, all.username, all.person.secret).run('mutation { signOutEverywhere }');
  expect(looked!.viewer.person?.username).toBe(all.username);
  const authorize = compileOperation(
    schema,
    'mutation ($p: AuthorizationParameters!) { authorize(parameters: $p, approved: true) { location } }',
  );
  await expect(authorize.execute(looked!, { p: codeRequest(all.application) })).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  });
});

const becomesPublic = (id: string) => ({ id, input: applicationInput({ confidential: false }) });
const changesOfClients: [
  what: string,
  statement: string,
  change: string,
  variables: (id: string) => Record<string, unknown>,
][] = [
  [
    'secret is renewed',
    'renew_secret',
    'mutation ($id: ID!) { renewApplicationSecret(id: $id) { secret } }',
    (id) => ({ id }),
  ],
  [
    'kind changes',
    'update_application',
    'mutation ($id: ID!, $input: ApplicationInput!) { updateApplication(id: $id, input: $input) { secret } }',
    becomesPublic,
  ],
];

test.each(changesOfClients)(
  'what an application has is dead in the moment in which its %s, even if nothing more were done',
  async (_what, _statement, change, variables) => {
    const all = await actors();
    const { access_token: access } = await tokensFor(all.person, all.application);
    let status: number | undefined;
    const stopping = interleaved('end_application', async () => (status = await statusOf(first, access)));
    await sessionOf(stopping, 'owner', owner.secret).run(change, variables(all.application.id));
    expect(status).toBe(401);
  },
);

test('and what a person has is dead in the moment in which they set a password by a link', async () => {
  const all = await actors();
  const { access_token: access } = await tokensFor(all.person, all.application);
  const make = 'mutation ($input: CreatePasswordResetLinkInput!) { createPasswordResetLink(input: $input) { url } }';
  const { createPasswordResetLink: link } = await first.operator<{ createPasswordResetLink: { url: string } }>(make, {
    input: { userId: all.id },
  });
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
