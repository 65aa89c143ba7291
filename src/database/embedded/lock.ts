import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { EmbeddedPostgresError } from './error.ts';

/** The advisory lock for one gateway per cluster. Any number will do: nothing else takes locks in that database. */
const gatewayLock = 1;
/** Milliseconds that a killed gateway's session may take to end. */
const lockTimeout = 2_000;

const sessionName = 'causeway gateway';

/** Another gateway holds the lock: the server is in use, whichever process started it. */
export class OccupiedError extends EmbeddedPostgresError {}

/**
 * Takes the lock that makes this process the only gateway of the cluster. A session of its own holds it; the session
 * doesn't keep the process alive.
 * @param onLost called when that session breaks
 * @returns undefined when the server doesn't answer
 * @throws OccupiedError when another gateway holds the lock
 */
export async function takeGatewayLock(
  connection: pg.ClientConfig,
  dataDir: string,
  onLost: (error: Error) => void,
): Promise<pg.Client | undefined> {
  const session = new pg.Client({
    ...connection,
    // Don't connect to the gateway's database: an open session would prevent cloning or renaming it.
    database: 'postgres',
    application_name: `${sessionName} ${process.pid}`,
    connectionTimeoutMillis: 5_000,
  });
  let held = false;
  session.on('error', (error) => {
    if (held) onLost(error);
  });
  try {
    await session.connect();
    for (const deadline = Date.now() + lockTimeout; !(held = await tryLock(session)); await pause(20)) {
      if (Date.now() > deadline) throw await occupied(session, dataDir);
    }
    (session as pg.Client & { unref(): void }).unref();
    return session;
  } catch (error) {
    await session.end().catch(() => {});
    if (error instanceof EmbeddedPostgresError) throw error;
    // Class 28: the server answers, but refuses the role or the password.
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!code.startsWith('28')) return undefined;
    throw new EmbeddedPostgresError(
      `The PostgreSQL on ${dataDir} refuses the gateway: ${message}`,
      'Put back the causeway-passwords.json that belongs to the database folder, or set DATA_DIR to another folder.',
      { cause: error },
    );
  }
}

async function tryLock(session: pg.Client): Promise<boolean> {
  const { rows } = await session.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [gatewayLock]);
  return rows[0]?.locked ?? false;
}

async function occupied(session: pg.Client, dataDir: string): Promise<OccupiedError> {
  const { rows } = await session.query<{ application_name: string }>(
    'SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE granted AND locktype = $1 AND application_name LIKE $2',
    ['advisory', `${sessionName} %`],
  );
  const pid = rows[0]?.application_name.slice(sessionName.length + 1);
  return new OccupiedError(
    `Another gateway${pid ? ` (process ${pid})` : ''} is running on the data folder ${dataDir}.`,
    'Stop it first, or set DATA_DIR to another folder, or set DATABASE_URL to a PostgreSQL that several gateways share.',
  );
}
