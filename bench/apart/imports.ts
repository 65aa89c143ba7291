import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/database/embedded/index.ts';
import { asking, type Ask } from '../load.ts';
import type { Check } from '../report.ts';
import { startServer } from '../server.ts';
import { gatewayCommand } from '../sides.ts';
import { secretKey } from '../store.ts';

/**
 * The import of people, groups and projects with their members from one gateway into another, beside reading the same answers
 * and doing nothing with them: the other side can't serve them faster.
 */

const sizes = {
  full: { users: 10_000, groups: 2_000, projects: 20_000, memberships: 40_000 },
  quick: { users: 1_000, groups: 200, projects: 2_000, memberships: 4_000 },
} as const;
const nothing = ['settings', 'tokens', 'grants', 'labels', 'milestones', 'issues', 'notes'];
/** As many requests at once as an import sends. */
const atOnce = 4;

interface Instance {
  readonly postgres: EmbeddedPostgres;
  readonly env: Record<string, string>;
}

async function newInstance(dataDir: string): Promise<Instance> {
  const postgres = await startEmbeddedPostgres({ dataDir });
  const { user, password, host, port, database } = postgres.connection;
  return {
    postgres,
    env: {
      PATH: process.env.PATH!,
      DATA_DIR: dataDir,
      DATABASE_URL: `postgresql://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
      CAUSEWAY_SECRET_KEY: secretKey,
      CAUSEWAY_LOG_LEVEL: 'error',
      // No request is refused because the machine is busy: reading alone doesn't repeat any.
      CAUSEWAY_MAX_EVENT_LOOP_DELAY: '0',
      NODE_ENV: 'production',
      PORT: '0',
    },
  };
}

interface Ended {
  readonly stdout: string;
  readonly seconds: number;
  /** The most megabytes that the process had. */
  readonly memory: number;
}

async function command(root: string, env: Record<string, string>, args: readonly string[]): Promise<Ended> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['dist/cli.js', ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  let memory = 0;
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  const clock = setInterval(() => {
    void readFile(`/proc/${child.pid}/status`, 'utf8').then(
      (status) => (memory = Math.max(memory, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)),
      () => undefined,
    );
  }, 200);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(clock);
  if (code !== 0) throw new Error(`causeway ${args[0]} ended with ${code}.`);
  return { stdout, seconds: (performance.now() - startedAt) / 1000, memory };
}

/** Reads what an import reads, in its order. @returns seconds */
async function read(ask: Ask, token: string): Promise<{ seconds: number; requests: number }> {
  const startedAt = performance.now();
  let requests = 0;
  const get = async (path: string) => {
    requests++;
    return await ask({ path: `/api/v4${path}`, headers: { 'private-token': token } });
  };
  const ids = async (list: string) => {
    const found: number[] = [];
    for (let page = 1; ; page++) {
      const answer = await get(`${list}${list.includes('?') ? '&' : '?'}per_page=100&page=${page}`);
      const records = JSON.parse(answer) as { id: number }[];
      if (!Array.isArray(records)) throw new Error(`${list} is answered ${answer.slice(0, 1_000)}`);
      found.push(...records.map(({ id }) => id));
      if (records.length < 100) return found;
    }
  };
  const each = async (all: readonly number[], paths: (id: number) => readonly string[]) => {
    const waiting = all.flatMap(paths).values();
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (const path of waiting) await get(path);
      }),
    );
  };
  await each(await ids('/users'), (id) => [
    `/users/${id}/emails`,
    `/users/${id}/keys`,
    `/users/${id}/starred_projects`,
  ]);
  await each(await ids('/groups'), (id) => [`/groups/${id}`, `/groups/${id}/members`]);
  await each(await ids('/projects?order_by=id'), (id) => [`/projects/${id}/members`]);
  return { seconds: (performance.now() - startedAt) / 1000, requests };
}

/** @param root the package's folder @param isQuick whether a tenth is imported */
export async function measureImports(
  root: string,
  isQuick: boolean,
  print: (message: string) => void,
): Promise<Check[]> {
  const size = sizes[isQuick ? 'quick' : 'full'];
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'));
  const origin = await newInstance(join(folder, 'origin'));
  const target = await newInstance(join(folder, 'target'));
  try {
    print(`Seeding ${size.users} people, ${size.groups} groups and ${size.projects} projects…`);
    const plan = [...Object.entries(size), ...nothing.map((name) => [name, 0] as const)];
    await command(root, origin.env, ['seed', ...plan.flatMap(([name, count]) => [`--${name}`, String(count)])]);
    // The first start sets it up, with `root`.
    await (await startServer(gatewayCommand, target.env, { cores: 1 })).stop();
    const server = await startServer(gatewayCommand, origin.env, { cores: 1 });
    try {
      const made = await command(root, origin.env, ['token', 'create', 'root', '--scopes', 'api,sudo', '--json']);
      const { token } = JSON.parse(made.stdout) as { token: string };
      const tokenFile = join(folder, 'token');
      await writeFile(tokenFile, token, { mode: 0o600 });
      const args = ['import', '--from', server.origin, '--token-file', tokenFile, '--same', 'root=root', '--json'];
      const only = ['--only', 'people,groups,projects'];

      const before = await read(asking(server), token);
      print(`${before.requests} requests are answered in ${before.seconds.toFixed(1)} s.`);
      const first = await command(root, target.env, [...args, ...only]);
      print(`They are imported in ${first.seconds.toFixed(1)} s, with ${first.memory.toFixed(0)} MB at most.`);
      const after = await read(asking(server), token);
      const second = await command(root, target.env, [...args, ...only]);
      const { counts } = JSON.parse(second.stdout) as { counts: Record<string, { created: number; updated: number }> };
      const written = Object.values(counts).reduce((sum, { created, updated }) => sum + created + updated, 0);
      if (written > 0) throw new Error(`The second import wrote ${written} records: ${second.stdout.slice(0, 2_000)}`);
      const reading = (before.seconds + after.seconds) / 2;
      const what = `import of ${size.users} people, ${size.groups} groups, ${size.projects} projects`;
      return [
        { name: what, value: first.seconds / reading, unit: 'times reading alone', bound: 2 },
        {
          name: 'the same again, which writes nothing',
          value: second.seconds / reading,
          unit: 'times reading alone',
          bound: 2,
        },
        { name: 'memory of an import, at most', value: Math.max(first.memory, second.memory), unit: 'MB', bound: 260 },
      ];
    } finally {
      await server.stop();
    }
  } finally {
    await origin.postgres.stop();
    await target.postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
