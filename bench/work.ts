import { createHash } from 'node:crypto';
import type { Call, Calls } from './load.ts';
import { application, digestOf, secretOf, type Person, type Store } from './store.ts';

export const sideNames = ['causeway', 'floor', 'usual stack', 'oidc-provider', 'doorkeeper'] as const;
export type SideName = (typeof sideNames)[number];

/** What a comparison must show: a figure of one side in relation to another's. */
export interface Target {
  readonly of: 'cpu' | 'throughput';
  readonly against: SideName;
  /** CPU stays under this many times the other's; throughput above. */
  readonly bound: number;
}

/** One kind of request, as each side is asked for it. */
export interface Work {
  readonly name: string;
  /** In `--quick` too. */
  readonly key?: true;
  readonly sides: Partial<Record<SideName, (store: Store, ask: Ask) => Calls>>;
  readonly targets: readonly Target[];
  /** Requests of a slice; 2,000 unless said otherwise. */
  readonly slice?: number;
  /** Statements that wait for a disk and passwords want fewer. */
  readonly connections?: number;
}

/** Asks a side outside what is measured. */
export type Ask = (call: Call) => Promise<string>;

const cpu = (against: SideName, bound: number): Target => ({ of: 'cpu', against, bound });
const throughput = (against: SideName, bound: number): Target => ({ of: 'throughput', against, bound });

const turn = (people: readonly Person[], i: number): Person => people[i % people.length]!;
const bearing = ({ token }: Person) => ({ 'private-token': token });

/** The same request for the gateway and the floor, in the name of one person after the other. */
function alike(call: (person: Person, i: number) => Omit<Call, 'headers'> & { headers?: Record<string, string> }) {
  const calls = ({ people }: Store): Calls => ({
    next(i) {
      const person = turn(people, i);
      const { headers, ...rest } = call(person, i);
      return { ...rest, headers: { ...bearing(person), ...headers } };
    },
  });
  return { causeway: calls, floor: calls };
}

