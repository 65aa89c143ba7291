import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../../../src/config/index.ts';
import { operatorContext } from '../../../src/context.ts';
import { importFrom, type ImportOptions, type Report, type Run } from '../../../src/import/index.ts';
import { compileOperation } from '../../../src/operation.ts';
import { schema } from '../../../src/schema/index.ts';
import { startGateway } from '../../../src/server.ts';
import { afterFile } from '../../support/run/after-file.ts';
import { makeDatabase } from '../../support/databases/database.ts';
import { secretKey } from '../../support/run/global-setup.ts';
import { restClient, type RestClient } from '../../support/requests/rest-client.ts';
import { scratch } from '../../support/databases/scratch.ts';

/** An instance that has nobody but its first administrator, `root`. */
export interface Target {
  readonly url: string;
  readonly rest: RestClient;
  /** What a command needs to work on it. */
  readonly settings: Record<string, string>;
  /** Of `root`, with the scopes `api` and `sudo`. */
  readonly token: string;
  readonly run: Run;
  sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Imports from another instance; `root` is the same person. */
  take(from: { readonly url: string; readonly token: string }, options?: Partial<ImportOptions>): Promise<Report>;
}

export async function emptyTarget(): Promise<Target> {
  const { url: databaseUrl } = await makeDatabase('migrated');
  const dataDir = join(scratch(), `causeway-files-${randomUUID()}`);
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, CAUSEWAY_SECRET_KEY: secretKey };
  const gateway = await startGateway(
    readConfig({
      ...settings,
      CAUSEWAY_ACCESS_LOG: 'off',
      CAUSEWAY_INBOX: 'off',
      CAUSEWAY_LOG_LEVEL: 'error',
      CAUSEWAY_MAX_EVENT_LOOP_DELAY: '0',
      CAUSEWAY_DRAIN_TIMEOUT: '100',
      PORT: '0',
    }),
  );
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  afterFile(async () => {
    await gateway.stop();
    await pool.end();
    await rm(dataDir, { recursive: true, force: true });
  });
  const context = operatorContext(gateway.application);
  const run: Run = (source, variables) => compileOperation<never>(schema, source).execute(context, variables);
  const { made } = await run<{ made: { token: string } }>(
    'mutation ($input: CreatePersonalAccessTokenInput!) { made: createPersonalAccessToken(input: $input) { token } }',
    { input: { userId: 1, name: 'test', scopes: ['api', 'sudo'] } },
  );
  return {
    url: gateway.baseUrl,
    settings,
    rest: restClient(gateway.baseUrl),
    token: made.token,
    run,
    sql: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await pool.query<Row & Record<string, unknown>>(text, values)).rows,
    take: (from, options = {}) =>
      importFrom({
        from: from.url,
        token: from.token,
        run,
        dryRun: false,
        only: [],
        same: new Map([['root', 'root']]),
        signal: new AbortController().signal,
        progress: () => undefined,
        ...options,
      }),
  };
}
