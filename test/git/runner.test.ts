import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { counters } from '../../src/counters.ts';
import { Busy, TimedOut } from '../../src/git/errors.ts';
import { readBlob, resolveCommit, streamBlob } from '../../src/git/objects/index.ts';
import type { Repository } from '../../src/git/repository.ts';
import { frame } from '../../src/git/runner/protocol.ts';
import { Queue, type Turn } from '../../src/git/runner/queue.ts';
import { prepareChanges } from '../../src/git/refs/transaction.ts';
import { psLines } from '../support/run/programs.ts';
import { fastImport, newRepository, openEngine, runnerProgram, temporaryFolder } from './support/engine.ts';

const git = await openEngine({ share: 4, pooled: 3 });
const { runner } = git.engine;
const program = runnerProgram(temporaryFolder());

const large = 8_000_000;
/** A repository with a file of some megabytes that don't compress. */
async function filled(): Promise<{ repository: Repository; blob: string }> {
  const repository = await newRepository(git);
  const content = Array.from({ length: large / 8 }, (_, index) =>
    ((index * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0'),
  ).join('');
  fastImport(
    repository,
    `commit refs/heads/main\ncommitter A <a@b> 1 +0000\ndata 1\nx\nM 100644 inline f\ndata ${content.length}\n${content}\n\n`,
  );
  return { repository, blob: (await repository.objects.info('refs/heads/main:f'))!.id };
}
const { repository, blob } = await filled();
/** Processes whose parent is the runner: ids and what they run. */
const children = () =>
  psLines('-o', 'pid=,ni=,args=', '--ppid', String(runner.pid)).filter((line) => line.includes('git '));

describe('the runner', () => {
  test('gives git a fixed environment, and nothing of ours', async () => {
    process.env.GIT_DIR = '/nowhere';
    process.env.CAUSEWAY_TEST_SECRET = 'secret';
    const job = await repository.start(['cat-file', '--batch'], { kind: 'reader', input: true });
    const started = () => children().find((one) => one.includes('cat-file --batch') && !one.includes('command'));
    await expect.poll(started).toBeDefined();
    const line = started();
    const environment = readFileSync(`/proc/${Number(line!.trim().split(/\s+/)[0])}/environ`, 'utf8').split('\0');
    expect(environment).toContain('GIT_CONFIG_NOSYSTEM=1');
    expect(environment).toContain('HOME=/nonexistent');
    expect(environment.filter((one) => /^GIT_DIR|SECRET|^USER|^PWD/.test(one))).toEqual([]);
    delete process.env.GIT_DIR;
    delete process.env.CAUSEWAY_TEST_SECRET;
    job.input.end();
    expect((await job.ended).code).toBe(0);
    await expect(repository.start(['version'], { environment: { LD_PRELOAD: '/x' } })).rejects.toMatchObject({
      code: 'BROKEN',
    });
    await expect(
      repository.start(['version'], { environment: { GIT_PROTOCOL: 'version=2\nx' } }),
    ).rejects.toMatchObject({ code: 'BROKEN' });
  });

  test('listens for itself alone', async () => {
    const folder = await runner.folder();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(`${folder}/s`).mode & 0o777).toBe(0o600);
    const stranger = connect(`${folder}/s`);
    stranger.write('0'.repeat(64));
    const closed = new Promise((resolve) => stranger.once('close', () => resolve('closed')));
    stranger.on('error', () => undefined).resume();
    expect(await closed).toBe('closed');
  });

  test('ends what takes too long, what nobody wants any more, and what writes too much', async () => {
    await expect(repository.run(['cat-file', '--batch'], { milliseconds: 50 })).resolves.toMatchObject({ code: 0 });
    const waiting = await repository.start(['cat-file', '--batch'], { input: true, milliseconds: 100 });
    expect(await waiting.ended).toMatchObject({ code: null, cause: 'time' });
    const aborted = new AbortController();
    const started = await repository.start(['cat-file', '--batch'], { input: true, signal: aborted.signal });
    aborted.abort(new Error('not wanted'));
    expect(await started.ended).toMatchObject({ cause: 'stopped' });
    await expect(repository.run(['version'], { signal: aborted.signal })).rejects.toThrow('not wanted');
    await expect(repository.run(['cat-file', 'blob', blob], { bound: 1_000 })).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
    expect(new TimedOut().code).toBe('TIMED_OUT');
  });

  test('lets a slow reader hold up nobody, and reads no further than asked', async () => {
    const stream = await streamBlob(repository, { id: blob, type: 'blob', size: large });
    await new Promise((resolve) => stream.once('readable', resolve));
    for (let turn = 0; turn < 20; turn++) expect(await resolveCommit(repository, 'main')).toBeDefined();
    let size = 0;
    for await (const chunk of stream) size += (chunk as Buffer).length;
    expect(size).toBe(large);
  });

  test('puts git behind the gateway, and runs no more of it than its share', async () => {
    const jobs = await Promise.all([1, 2, 3, 4].map(() => repository.start(['cat-file', '--batch'], { input: true })));
    const priorities = () =>
      children()
        .filter((line) => line.includes('cat-file --batch') && !line.includes('command'))
        .map((line) => line.trim().split(/\s+/)[1]);
    await expect.poll(priorities).toEqual(['10', '10', '10', '10']);
    const waited = () => counters.gitJobsWaited.counts.get('command') ?? 0;
    const before = waited();
    let came = false;
    const fifth = repository.start(['cat-file', '--batch'], { input: true }).then((job) => ((came = true), job));
    await expect.poll(() => git.load.waiting).toBe(1);
    expect([came, git.load.running >= 4, waited()]).toEqual([false, true, before + 1]);
    jobs[0]!.input.end();
    (await fifth).input.end();
    expect(git.load.waiting).toBe(0);
    for (const job of jobs) job.input.end();
    await Promise.all(jobs.map(({ ended }) => ended));
  });

  test('keeps a bounded number of readers', async () => {
    const others = await Promise.all(Array.from({ length: 12 }, () => newRepository(git)));
    for (const other of others) expect(await resolveCommit(other, 'main')).toBeUndefined();
    expect(git.engine.pool.size).toBeLessThanOrEqual(3);
    await expect.poll(() => children().length).toBeLessThanOrEqual(3);
  });

  test('starts readers again that were killed, without an error', async () => {
    for (let turn = 0; turn < 3; turn++) {
      expect(await resolveCommit(repository, 'main')).toBeDefined();
      const reads = Promise.all(Array.from({ length: 50 }, () => resolveCommit(repository, 'main')));
      for (const line of children().filter((one) => one.includes('batch-command')))
        process.kill(Number(line.trim().split(/\s+/)[0]), 'SIGKILL');
      expect((await reads).every(Boolean)).toBe(true);
    }
  });

  test('is started again when it died; its jobs fail, and what it started ends', async () => {
    const prepared = await prepareChanges(repository, [
      { ref: 'refs/heads/x', old: undefined, new: (await resolveCommit(repository, 'main'))!.id },
    ]);
    const job = await repository.start(['cat-file', '--batch'], { input: true });
    const pids = children().map((line) => Number(line.trim().split(/\s+/)[0]));
    expect(pids.length).toBeGreaterThan(1);
    const before = runner.pid!;
    process.kill(before, 'SIGKILL');
    expect(await job.ended).toMatchObject({ code: null });
    await expect(prepared.commit()).rejects.toMatchObject({ code: 'BROKEN' });
    expect(await resolveCommit(repository, 'main')).toBeDefined();
    expect(runner.pid).not.toBe(before);
    expect(await resolveCommit(repository, 'x')).toBeUndefined();
    const alive = () => pids.filter((pid) => readState(pid) !== undefined && readState(pid) !== 'Z');
    await expect.poll(alive, { timeout: 5_000 }).toEqual([]);
    expect((await readBlob(repository, blob))?.length).toBe(large);
  });
});

test('the engine knows which git it runs', async () => {
  expect(await git.version()).toEqual({ version: expect.stringMatching(/^\d+\.\d+/), supported: true });
  const other = await openEngine({ git: '/nonexistent/git' });
  await expect(other.version()).rejects.toMatchObject({ code: 'BROKEN' });
});

test('the runner and its jobs end when the gateway dies', async () => {
  const folder = await runner.folder();
  const connections = createServer();
  const controls: Socket[] = [];
  connections.on('connection', (socket) => controls.push(socket.on('error', () => undefined).resume()));
  await new Promise<void>((resolve) => connections.listen(`${folder}/other`, resolve));
  const setup = { socket: `${folder}/other`, secret: '0'.repeat(32), git: '/usr/bin/git', environment: {}, share: 4 };
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.write(`${JSON.stringify(setup)}\n`);
  await expect.poll(() => controls.length).toBe(1);
  const args = [`--git-dir=${repository.path}`, 'cat-file', '--batch'];
  controls[0]!.write(frame({ do: 'start', id: 1, kind: 'command', token: '1'.repeat(32), input: true, args }));
  await expect.poll(() => controls.length).toBe(2);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const ended = new Promise((resolve) => controls[1]!.once('close', resolve));
  child.stdin.destroy();
  await Promise.all([gone, ended]);
  connections.close();
});

/** The state of a process; undefined if there is none. */
function readState(pid: number): string | undefined {
  try {
    return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

describe('the queue', () => {
  const turns = (queue: Queue, kinds: readonly (readonly [Turn['kind'], string?])[]) => {
    const begun: number[] = [];
    const made = kinds.map(([kind, owner], index): Turn => ({
      kind,
      ...(owner === undefined ? {} : { owner }),
      begin: () => void begun.push(index),
      refuse: () => void begun.push(-1),
    }));
    for (const turn of made) queue.add(turn);
    return { begun, made };
  };

  test('keeps two places for commands', () => {
    const queue = new Queue(4);
    const { begun, made } = turns(queue, [
      ['transfer'],
      ['transfer'],
      ['transfer'],
      ['command'],
      ['command'],
      ['command'],
    ]);
    expect(begun).toEqual([0, 1, 3, 4]);
    queue.remove(made[3]!);
    expect(begun).toEqual([0, 1, 3, 4, 5]);
    for (const index of [0, 1, 4, 5]) queue.remove(made[index]!);
    expect(begun).toEqual([0, 1, 3, 4, 5, 2]);
    queue.remove(made[2]!);
    expect(queue.size).toEqual({ waiting: 0, running: 0 });
  });

  test('gives one owner two heavy jobs', () => {
    const queue = new Queue(20);
    const { begun, made } = turns(queue, [
      ['transfer', 'a'],
      ['transfer', 'a'],
      ['transfer', 'a'],
      ['transfer', 'b'],
    ]);
    expect(begun).toEqual([0, 1, 3]);
    queue.remove(made[0]!);
    expect(begun).toEqual([0, 1, 3, 2]);
    for (const turn of made) queue.remove(turn);
  });

  test('refuses when too many wait', () => {
    const queue = new Queue(3);
    const { begun, made } = turns(
      queue,
      Array.from({ length: 1_010 }, () => ['upkeep'] as const),
    );
    expect(begun.filter((index) => index === -1)).toHaveLength(9);
    for (const turn of made) queue.remove(turn);
    expect(new Busy().retryAfter).toBeGreaterThan(0);
  });
});
