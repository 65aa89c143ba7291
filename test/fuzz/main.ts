import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import fc from 'fast-check';
import { startEmbeddedPostgres } from '../../src/database/embedded/index.ts';
import { rawClient, type RawAnswer, type RawRequest } from '../support/requests/raw-client.ts';
import { graphqlRequests } from './graphql.ts';
import { problemWith } from './judge.ts';
import { machineRequests } from './machines.ts';
import { growth, type Sample } from './memory.ts';
import { enlist } from './people.ts';
import { startServer, type FuzzServer } from './server.ts';
import { Addresses, visit, visits } from './forms.ts';
import { curlLine, signed, type Caller, type FuzzRequest } from './request.ts';
import { restRequests } from './rest.ts';

/**
 * The fuzzer. It sends generated requests to every route and every field, and generated forms to every page, by the
 * million, to gateways in processes of their own, and checks each answer and each process.
 *
 *   npm run test:fuzz -- [--count 100000] [--minutes 60] [--seed 1] [--gateways 2] [--lanes 8]
 *
 * Each gateway uses one processor. There is one per processor, all on one database.
 */

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    minutes: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    gateways: { type: 'string', default: String(availableParallelism()) },
    lanes: { type: 'string' },
  },
});
const [count, minutes, firstSeed, gateways] = [options.count, options.minutes, options.seed, options.gateways].map(
  Number,
) as [number, number, number, number];
const lanes = Number(options.lanes ?? gateways * 4);

/** Requests per seed. A failure among them can be repeated with the seed. */
const chunk = Math.min(500, count);
const inputs = fc.oneof(
  { weight: 9, arbitrary: restRequests },
  { weight: 6, arbitrary: graphqlRequests },
  machineRequests,
  visits,
);

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
const servers: FuzzServer[] = [];
try {
  // In sequence: the first one sets up the database.
  for (let started = 0; started < gateways; started++) servers.push(await startServer(databaseUrl));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  await Promise.all(servers.map((server) => server.stop()));
  await leave(1);
}
const complaint = () => servers.map((server) => server.complaint()).find((one) => one !== undefined);
const people = await enlist(databaseUrl, servers[0]!.origin);
const addresses = new Addresses();

const bar = new SingleBar({
  format: '{bar} {value}/{total} requests, {rate}/s, {heap} MB alive, seed {seed}',
  stopOnComplete: true,
  noTTYOutput: true,
  notTTYSchedule: 15_000,
});
bar.start(count, 0, { rate: 0, heap: 0, seed: firstSeed });
const startedAt = Date.now();
let deadline = startedAt + minutes * 60_000;
process.once('SIGINT', () => (deadline = 0));
/** The memory samples of each gateway. */
const samples: Sample[][] = servers.map(() => []);
const last = () => samples.flatMap((ofOne) => ofOne.at(-1) ?? []);
const megabytes = (bytes: readonly number[]) => bytes.map((one) => Math.round(one / 2 ** 20)).join(' + ');
const alive = () => megabytes(last().map(({ heap }) => heap));
const failures: string[] = [];
let sent = 0;
let next = 0;

/** Sends chunks of requests until all are sent, the time is over, or there is a failure anywhere. */
async function lane(_one: unknown, index: number): Promise<void> {
  const { origin } = servers[index % servers.length]!;
  const ask = rawClient(origin);
  const answerTo = (request: RawRequest) => {
    sent++;
    return ask(request).catch((error: Error) => ({ status: 0, headers: {}, text: error.message }));
  };
  while (next * chunk < count && Date.now() < deadline && failures.length === 0 && complaint() === undefined) {
    const seed = (firstSeed + next++) % 2 ** 31;
    /** The requests of the last failure: fast-check then shrinks the input and fails again with a smaller one. */
    let wrong: readonly string[] = [];
    const property = fc.asyncProperty(inputs, async (one) => {
      const { requests, problem } =
        'page' in one ? await visit(answerTo, people, addresses, one) : await send(answerTo, one);
      if (problem === undefined) return;
      wrong = requests.map((request) => curlLine(request, origin));
      throw new Error(problem);
    });
    const result = await fc.check(property, {
      seed,
      numRuns: Math.min(chunk, count),
      interruptAfterTimeLimit: Math.max(1, deadline - Date.now()),
      markInterruptAsFailure: false,
    });
    if (result.failed) failures.push(failureText(seed, result.errorInstance, wrong));
    bar.update(Math.min(sent, count), { rate: Math.round((sent * 1_000) / (Date.now() - startedAt)), heap: alive() });
  }
}

async function send(answerTo: (request: RawRequest) => Promise<RawAnswer>, one: FuzzRequest) {
  const answer = await answerTo(signed(one, people.tokens));
  if ('caller' in one.as && isRefused(answer, one.as.caller)) await people.renew(one.as.caller);
  return { requests: [one], problem: problemWith(one, answer) };
}

/** Whether the caller was refused because its token or user ended, or because root is no administrator any more. */
const isRefused = ({ status, text }: RawAnswer, caller: Caller) =>
  status === 401 || (status === 403 && (caller === 'root' || text.includes('blocked')));

function failureText(seed: number, error: unknown, lines: readonly string[]): string {
  const again = `npm run test:fuzz -- --count ${chunk} --seed ${seed} --gateways 1 --lanes 1`;
  return [(error as Error | null)?.message, ...lines, `To repeat it, unless it depends on earlier requests: ${again}`]
    .filter(Boolean)
    .join('\n\n');
}

/** Samples the memory of the processes while the lanes run. */
async function watch(): Promise<void> {
  const every = Math.max(1_000, Math.floor(count / 200));
  for (let due = 0; running && complaint() === undefined;) {
    if (sent >= due) {
      for (const [index, server] of servers.entries()) samples[index]!.push({ sent, ...(await server.memory()) });
      due = sent + every;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

let running = true;
const watching = watch().catch((error: Error) =>
  failures.push(`The memory of the gateway could not be read: ${error.message}`),
);
await Promise.all(Array.from({ length: lanes }, lane));
running = false;
await watching;
bar.stop();

const said = complaint();
if (said !== undefined) failures.push(said);
if (failures.length === 0) failures.push(...samples.flatMap((ofOne) => growth(ofOne) ?? []));
process.stdout.write(
  `\n${sent} requests in ${Math.round((Date.now() - startedAt) / 1_000)} s, from seed ${firstSeed}; ` +
    `${alive()} MB alive and ${megabytes(last().map(({ resident }) => resident))} MB resident at the end\n`,
);
for (const failure of failures) process.stderr.write(`\n${failure}\n`);
await people.leave();
const codes = await Promise.all(servers.map((server) => server.stop()));
for (const code of codes) if (code !== 0) process.stderr.write(`\nA gateway exited with ${code}\n`);
await leave(failures.length > 0 || codes.some((code) => code !== 0) ? 1 : 0);
