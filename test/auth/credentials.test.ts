import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { encodings } from '../support/requests/encodings.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { newUser } from '../support/places/people.ts';
import type { RestRequest } from '../support/requests/rest-client.ts';

const settings = '/api/v4/notification_settings';

const header =
  (name: string, scheme = '') =>
  (token: string): RestRequest => ({ headers: { [name]: scheme + token } });
const parameter =
  (name: string, encoding: keyof typeof encodings) =>
  (token: string): RestRequest =>
    encodings[encoding]({ [name]: token });

/** Where a credential can be put that may be an OAuth access token or a personal one. */
const bearerCarriers = {
  'Authorization: Bearer': header('authorization', 'Bearer '),
  'Authorization: bearer': header('authorization', 'bearer '),
  'access_token in the query string': parameter('access_token', 'query'),
  'access_token in a form': parameter('access_token', 'form'),
  'access_token in a multipart form': parameter('access_token', 'multipart'),
  'access_token in JSON': parameter('access_token', 'JSON'),
  'bearer_token in the query string': parameter('bearer_token', 'query'),
  'bearer_token in a form': parameter('bearer_token', 'form'),
  'bearer_token in JSON': parameter('bearer_token', 'JSON'),
};
/** Where only a personal access token can be put. */
const privateCarriers = {
  'PRIVATE-TOKEN': header('private-token'),
  'private_token in the query string': parameter('private_token', 'query'),
  'private_token in a form': parameter('private_token', 'form'),
  'private_token in a multipart form': parameter('private_token', 'multipart'),
  'private_token in JSON': parameter('private_token', 'JSON'),
};
const carriers: Record<string, (token: string) => RestRequest> = { ...bearerCarriers, ...privateCarriers };

const kinds = ['personal', 'OAuth'] as const;
type Kind = (typeof kinds)[number];
interface Options {
  expired?: boolean;
  revoked?: boolean;
}

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
  await newUser(gateway, 'blocked');
  await gateway.sql(`update users set state = 'BLOCKED' where username = 'blocked'`);
});

function makeToken(
  kind: Kind,
  username: string,
  scopes: string[],
  { expired = false, revoked = false }: Options = {},
): Promise<string> {
  if (kind === 'personal') return gateway.personalToken(username, scopes, { expired, revoked });
  return gateway.accessToken(username, scopes, { revoked, ...(expired && { expiresIn: -1 }) });
}

const anonymousAnswer = [401, { message: '401 Unauthorized' }, 'Bearer realm="Causeway"'] as const;

function invalidToken(text: string) {
  return [
    401,
    { error: 'invalid_token', error_description: text },
    `Bearer realm="Causeway", error="invalid_token", error_description="${text}"`,
  ] as const;
}
const expired = invalidToken('Token is expired. You can either do re-authorization or token refresh.');
const revoked = invalidToken('Token was revoked. You have to re-authorize from the user.');

function insufficientScope(accepted: string) {
  const text = 'The request requires higher privileges than provided by the access token.';
  return [
    403,
    { error: 'insufficient_scope', error_description: text, scope: accepted },
    `Bearer realm="Causeway", error="insufficient_scope", error_description="${text}", scope="${accepted}"`,
  ] as const;
}

