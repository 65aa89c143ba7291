import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { request } from 'undici';
import { fillRepository } from './big-repository.ts';
import { asking, runSlice } from '../load.ts';
import { median, type Check } from '../report.ts';
import { pinLoad, startServer, type Server } from '../server.ts';
import { startSide } from '../sides.ts';
import type { Store } from '../store.ts';
import { bearing, post } from '../workload/request.ts';
import { settings } from '../workload/rest.ts';

/**
 * Measures git over HTTP: how long git takes to clone and push beside `git http-backend` started by hand, and what two
 * hundred clones at once do to others.
 */

const run = promisify(execFile);
/** Milliseconds after a push: what it set off in the background has ended. */
const rest = 1_500;

interface Content {
  readonly name: string;
  /** Rounds, the first of which warms up. What takes half a second varies more. */
  readonly rounds: number;
  /** Writes it to the branch `main` of an empty repository. */
  fill(folder: string): void;
}

const megabytes = (files: number, size: number) => (folder: string) => {
  const parts: (string | Buffer)[] = [
    'commit refs/heads/main\ncommitter Ann <ann@example.com> 1700000000 +0000\ndata 0\n',
  ];
  for (let at = 0; at < files; at++)
    parts.push(`M 100644 inline f${at}\ndata ${size * 2 ** 20}\n`, randomBytes(size * 2 ** 20), '\n');
  parts.push('done\n');
  const input = Buffer.concat(parts.map((part) => Buffer.from(part)));
  execFileSync('git', ['fast-import', '--quiet'], { cwd: folder, input, maxBuffer: 2 ** 28 });
};

const contents: readonly Content[] = [
  { name: '5,000 commits', rounds: 15, fill: fillRepository },
  { name: '100 MB of blobs', rounds: 4, fill: megabytes(10, 10) },
];

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const author = {
  PATH: process.env.PATH,
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.com',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.com',
};

/** Makes empty projects of the person who comes first, and removes them. */
class Projects {
  readonly #server: Server;
  readonly #store: Store;
  readonly #made: number[] = [];

  constructor(server: Server, store: Store) {
    this.#server = server;
    this.#store = store;
  }

