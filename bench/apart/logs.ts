import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startServer } from '../server.ts';
import { gatewayCommand, gatewayEnv } from '../sides.ts';
import type { Store } from '../store.ts';
import { median, type Check } from '../report.ts';

/**
 * A log of 100 MB that a runner sends in pieces of 64 KB, beside a server that appends what it gets to a file and notes
 * nothing. Both do the work in turn; the figure is the median of the ratios of the rounds.
 */

const pieceBytes = 65_536;
const pieces = 1_600;
const rounds = 3;

const piece = Buffer.from(`${'a line of a log, as programs write it, with a number\n'.repeat(1_300)}`).subarray(
  0,
  pieceBytes,
);

/** Sends a log, piece by piece over one connection. @returns pieces a second */
async function send(url: string, headers: Record<string, string>): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const startedAt = performance.now();
  for (let number = 0; number < pieces; number++) {
    const start = number * pieceBytes;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(url, {
        agent,
        method: 'PATCH',
        headers: {
          ...headers,
          'content-type': 'text/plain',
          'content-length': String(pieceBytes),
          'content-range': `${start}-${start + pieceBytes - 1}`,
        },
      });
      sent.on('response', resolve);
      sent.on('error', reject);
      sent.end(piece);
    });
    answer.resume();
    await new Promise((resolve) => answer.on('end', resolve));
    if (answer.statusCode !== 202) throw new Error(`${url}: ${answer.statusCode}`);
  }
  agent.destroy();
  return pieces / ((performance.now() - startedAt) / 1_000);
}

/** A running job, written into the tables. */
async function newJob(client: pg.Client, token: string): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `with place as (select id from projects order by id limit 1), pipeline as (
       insert into pipelines (project_id, iid, ref, sha, source, status)
       select place.id, coalesce((select max(p.iid) from pipelines p where p.project_id = place.id), 0) + 1, 'main', repeat('a', 40),
              'push', 'running' from place returning id, project_id
     )
     insert into ci_jobs (kind, pipeline_id, project_id, name, stage, stage_index, ref, sha, status, token_digest, contacted_at)
     select 'job', id, project_id, 'bench', 'test', 1, 'main', repeat('a', 40), 'running', $1, now() from pipeline returning id`,
    [createHash('sha256').update(token).digest()],
  );
  return rows[0]!.id;
}

export async function measureLogs(store: Store, print: (message: string) => void): Promise<Check[]> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'));
  const floor = await startServer(
    [process.execPath, join(process.env.BENCH_BUNDLES!, 'appender.js'), folder],
    {},
    { cores: 1 },
  );
  const gateway = await startServer(
    gatewayCommand,
    { ...gatewayEnv(store), DATA_DIR: folder, CAUSEWAY_MAX_JOB_LOG: '1000' },
    { cores: 1 },
  );
  const client = new pg.Client({ connectionString: store.url });
  await client.connect();
  // The database belongs to another folder, if to any: it does again afterwards.
  const { rows: marks } = await client.query<{ name: string; mark: string }>(
    'delete from repository_storages returning name, mark',
  );
  try {
    const ratios: number[] = [];
    let grown = 0;
    for (let round = 0; round <= rounds; round++) {
      const token = `bench-${round}-${Date.now()}`;
      const job = await newJob(client, token);
      const memory = gateway.memory();
      const ours = await send(`${gateway.origin}/api/v4/jobs/${job}/trace`, { 'job-token': token });
      grown = Math.max(grown, round === 0 ? 0 : gateway.memory() - memory);
      const least = await send(`${floor.origin}/${round}`, {});
      print(`Pieces of logs: ${Math.round(ours)} a second, ${Math.round(least)} by the floor.`);
      // The first round warms both up.
      if (round > 0) ratios.push(least / ours);
    }
    return [
      { name: 'a log of 100 MB in pieces of 64 KB', value: median(ratios), unit: 'times by hand', bound: 2 },
      { name: 'memory that a log of 100 MB takes', value: grown, unit: 'MB', bound: 50 },
    ];
  } finally {
    await gateway.stop();
    await client.query('delete from repository_storages');
    for (const { name, mark } of marks)
      await client.query('insert into repository_storages (name, mark) values ($1, $2)', [name, mark]);
    await client.end();
    await floor.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