describe('a token, wherever a request carries it', () => {
  const states: {
    state: string;
    token(kind: Kind): Promise<string>;
    answer: readonly [number, unknown, string | null];
  }[] = [
    {
      state: 'that works',
      token: (kind) => makeToken(kind, 'developer', ['api']),
      answer: [200, { level: 'participating', notification_email: 'developer@example.com' }, null],
    },
    {
      state: 'that was never issued',
      token: async (kind) => (kind === 'personal' ? 'cwpat_' : 'cwat_') + 'x'.repeat(43),
      answer: anonymousAnswer,
    },
    {
      state: 'that has expired',
      token: (kind) => makeToken(kind, 'developer', ['api'], { expired: true }),
      answer: expired,
    },
    {
      state: 'that was revoked',
      token: (kind) => makeToken(kind, 'developer', ['api'], { revoked: true }),
      answer: revoked,
    },
    {
      state: 'that has expired and was revoked',
      token: (kind) => makeToken(kind, 'developer', ['api'], { expired: true, revoked: true }),
      answer: expired,
    },
    {
      state: 'that has expired and never reached this far',
      token: (kind) => makeToken(kind, 'developer', ['read_user'], { expired: true }),
      answer: expired,
    },
    {
      state: 'that was revoked and never reached this far',
      token: (kind) => makeToken(kind, 'developer', ['read_user'], { revoked: true }),
      answer: revoked,
    },
    {
      state: 'that may only read',
      token: (kind) => makeToken(kind, 'developer', ['read_api']),
      answer: insufficientScope('api'),
    },
    {
      state: 'of a blocked user',
      token: (kind) => makeToken(kind, 'blocked', ['api']),
      answer: [403, { message: '403 Forbidden - Your account has been blocked.' }, null],
    },
  ];

  const cases = kinds.flatMap((kind) => states.map((state) => ({ kind, ...state })));
  describe.each(cases)('$kind token $state', ({ kind, token, answer }) => {
    let made: string;
    beforeAll(async () => {
      made = await token(kind);
    });
    test.each(Object.keys(carriers))('in %s', async (carrier) => {
      const { status, body, headers } = await gateway.rest('PUT', settings, carriers[carrier]!(made));
      // An OAuth token in place of a personal one counts as unknown.
      const misplaced = kind === 'OAuth' && carrier in privateCarriers;
      expect([status, body, headers.get('www-authenticate')]).toEqual(misplaced ? anonymousAnswer : answer);
    });
  });

  test.each(['garbage', 'cwpat_', 'cwat_', 'cwpat', 'x'.repeat(5_000), 'ünïcode', '👾', "' or 1=1 --", '%00'])(
    '“%s” is no token',
    async (token) => {
      for (const name of ['access_token', 'private_token', 'bearer_token']) {
        const { status, body } = await gateway.rest('GET', settings, { query: { [name]: token } });
        expect([status, body]).toEqual([401, { message: '401 Unauthorized' }]);
      }
    },
  );

  test('an unknown one is refused even where no credential is needed', async () => {
    const urls = [
      '/api/v4/version',
      '/api/v4/projects/no%2Fproject/notification_settings',
      `${settings}?level=invalid`,
    ];
    for (const url of urls) {
      const { status, body } = await gateway.rest('GET', url, { token: 'garbage' });
      expect([status, body]).toEqual([401, { message: '401 Unauthorized' }]);
    }
  });

  test.each([
    ['nothing', {}],
    ['an empty PRIVATE-TOKEN', { headers: { 'private-token': '' } }],
    ['an empty bearer', { headers: { authorization: 'Bearer ' } }],
    ['an empty parameter', { query: { access_token: '', private_token: '', bearer_token: '' } }],
    ['a list of tokens', { query: { 'access_token[]': 'x', 'private_token[]': 'x' } }],
    ['HTTP Basic', { headers: { authorization: `Basic ${btoa('developer:x')}` } }],
    ['a job token', { headers: { 'job-token': 'x' }, query: { job_token: 'x' } }],
    ['a deploy token', { headers: { 'deploy-token': 'x' } }],
    ['a cookie', { headers: { cookie: 'session=x; _gitlab_session=x' } }],
  ] as [string, RestRequest][])('%s is no credential', async (_name, request) => {
    const { status, body, headers } = await gateway.rest('GET', settings, request);
    expect([status, body, headers.get('www-authenticate')]).toEqual(anonymousAnswer);
  });

  test('a personal token of a working user doesn’t work as the password of HTTP Basic', async () => {
    const { status } = await gateway.rest('GET', settings, {
      headers: { authorization: `Basic ${btoa(`root:${gateway.tokens.root}`)}` },
    });
    expect(status).toBe(401);
  });

  test('a user who is unblocked has their tokens back', async () => {
    const token = await makeToken('personal', 'blocked', ['api']);
    await gateway.sql(`update users set state = 'ACTIVE' where username = 'blocked'`);
    expect((await gateway.rest('GET', settings, { token })).status).toBe(200);
    await gateway.sql(`update users set state = 'BLOCKED' where username = 'blocked'`);
    expect((await gateway.rest('GET', settings, { token })).status).toBe(403);
  });
});

