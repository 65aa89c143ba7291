import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { newToken } from '../../src/auth/index.ts';
import { readConfig } from '../../src/config/index.ts';
import { operatorContext, type Context } from '../../src/context.ts';
import { compileOperation } from '../../src/operation.ts';
import { scopes as everyScope } from '../../src/policy/index.ts';
import { schema } from '../../src/schema/index.ts';
import { startGateway, type Gateway } from '../../src/server.ts';
import { afterFile } from './run/after-file.ts';
import { makeDatabase } from './databases/database.ts';
import { secretKey } from './run/global-setup.ts';
import { unhurried } from './run/process.ts';
import { scratch } from './databases/scratch.ts';
import { worked } from './databases/statements.ts';
import { restClient, type RestClient } from './requests/rest-client.ts';

export interface TestGateway {
  readonly url: string;
  readonly gateway: Gateway;
  readonly databaseUrl: string;
  /** The folder with its repositories. */
  readonly dataDir: string;
  /** Personal access tokens of users of the demo workspace, with the scope `api`. */
  readonly tokens: Record<'root' | 'maintainer' | 'developer' | 'guest', string>;
  readonly rest: RestClient;
  /** Runs an operation of the whole schema as the operator. */
  operator<Data>(source: string, variables?: Record<string, unknown>): Promise<Data>;
  /** Creates a personal access token. */
  personalToken(
    username: string,
    scopes: string[],
    options?: { expired?: boolean; revoked?: boolean },
  ): Promise<string>;
  /** Creates an OAuth access token, as the token endpoint stores it. */
  accessToken(username: string | null, scopes: string[], options?: AccessTokenOptions): Promise<string>;
  /** Sends a GraphQL request as JSON. */
  graphql<Data = Record<string, unknown>>(
    source: string,
    options?: { variables?: Record<string, unknown>; token?: string | undefined; headers?: Record<string, string> },
  ): Promise<GraphQLAnswer<Data>>;
  sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
}

export interface AccessTokenOptions {
  /** Seconds from now; null for a token that never expires. */
  expiresIn?: number | null;
  revoked?: boolean;
  application?: string | null;
}

export interface GraphQLAnswer<Data> {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Data | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions?: Record<string, unknown>;
  }[];
}

/**
 * Starts a gateway with the demo workspace, on its own database and a free port of the loopback. It stops with the test
 * file.
 * @param settings further settings, by their names in the environment
 * @param from a clone of the demo workspace, an empty database that this start sets up, or the database of another gateway
 */
export async function testGateway(
  settings: Record<string, string> = {},
  from: 'demo' | 'empty' | TestGateway = 'demo',
): Promise<TestGateway> {
  const { databaseUrl } = typeof from === 'string' ? { databaseUrl: (await makeDatabase(from)).url } : from;
  // Repositories. Nothing makes it before the first.
  const dataDir = typeof from === 'string' ? join(scratch(), `causeway-files-${randomUUID()}`) : from.dataDir;
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    CAUSEWAY_SECRET_KEY: secretKey,
    CAUSEWAY_DEMO: 'on',
    CAUSEWAY_ACCESS_LOG: 'off',
    CAUSEWAY_INBOX: 'off',
    CAUSEWAY_LOG_LEVEL: 'error',
    ...unhurried,
    // A stop waits a tenth of it for the last requests on idle connections.
    CAUSEWAY_DRAIN_TIMEOUT: '100',
    PORT: '0',
    ...settings,
  });
  // The PostgreSQL of the run stays where it is: to look each second costs a twentieth of the whole run.
  const gateway = await startGateway({ ...config, databaseMoves: settings.DATABASE_URL !== undefined });
  // A pool, since connecting takes longer than most statements.
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  // A test may cut all connections; the next statement opens a new one.
  pool.on('error', () => undefined);
  worked.add(pool);
  afterFile(async () => {
    worked.delete(pool);
    await gateway.stop();
    await pool.end();
    if (typeof from === 'string') await rm(dataDir, { recursive: true, force: true });
  });

  const { firstStart } = gateway;
  const context: Context = operatorContext(gateway.application);
  const operator = <Data>(source: string, variables: Record<string, unknown> = {}) =>
    compileOperation<Data>(schema, source).execute(context, variables);
  const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await pool.query<Row & Record<string, unknown>>(text, values)).rows;

  async function userId(username: string): Promise<number> {
    const { user } = await operator<{ user: { id: number } }>(
      'query ($username: String!) { user(username: $username) { id: databaseId } }',
      { username },
    );
    return user.id;
  }

  const personalToken: TestGateway['personalToken'] = async (username, scopes, options = {}) => {
    const {
      createPersonalAccessToken: { token, personalAccessToken: made },
    } = await operator<{ createPersonalAccessToken: { token: string; personalAccessToken: { id: number } } }>(
      'mutation ($input: CreatePersonalAccessTokenInput!) { createPersonalAccessToken(input: $input) { token personalAccessToken { id: databaseId } } }',
      { input: { userId: await userId(username), name: 'test', scopes } },
    );
    if (options.expired)
      await sql('update personal_access_tokens set expires_at = current_date where id = $1', [made.id]);
    if (options.revoked) await sql('update personal_access_tokens set revoked_at = now() where id = $1', [made.id]);
    return token;
  };

  const accessToken: TestGateway['accessToken'] = async (username, scopes, options = {}) => {
    const { expiresIn = 7200, revoked = false, application = 'test-application' } = options;
    const { secret, digest } = newToken('access');
    if (application !== null) {
      await sql(
        `insert into applications (name, uid, redirect_uris, scopes) values ('Test', $1, '{}', $2) on conflict (uid) do nothing`,
        [application, everyScope],
      );
    }
    await sql(
      `with grant_row as (
         insert into grants (kind, application_id, user_id, authorized_at)
         values ('PASSWORD', (select id from applications where uid = $1), $2, clock_timestamp()) returning id
       )
       insert into access_tokens (grant_id, digest, scopes, expires_at, revoked_at)
       select id, $3, $4, now() + make_interval(secs => $5), case when $6 then now() end from grant_row`,
      [application, username === null ? null : await userId(username), digest, scopes, expiresIn, revoked],
    );
    return secret;
  };

  return {
    url: gateway.baseUrl,
    gateway,
    databaseUrl,
    dataDir,
    tokens: {
      ...(firstStart ? { root: firstStart.rootToken, maintainer: firstStart.demo!.token } : inject('tokens')),
      developer: await personalToken('developer', ['api']),
      guest: await personalToken('guest', ['api']),
    },
    rest: restClient(gateway.baseUrl),
    operator,
    personalToken,
    accessToken,
    sql,
    async graphql(source, { variables, token, headers } = {}) {
      const response = await fetch(`${gateway.baseUrl}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: JSON.stringify({ query: source, variables }),
      });
      const { data = null, errors } = (await response.json()) as GraphQLAnswer<never>;
      return { status: response.status, headers: response.headers, data, ...(errors && { errors }) };
    },
  };
}
