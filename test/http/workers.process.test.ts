import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { signIn } from '../support/pages/browser-session.ts';
import { dropDatabase, makeDatabase, query } from '../support/databases/database.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { killProcesses, startProcess, type GatewayProcess } from '../support/run/process.ts';
import { psLines } from '../support/run/programs.ts';
import { rawClient } from '../support/requests/raw-client.ts';
import { runs } from '../support/run/runs.ts';
import { scrapeOf } from '../support/requests/scrape.ts';

/** A machine may be busy; what is waited for comes in the end. */
const patient = { timeout: 30_000 };

let database: { name: string; url: string };
let gateway: GatewayProcess;
let address: string;
/** Stopped when the tests begin, since it takes long to be noticed. */
let hanging: { gateway: GatewayProcess; other: number };
beforeAll(async () => {
  database = await makeDatabase('demo');
  hanging = await withHangingWorker();
  gateway = startProcess({
    DATABASE_URL: database.url,
    CAUSEWAY_SECRET_KEY: secretKey,
    CAUSEWAY_WORKERS: '2',
    CAUSEWAY_ACCESS_LOG: 'off',
    CAUSEWAY_DRAIN_TIMEOUT: '600000',
    CAUSEWAY_STATEMENT_TIMEOUT: '600000',
  });
  address = await gateway.ready();
});
afterAll(async () => {
  await killProcesses();
  await dropDatabase(database.name);
});

const workers = ({ child } = gateway): number[] =>
  psLines('-axo', 'pid=,ppid=,stat=')
    .map((row) => row.trim().split(/\s+/))
    .filter(([, parent, state]) => Number(parent) === child.pid && !state!.startsWith('Z'))
    .map(([pid]) => Number(pid));

/** Starts two workers and stops the first. @returns the gateway, and the worker that goes on */
async function withHangingWorker(): Promise<typeof hanging> {
  const { url } = await makeDatabase('demo');
  const started = startProcess({ DATABASE_URL: url, CAUSEWAY_SECRET_KEY: secretKey, CAUSEWAY_WORKERS: '2' });
  await started.ready();
  const [one, other] = workers(started) as [number, number];
  process.kill(one, 'SIGSTOP');
  return { gateway: started, other };
}

/** Asks over so many new connections, which the workers take by turns. @returns what was answered */
async function ask(
  path: string,
  times: number,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }[]> {
  const answers: { status: number; text: string }[] = [];
  for (let n = 0; n < times; n++)
    answers.push(await rawClient(address)({ path, headers: { connection: 'close', ...headers } }));
  return answers;
}
const token = () => ({ 'private-token': inject('tokens').maintainer });
const works = async () =>
  expect((await ask('/api/v4/user', 4, token())).map(({ status }) => status)).toEqual([200, 200, 200, 200]);

const answered = (scrape: Map<string, number>) =>
  scrape.get('causeway_requests_total{route="GET /api/v4/user",status="2xx"}') ?? 0;
const processesOf = (scrape: Map<string, number>) => ({
  answering: scrape.get('causeway_workers{state="answering"}'),
  silent: scrape.get('causeway_workers{state="silent"}'),
  ended: scrape.get('causeway_workers_ended_total'),
});

