import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { OperatorError } from '../../errors.ts';

/** A pooler in front of PostgreSQL that can't do what the gateway needs. */
class PoolerError extends OperatorError {}

/** How often the same is tried: other clients of the pooler may come in between. */
const rounds = 3;
/** Milliseconds for a statement that may have to wait for a connection of the pooler's. */
const patience = 1_000;
const duplicateStatement = '42P05';
const unknownStatement = '26000';
const protocolViolation = '08P01';

/** Whether a prepared statement wasn't where its name said. */
export const isLostStatement = (code: string | undefined): boolean =>
  code === duplicateStatement || code === unknownStatement;

/**
 * Examines the way to PostgreSQL. A pooler that lends connections for one transaction must
 * follow prepared statements from one to the other; where it doesn't, some requests
 * fail and others don't, and which ones depends on who else is there.
 * @throws PoolerError where there is such a pooler, and whatever connecting throws
 */
export async function refuseUnfitPooler(connection: pg.PoolConfig): Promise<void> {
  const clients: pg.Client[] = [];
  const open = async () => {
    const client = new pg.Client({
      connectionTimeoutMillis: 10_000,
      ...connection,
      statement_timeout: patience,
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
    // A pooler gives out numbers of its own.
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

/** The number of the session, as the server gave it. */
type Connected = pg.Client & { readonly processID: number };

/** Brings about that a statement is asked for on a connection of PostgreSQL's that doesn't know it, or knows it already. */
async function lose(one: pg.Client, other: pg.Client): Promise<void> {
  const [shared, own] = [nameOf(), nameOf()];
  // The second is lent the connection that the first has just given back.
  await run(one, shared);
  await run(one, shared);
  await run(other, shared);
  await run(one, own);
  // And keeps it now, so that the first is lent another.
  await other.query('begin');
  try {
    await run(one, own);
  } catch (error) {
    // Of a pooler that has but one connection, which was tried above.
    if (!/timeout/.test((error as Error).message)) throw error;
  } finally {
    await other.query('rollback');
  }
}

const nameOf = () => `causeway_${randomBytes(6).toString('hex')}`;

const run = (client: pg.Client, name: string) =>
  client.query({ name, text: 'select $1::int', values: [1], query_timeout: patience } as pg.QueryConfig);

/** PgBouncer refuses settings at the start of a session, unless it is set to ignore them. */
function refusesTimeout(error: unknown): PoolerError | undefined {
  const { code, message } = error as pg.DatabaseError;
  if (code !== protocolViolation || !/startup parameter/.test(message)) return undefined;
  return new PoolerError(
    `The pooler in front of PostgreSQL refuses what the gateway sets for its sessions (${message}).`,
    "Set ignore_startup_parameters = statement_timeout in PgBouncer, and the time for the role instead: ALTER ROLE … SET statement_timeout = '15s'.",
    { cause: error },
  );
}
