import { createHash } from 'node:crypto';
import type { Ask, Call } from '../load.ts';
import { application, digestOf, password, secretOf } from '../store.ts';
import { both, cpu, credentials, inTurn, post, side, throughput, type MakeCalls, type Work } from './request.ts';

const verifier = secretOf('', 'code verifier');
const challenge = createHash('sha256').update(verifier).digest('base64url');

/** The most connections that rotate, each with a token of its own. */
const families = 64;

/** Families of tokens in our tables; each connection rotates one of them repeatedly. */
export const refresh: MakeCalls = ({ pool, people }) => {
  const held: string[] = [];
  return {
    async prepare() {
      if (held.length > 0) return;
      for (let connection = 0; connection < families; connection++) {
        const secret = secretOf('cwrt_', `refresh ${connection} ${process.hrtime.bigint()}`);
        await pool.query(
          `with g as (insert into grants (kind, application_id, user_id, authorized_at)
             select 'AUTHORIZATION_CODE', id, $1, now() from applications where uid = $2 returning id)
           insert into refresh_tokens (grant_id, digest, scopes, expires_at) select id, $3, '{api}', now() + interval '30 days' from g`,
          [people[Math.floor((connection * people.length) / families)]!.id, application.uid, digestOf(secret)],
        );
        held.push(secret);
      }
    },
    next: (_turn, connection) => rotation(held, connection, '/oauth/token'),
  };
};

const rotation = (held: string[], connection: number, path: string): Call => ({
  ...post(path, { ...credentials, grant_type: 'refresh_token', refresh_token: held[connection]! }),
  after: (body) => (held[connection] = (JSON.parse(body) as { refresh_token: string }).refresh_token),
});

/** Codes in our tables, one per call. */
const exchange: MakeCalls = ({ pool, people }) => {
  let codes: string[] = [];
  let isFirst = true;
  return {
    async prepare(count) {
      const run = String(process.hrtime.bigint());
      codes = Array.from({ length: count }, (_, i) => secretOf('cwac_', `code ${run} ${i}`));
      await pool.query(
        `insert into authorization_codes (digest, application_id, user_id, redirect_uri, scopes, challenge, authorized_at, expires_at)
         select d.digest, a.id, d.user_id, $4, '{api}', $5, now(), now() + interval '1 hour'
           from unnest($1::bytea[], $2::int[]) d(digest, user_id), applications a where a.uid = $3`,
        [
          codes.map(digestOf),
          codes.map((_, i) => inTurn(people, i).id),
          application.uid,
          application.redirectUri,
          challenge,
        ],
      );
      // In practice a table doesn't grow from empty to thousands of rows at once; without this the plan for an empty
      // table would be kept.
      if (isFirst) await pool.query('analyze authorization_codes');
      isFirst = false;
    },
    next: () => redemption('/oauth/token', codes.pop()!),
  };
};

const redemption = (path: string, code: string): Call =>
  post(path, {
    ...credentials,
    grant_type: 'authorization_code',
    code,
    redirect_uri: application.redirectUri,
    code_verifier: verifier,
  });

/** Issued by the peer itself. */
const minted = async (ask: Ask, kind: string, count: number): Promise<string[]> =>
  JSON.parse(
    await ask({ path: `/mint?${new URLSearchParams({ kind, count: String(count), challenge }).toString()}` }),
  ) as string[];

const peerRefresh =
  (path: string): MakeCalls =>
  (_store, ask) => {
    let held: string[] = [];
    return {
      async prepare() {
        if (held.length === 0) held = await minted(ask, 'refresh', families);
      },
      next: (_turn, connection) => rotation(held, connection, path),
    };
  };

const peerExchange =
  (path: string): MakeCalls =>
  (_store, ask) => {
    let codes: string[] = [];
    return {
      async prepare(count) {
        codes = await minted(ask, 'code', count);
      },
      next: () => redemption(path, codes.pop()!),
    };
  };

const introspection: MakeCalls = ({ people }) => ({
  next: (turn) => ({
    ...post('/oauth/introspect', { ...credentials, token: inTurn(people, turn).accessToken }),
    contains: '"active":true',
  }),
});

const peerIntrospection =
  (path: string): MakeCalls =>
  (_store, ask) => {
    let tokens: string[] = [];
    return {
      async prepare() {
        if (tokens.length === 0) tokens = await minted(ask, 'access', families);
      },
      next: (turn) => ({
        ...post(path, { ...credentials, token: tokens[turn % tokens.length]! }),
        contains: '"active":true',
      }),
    };
  };

const clientCredentials =
  (path: string): MakeCalls =>
  () => ({
    next: () => ({
      ...post(path, { ...credentials, grant_type: 'client_credentials', scope: 'api' }),
      contains: 'access_token',
    }),
  });

const passwords =
  (path: string): MakeCalls =>
  ({ people }) => ({
    next: (turn) => ({
      ...post(path, {
        ...credentials,
        grant_type: 'password',
        username: inTurn(people, turn).username,
        password,
        scope: 'api',
      }),
      contains: 'access_token',
    }),
  });

export const tokenWork: readonly Work[] = [
  {
    name: 'refresh',
    key: true,
    contenders: [
      ...both(refresh),
      side('oidc-provider', peerRefresh('/token')),
      side('doorkeeper', peerRefresh('/oauth/token')),
    ],
    targets: [throughput('floor', 0.8), throughput('oidc-provider'), throughput('doorkeeper', 10)],
  },
  {
    name: 'code exchange with PKCE',
    key: true,
    contenders: [
      ...both(exchange),
      side('oidc-provider', peerExchange('/token')),
      side('doorkeeper', peerExchange('/oauth/token')),
    ],
    targets: [throughput('floor', 0.8), throughput('oidc-provider'), throughput('doorkeeper', 10)],
  },
  {
    name: 'client credentials',
    key: true,
    contenders: [
      ...both(clientCredentials('/oauth/token')),
      side('oidc-provider', clientCredentials('/token')),
      side('doorkeeper', clientCredentials('/oauth/token')),
    ],
    targets: [throughput('floor', 0.8), throughput('oidc-provider'), throughput('doorkeeper', 10)],
  },
  {
    name: 'introspection',
    contenders: [
      ...both(introspection),
      side('oidc-provider', peerIntrospection('/token/introspection')),
      side('doorkeeper', peerIntrospection('/oauth/introspect')),
    ],
    targets: [throughput('floor', 0.8), throughput('oidc-provider'), throughput('doorkeeper')],
    alike: true,
  },
  {
    name: 'password grant',
    contenders: [
      ...both(passwords('/oauth/token')),
      // The cost of one verification, which can't be lower without weakening the hash.
      { name: 'Argon2id alone', on: 'floor', calls: () => ({ next: () => ({ path: '/argon2' }) }) },
      side('doorkeeper', passwords('/oauth/token')),
    ],
    targets: [cpu('floor'), cpu('Argon2id alone'), throughput('doorkeeper')],
    connections: 4,
  },
];