  /** @returns the address to push to and to clone from */
  async make(name: string): Promise<string> {
    const [owner] = this.#store.people;
    const { headers, ...call } = post('/api/v4/projects', { name: `bench ${name} ${Date.now()}` });
    const made = JSON.parse(
      await asking(this.#server)({ ...call, headers: { ...headers, ...bearing(owner!) }, status: 201 }),
    ) as { id: number; http_url_to_repo: string };
    this.#made.push(made.id);
    const url = new URL(made.http_url_to_repo);
    return `http://bench:${owner!.token}@${new URL(this.#server.origin).host}${url.pathname}`;
  }

  async removeAll(): Promise<void> {
    const [owner] = this.#store.people;
    for (const id of this.#made)
      await request(`${this.#server.origin}/api/v4/projects/${id}`, { method: 'DELETE', headers: bearing(owner!) });
  }
}

/** Milliseconds that git takes. */
async function timed(folder: string, ...args: string[]): Promise<number> {
  const startedAt = performance.now();
  await run('git', args, { cwd: folder });
  return performance.now() - startedAt;
}

/** Clones and pushes, by turns with both. */
async function compare(content: Content, projects: Projects, backend: Server, folders: Folders): Promise<Check[]> {
  const source = await folders.repository(`source ${content.name}`);
  content.fill(source);
  const first = execFileSync('git', ['commit-tree', '-m', 'First', emptyTree], {
    cwd: source,
    env: author,
    encoding: 'utf8',
  }).trim();
  const [clones, pushes]: [number[], number[]] = [[], []];
  for (let round = 0; round < content.rounds; round++) {
    const ours = await projects.make(content.name);
    const hand = await folders.repository(`served/${content.name} ${round}`);
    const theirs = `${backend.origin}/${encodeURIComponent(`${content.name} ${round}`)}`;
    const both = round % 2 === 0 ? [ours, theirs] : [theirs, ours];
    const times = new Map<string, [push: number, clone: number]>();
    for (const url of both) {
      // The first push makes the repository; by hand it was there before.
      await run('git', ['push', '--quiet', url, `${first}:refs/heads/first`], { cwd: source });
      await sleep(rest);
      const push = await timed(source, 'push', '--quiet', url, 'main');
      await sleep(rest);
      const copy = await folders.path();
      const clone = await timed(folders.root, 'clone', '--quiet', '--bare', url, copy);
      await rm(copy, { recursive: true });
      times.set(url, [push, clone]);
    }
    await rm(hand, { recursive: true });
    // The first one warms both up.
    if (round === 0) continue;
    pushes.push(times.get(ours)![0] / times.get(theirs)![0]);
    clones.push(times.get(ours)![1] / times.get(theirs)![1]);
  }
  const check = (what: string, ratios: number[]): Check => ({
    name: `clones: ${what} of ${content.name}, against git http-backend`,
    value: median(ratios),
    unit: 'times by hand',
    // 0.9 of the throughput.
    bound: 1.11,
  });
  return [check('clone', clones), check('push', pushes)];
}

/** Folders of a run. */
class Folders {
  readonly root: string;
  #counter = 0;

  constructor(root: string) {
    this.root = root;
  }

  async path(): Promise<string> {
    return join(this.root, `copy-${++this.#counter}`);
  }

  /** An empty repository. */
  async repository(name: string): Promise<string> {
    const path = join(this.root, name);
    await mkdir(path, { recursive: true });
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main'], { cwd: path });
    return path;
  }
}

/** A line of the protocol, with its length before it. */
const line = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text;

const clones = 200;

/** Asks for everything that a commit needs, as a clone does, and throws it away. @returns the status, and the bytes */
async function fetchAll(url: URL, token: string, commit: string): Promise<{ status: number; bytes: number }> {
  const { statusCode, body } = await request(`${url.origin}${url.pathname}/git-upload-pack`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`bench:${token}`).toString('base64')}`,
      'content-type': 'application/x-git-upload-pack-request',
      'git-protocol': 'version=2',
    },
    body: `${line('command=fetch')}0001${line('no-progress\n')}${line(`want ${commit}\n`)}${line('done\n')}0000`,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  let bytes = 0;
  for await (const chunk of body) bytes += (chunk as Buffer).length;
  return { status: statusCode, bytes };
}

/** Fetches and pushes so far: those that had to wait for a place, and those that were refused. */
async function waitedSoFar(server: Server): Promise<{ waited: number; refused: number }> {
  const text = await asking(server)({ path: '/-/metrics' });
  const value = (name: string) =>
    Number(new RegExp(`^causeway_${name}_total\\{kind="transfer"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return { waited: value('git_jobs_waited'), refused: value('git_jobs_refused') };
}

/** What two hundred clones at once of 20 MB do to reads of settings, and to the memory. */
async function crowd(
  server: Server,
  store: Store,
  projects: Projects,
  folders: Folders,
  print: Print,
): Promise<Check[]> {
  const source = await folders.repository('crowded');
  megabytes(10, 2)(source);
  const address = new URL(await projects.make('crowded'));
  await run('git', ['push', '--quiet', address.href, 'main'], { cwd: source });
  const { stdout } = await run('git', ['rev-parse', 'main'], { cwd: source });
  const commit = stdout.trim();
  const calls = settings(store, asking(server));
  const p99 = async (count: number) => (await runSlice(server, calls, count, 4)).latencies.percentile(99) / 1e6;
  await p99(2_000);
  const quiet = await p99(2_000);
  let [most, refused, going] = [0, 0, true];
  const watching = (async () => {
    for (; going; await sleep(200)) most = Math.max(most, server.ownMemory());
  })();
  const before = await waitedSoFar(server);
  const startedAt = performance.now();
  const crowd = Promise.all(
    Array.from({ length: clones }, async () => {
      for (;;) {
        const { status, bytes } = await fetchAll(address, address.password, commit);
        if (status === 200 && bytes > 20 * 2 ** 20) return;
        // A refusal says when to come again.
        refused += 1;
        await sleep(500 + Math.random() * 1_000);
      }
    }),
  );
  await sleep(500);
  const beside: number[] = [];
  let done = false;
  void crowd.then(() => (done = true));
  // Pauses, since this would otherwise be most of the work.
  for (; !done; await sleep(500)) beside.push(await p99(500));
  await crowd;
  going = false;
  await watching;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const after = await waitedSoFar(server);
  print(
    `… ${clones} clones took ${seconds} s; ${after.waited - before.waited} of them waited for a place, of which at most 4 × cores run at a time; ` +
      `${after.refused - before.refused} waited in vain; ${refused} times one was told to come again.`,
  );
  return [
    {
      name: `clones: ${clones} at once of 20 MB, p99 of others`,
      value: median(beside) / quiet,
      unit: 'times quiet',
      bound: 3,
    },
    { name: `clones: memory of the gateway beside ${clones} at once`, value: most, unit: 'MB', bound: 300 },
  ];
}

type Print = (message: string) => void;

/** Clones and pushes of one client, beside plain git. All may use all cores: a client waits while a server works. */
export const measureClones = (store: Store, print: Print): Promise<Check[]> =>
  withGateway(store, availableParallelism(), async ({ cores, projects, folders }) => {
    const script = join(process.env.BENCH_BUNDLES!, 'http-backend.js');
    const backend = await startServer([process.execPath, script, join(folders.root, 'served')], {}, { cores });
    try {
      const checks: Check[] = [];
      for (const content of contents) {
        print(`… clones: ${content.name}`);
        checks.push(...(await compare(content, projects, backend, folders)));
      }
      return checks;
    } finally {
      await backend.stop();
    }
  });

/** Two hundred clones at once, of a gateway with a core of its own. */
export const measureCrowd = (store: Store, print: Print): Promise<Check[]> =>
  withGateway(store, 1, ({ server, projects, folders }) => {
    pinLoad();
    return crowd(server, store, projects, folders, print);
  });

interface Bench {
  readonly cores: number;
  readonly server: Server;
  readonly projects: Projects;
  readonly folders: Folders;
}

async function withGateway(store: Store, cores: number, work: (bench: Bench) => Promise<Check[]>): Promise<Check[]> {
  const folders = new Folders(await mkdtemp(join(tmpdir(), 'causeway-bench-clones-')));
  const server = await startSide('causeway', store, { cores });
  const projects = new Projects(server, store);
  try {
    return await work({ cores, server, projects, folders });
  } finally {
    await projects.removeAll();
    await server.stop();
    await rm(folders.root, { recursive: true, force: true });
  }
}
