import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { OperatorError } from '../../errors.ts';

/** The error for a pooler that lacks something that the gateway needs. */
class PoolerError extends OperatorError {}

/** Number of test rounds: other clients of the pooler may distort one. */
const rounds = 3;
/** Milliseconds for a statement that may have to wait for one of the pooler's connections. */
const statementTimeout = 1_000;
const duplicateStatement = '42P05';
const unknownStatement = '26000';
const protocolViolation = '08P01';

/** Whether a prepared statement was missing, or its name already in use. */
export const isLostStatement = (code: string | undefined): boolean =>
  code === duplicateStatement || code === unknownStatement;

/**
 * Tests the pooler in front of PostgreSQL, if there is one. A pooler that assigns connections per transaction must
 * carry prepared statements over from one to the other. Otherwise some requests fail, depending on what other clients
 * do.
 * @throws PoolerError when the pooler can't, and any error of connecting
 */
export async function refuseUnfitPooler(connection: pg.PoolConfig): Promise<void> {
  const clients: pg.Client[] = [];
  const open = async () => {
    const client = new pg.Client({
      connectionTimeoutMillis: 10_000,
      ...connection,
      statement_timeout: statementTimeout,
      application_name: 'causeway pooler',
    });
    client.on('error', () => undefined);
    clients.push(client);
    await client.connect().catch((error: unknown) => {
      throw refusesTimeout(error) ?? error;
    });
    return client as Connected;
  };
  try {
    const one = await open();
    const { rows } = await one.query<{ pid: number }>('select pg_backend_pid() as pid');
    // A pooler reports process ids of its own.
    if (rows[0]!.pid === one.processID) return;
    const other = await open();
    for (let round = 0; round < rounds; round++) await lose(one, other);
  } catch (error) {
    const { code, message } = error as pg.DatabaseError;
    if (!isLostStatement(code)) throw error;
    throw new PoolerError(
      `The pooler in front of PostgreSQL loses prepared statements (${message}), as PgBouncer before 1.21 does with pool_mode = transaction.`,
      'Use PgBouncer 1.21 or later with max_prepared_statements = 1000, or pool_mode = session, or let DATABASE_URL lead to PostgreSQL itself.',
      { cause: error },
    );
  } finally {
    for (const client of clients) client.end().catch(() => undefined);
  }
}

/** With the process id that the server sent. */
type Connected = pg.Client & { readonly processID: number };

/**
 * Tries to provoke the failure: makes the pooler run a statement on a connection of PostgreSQL that hasn't prepared
 * it, or has already.
 */
async function lose(one: pg.Client, other: pg.Client): Promise<void> {
  const [shared, own] = [nameOf(), nameOf()];
  // The second client gets the connection that the first has just returned.
  await run(one, shared);
  await run(one, shared);
  await run(other, shared);
  await run(one, own);
  // It keeps the connection, so that the first client gets another one.
  await other.query('begin');
  try {
    await run(one, own);
  } catch (error) {
    // A timeout means that the pooler has a single connection, which was tested above.
    if (!/timeout/.test((error as Error).message)) throw error;
  } finally {
    await other.query('rollback');
  }
}

const nameOf = () => `causeway_${randomBytes(6).toString('hex')}`;

const run = (client: pg.Client, name: string) =>
  client.query({ name, text: 'select $1::int', values: [1], query_timeout: statementTimeout } as pg.QueryConfig);

/** PgBouncer refuses unknown settings at the start of a session, unless configured to ignore them. */
function refusesTimeout(error: unknown): PoolerError | undefined {
  const { code, message } = error as pg.DatabaseError;
  if (code !== protocolViolation || !/startup parameter/.test(message)) return undefined;
  return new PoolerError(
    `The pooler in front of PostgreSQL refuses what the gateway sets for its sessions (${message}).`,
    "Set ignore_startup_parameters = statement_timeout in PgBouncer, and the time for the role instead: ALTER ROLE … SET statement_timeout = '15s'.",
    { cause: error },
  );
}
