import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider';
import pg from 'pg';
import { application, secretOf } from '../store.ts';

/**
 * A peer: oidc-provider over PostgreSQL, with an adapter like those of its examples (a table of payloads by model and
 * id) and prepared statements. It issues codes and refresh tokens under /mint, so that the flows don't need a browser.
 */

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
await pool.query(`create table if not exists oidc_payloads (
  model text, id text, payload jsonb not null, grant_id text, uid text, user_code text, expires_at timestamptz, consumed_at timestamptz,
  primary key (model, id))`);
await pool.query('create index if not exists oidc_payloads_grant on oidc_payloads (grant_id)');
await pool.query('truncate oidc_payloads');

const run = (name: string, text: string, values: unknown[]) =>
  pool.query<{ payload: AdapterPayload; consumed_at: Date | null }>({ name, text, values });

class PostgresAdapter implements Adapter {
  readonly #model: string;
  constructor(model: string) {
    this.#model = model;
  }
  async upsert(id: string, payload: AdapterPayload, expiresIn?: number) {
    await run(
      'upsert',
      `insert into oidc_payloads (model, id, payload, grant_id, uid, user_code, expires_at)
       values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
       on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
         user_code = excluded.user_code, expires_at = excluded.expires_at`,
      [this.#model, id, payload, payload.grantId, payload.uid, payload.userCode, expiresIn ?? null],
    );
  }
  async find(id: string) {
    return await this.#by('id', id);
  }
  async findByUid(uid: string) {
    return await this.#by('uid', uid);
  }
  async findByUserCode(userCode: string) {
    return await this.#by('user_code', userCode);
  }
  async #by(column: string, value: string) {
    const { rows } = await run(
      `by_${column}`,
      `select payload, consumed_at from oidc_payloads where model = $1 and ${column} = $2 and (expires_at is null or expires_at > now())`,
      [this.#model, value],
    );
    const [row] = rows;
    return row && { ...row.payload, ...(row.consumed_at && { consumed: true }) };
  }
  async consume(id: string) {
    await run('consume', 'update oidc_payloads set consumed_at = now() where model = $1 and id = $2', [
      this.#model,
      id,
    ]);
  }
  async destroy(id: string) {
    await run('destroy', 'delete from oidc_payloads where model = $1 and id = $2', [this.#model, id]);
  }
  async revokeByGrantId(grantId: string) {
    await run('revoke', 'delete from oidc_payloads where grant_id = $1', [grantId]);
  }
}

const server = createServer();
server.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const provider = new Provider(issuer, {
  adapter: PostgresAdapter,
  clients: [
    {
      client_id: application.uid,
      client_secret: application.secret,
      redirect_uris: [application.redirectUri],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'api offline_access',
    },
  ],
  scopes: ['api', 'offline_access'],
  features: {
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    devInteractions: { enabled: false },
  },
  findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  rotateRefreshToken: true,
  cookies: { keys: [secretOf('', 'cookies')] },
  ttl: { AccessToken: 7200, AuthorizationCode: 600, ClientCredentials: 7200, Grant: 86_400, RefreshToken: 86_400 },
});

/** Codes and refresh tokens, as the authorization endpoint would issue them. */
async function mint(kind: string, count: number, challenge: string): Promise<string[]> {
  const client = (await provider.Client.find(application.uid))!;
  return await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const accountId = String(1 + (i % 64));
      const grant = new provider.Grant({ accountId, clientId: client.clientId });
      grant.addOIDCScope('api offline_access');
      const common = {
        accountId,
        client,
        grantId: await grant.save(),
        gty: 'authorization_code',
        scope: 'api offline_access',
      };
      if (kind === 'refresh')
        return await new provider.RefreshToken({
          ...common,
          rotations: 0,
          iiat: Math.floor(Date.now() / 1000),
        } as never).save();
      if (kind === 'access') return await new provider.AccessToken({ ...common } as never).save();
      return await new provider.AuthorizationCode({
        ...common,
        redirectUri: application.redirectUri,
        codeChallenge: challenge,
        codeChallengeMethod: 'S256',
      } as never).save();
    }),
  );
}

const callback = provider.callback();
server.on('request', (request, response) => {
  const url = new URL(request.url!, issuer);
  if (url.pathname === '/favicon.ico') return void response.writeHead(204).end();
  if (url.pathname !== '/mint') return void callback(request, response);
  const { kind = '', count, challenge = '' } = Object.fromEntries(url.searchParams);
  mint(kind, Number(count), challenge).then(
    (made) => response.end(JSON.stringify(made)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
console.log(`oidc-provider on ${issuer}`);
process.on('SIGTERM', () => process.exit(0));
