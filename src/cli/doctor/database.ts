import type { Config } from '../../config/index.ts';
import { examineDatabase, hasDatabase, type DatabaseFacts, type MigrationStatus } from '../../maintenance.ts';
import { explained } from '../failure.ts';
import { instanceKey } from './instance-key.ts';
import type { Finding } from '../../values/findings.ts';
import { judged, ok, problem, warning } from './finding.ts';

/** The oldest supported PostgreSQL, as a version number. */
const oldestPostgres = 140_000;
/** Clock skew in milliseconds. Above `warning`, times look wrong; above `problem`, one-time passwords are refused. */
const clockSkew = { warning: 2_000, problem: 30_000 } as const;
/** Seconds that a due job may wait before it is worth a warning. */
const longestOverdue = 600;
/** Connections that a process needs besides its pool: one to cancel a statement, one for the operator. */
const spare = 2;

export async function database(config: Config): Promise<Finding[]> {
  if (!hasDatabase(config))
    return [ok('database', `the first start creates one in ${config.dataDir}`), instanceKey(config)];
  try {
    const { facts, known, migrations } = await examineDatabase(config);
    return [
      server(facts),
      ...durability(facts),
      migrated(migrations),
      clock(facts),
      connections(facts, config),
      search(facts),
      jobs(facts),
      instanceKey(config, known),
    ];
  } catch (error) {
    const [message, remedy = 'Look at the log of PostgreSQL.'] = explained(error);
    return [problem('database', message, remedy), instanceKey(config)];
  }
}

function server({ version, versionNumber, encoding, readOnly, encrypted, address }: DatabaseFacts): Finding {
  const says = `PostgreSQL ${version}, ${encrypted ? 'encrypted' : address === null ? 'over a socket' : 'not encrypted'}`;
  const far = address !== null && !/^(127\.|::1$)/.test(address);
  return judged('database', says, [
    [
      versionNumber < oldestPostgres,
      problem('database', `PostgreSQL ${version} is too old`, 'Use PostgreSQL 14 or later.'),
    ],
    [
      readOnly,
      problem(
        'database',
        'it is read-only',
        'Set DATABASE_URL to the primary server; this one is a replica, or set to read-only.',
      ),
    ],
    [
      encoding !== 'UTF8',
      problem(
        'database',
        `its encoding is ${encoding}`,
        "Create the database with UTF8: CREATE DATABASE causeway ENCODING 'UTF8' TEMPLATE template0;",
      ),
    ],
    [
      far && !encrypted,
      warning(
        'database',
        `${says}, on another machine`,
        'Add sslmode=verify-full to DATABASE_URL, unless the network between them is private.',
      ),
    ],
  ]);
}

function durability({ fsync, fullPageWrites, synchronousCommit }: DatabaseFacts): Finding[] {
  return [
    judged('durability', 'acknowledged writes are on disk', [
      [
        !fsync || !fullPageWrites,
        problem(
          'durability',
          'a crash of the machine can corrupt the database',
          'Set fsync and full_page_writes to on in postgresql.conf.',
        ),
      ],
      [
        !synchronousCommit,
        warning(
          'durability',
          'a crash can lose the last acknowledged writes, revocations too',
          "Set synchronous_commit to on in postgresql.conf, or for the role: ALTER ROLE … SET synchronous_commit = 'on';",
        ),
      ],
    ]),
  ];
}

function migrated({ applied, pending, failed, edited, unknown }: MigrationStatus): Finding {
  const broken = [...failed, ...edited];
  return judged('migrations', `all ${applied.length} are applied`, [
    [
      broken.length > 0,
      problem(
        'migrations',
        `${broken.join(', ')} ${failed.length > 0 ? 'was begun and not finished' : 'was applied with a different text'}`,
        'Run causeway migrate to see how to repair it.',
      ),
    ],
    [
      pending.length > 0,
      warning('migrations', `${pending.length} pending`, 'The next start applies them, or run causeway migrate.'),
    ],
    [
      unknown.length > 0,
      warning(
        'migrations',
        `a newer version has applied ${unknown.join(', ')}`,
        'Fine during an upgrade; otherwise start the newer version.',
      ),
    ],
  ]);
}

function clock({ clockAhead }: DatabaseFacts): Finding {
  const off = Math.abs(clockAhead);
  const says =
    off < 1_000
      ? 'agrees with the database’s'
      : `is ${(off / 1_000).toFixed(1)} s ${clockAhead > 0 ? 'behind' : 'ahead of'} the database’s`;
  const remedy = 'Synchronize both machines with the same time server (chrony, systemd-timesyncd).';
  return judged('clock', says, [
    [off >= clockSkew.problem, problem('clock', says, remedy)],
    [off >= clockSkew.warning, warning('clock', says, remedy)],
  ]);
}

function connections({ connectionsLeft }: DatabaseFacts, { databaseConnections, workers }: Config): Finding {
  const wanted = databaseConnections * workers;
  const says = `${connectionsLeft} are free; each gateway uses up to ${wanted}`;
  return judged('connections', says, [
    [
      connectionsLeft < wanted + spare,
      warning(
        'connections',
        says,
        'Raise max_connections, lower CAUSEWAY_DATABASE_CONNECTIONS, or use a connection pooler.',
      ),
    ],
  ]);
}

function jobs({ deadJobs, jobsOverdue }: DatabaseFacts): Finding {
  return judged('background jobs', 'none failed for good', [
    [
      deadJobs > 0,
      warning(
        'background jobs',
        `${deadJobs} failed for good`,
        'causeway jobs list says why; then run causeway jobs retry.',
      ),
    ],
    [
      jobsOverdue > longestOverdue,
      warning(
        'background jobs',
        `the oldest has been waiting for ${Math.round(jobsOverdue / 60)} minutes`,
        'Start a gateway; if one runs, look for failed jobs in its log, or raise CAUSEWAY_JOBS.',
      ),
    ],
  ]);
}

function search({ trigrams }: DatabaseFacts): Finding {
  return trigrams
    ? ok('search', 'has its indexes')
    : warning(
        'search',
        'has no indexes, so searching a big instance is slow',
        'As a superuser, run CREATE EXTENSION pg_trgm before the first migration.',
      );
}