describe('two tokens in one request', () => {
  const who = async (request: RestRequest) => {
    const { status, body } = await gateway.rest('GET', '/api/v4/user', request);
    return status === 200 ? body.username : status;
  };
  const both = (one: RestRequest, other: RestRequest): RestRequest => ({
    headers: { ...one.headers, ...other.headers },
    query: { ...one.query, ...other.query },
  });
  const places: Record<string, (token: string) => RestRequest> = {
    'Authorization: Bearer': header('authorization', 'Bearer '),
    'PRIVATE-TOKEN': header('private-token'),
    ...Object.fromEntries(
      ['access_token', 'bearer_token', 'private_token'].map((name) => [name, parameter(name, 'query')]),
    ),
  };

  test.each([
    ['OAuth', 'Authorization: Bearer', 'PRIVATE-TOKEN'],
    ['OAuth', 'Authorization: Bearer', 'private_token'],
    ['OAuth', 'access_token', 'PRIVATE-TOKEN'],
    ['OAuth', 'access_token', 'private_token'],
    ['OAuth', 'bearer_token', 'PRIVATE-TOKEN'],
    ['personal', 'private_token', 'PRIVATE-TOKEN'],
    ['personal', 'PRIVATE-TOKEN', 'Authorization: Bearer'],
    ['personal', 'private_token', 'Authorization: Bearer'],
    ['personal', 'private_token', 'access_token'],
  ] as const)('the %s token in %s goes before a personal one in %s', async (kind, first, second) => {
    const winner = await makeToken(kind, 'developer', ['api']);
    expect(await who(both(places[first]!(winner), places[second]!(gateway.tokens.guest)))).toBe('developer');
  });

  test('a broken OAuth token isn’t made good by a personal one that works', async () => {
    const broken = [await makeToken('OAuth', 'developer', ['api'], { revoked: true }), `cwat_${'x'.repeat(43)}`];
    for (const token of broken) {
      expect(
        await who(both(places['Authorization: Bearer']!(token), places['PRIVATE-TOKEN']!(gateway.tokens.guest))),
      ).toBe(401);
    }
  });

  test.each(['access_token', 'bearer_token'].flatMap((name) => kinds.map((kind) => ({ name, kind }))))(
    'a bearer in the header and another as $name ($kind) is one too many, even if both are the same',
    async ({ name, kind }) => {
      const token = await makeToken(kind, 'developer', ['api']);
      for (const second of [token, 'another']) {
        const { status, body } = await gateway.rest('GET', settings, {
          headers: { authorization: `Bearer ${token}` },
          query: { [name]: second },
        });
        expect([status, body]).toEqual([
          400,
          {
            error: 'invalid_request',
            error_description: 'Both Authorization header and payload includes access token.',
          },
        ]);
      }
    },
  );
});

describe('what a token of each scope reaches', () => {
  const requests = {
    'read settings': ['GET', settings],
    'change settings': ['PUT', settings],
    user: ['GET', '/api/v4/user'],
    version: ['GET', '/api/v4/version'],
  } as const;
  type Request = keyof typeof requests;
  const reached: Record<string, Request[]> = {
    api: ['read settings', 'change settings', 'user', 'version'],
    read_api: ['read settings', 'user', 'version'],
    read_user: ['user', 'version'],
    profile: ['user'],
    email: ['user'],
    sudo: [],
  };
  test.each(kinds.flatMap((kind) => Object.entries(reached).map(([scope, allowed]) => ({ kind, scope, allowed }))))(
    '$kind token with $scope: $allowed, and nothing else',
    async ({ kind, scope, allowed }) => {
      const token = await makeToken(kind, 'developer', [scope]);
      for (const [request, [method, path]] of Object.entries(requests)) {
        const { status, body } = await gateway.rest(method, path, { headers: { authorization: `Bearer ${token}` } });
        const isAllowed = allowed.includes(request as Request);
        expect([request, status, body.error]).toEqual([
          request,
          isAllowed ? 200 : 403,
          isAllowed ? undefined : 'insufficient_scope',
        ]);
      }
    },
  );

  test.each([
    ['GET', settings, 'api read_api'],
    ['PUT', settings, 'api'],
    ['GET', '/api/v4/user', 'api read_api read_user profile email'],
    ['GET', '/api/v4/version', 'api read_api read_user'],
    ['PATCH', '/api/v4/projects/demo%2Fstorefront/error_tracking/settings', 'api'],
  ])('a refusal says what would have been enough for %s %s', async (method, path, accepted) => {
    const { status, body, headers } = await gateway.rest(method, path, {
      token: await makeToken('personal', 'developer', ['sudo']),
    });
    expect([status, body, headers.get('www-authenticate')]).toEqual(insufficientScope(accepted));
  });

  test('reading may be with HEAD too', async () => {
    const token = await makeToken('personal', 'developer', ['read_api']);
    expect((await gateway.rest('HEAD', settings, { token })).status).toBe(200);
  });
});

