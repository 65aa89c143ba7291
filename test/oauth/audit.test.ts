import { beforeAll, describe, expect, test } from 'vitest';
import { clientContext } from '../../src/context.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import { compileOperation } from '../../src/operation.ts';
import { schema } from '../../src/schema/index.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import {
  age,
  codeFor,
  codeForm,
  codeRequest,
  decide,
  deviceGrant,
  digestOf,
  inBody,
  post,
  refresh,
  registerApplication,
  session,
  sessionOf,
  signIn,
  somewhere,
  token,
  tokensFor,
  tokensOf,
  type Form,
  type RegisteredApplication,
  type Session,
} from '../support/oauth/oauth.ts';

interface Event {
  kind: string;
  actorId: string | null;
  userId: string | null;
  applicationId: string | null;
  scopes: string[];
  address: string;
  requestId: string;
  detail: string | null;
  count: number;
}

let gateway: TestGateway;
let person: Session;
let id: string;
let application: RegisteredApplication;
beforeAll(async () => {
  gateway = await testGateway({ CAUSEWAY_TRUSTED_PROXIES: 'loopback' });
  person = await session(gateway, 'person');
  id = await idOf('person');
  application = await registerApplication(person);
});

const idOf = async (username: string) => {
  const [user] = await gateway.sql<{ id: number }>('select id from users where username = $1', [username]);
  return String(user!.id);
};

const fields = 'kind actorId userId applicationId scopes address requestId detail count';

/** What the audit holds since a moment, the first first. */
async function during(work: () => Promise<unknown>): Promise<Event[]> {
  const [last] = await gateway.sql<{ id: string }>('select coalesce(max(id), 0)::text as id from audit_events');
  await work();
  const rows = await gateway.sql<{ row: Event }>(
    `select json_build_object('kind', kind, 'actorId', actor_id::text, 'userId', user_id::text, 'applicationId', application_id::text, 'scopes', scopes,
            'address', address, 'requestId', request_id, 'detail', detail, 'count', count) as row
       from audit_events where id > $1 order by id`,
    [last!.id],
  );
  return rows.map(({ row }) => row);
}
const kinds = (events: Event[]) => events.map(({ kind }) => kind);

const form = (more: Form) => ({ ...more, ...inBody(application) });

