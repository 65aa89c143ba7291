import type pg from 'pg';

/** The properties of a server that the gateway depends on. */
export interface DatabaseFacts {
  /** For people: 16.4. */
  readonly version: string;
  /** For comparison: 160004. */
  readonly versionNumber: number;
  readonly encoding: string;
  /** Whether it is a replica, or read-only. */
  readonly readOnly: boolean;
  /** Whether this connection is encrypted. */
  readonly encrypted: boolean;
  /** The network address of the server; null over a socket. */
  readonly address: string | null;
  readonly fsync: boolean;
  readonly fullPageWrites: boolean;
  readonly synchronousCommit: boolean;
  /** Connections left for this role. */
  readonly connectionsLeft: number;
  /** Whether the indexes for search exist. */
  readonly trigrams: boolean;
  /** Background jobs that failed for good, and seconds for which the oldest due one has been waiting. */
  readonly deadJobs: number;
  readonly jobsOverdue: number;
  /** Milliseconds by which the server's clock is ahead of this machine's; accurate to half the round trip. */
  readonly clockAhead: number;
}

export async function databaseFacts(client: pg.Client): Promise<DatabaseFacts> {
  const { rows } = await client.query<Omit<DatabaseFacts, 'clockAhead' | 'deadJobs' | 'jobsOverdue'>>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS "versionNumber",
            current_setting('server_encoding') AS encoding,
            pg_is_in_recovery() OR current_setting('transaction_read_only')::bool AS "readOnly",
            coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS encrypted,
            host(inet_server_addr()) AS address,
            current_setting('fsync')::bool AS fsync, current_setting('full_page_writes')::bool AS "fullPageWrites",
            current_setting('synchronous_commit') <> 'off' AS "synchronousCommit",
            current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
              - (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name NOT LIKE 'causeway%') AS "connectionsLeft",
            EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') AS trigrams`,
  );
  return { ...rows[0]!, ...(await jobFacts(client)), clockAhead: await clockAhead(client) };
}

/** Zeros for a database of an older version. */
async function jobFacts(client: pg.Client): Promise<Pick<DatabaseFacts, 'deadJobs' | 'jobsOverdue'>> {
  const none = { deadJobs: 0, jobsOverdue: 0 };
  const { rows: tables } = await client.query<{ jobs: boolean }>(`SELECT to_regclass('jobs') IS NOT NULL AS jobs`);
  if (!tables[0]!.jobs) return none;
  const { rows } = await client.query<typeof none>(
    `SELECT count(*) FILTER (WHERE dead_at IS NOT NULL)::int AS "deadJobs",
            greatest(0, coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE dead_at IS NULL)), 0))::int AS "jobsOverdue"
       FROM jobs`,
  );
  return rows[0]!;
}

/**
 * The instance key that the database knows, and whether it has users whose secrets that key may protect. Works for a
 * database of an older version or an empty one too: no key.
 */
export async function knownKey(client: pg.Client): Promise<{ fingerprint: string | null; inUse: boolean }> {
  const { rows: tables } = await client.query<{ key: boolean; users: boolean }>(
    `SELECT to_regclass('instance_key') IS NOT NULL AS key, to_regclass('users') IS NOT NULL AS users`,
  );
  const { key, users } = tables[0]!;
  const { rows } = await client.query<{ fingerprint: string | null; inUse: boolean }>(
    `SELECT ${key ? '(SELECT fingerprint FROM instance_key WHERE id = 1)' : 'NULL'} AS fingerprint, ${users ? 'EXISTS (SELECT FROM users)' : 'false'} AS "inUse"`,
  );
  return rows[0]!;
}

/** The fastest of a few readings is the most accurate. */
async function clockAhead(client: pg.Client): Promise<number> {
  let best = { took: Infinity, ahead: 0 };
  for (let reading = 0; reading < 3; reading++) {
    const asked = Date.now();
    const { rows } = await client.query<{ now: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
    );
    const took = Date.now() - asked;
    if (took < best.took) best = { took, ahead: rows[0]!.now - (asked + took / 2) };
  }
  return Math.round(best.ahead);
}