describe('token information', () => {
  const path = '/oauth/token/info';
  const refusal = [
    401,
    { error: 'invalid_token', error_description: 'The access token is invalid', state: 'unauthorized' },
    'Bearer realm="Causeway", error="invalid_token", error_description="The access token is invalid"',
  ];
  const ask = (token: string) => gateway.rest('GET', path, { headers: { authorization: `Bearer ${token}` } });

  test('returns the owner, scopes, application, age and remaining lifetime, the latter two under old names too', async () => {
    const seconds = () => Math.floor(Date.now() / 1000);
    const earliest = seconds();
    const token = await gateway.accessToken('developer', ['read_user', 'profile'], {
      application: 'an-application',
      expiresIn: 7200,
    });
    const latest = seconds();
    const { status, body } = await ask(token);
    const spent = seconds() - earliest;
    expect([status, Object.keys(body)]).toEqual([
      200,
      ['resource_owner_id', 'scope', 'expires_in', 'application', 'created_at', 'scopes', 'expires_in_seconds'],
    ]);
    const owner = await gateway.rest('GET', '/api/v4/user', { query: { access_token: token } });
    expect(body).toMatchObject({
      resource_owner_id: owner.body.id,
      scope: ['read_user', 'profile'],
      application: { uid: 'an-application' },
      scopes: ['read_user', 'profile'],
      expires_in_seconds: body.expires_in,
    });
    expect(body.created_at).toBeGreaterThanOrEqual(earliest);
    expect(body.created_at).toBeLessThanOrEqual(latest);
    expect(body.expires_in).toBeLessThanOrEqual(7200);
    // One second more, since the lifetime is in whole seconds.
    expect(body.expires_in).toBeGreaterThanOrEqual(7200 - spent - 2);
  });

  test.each(Object.keys(bearerCarriers).filter((carrier) => /Authorization|query/.test(carrier)))(
    'reads the token from %s',
    async (carrier) => {
      const { status, body } = await gateway.rest(
        'GET',
        path,
        carriers[carrier]!(await gateway.accessToken('developer', ['api'])),
      );
      expect([status, body.scope]).toEqual([200, ['api']]);
    },
  );

  test.each(['api', 'read_api', 'read_user', 'profile', 'email', 'sudo'])(
    'is there for a token with %s alone',
    async (scope) => {
      expect((await ask(await gateway.accessToken('developer', [scope]))).body.scope).toEqual([scope]);
    },
  );

  test('shows null as the lifetime of a token that never expires', async () => {
    const { body } = await ask(await gateway.accessToken('developer', ['api'], { expiresIn: null }));
    expect([body.expires_in, body.expires_in_seconds]).toEqual([null, null]);
  });

  test('names no owner of a token that an application got for itself', async () => {
    const { body } = await ask(await gateway.accessToken(null, ['api']));
    expect([body.resource_owner_id, body.application]).toEqual([null, { uid: 'test-application' }]);
  });

  test('names no application of a token that none asked for', async () => {
    const { body } = await ask(await gateway.accessToken('developer', ['api'], { application: null }));
    expect(body.application).toEqual({ uid: null });
  });

  test.each([
    ['no token', async () => ({})],
    ['an unknown token', async () => header('authorization', 'Bearer ')(`cwat_${'x'.repeat(43)}`)],
    [
      'an expired token',
      async () => header('authorization', 'Bearer ')(await makeToken('OAuth', 'developer', ['api'], { expired: true })),
    ],
    [
      'a revoked token',
      async () => header('authorization', 'Bearer ')(await makeToken('OAuth', 'developer', ['api'], { revoked: true })),
    ],
    ['a personal token as bearer', async () => header('authorization', 'Bearer ')(gateway.tokens.developer)],
    ['a personal token as access_token', async () => parameter('access_token', 'query')(gateway.tokens.developer)],
    ['a personal token in PRIVATE-TOKEN', async () => header('private-token')(gateway.tokens.developer)],
    [
      'an access token in PRIVATE-TOKEN',
      async () => header('private-token')(await gateway.accessToken('developer', ['api'])),
    ],
  ])('answers %s with the same refusal', async (_name, request) => {
    const { status, body, headers } = await gateway.rest('GET', path, await request());
    expect([status, body, headers.get('www-authenticate')]).toEqual(refusal);
  });

  test('refuses a token in two places', async () => {
    const token = await gateway.accessToken('developer', ['api']);
    const { status, body } = await gateway.rest('GET', path, {
      headers: { authorization: `Bearer ${token}` },
      query: { access_token: token },
    });
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });
});

describe('over GraphQL', () => {
  const ask = async (request: (token: string) => RestRequest, token: string) => {
    const { headers, query } = request(token);
    const url = new URL('/graphql', gateway.url);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: '{ currentUser { username } }' }),
    });
    return {
      status: response.status,
      ...((await response.json()) as { data?: unknown; errors?: { message: string }[] }),
    };
  };
  const usable = Object.entries(carriers).filter(([carrier]) => !/form|JSON/.test(carrier));

  test.each(usable.flatMap(([carrier, request]) => kinds.map((kind) => ({ carrier, kind, request }))))(
    'a $kind token in $carrier counts as it does over REST',
    async ({ carrier, kind, request }) => {
      const { status, data, errors } = await ask(request, await makeToken(kind, 'developer', ['api']));
      if (kind === 'OAuth' && carrier in privateCarriers)
        expect([status, errors?.[0]?.message]).toEqual([401, 'Invalid token']);
      else expect([status, data]).toEqual([200, { currentUser: { username: 'developer' } }]);
    },
  );
});