describe('every act is written down', () => {
  test.each<[act: string, kind: string, scopes: string[], work: () => Promise<unknown>]>([
    [
      'a code is approved',
      'authorization_approved',
      ['api', 'read_user'],
      () => codeFor(person, application, { scope: 'api read_user' }),
    ],
    [
      'a request is refused by the person',
      'authorization_denied',
      ['api'],
      () => decide(person, codeRequest(application), false),
    ],
    [
      'a consent is taken back',
      'authorization_revoked',
      [],
      () => person.run('mutation ($id: ID!) { revokeAuthorization(applicationId: $id) }', { id: application.id }),
    ],
  ])('%s', async (_act, kind, scopes, work) => {
    expect(await during(work)).toEqual([
      {
        kind,
        actorId: id,
        userId: id,
        applicationId: application.id,
        scopes,
        address: '198.51.100.1',
        requestId: 'a-test',
        detail: null,
        count: 1,
      },
    ]);
  });

  test.each<[grant: string, work: () => Promise<Form>, user: boolean]>([
    ['authorization_code', async () => codeForm(application, await codeFor(person, application)), true],
    [
      'refresh_token',
      async () =>
        form({ grant_type: 'refresh_token', refresh_token: (await tokensFor(person, application)).refresh_token }),
      true,
    ],
    [
      'password',
      async () => form({ grant_type: 'password', username: 'person', password: 'password of person' }),
      true,
    ],
    ['client_credentials', async () => form({ grant_type: 'client_credentials' }), false],
    [
      'device_code',
      async () => {
        const { body } = await post(gateway, '/oauth/authorize_device', { scope: 'api', ...inBody(application) });
        await person.run('mutation ($input: DecideDeviceInput!) { decideDevice(input: $input) }', {
          input: { userCode: body.user_code, approved: true },
        });
        return form({ grant_type: deviceGrant, device_code: body.device_code });
      },
      true,
    ],
  ])(
    'a token of the grant %s, with where the request came from and what it was called',
    async (grant, prepare, ofUser) => {
      const prepared = await prepare();
      let requestId: string | null = null;
      const events = await during(async () => {
        const { headers, status } = await token(gateway, prepared, { headers: { 'x-forwarded-for': '203.0.113.5' } });
        expect(status).toBe(200);
        requestId = headers.get('x-request-id');
      });
      const user = ofUser ? id : null;
      expect(events).toEqual([
        {
          kind: grant === 'refresh_token' ? 'token_refreshed' : 'token_issued',
          actorId: user,
          userId: user,
          applicationId: application.id,
          scopes: ['api'],
          address: '203.0.113.5',
          requestId,
          detail: null,
          count: 1,
        },
      ]);
    },
  );

  test('a token in a fragment', async () => {
    const events = await during(() => decide(person, codeRequest(application, { responseType: 'token' })));
    expect(events).toMatchObject([
      { kind: 'token_issued', actorId: id, userId: id, applicationId: application.id, scopes: ['api'] },
    ]);
  });

  test('a device that is approved or refused', async () => {
    for (const approved of [true, false]) {
      const { body } = await post(gateway, '/oauth/authorize_device', { scope: 'read_user', ...inBody(application) });
      const events = await during(() =>
        person.run('mutation ($input: DecideDeviceInput!) { decideDevice(input: $input) }', {
          input: { userCode: body.user_code, approved },
        }),
      );
      expect(events).toMatchObject([
        {
          kind: approved ? 'device_approved' : 'device_denied',
          userId: id,
          applicationId: application.id,
          scopes: ['read_user'],
        },
      ]);
    }
  });

  test('a token that its client revokes, once', async () => {
    const tokens = await tokensFor(person, application);
    const revoke = () => post(gateway, '/oauth/revoke', form({ token: tokens.access_token }));
    expect(await during(revoke)).toMatchObject([
      { kind: 'token_revoked', userId: id, applicationId: application.id, scopes: ['api'] },
    ]);
    expect(await during(revoke)).toEqual([]);
  });

  test('reuse that ends a family: of a code, of a refresh token', async () => {
    const code = await codeFor(person, application);
    await token(gateway, codeForm(application, code));
    expect(await during(() => token(gateway, codeForm(application, code)))).toContainEqual(
      expect.objectContaining({ kind: 'code_replayed', userId: id, scopes: [] }),
    );
    const tokens = await tokensFor(person, application);
    await refresh(gateway, application, tokens.refresh_token);
    await age(
      gateway,
      'refresh_tokens',
      ['rotated_at'],
      31,
      `digest = '\\x${digestOf(tokens.refresh_token).toString('hex')}'`,
    );
    expect(await during(() => refresh(gateway, application, tokens.refresh_token))).toContainEqual(
      expect.objectContaining({ kind: 'refresh_token_reused', userId: id, scopes: [] }),
    );
  });

  test('an application’s whole life', async () => {
    const input = {
      name: 'Short-lived',
      redirectUris: ['https://a.example/'],
      scopes: ['api'],
      grants: ['authorization_code'],
      confidential: true,
    };
    let made: RegisteredApplication;
    const of = (more: Partial<Event>) => ({ actorId: id, userId: id, applicationId: made.id, ...more });
    const registered = await during(async () => (made = await registerApplication(person, input)));
    expect(registered).toMatchObject([of({ kind: 'application_created', scopes: ['api'] })]);
    const change =
      'mutation ($id: ID!, $input: ApplicationInput!) { updateApplication(id: $id, input: $input) { secret } }';
    expect(await during(() => person.run(change, { id: made.id, input }))).toMatchObject([
      of({ kind: 'application_updated' }),
    ]);
    expect(
      await during(() =>
        person.run('mutation ($id: ID!) { renewApplicationSecret(id: $id) { secret } }', { id: made.id }),
      ),
    ).toMatchObject([of({ kind: 'application_secret_renewed' })]);
    expect(
      await during(() => person.run('mutation ($id: ID!) { deleteApplication(id: $id) }', { id: made.id })),
    ).toMatchObject([of({ kind: 'application_deleted', detail: 'Short-lived' })]);
  });

  test('signing in, signing out everywhere, another password, a block, a change of the settings with its names', async () => {
    const other = await session(gateway, 'other');
    const otherId = await idOf('other');
    const own = { actorId: otherId, userId: otherId, scopes: [] };
    expect(await during(() => signIn(gateway, 'other', 'password of other'))).toMatchObject([
      { kind: 'signed_in', ...own },
    ]);
    const change = 'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) }';
    expect(
      await during(() =>
        other.run(change, { input: { current: 'password of other', password: 'password of others' } }),
      ),
    ).toMatchObject([{ kind: 'password_updated', ...own }]);
    expect(await during(() => other.run('mutation { signOutEverywhere }'))).toMatchObject([
      { kind: 'signed_out_everywhere', ...own },
    ]);
    const byOperator = { actorId: null, userId: otherId };
    expect(
      await during(() =>
        gateway.operator('mutation ($id: ID!) { blockUser(input: { userId: $id }) { changed } }', { id: otherId }),
      ),
    ).toMatchObject([{ kind: 'user_blocked', ...byOperator }]);
    expect(
      await during(() =>
        gateway.operator('mutation ($id: ID!) { unblockUser(input: { userId: $id }) { changed } }', { id: otherId }),
      ),
    ).toMatchObject([{ kind: 'user_unblocked', ...byOperator }]);
    const reset = 'mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) { user { id } } }';
    const settings =
      'mutation ($input: UpdateInstanceSettingsInput!) { updateInstanceSettings(input: $input) { settings { greeting } } }';
    expect(await during(() => gateway.operator(settings, { input: { greeting: 'Hello' } }))).toMatchObject([
      { kind: 'settings_updated', scopes: [], detail: 'greeting' },
    ]);
    expect(
      await during(() => gateway.operator(reset, { input: { userId: otherId, password: 'password of other' } })),
    ).toMatchObject([{ kind: 'password_reset', ...byOperator }]);
  });
});

