import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import fc from 'fast-check';
import { startEmbeddedPostgres } from '../../src/database/embedded/index.ts';
import { rawClient, type RawAnswer } from '../support/raw-client.ts';
import { graphqlRequests } from './graphql.ts';
import { problemWith } from './judge.ts';
import { growth, type Sample } from './memory.ts';
import { enlist } from './people.ts';
import { startServer } from './server.ts';
import { curlLine, signed, type Caller, type FuzzRequest } from './request.ts';
import { restRequests } from './rest.ts';

/**
 * Sends made-up requests to every route and every field, by the million, to a gateway of
 * its own in a process of its own, and looks at each answer and at the process.
 *
 *   npm run test:fuzz -- [--count 100000] [--minutes 60] [--seed 1] [--lanes 4]
 */

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    minutes: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    lanes: { type: 'string', default: '4' },
  },
});
const [count, minutes, firstSeed, lanes] = [options.count, options.minutes, options.seed, options.lanes].map(Number) as [number, number, number, number];

/** Requests under one seed: what went wrong among them is found again with it. */
const chunk = Math.min(500, count);
const requests = fc.oneof({ weight: 3, arbitrary: restRequests }, { weight: 2, arbitrary: graphqlRequests });

const dataDir = mkdtempSync(join(tmpdir(), 'causeway-fuzz-'));
const postgres = await startEmbeddedPostgres({
  dataDir,
  settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
});
const { user, password, host, port, database } = postgres.connection;
const databaseUrl = `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
const leave = async (code: number): Promise<never> => {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(code);
};
const server = await startServer(databaseUrl).catch(async (error: Error) => {
  process.stderr.write(`${error.message}\n`);
  return await leave(1);
});
const people = await enlist(databaseUrl, server.origin);

const bar = new SingleBar({ format: '{bar} {value}/{total} requests, {rate}/s, {heap} MB alive, seed {seed}', stopOnComplete: true, noTTYOutput: true, notTTYSchedule: 15_000 });
bar.start(count, 0, { rate: 0, heap: 0, seed: firstSeed });
const startedAt = Date.now();
let deadline = startedAt + minutes * 60_000;
process.once('SIGINT', () => (deadline = 0));
const samples: Sample[] = [];
const failures: string[] = [];
let sent = 0;
let next = 0;

/** Sends chunk after chunk until all were sent, time is over, or something went wrong anywhere. */
async function lane(): Promise<void> {
  const ask = rawClient(server.origin);
  while (next * chunk < count && Date.now() < deadline && failures.length === 0 && server.complaint() === undefined) {
    const seed = (firstSeed + next++) % 2 ** 31;
    const property = fc.asyncProperty(requests, async (one: FuzzRequest) => {
      const answer = await ask(signed(one, people.tokens)).catch((error: Error) => {
        throw new Error(`It didn't answer: ${error.message}`);
      });
      sent++;
      const problem = problemWith(one, answer);
      if (problem !== undefined) throw new Error(problem);
      if ('caller' in one.as && turnedAway(answer, one.as.caller)) await people.renew(one.as.caller);
    });
    const result = await fc.check(property, { seed, numRuns: Math.min(chunk, count), interruptAfterTimeLimit: Math.max(1, deadline - Date.now()), markInterruptAsFailure: false });
    if (result.failed) failures.push(told(seed, result));
    bar.update(Math.min(sent, count), { rate: Math.round((sent * 1_000) / (Date.now() - startedAt)), heap: megabytes(samples.at(-1)?.heap ?? 0) });
  }
}

/** Whether a token or its owner came to an end; an administrator may be none any more. */
const turnedAway = ({ status, text }: RawAnswer, caller: Caller) => status === 401 || (status === 403 && (caller === 'root' || text.includes('blocked')));

function told(seed: number, { counterexample, errorInstance }: fc.RunDetails<[FuzzRequest]>): string {
  const again = `npm run test:fuzz -- --count ${chunk} --seed ${seed} --lanes 1`;
  return [(errorInstance as Error | null)?.message, counterexample && curlLine(counterexample[0], server.origin), `Again, as far as it doesn't need what was there before: ${again}`]
    .filter(Boolean)
    .join('\n\n');
}

const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);

/** Looks at the process while the lanes go on. */
async function watch(): Promise<void> {
  const every = Math.max(1_000, Math.floor(count / 200));
  for (let due = 0; running && server.complaint() === undefined; ) {
    if (sent >= due) {
      samples.push({ sent, ...(await server.memory()) });
      due = sent + every;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

let running = true;
const watching = watch().catch((error: Error) => failures.push(`The gateway could not be looked at: ${error.message}`));
await Promise.all(Array.from({ length: lanes }, lane));
running = false;
await watching;
bar.stop();

const complaint = server.complaint();
if (complaint !== undefined) failures.push(complaint);
const grown = growth(samples);
if (grown !== undefined && failures.length === 0) failures.push(grown);
const last = samples.at(-1);
process.stdout.write(
  `\n${sent} requests in ${Math.round((Date.now() - startedAt) / 1_000)} s, from seed ${firstSeed}; ` +
    `${megabytes(last?.heap ?? 0)} MB alive and ${megabytes(last?.resident ?? 0)} MB resident at the end\n`,
);
for (const failure of failures) process.stderr.write(`\n${failure}\n`);
await people.leave();
const code = await server.stop();
if (code !== 0) process.stderr.write(`\nThe gateway ended with ${code}\n`);
await leave(failures.length > 0 || code !== 0 ? 1 : 0);