describe('two workers', () => {
  test('listen at one address, which the start prints once', async () => {
    expect(workers()).toHaveLength(2);
    expect(gateway.output.stdout.match(/Causeway is listening/g)).toHaveLength(1);
    expect(gateway.output.stderr).toBe('');
    await works();
  });

  test('see the settings that were changed at one of them', async () => {
    const root = await signIn({ url: address }, 'root', inject('passwords').root);
    const form = (await root.get('/admin/settings')).form('Save');
    expect((await root.press(form, { greeting: 'Two of us are here.' })).status).toBe(303);
    await vi.waitFor(async () => {
      const pages = await ask('/users/sign_in', 4, { accept: 'text/html' });
      expect(pages.filter(({ text }) => text.includes('Two of us are here.'))).toHaveLength(4);
    }, patient);
  });

  test('are counted together, whichever of them is scraped', async () => {
    const before = answered(await scrapeOf(address));
    await works();
    await vi.waitFor(async () => {
      // One after the other, which they take by turns.
      const scrapes = [await scrapeOf(address), await scrapeOf(address)];
      for (const found of scrapes) {
        expect(answered(found)).toBe(before + 4);
        expect(found.get('causeway_database_connections{state="idle"}')).toBeGreaterThanOrEqual(2);
        expect([...found.keys()].filter((name) => name.startsWith('process_resident_memory_bytes'))).toEqual(
          [1, 2].map((number) => `process_resident_memory_bytes{worker="${number}"}`),
        );
        expect(processesOf(found)).toEqual({ answering: 2, silent: 0, ended: 0 });
      }
    }, patient);
  });

  test('are counted also while one of them hangs, with its last numbers', async () => {
    const [one] = workers() as [number];
    const before = answered(await scrapeOf(address));
    process.kill(one, 'SIGSTOP');
    // The first that it is handed waits for it; then it is handed no more.
    const scrapes = [1, 2].map(() => scrapeOf(address));
    const found = await Promise.any(scrapes);
    expect(processesOf(found)).toEqual({ answering: 1, silent: 1, ended: 0 });
    expect(answered(found)).toBe(before);
    expect([...found.keys()].filter((name) => name.startsWith('process_resident_memory_bytes'))).toHaveLength(1);
    process.kill(one, 'SIGCONT');
    await Promise.all(scrapes);
    await vi.waitFor(
      async () => expect(processesOf(await scrapeOf(address))).toEqual({ answering: 2, silent: 0, ended: 0 }),
      patient,
    );
  });

  test('stand in for one that was killed until it is replaced, and what replaces it stands in for the other', async () => {
    const [one, other] = workers() as [number, number];
    const before = answered(await scrapeOf(address));
    const replaced = () => gateway.output.stdout.match(/"worker exited; starting another"/g) ?? [];
    process.kill(one, 'SIGKILL');
    await vi.waitFor(() => expect(replaced()).toHaveLength(1), patient);
    await works();
    await vi.waitFor(() => expect(gateway.output.stdout).toContain('"worker replaced"'), patient);
    expect(workers()).toHaveLength(2);

    process.kill(other, 'SIGKILL');
    await vi.waitFor(() => expect(replaced()).toHaveLength(2), patient);
    await works();
    await vi.waitFor(() => expect(workers()).toHaveLength(2), patient);

    // The numbers of workers that ended are still there.
    await vi.waitFor(
      async () => expect(processesOf(await scrapeOf(address))).toEqual({ answering: 2, silent: 0, ended: 2 }),
      patient,
    );
    expect(answered(await scrapeOf(address))).toBeGreaterThanOrEqual(before);
  });

  test('answer the requests that they had taken before they stop', async () => {
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query('begin; lock table global_notification_settings in access exclusive mode');
    const answers = Promise.all([1, 2].map(() => ask('/api/v4/notification_settings', 1, token())));
    const waiting = () =>
      query(
        database.url,
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(2), patient);
    gateway.child.kill('SIGTERM');
    // Refused, or left waiting where it met the very moment in which the last worker stopped listening.
    await vi.waitFor(() => expect(fetch(address, { signal: AbortSignal.timeout(1_000) })).rejects.toThrow(), patient);
    await client.end();
    expect((await answers).flat().map(({ status }) => status)).toEqual([200, 200]);
    expect(await gateway.ended()).toBe(0);
    expect(gateway.output.stdout.match(/Stopping…\n/g)).toHaveLength(1);
    expect(gateway.output.stderr).toBe('');
  });
});

test('a gateway that stops also stops a worker that is still starting', async () => {
  const { url } = await makeDatabase('demo');
  const stopping = startProcess({ DATABASE_URL: url, CAUSEWAY_SECRET_KEY: secretKey, CAUSEWAY_WORKERS: '2' });
  await stopping.ready();
  process.kill(workers(stopping)[0]!, 'SIGKILL');
  await vi.waitFor(() => expect(stopping.output.stdout).toContain('"worker exited; starting another"'), patient);
  await vi.waitFor(() => expect(workers(stopping)).toHaveLength(2), { ...patient, interval: 5 });
  stopping.child.kill('SIGTERM');
  expect(await stopping.ended()).toBe(0);
});

// Waits for seconds.
test.runIf(runs > 1)('a worker that hangs holds no stop up', async () => {
  const { url } = await makeDatabase('demo');
  const hanging = startProcess({
    DATABASE_URL: url,
    CAUSEWAY_SECRET_KEY: secretKey,
    CAUSEWAY_WORKERS: '2',
    CAUSEWAY_DRAIN_TIMEOUT: '0',
  });
  await hanging.ready();
  process.kill(workers(hanging)[0]!, 'SIGSTOP');
  hanging.child.kill('SIGTERM');
  expect(await hanging.ended()).toBe(0);
  expect(hanging.output.stdout).toContain('"worker doesn’t stop; killing it"');
});

test('a gateway whose workers end again and again gives up, and says why', async () => {
  const { name, url } = await makeDatabase('demo');
  const failing = startProcess({ DATABASE_URL: url, CAUSEWAY_SECRET_KEY: secretKey, CAUSEWAY_WORKERS: '2' });
  await failing.ready();
  await dropDatabase(name);
  process.kill(workers(failing)[0]!, 'SIGKILL');
  expect(await failing.ended()).toBe(1);
  expect(failing.output.stderr).toContain(`database "${name}" does not exist`);
  expect(failing.output.stderr).toContain('5 workers exited within 60 seconds.\n');
});

test('a worker that hangs is ended after twenty seconds and replaced', { timeout: 120_000 }, async () => {
  const { gateway: hung, other } = hanging;
  await vi.waitFor(() => expect(hung.output.stdout).toContain('"worker hangs; killing it"'), {
    timeout: 60_000,
    interval: 200,
  });
  await vi.waitFor(() => expect(hung.output.stdout).toContain('"worker replaced"'), patient);
  expect(workers(hung)).toHaveLength(2);
  expect(workers(hung)).toContain(other);
  hung.child.kill('SIGTERM');
  expect(await hung.ended()).toBe(0);
});