describe('refusals are counted, one row a minute for each kind, application and person', () => {
  /** Runs the work within one minute of the clock. */
  async function withinAMinute(work: () => Promise<unknown>): Promise<Event[]> {
    for (;;) {
      const minute = new Date().getUTCMinutes();
      await gateway.sql('delete from audit_events where minute_key is not null');
      const events = await during(work);
      if (new Date().getUTCMinutes() === minute) return events;
    }
  }
  const times = async (count: number, work: () => Promise<unknown>) => {
    for (let time = 0; time < count; time++) await work();
  };
  let addresses = 0;
  const elsewhere = () => ({ headers: { 'x-forwarded-for': `192.0.2.${(addresses++ % 250) + 1}` } });

  // The owner of a code or token is recorded for its own application, and for no other.
  const spare = { code: '', foreignCode: '', revoked: '', foreign: '' };
  beforeAll(async () => {
    const other = await registerApplication(person);
    const revoked = await tokensFor(person, application);
    await post(gateway, '/oauth/revoke', form({ token: revoked.access_token }));
    spare.code = await codeFor(person, application);
    spare.foreignCode = await codeFor(person, other);
    spare.revoked = revoked.refresh_token;
    spare.foreign = (await tokensFor(person, other)).refresh_token;
  });

  test.each<[what: string, kind: string, ofUser: boolean, attempt: () => Promise<unknown>]>([
    [
      'a wrong secret',
      'client_refused',
      false,
      () =>
        token(gateway, { grant_type: 'client_credentials', client_id: application.clientId, client_secret: 'wrong' }),
    ],
    ['an unknown code', 'code_refused', false, () => token(gateway, codeForm(application, 'unknown'))],
    ['an unknown refresh token', 'refresh_refused', false, () => refresh(gateway, application, 'unknown')],
    [
      'a code at another address',
      'code_refused',
      true,
      () => token(gateway, codeForm(application, spare.code, { redirect_uri: 'https://client.example/other' })),
    ],
    [
      'a code of another application',
      'code_refused',
      false,
      () => token(gateway, codeForm(application, spare.foreignCode)),
    ],
    ['a refresh token that was revoked', 'refresh_refused', true, () => refresh(gateway, application, spare.revoked)],
    [
      'a refresh token of another application',
      'refresh_refused',
      false,
      () => refresh(gateway, application, spare.foreign),
    ],
    [
      'a wrong password',
      'password_refused',
      true,
      () => token(gateway, form({ grant_type: 'password', username: 'PERSON', password: 'wrong' }), elsewhere()),
    ],
    [
      'a password of an unknown name',
      'password_refused',
      false,
      () => token(gateway, form({ grant_type: 'password', username: 'nobody', password: 'wrong' }), elsewhere()),
    ],
  ])('%s', async (_what, kind, ofUser, attempt) => {
    const events = await withinAMinute(() => times(4, attempt));
    expect(events).toMatchObject([
      { kind, applicationId: application.id, actorId: null, userId: ofUser ? id : null, count: 4 },
    ]);
  });

  test('unknown clients together, under any client_id', async () => {
    const events = await withinAMinute(async () => {
      for (const name of ['one', 'two', 'three'])
        await token(gateway, { grant_type: 'client_credentials', client_id: name });
    });
    expect(events).toMatchObject([{ kind: 'client_refused', applicationId: null, count: 3 }]);
  });

  test('a sign-in that fails, so that the person sees who tries', async () => {
    const events = await withinAMinute(async () => {
      for (let time = 0; time < 3; time++) {
        await signIn(gateway, 'person', 'wrong', {
          address: `192.0.2.${100 + time}`,
          requestId: `attempt-${time}`,
        }).catch(() => undefined);
      }
    });
    expect(events).toMatchObject([
      { kind: 'sign_in_refused', userId: id, count: 3, address: '192.0.2.102', requestId: 'attempt-2' },
    ]);
  });

  test('what is throttled', async () => {
    await gateway.sql('delete from attempt_counters');
    const attempt = () =>
      token(gateway, form({ grant_type: 'password', username: 'throttled', password: 'wrong' }), {
        headers: { 'x-forwarded-for': '192.0.2.254' },
      });
    const events = await withinAMinute(async () => {
      await gateway.sql('delete from attempt_counters');
      await times(13, attempt);
    });
    expect(events).toMatchObject([
      { kind: 'password_refused', count: 10 },
      { kind: 'password_throttled', applicationId: application.id, userId: null, count: 3 },
    ]);
  });

  test('each minute separately, and each application for itself', async () => {
    const other = await registerApplication(person);
    const events = await withinAMinute(async () => {
      await refresh(gateway, application, 'unknown');
      await refresh(gateway, other, 'unknown');
      await gateway.sql(
        `update audit_events set minute_key = minute_key || ' before', at = at - interval '1 minute' where minute_key is not null`,
      );
      await refresh(gateway, application, 'unknown');
    });
    expect(events.map(({ kind, applicationId, count }) => [kind, applicationId, count])).toEqual([
      ['refresh_refused', application.id, 1],
      ['refresh_refused', other.id, 1],
      ['refresh_refused', application.id, 1],
    ]);
  });

  test('all of a flood, in one row', async () => {
    const events = await withinAMinute(async () => {
      await Promise.all(Array.from({ length: 120 }, () => refresh(gateway, application, 'unknown')));
      // What came while the row was being written is written after it.
      const counted = () =>
        gateway.sql<{ count: number }>(
          `select count from audit_events where minute_key is not null and kind = 'refresh_refused'`,
        );
      await expect.poll(async () => (await counted()).reduce((sum, { count }) => sum + count, 0)).toBe(120);
    });
    expect(events).toMatchObject([{ kind: 'refresh_refused' }]);
  });
});

