import { beforeAll, describe, expect, test } from 'vitest';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import {
  age,
  basic,
  codeFor,
  codeForm,
  digestOf,
  inBody,
  post,
  refresh,
  refusalOf,
  registerApplication,
  session,
  statusOf,
  token,
  tokensFor,
  type Form,
  type RegisteredApplication,
  type Session,
  type Tokens,
} from '../../support/oauth/oauth.ts';
import type { RestAnswer } from '../../support/requests/rest-client.ts';
import { challengeOfAnswer, missing, statusAndBody } from '../../support/oauth/token-endpoint.ts';

const invalidGrant = [400, 'invalid_grant'];

let first: TestGateway;
let second: TestGateway;
beforeAll(async () => {
  first = await testGateway();
  second = await testGateway({}, first);
});

describe('the revocation endpoint (RFC 7009)', () => {
  let person: Session;
  let confidential: RegisteredApplication;
  let open: RegisteredApplication;
  beforeAll(async () => {
    person = await session(first, 'revoking');
    confidential = await registerApplication(person);
    open = await registerApplication(person, { confidential: false });
  });

  const headersHold = ({ status, headers }: RestAnswer, authorization?: string) => {
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('www-authenticate')).toBe(challengeOfAnswer(status, authorization));
  };
  const revoke = async (form: Form, headers: Record<string, string> = {}) => {
    const answer = await post(second, '/oauth/revoke', form, { headers });
    headersHold(answer, headers.authorization);
    return answer;
  };

  test('“responds with HTTP status code 200” and an empty record (§2.2)', async () => {
    const { access_token } = await tokensFor(person, confidential);
    const answer = await revoke({ token: access_token, ...inBody(confidential) });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    // Again: it is no error.
    expect((await revoke({ token: access_token, ...inBody(confidential) })).status).toBe(200);
  });

  test('takes HTTP Basic', async () => {
    const { access_token } = await tokensFor(person, confidential);
    expect((await revoke({ token: access_token }, basic(confidential).headers)).status).toBe(200);
    expect(await statusOf(first, access_token)).toBe(401);
  });

  test('“invalid tokens do not cause an error response” (§2.2)', async () => {
    const code = await codeFor(person, confidential);
    for (const unknown of [
      'x',
      'cwat_unknown',
      'cwrt_unknown',
      code,
      person.secret,
      first.tokens.developer,
      'x'.repeat(100_000),
    ]) {
      expect([unknown.slice(0, 20), (await revoke({ token: unknown, ...inBody(confidential) })).status]).toEqual([
        unknown.slice(0, 20),
        200,
      ]);
    }
    expect((await token(first, codeForm(confidential, code))).status).toBe(200);
    expect((await first.rest('GET', '/api/v4/user', { token: first.tokens.developer })).status).toBe(200);
  });

  test('“token REQUIRED” (§2.1)', async () => {
    expect(statusAndBody(await revoke(inBody(confidential)))).toEqual(missing('token'));
    expect(statusAndBody(await revoke({ token: '', ...inBody(confidential) }))).toEqual(missing('token'));
  });

  test('“the authorization server … first validates the client credentials” (§2.1)', async () => {
    const { access_token } = await tokensFor(person, confidential);
    const id = { client_id: confidential.clientId };
    for (const client of [
      {},
      id,
      { ...id, client_secret: '' },
      { ...id, client_secret: 'wrong' },
      { client_id: 'nobody' },
    ] as Form[]) {
      expect(refusalOf(await revoke({ token: access_token, ...client }))).toEqual([401, 'invalid_client']);
      expect(refusalOf(await revoke({ token: 'unknown', ...client }))).toEqual([401, 'invalid_client']);
    }
    expect(await statusOf(first, access_token)).toBe(200);
  });

  test('“verifies whether the token was issued to the client making the revocation request” (§2.1): another’s is 403', async () => {
    const [own, ofPublic] = [await tokensFor(person, confidential), await tokensFor(person, open)];
    const other = await registerApplication(person);
    for (const value of [own.access_token, own.refresh_token, ofPublic.access_token, ofPublic.refresh_token]) {
      const { status, body } = await revoke({ token: value, ...inBody(other) });
      expect([status, body]).toEqual([
        403,
        { error: 'unauthorized_client', error_description: 'You are not authorized to revoke this token' },
      ]);
    }
    expect(refusalOf(await revoke({ token: own.access_token, ...inBody(open) }))).toEqual([403, 'unauthorized_client']);
    for (const { access_token } of [own, ofPublic]) expect(await statusOf(first, access_token)).toBe(200);
  });

  test('a public application revokes its own with its id alone (row 23)', async () => {
    const tokens = await tokensFor(person, open);
    expect((await revoke({ token: tokens.access_token, client_id: open.clientId })).status).toBe(200);
    expect(await statusOf(first, tokens.access_token)).toBe(401);
    expect(refusalOf(await refresh(first, open, tokens.refresh_token))).toEqual(invalidGrant);
  });

  test.each(['access_token', 'refresh_token', 'unknown_type', ''])(
    'the hint %j changes nothing (§2.1: “MAY ignore this parameter”)',
    async (hint) => {
      for (const kind of ['access_token', 'refresh_token'] as const) {
        const tokens = await tokensFor(person, confidential);
        expect((await revoke({ token: tokens[kind], token_type_hint: hint, ...inBody(confidential) })).status).toBe(
          200,
        );
        expect(await statusOf(first, tokens.access_token)).toBe(401);
      }
    },
  );

  test('is asked by POST, with each parameter once, in the body', async () => {
    const { access_token } = await tokensFor(person, confidential);
    expect((await first.rest('GET', '/oauth/revoke', { query: { token: access_token } })).status).toBe(405);
    expect(
      refusalOf(await post(first, '/oauth/revoke', inBody(confidential), { query: { token: access_token } })),
    ).toEqual([400, 'invalid_request']);
    const twice: [string, string][] = [
      ['token', access_token],
      ['token', access_token],
      ...Object.entries(inBody(confidential)),
    ];
    expect(refusalOf(await post(first, '/oauth/revoke', twice))).toEqual([400, 'invalid_request']);
    expect(await statusOf(first, access_token)).toBe(200);
  });

  test('answers 503 and not 200 while the database can’t answer, and revokes afterwards (row 24)', async () => {
    const alone = await testGateway();
    const someone = await session(alone, 'someone');
    const application = await registerApplication(someone);
    const tokens = await tokensFor(someone, application);
    const [{ name } = { name: '' }] = await alone.sql<{ name: string }>('select current_database() as name');
    const connections = async (allowed: boolean) => {
      await first.sql(`alter database "${name}" with allow_connections ${allowed}`);
      if (!allowed)
        await first.sql('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    };
    await connections(false);
    try {
      for (const [path, form] of [
        ['/oauth/revoke', { token: tokens.access_token }],
        ['/oauth/introspect', { token: tokens.access_token }],
        ['/oauth/token', { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }],
        ['/oauth/authorize_device', { scope: 'api' }],
      ] as [string, Form][]) {
        const { status, body, headers } = await post(alone, path, { ...form, ...inBody(application) });
        expect([path, status, body.error, headers.get('retry-after'), headers.get('cache-control')]).toEqual([
          path,
          503,
          'temporarily_unavailable',
          '1',
          'no-store',
        ]);
      }
    } finally {
      await connections(true);
    }
    expect(await statusOf(alone, tokens.access_token)).toBe(200);
    expect((await post(alone, '/oauth/revoke', { token: tokens.access_token, ...inBody(application) })).status).toBe(
      200,
    );
    expect(await statusOf(alone, tokens.access_token)).toBe(401);
  });
});

describe('token introspection (RFC 7662)', () => {
  let person: Session;
  let confidential: RegisteredApplication;
  let open: RegisteredApplication;
  let tokens: Tokens;
  beforeAll(async () => {
    person = await session(first, 'introspected');
    confidential = await registerApplication(person);
    open = await registerApplication(person, { confidential: false });
    tokens = await tokensFor(person, confidential, 'read_user profile');
  });
  const introspect = (form: Form, headers: Record<string, string> = {}) =>
    post(second, '/oauth/introspect', form, { headers });

  test('describes a live token (§2.2)', async () => {
    const [user] = await first.sql<{ id: number }>(`select id from users where username = 'introspected'`);
    const { status, body, headers } = await introspect({ token: tokens.access_token, ...inBody(confidential) });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      active: true,
      scope: 'read_user profile',
      client_id: confidential.clientId,
      username: 'introspected',
      token_type: 'bearer',
      exp: expect.any(Number),
      iat: tokens.created_at,
      sub: String(user!.id),
    });
    expect(body.exp - body.iat).toBe(7200);
    const ofRefresh = await introspect({ token: tokens.refresh_token, ...inBody(confidential) });
    expect(ofRefresh.body).toMatchObject({ active: true, scope: 'read_user profile' });
    expect(Math.abs(ofRefresh.body.exp - ofRefresh.body.iat - 7_776_000)).toBeLessThan(5);
  });

  test('shows no person where there is none', async () => {
    const { body } = await token(first, { grant_type: 'client_credentials', scope: 'api', ...inBody(confidential) });
    const { body: said } = await introspect({ token: body.access_token, ...inBody(confidential) });
    expect([said.active, 'sub' in said, 'username' in said]).toEqual([true, false, false]);
  });

  test('“MUST require some form of authorization” (§2.1): a public client is refused as well', async () => {
    const id = { client_id: confidential.clientId };
    for (const client of [
      {},
      id,
      { ...id, client_secret: '' },
      { ...id, client_secret: 'wrong' },
      inBody(open),
      { client_id: 'nobody' },
    ] as Form[]) {
      const answer = await introspect({ token: tokens.access_token, ...client });
      expect([...refusalOf(answer), answer.headers.get('www-authenticate')]).toEqual([
        401,
        'invalid_client',
        challengeOfAnswer(401),
      ]);
    }
    const bearer = await introspect({ token: tokens.access_token }, { authorization: `Bearer ${tokens.access_token}` });
    expect(refusalOf(bearer)).toEqual([401, 'invalid_client']);
  });

  test('“token REQUIRED” (§2.1)', async () => {
    expect(statusAndBody(await introspect(inBody(confidential)))).toEqual(missing('token'));
    expect(statusAndBody(await introspect({ token: '', ...inBody(confidential) }))).toEqual(missing('token'));
  });

  test('“a properly formed and authorized query for an inactive or otherwise invalid token … is not considered an error” (§2.2)', async () => {
    const other = await registerApplication(person);
    const expired = await tokensFor(person, confidential);
    await age(
      first,
      'access_tokens',
      ['expires_at'],
      7_201,
      `digest = '\\x${digestOf(expired.access_token).toString('hex')}'`,
    );
    const rotated = await tokensFor(person, confidential);
    await refresh(first, confidential, rotated.refresh_token);
    const code = await codeFor(person, confidential);
    const inactive: [string, string, RegisteredApplication][] = [
      ['unknown', 'cwat_unknown', confidential],
      ['another application’s access token', tokens.access_token, other],
      ['another application’s refresh token', tokens.refresh_token, other],
      ['a public application’s token', (await tokensFor(person, open)).access_token, confidential],
      ['an expired one', expired.access_token, confidential],
      ['a rotated one', rotated.refresh_token, confidential],
      ['a code', code, confidential],
      ['a session', person.secret, confidential],
      ['a personal token', first.tokens.developer, confidential],
      ['the client’s secret', confidential.secret, confidential],
    ];
    for (const [what, value, application] of inactive) {
      const { status, body } = await introspect({ token: value, ...inBody(application) });
      expect([what, status, body]).toEqual([what, 200, { active: false }]);
    }
  });

  test('finds either kind, whatever the hint', async () => {
    for (const value of [tokens.access_token, tokens.refresh_token]) {
      for (const token_type_hint of ['access_token', 'refresh_token', 'nonsense']) {
        expect((await introspect({ token: value, token_type_hint, ...inBody(confidential) })).body.active).toBe(true);
      }
    }
  });
});