/** The same, with the answer's entity tag of a moment ago. */
function unchanged(path: string) {
  const calls = ({ people }: Store, ask: Ask): Calls => {
    const tags = new Map<number, string>();
    return {
      async prepare() {
        for (const person of people) {
          if (tags.has(person.id)) continue;
          const body = await ask({ path, headers: bearing(person) });
          tags.set(person.id, `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`);
        }
      },
      next(i) {
        const person = turn(people, i);
        return { path, status: 304, headers: { ...bearing(person), 'if-none-match': tags.get(person.id)! } };
      },
    };
  };
  return { causeway: calls, floor: calls };
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const credentials = { client_id: application.uid, client_secret: application.secret };
const post = (path: string, fields: Record<string, string>): Call => ({
  method: 'POST',
  path,
  headers: form,
  body: new URLSearchParams(fields).toString(),
});

const verifier = secretOf('', 'code verifier');
const challenge = createHash('sha256').update(verifier).digest('base64url');

/** Families of tokens in our tables, of which each connection rotates one after the other. */
function ownRefresh({ pool, people }: Store): Calls {
  const held: string[] = [];
  return {
    async prepare() {
      if (held.length > 0) return;
      for (let connection = 0; connection < 64; connection++) {
        const secret = secretOf('cwrt_', `refresh ${connection} ${process.hrtime.bigint()}`);
        await pool.query(
          `with g as (insert into grants (kind, application_id, user_id, authorized_at)
             select 'AUTHORIZATION_CODE', id, $1, now() from applications where uid = $2 returning id)
           insert into refresh_tokens (grant_id, digest, scopes, expires_at) select id, $3, '{api}', now() + interval '30 days' from g`,
          [turn(people, connection).id, application.uid, digestOf(secret)],
        );
        held.push(secret);
      }
    },
    next: (_i, connection) => rotation(held, connection, '/oauth/token'),
  };
}

const rotation = (held: string[], connection: number, path: string): Call => ({
  ...post(path, { ...credentials, grant_type: 'refresh_token', refresh_token: held[connection]! }),
  after: (body) => (held[connection] = (JSON.parse(body) as { refresh_token: string }).refresh_token),
});

/** Codes in our tables, each for one call. */
function ownCodes({ pool, people }: Store): Calls {
  let codes: string[] = [];
  return {
    async prepare(count) {
      const run = String(process.hrtime.bigint());
      codes = Array.from({ length: count }, (_, i) => secretOf('cwac_', `code ${run} ${i}`));
      await pool.query(
        `insert into authorization_codes (digest, application_id, user_id, redirect_uri, scopes, challenge, authorized_at, expires_at)
         select d.digest, a.id, d.user_id, $4, '{api}', $5, now(), now() + interval '1 hour'
           from unnest($1::bytea[], $2::int[]) d(digest, user_id), applications a where a.uid = $3`,
        [codes.map(digestOf), codes.map((_, i) => turn(people, i).id), application.uid, application.redirectUri, challenge],
      );
    },
    next: () => exchange('/oauth/token', codes.pop()!),
  };
}

const exchange = (path: string, code: string): Call =>
  post(path, { ...credentials, grant_type: 'authorization_code', code, redirect_uri: application.redirectUri, code_verifier: verifier });

/** Minted by the peer itself. */
const minted = async (ask: Ask, kind: string, count: number): Promise<string[]> =>
  JSON.parse(await ask({ path: `/mint?${new URLSearchParams({ kind, count: String(count), challenge }).toString()}` })) as string[];

function peerRefresh(path: string) {
  return (_store: Store, ask: Ask): Calls => {
    let held: string[] = [];
    return {
      async prepare() {
        if (held.length === 0) held = await minted(ask, 'refresh', 64);
      },
      next: (_i, connection) => rotation(held, connection, path),
    };
  };
}

function peerCodes(path: string) {
  return (_store: Store, ask: Ask): Calls => {
    let codes: string[] = [];
    return {
      async prepare(count) {
        codes = await minted(ask, 'code', count);
      },
      next: () => exchange(path, codes.pop()!),
    };
  };
}

const peerIntrospection = (path: string) => (_store: Store, ask: Ask): Calls => {
  let tokens: string[] = [];
  return {
    async prepare() {
      if (tokens.length === 0) tokens = await minted(ask, 'access', 64);
    },
    next: (i) => ({ ...post(path, { ...credentials, token: tokens[i % tokens.length]! }), contains: '"active":true' }),
  };
};

const clientCredentials = (path: string) => (): Calls => ({
  next: () => ({ ...post(path, { ...credentials, grant_type: 'client_credentials', scope: 'api' }), contains: 'access_token' }),
});

const settingsQuery = '{ notificationSettings { level notificationEmail } }';
const query = (source: string, contains: string) => ({ people }: Store): Calls => ({
  next: (i) => ({
    method: 'POST',
    path: '/graphql',
    headers: { ...bearing(turn(people, i)), 'content-type': 'application/json' },
    body: JSON.stringify({ query: source.replace('$turn', String(i)) }),
    contains,
  }),
});

/** Each time another document: nothing of it can be known. */
const adHoc = query('query Number$turn { notificationSettings { level notificationEmail } }', '"level"');

export const work: readonly Work[] = [
  {
    name: 'nothing at all (`/bare` of the floor)',
    sides: { floor: () => ({ next: () => ({ path: '/bare' }) }) },
    targets: [],
  },
  {
    name: 'settings, global',
    key: true,
    sides: {
      ...alike(() => ({ path: '/api/v4/notification_settings', contains: '"notification_email"' })),
      'usual stack': query(settingsQuery, '"data":'),
    },
    targets: [cpu('floor', 1.3), cpu('usual stack', 0.2)],
  },
  {
    name: 'settings of a group',
    sides: alike(({ group }) => ({ path: `/api/v4/groups/${group}/notification_settings`, contains: '"level"' })),
    targets: [cpu('floor', 1.3)],
  },
  {
    name: 'settings of a project',
    sides: alike(({ project }) => ({ path: `/api/v4/projects/${project}/notification_settings`, contains: '"level"' })),
    targets: [cpu('floor', 1.3)],
  },
  {
    name: 'settings, unchanged (304)',
    key: true,
    sides: unchanged('/api/v4/notification_settings'),
    targets: [cpu('floor', 1.2)],
  },
  {
    name: 'settings, update',
    key: true,
    sides: alike((_person, i) => ({
      method: 'PUT',
      path: `/api/v4/notification_settings?level=${i % 2 === 0 ? 'watch' : 'mention'}`,
      contains: '"level"',
    })),
    targets: [cpu('floor', 1.5)],
  },
  {
    name: 'error tracking settings',
    key: true,
    sides: alike(({ project }) => ({ path: `/api/v4/projects/${project}/error_tracking/settings`, contains: '"api_url"' })),
    targets: [cpu('floor', 1.3)],
  },
  {
    name: 'the user',
    sides: alike(() => ({ path: '/api/v4/user', contains: '"username"' })),
    targets: [],
  },
  {
    name: 'token information',
    key: true,
    sides: (() => {
      const calls = ({ people }: Store): Calls => ({
        next: (i) => ({ path: '/oauth/token/info', headers: { authorization: `Bearer ${turn(people, i).accessToken}` }, contains: '"scopes"' }),
      });
      return { causeway: calls, floor: calls };
    })(),
    targets: [cpu('floor', 1.3)],
  },
  {
    name: 'projects, a page',
    sides: {
      causeway: ({ people }) => ({
        next: (i) => ({ path: '/api/v4/projects?membership=true&simple=true', headers: bearing(turn(people, i)), contains: '"path_with_namespace"' }),
      }),
    },
    targets: [],
  },
  {
    name: 'refresh',
    key: true,
    sides: { causeway: ownRefresh, floor: ownRefresh, 'oidc-provider': peerRefresh('/token'), doorkeeper: peerRefresh('/oauth/token') },
    targets: [throughput('floor', 0.8), throughput('doorkeeper', 10)],
  },
  {
    name: 'code exchange with PKCE',
    key: true,
    sides: { causeway: ownCodes, floor: ownCodes, 'oidc-provider': peerCodes('/token'), doorkeeper: peerCodes('/oauth/token') },
    targets: [throughput('floor', 0.8), throughput('doorkeeper', 10)],
  },
  {
    name: 'client credentials',
    key: true,
    sides: {
      causeway: clientCredentials('/oauth/token'),
      floor: clientCredentials('/oauth/token'),
      'oidc-provider': clientCredentials('/token'),
      doorkeeper: clientCredentials('/oauth/token'),
    },
    targets: [throughput('floor', 0.8), throughput('doorkeeper', 10)],
  },
  {
    name: 'introspection',
    sides: {
      ...(() => {
        const calls = ({ people }: Store): Calls => ({
          next: (i) => ({ ...post('/oauth/introspect', { ...credentials, token: turn(people, i).accessToken }), contains: '"active":true' }),
        });
        return { causeway: calls, floor: calls };
      })(),
      'oidc-provider': peerIntrospection('/token/introspection'),
      doorkeeper: peerIntrospection('/oauth/introspect'),
    },
    targets: [],
  },
  {
    name: 'GraphQL, document seen before',
    key: true,
    sides: { causeway: query(settingsQuery, '"level"'), floor: query(settingsQuery, '"level"'), 'usual stack': query(settingsQuery, '"data":') },
    targets: [cpu('floor', 1.6)],
  },
  {
    name: 'GraphQL, document never seen',
    key: true,
    sides: { causeway: adHoc, 'usual stack': adHoc },
    targets: [cpu('usual stack', 0.6)],
  },
  {
    name: 'GraphQL, every setting with what applies',
    sides: {
      causeway: query(
        '{ currentUser { notificationSettings(first: 50) { nodes { scope level effective { level source } } } } }',
        '"effective"',
      ),
    },
    targets: [],
    slice: 400,
  },
];