describe('who may read it over GraphQL', () => {
  const own = `{ currentUser { auditEvents(first: 100) { nodes { ${fields} } } } }`;
  const all = `{ auditEvents(first: 5) { nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`;
  interface Page {
    nodes: Event[];
    pageInfo: { hasNextPage: boolean; endCursor: string };
  }

  test('a person reads what they did and what was done to them, the latest first', async () => {
    const reader = await gateway.personalToken('person', ['read_api']);
    await codeFor(person, application);
    const { data } = await gateway.graphql<{ currentUser: { auditEvents: Page } }>(own, { token: reader });
    const events = data!.currentUser.auditEvents.nodes;
    expect(events[0]).toMatchObject({
      kind: 'authorization_approved',
      userId: `gid://gitlab/User/${id}`,
      applicationId: `gid://gitlab/Application/${application.id}`,
      address: '198.51.100.1',
    });
    expect(new Set(events.map(({ userId }) => userId))).toEqual(new Set([`gid://gitlab/User/${id}`]));
    expect(kinds(events)).toEqual(
      expect.arrayContaining(['signed_in', 'application_created', 'personal_token_created', 'token_issued']),
    );
  });

  test('with an access token too, but not with one that may only see the profile', async () => {
    const [wide, narrow] = [
      await tokensFor(person, application, 'api'),
      await tokensFor(person, application, 'read_user profile'),
    ];
    expect(
      (await gateway.graphql<{ currentUser: { auditEvents: Page } }>(own, { token: wide.access_token })).data!
        .currentUser.auditEvents.nodes.length,
    ).toBeGreaterThan(5);
    const { errors } = await gateway.graphql(own, { token: narrow.access_token });
    expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['INSUFFICIENT_SCOPE']);
  });

  test('a person doesn’t read another person’s', async () => {
    const { errors } = await gateway.graphql('{ user(username: "person") { auditEvents { nodes { kind } } } }', {
      token: gateway.tokens.maintainer,
    });
    expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['FORBIDDEN']);
  });

  test('only administrators read all of it', async () => {
    for (const bearer of [gateway.tokens.maintainer, await gateway.personalToken('person', ['api'])]) {
      const { errors, data } = await gateway.graphql<{ auditEvents: Page | null }>(all, { token: bearer });
      expect([errors?.map(({ extensions }) => extensions?.code), data?.auditEvents]).toEqual([['FORBIDDEN'], null]);
    }
    const ofItself = tokensOf(await token(gateway, form({ grant_type: 'client_credentials', scope: 'api' })));
    const { errors } = await gateway.graphql(all, { token: ofItself.access_token });
    expect(errors).toHaveLength(1);
    expect((await gateway.graphql(all)).errors).toHaveLength(1);
  });

  test('an administrator reads all of it, page by page, and any person’s', async () => {
    const { data } = await gateway.graphql<{ auditEvents: Page }>(all, { token: gateway.tokens.root });
    const { nodes, pageInfo } = data!.auditEvents;
    expect([nodes.length, pageInfo.hasNextPage]).toEqual([5, true]);
    const { data: next } = await gateway.graphql<{ auditEvents: Page }>(
      all.replace('first: 5', `first: 5, after: "${pageInfo.endCursor}"`),
      { token: gateway.tokens.root },
    );
    expect(next!.auditEvents.nodes).toHaveLength(5);
    expect(next!.auditEvents.nodes).not.toEqual(nodes);
    const { data: theirs } = await gateway.graphql<{ user: { auditEvents: Page } }>(
      '{ user(username: "person") { auditEvents(first: 2) { nodes { userId userDatabaseId } } } }',
      { token: gateway.tokens.root },
    );
    expect(theirs!.user.auditEvents.nodes).toEqual(
      Array(2).fill({ userId: `gid://gitlab/User/${id}`, userDatabaseId: Number(id) }),
    );
  });

  test('a client can’t at its endpoints', async () => {
    const operation = compileOperation(schema, '{ auditEvents { nodes { kind } } }');
    await expect(
      operation.execute(await clientContext(gateway.gateway.application, { origin: somewhere }), {}),
    ).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

test('nothing secret is written down', async () => {
  const { access_token, refresh_token } = await tokensFor(person, application);
  await token(gateway, form({ grant_type: 'password', username: 'a-secret-typed-as-a-name', password: 'wrong' }));
  await token(gateway, { grant_type: 'client_credentials', client_id: 'a-secret-typed-as-an-id' });
  const rows = await gateway.sql<{ row: string }>('select a::text as row from audit_events a');
  const everything = rows.map(({ row }) => row).join('\n');
  for (const secret of [access_token, refresh_token, application.secret, 'a-secret-typed', person.secret])
    expect(everything).not.toContain(secret);
});

test('is kept as long as configured, and no longer', async () => {
  const { database } = gateway.gateway.application;
  const [marked] = await gateway.sql<{ id: string }>(
    `with old as (insert into audit_events (kind, scopes, address, request_id, at) select 'old', '{}', '', '', now() - interval '31 days' from generate_series(1, 1201) returning 1),
          young as (insert into audit_events (kind, scopes, address, request_id, at) values ('young', '{}', '', '', now() - interval '29 days') returning id)
     select id::text from young`,
  );
  const count = async (kind: string) =>
    (
      await gateway.sql<{ count: number }>('select count(*)::int as count from audit_events where kind = $1', [kind])
    )[0]!.count;
  await sweep({ database, auditDays: 31 + 1 });
  expect([await count('old'), await count('young')]).toEqual([1201, 1]);
  await sweep({ database, auditDays: 30 });
  expect([await count('old'), await count('young')]).toEqual([0, 1]);
  expect(marked!.id).toMatch(/^\d+$/);
});

test('outlives what it refers to', async () => {
  const someone = await session(gateway, 'shortlived');
  const theirs = await idOf('shortlived');
  const made = await registerApplication(someone);
  await gateway.sql('delete from namespaces where owner_id = $1', [theirs]);
  await gateway.sql('delete from users where id = $1', [theirs]);
  const rows = await gateway.sql('select kind, application_id::text from audit_events where user_id = $1 order by id', [
    theirs,
  ]);
  expect(rows).toEqual([
    { kind: 'user_created', application_id: null },
    { kind: 'signed_in', application_id: null },
    { kind: 'application_created', application_id: made.id },
  ]);
  await expect(sessionOf(gateway, 'shortlived', someone.secret).run('{ applications { id } }')).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  });
});