/** Every row of every table, or of those that have a column of some type. */
async function rows<Row extends object>({ sql }: TestGateway, select: string, type = '%'): Promise<Row[]> {
  const tables = await sql<{ name: string }>(
    `select distinct quote_ident(table_name) as name from information_schema.columns
      where table_schema = 'public' and data_type like $1`,
    [type],
  );
  return (await Promise.all(tables.map(({ name }) => sql<Row>(`select ${select} from ${name} t`)))).flat();
}

/** The whole database, as text. */
const dump = async (one: TestGateway) =>
  (await rows<{ row: string }>(one, 't::text as row')).map(({ row }) => row).join('\n');

/** Encodings in which a secret could be stored by mistake. */
function forms(secret: string | Buffer): string[] {
  const bytes = Buffer.from(secret as string);
  return [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')];
}

describe('a stolen database', () => {
  test('holds no token, neither as it is nor encoded', async () => {
    const secrets = [
      ...Object.values(gateway.tokens),
      await gateway.accessToken('developer', ['api']),
      await gateway.accessToken(null, ['api'], { expiresIn: null }),
    ];
    const everything = await dump(gateway);
    expect(everything).toContain('developer@example.com');
    for (const secret of secrets) {
      for (const form of [secret, secret.replace(/^cw[a-z]+_/, ''), ...forms(secret)])
        expect(everything).not.toContain(form);
    }
  });

  test('holds nothing that works as a token', async () => {
    await gateway.accessToken('developer', ['api'], { expiresIn: null });
    // Columns for secrets hold digests, in bytes.
    const stored = (await rows<Record<string, unknown>>(gateway, '*', 'bytea')).flatMap((row) => Object.values(row));
    const candidates = [...new Set(stored)].flatMap((value) => {
      if (!Buffer.isBuffer(value)) return value === null ? [] : [String(value)];
      return [...forms(value), `\\x${value.toString('hex')}`, value.toString('latin1').replaceAll('\0', '')];
    });
    expect(candidates.length).toBeGreaterThan(10);
    const statuses = new Set<number>();
    const used = ['', 'cwpat_', 'cwat_'].flatMap((prefix) =>
      ['access_token', 'private_token'].map((name) => ({ prefix, name })),
    );
    for (const candidate of candidates) {
      const answers = used.map(({ prefix, name }) =>
        gateway.rest('GET', '/api/v4/user', { query: { [name]: prefix + candidate } }),
      );
      for (const { status } of await Promise.all(answers)) statuses.add(status);
    }
    expect([...statuses]).toEqual([401]);
  });
});

describe('a token of root that the operator chose for an empty database', () => {
  const chosen = 'correct-horse-battery-staple';
  let own: TestGateway;
  beforeAll(async () => {
    own = await testGateway({ CAUSEWAY_ROOT_TOKEN: chosen }, 'empty');
  });

  test.each(Object.keys(carriers))('works in %s', async (carrier) => {
    const { status, body } = await own.rest('PUT', settings, carriers[carrier]!(chosen));
    expect([status, body.notification_email]).toEqual([200, 'root@example.com']);
  });

  test('is root’s, with everything an administrator may do', async () => {
    const { body } = await own.rest('GET', '/api/v4/user', { token: chosen });
    expect([body.username, body.is_admin]).toEqual(['root', true]);
  });

  test.each([chosen.toUpperCase(), ` ${chosen}x`, chosen.slice(0, -1), `cwpat_${chosen}`])(
    'isn’t “%s”',
    async (other) => {
      expect((await own.rest('GET', settings, { query: { private_token: other } })).status).toBe(401);
    },
  );

  test('lies in the database only under a key that isn’t there', async () => {
    const everything = await dump(own);
    const digests = ['sha256', 'sha512', 'sha1', 'md5'].map((algorithm) =>
      createHash(algorithm).update(chosen).digest(),
    );
    for (const form of [chosen, ...forms(chosen), ...digests.flatMap(forms)]) expect(everything).not.toContain(form);
  });

  test('means nothing to a gateway that was given no such choice', async () => {
    expect((await gateway.rest('GET', settings, { token: chosen })).status).toBe(401);
  });
});
