import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pathOf } from '../../src/git/storage/create.ts';
import { asked, newProject, type Project } from '../doors/work.ts';
import type { Fault, Scene } from '../fault.ts';
import { rootToken, type Gateway } from '../gateways.ts';
import { damageOf, git, gitIn, remoteOf } from '../git.ts';
import {
  disagreements,
  mergeOverRest,
  mergeRecords,
  type Acknowledged,
  type Ask,
  type MergeRecord,
  type MergeWork,
} from '../merges.ts';
import { calls } from '../load.ts';
import { childrenOf, commandOf, descendantsOf, kill } from '../processes.ts';
import { promised } from '../promised.ts';

let folder: string | undefined;

/** Kills under commits, pushes and merges. */
interface Killing {
  readonly name: string;
  readonly what: string;
  /** How often, of the kills that were asked for. */
  readonly times: (kills: number) => number;
  /** Kills once. @returns what it was */
  readonly kill: (scene: Scene) => Promise<string>;
  /** Milliseconds between two kills, at least and at most. */
  readonly pauses: readonly [number, number];
  /** Whether they begin with the next commit: after a start, a busy machine needs longer for it. */
  readonly untilWork?: true;
}

const killing = ({ name, what, times, kill, pauses, untilWork }: Killing): Fault => ({
  name,
  what,
  // It pushes by itself, and more.
  without: ['git'],
  async settings() {
    folder = await mkdtemp(join(tmpdir(), 'causeway-git-faults-'));
    // Both write to the same repositories.
    return [{ DATA_DIR: folder }, { DATA_DIR: folder }];
  },
  async run(scene) {
    const { gateways, connection, kills } = scene;
    const work: MergeWork = { acknowledged: [], unexpected: [], refused: 0, refusedSteps: new Map(), isOver: false };
    const projects = [await begunProject(scene, 1), await begunProject(scene, 2)];
    const lanes = projects.flatMap((project, index) => [
      commitOverRest(gateways, project, work, `rest-${index}`),
      push(gateways, project, work, `push-${index}`),
      push(gateways, project, work, `other-${index}`),
      mergeOverRest(alternately(gateways), project.id, work, `merge-${index}`),
    ]);
    const killed: Record<string, number> = {};
    try {
      for (let number = 0; number < times(kills); number++) {
        if (untilWork) await nextCommit(work);
        await pause(randomInt(...pauses));
        const victim = await kill(scene);
        killed[victim] = (killed[victim] ?? 0) + 1;
      }
      await pause(1_000);
    } finally {
      // Nothing works in the folders any more when they are removed.
      work.isOver = true;
      await Promise.all(lanes);
    }
    const settledAfter = await settled(connection);
    const lost = work.acknowledged.filter((one) => !isThere(one));
    const differing = await differences(connection, projects);
    const disagreeing: string[] = [];
    let merged = 0;
    for (const { id } of projects) {
      const records = await query<MergeRecord>(connection, mergeRecords, [id]);
      merged += records.filter(({ state }) => state === 'MERGED').length;
      disagreeing.push(...disagreements(records, (...args) => gitIn(repositoryOf(id), args)));
    }
    const damaged = projects.map(({ id }) => damageOf(repositoryOf(id))).join('');
    const total = work.acknowledged.length;
    const steps = [...work.refusedSteps].map(([step, count]) => `${step} ${count} ×`);
    const victims = Object.entries(killed).map(([victim, count]) => `${victim} ${count}`);
    return [
      promised(
        'Every commit that was acknowledged is there.',
        `${lost.length} of ${total} are missing; killed: ${victims.join(', ')}`,
        lost.length === 0 && total > times(kills),
      ),
      promised(
        'What was recorded and not made is finished within four minutes.',
        settledAfter === undefined ? 'never' : `after ${Math.round(settledAfter / 1_000)} s`,
        settledAfter !== undefined,
      ),
      promised('Branches and journal agree.', differing.join('; ') || 'no difference', differing.length === 0),
      promised(
        'Database and git agree on what is merged.',
        disagreeing.slice(0, 3).join('; ') || `${merged} merges; refused meanwhile: ${steps.join(', ') || 'nothing'}`,
        disagreeing.length === 0 && merged > 0,
      ),
      promised('Every object is sound (`git fsck --strict`).', damaged || 'nothing is damaged', damaged === ''),
      promised(
        'REST says 201, or refuses for the moment.',
        work.unexpected.slice(0, 3).join('; ') || `${work.refused} were refused`,
        work.unexpected.length === 0,
      ),
    ];
  },
  async clear() {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  },
});

export const gitKilled = killing({
  name: 'git-killed',
  what: 'Gateways, their git runners, git itself and PostgreSQL are killed (`kill -9`) at random moments, while commits come in over REST and by pushes, and are merged.',
  times: (kills) => kills,
  kill: killOne,
  pauses: [100, 800],
});

/** Kills everything at once, as a power cut does but for what is on its way to the disk, and starts it again. */
export const allKilled = killing({
  name: 'all-killed',
  what: 'Both gateways, their git runners, git and PostgreSQL are killed (`kill -9`) at once, again and again, under the same load.',
  times: (kills) => Math.ceil(kills / 2),
  async kill({ gateways, cluster }) {
    const below = gateways.flatMap(({ pid }) => descendantsOf(pid));
    const gone = [cluster.end('SIGKILL'), ...gateways.map((gateway) => gateway.end('SIGKILL'))];
    for (const pid of below) kill(pid);
    await Promise.all(gone);
    await cluster.start();
    await Promise.all(gateways.map((gateway) => gateway.start()));
    return 'everything';
  },
  // Long enough for work between two kills, and for a kill in the middle of it.
  pauses: [2_000, 6_000],
  untilWork: true,
});

/** Waits until one more commit is acknowledged, half a minute at most. */
async function nextCommit({ acknowledged }: MergeWork): Promise<void> {
  const { length } = acknowledged;
  for (const deadline = performance.now() + 30_000; performance.now() < deadline; await pause(20))
    if (acknowledged.length > length) return;
}

async function rest(
  gateway: Gateway,
  path: string,
  body: unknown,
  method: 'POST' | 'PUT' = 'POST',
): Promise<{ status: number; body: Record<string, unknown> }> {
  try {
    const response = await fetch(`${gateway.origin}/api/v4/${path}`, {
      method,
      headers: { 'private-token': rootToken, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  } catch {
    return { status: 0, body: {} };
  }
}

/** Each request by the next gateway. */
function alternately(gateways: readonly Gateway[]): Ask {
  let number = 0;
  return (method, path, body) => rest(gateways[number++ % gateways.length]!, path, body, method);
}

/** A project with a first commit, which all lanes need. */
async function begunProject({ gateways, load }: Scene, number: number): Promise<Project> {
  const project = await newProject({ gateways, load }, `killed-${number}`);
  const first = {
    branch: 'main',
    commit_message: 'Begin',
    actions: [{ action: 'create', file_path: 'begin', content: 'x' }],
  };
  await asked(load, gateways[0]!, (attempt) =>
    // 400: an attempt before this one made it after all.
    calls.asRoot('POST', `projects/${project.id}/repository/commits`, attempt > 1 ? [201, 400] : [201], first),
  );
  return project;
}

/** Failures in a row after which a lane goes on with another branch: a killed git leaves a lock for some minutes. */
const patience = 4;

async function commitOverRest(
  gateways: readonly Gateway[],
  { id }: Project,
  work: MergeWork,
  lane: string,
): Promise<void> {
  let failures = 0;
  let isNew = true;
  for (let number = 0, branch = `${lane}-0`; !work.isOver; number++) {
    if (failures > patience) [branch, failures, isNew] = [`${lane}-${number}`, 0, true];
    const answer = await rest(gateways[number % gateways.length]!, `projects/${id}/repository/commits`, {
      branch,
      ...(isNew && { start_branch: 'main' }),
      commit_message: `Commit ${number}`,
      actions: [{ action: 'create', file_path: `${lane}/${number}`, content: String(number) }],
    });
    if (answer.status === 201) work.acknowledged.push({ project: id, branch, commit: answer.body.id as string });
    else work.refused++;
    failures = answer.status === 201 ? 0 : failures + 1;
    // 400: the branch exists already, since a request that was cut off made it; or another one was faster.
    isNew = answer.status === 201 ? false : answer.status === 400 ? !isNew : isNew;
    if (![0, 201, 400, 503].includes(answer.status))
      work.unexpected.push(`${answer.status} ${JSON.stringify(answer.body)}`);
    if (answer.status !== 201) await pause(50);
  }
}

async function push(
  gateways: readonly Gateway[],
  { id, fullPath }: Project,
  work: MergeWork,
  lane: string,
): Promise<void> {
  const tree = await mkdtemp(join(folder!, 'tree-'));
  await git(tree, ['init', '--quiet', '--initial-branch=main']);
  let failures = 0;
  for (let number = 0, branch = `${lane}-0`; !work.isOver; number++) {
    if (failures > patience) [branch, failures] = [`${lane}-${number}`, 0];
    await git(tree, ['commit', '--quiet', '--allow-empty', '-m', `Commit ${number}`]);
    const commit = (await git(tree, ['rev-parse', 'HEAD'])).text.trim();
    const to = remoteOf(gateways[number % gateways.length]!, fullPath);
    const { code } = await git(tree, ['push', '--quiet', to, `HEAD:refs/heads/${branch}`]);
    if (code === 0) work.acknowledged.push({ project: id, branch, commit });
    else work.refused++;
    failures = code === 0 ? 0 : failures + 1;
  }
}

/** Kills something. @returns what it was */
async function killOne(scene: Scene): Promise<string> {
  const { gateways, cluster } = scene;
  const gateway = gateways[randomInt(gateways.length)]!;
  const dice = randomInt(10);
  if (dice === 0) {
    await cluster.end('SIGKILL');
    await cluster.start();
    return 'PostgreSQL';
  }
  if (dice <= 2) {
    await gateway.end('SIGKILL');
    await gateway.start();
    return 'gateway';
  }
  const isRunner = (pid: number) => commandOf(pid).includes('git-runner');
  const runner = childrenOf(gateway.pid).find(isRunner);
  if (runner === undefined) return await killOne(scene);
  const below = descendantsOf(runner);
  if (dice <= 4 || below.length === 0) return kill(runner) ? 'git runner' : 'nothing';
  return kill(below[randomInt(below.length)]!) ? 'git' : 'nothing';
}

const repositoryOf = (id: number) => join(folder!, 'repositories', pathOf(id));

function isThere({ project, branch, commit }: Acknowledged): boolean {
  try {
    gitIn(repositoryOf(project), ['merge-base', '--is-ancestor', commit, `refs/heads/${branch}`]);
    return true;
  } catch {
    return false;
  }
}

async function query<Row extends object>(
  connection: pg.ClientConfig,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<Row & pg.QueryResultRow>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** What is left to do: changes that git hasn't made, and what merge requests don't know of yet. */
const unsettled = `select from ref_changes where not applied union all
  select from jobs where name in ('follow_references', 'finish_merge') and dead_at is null limit 1`;

/** Milliseconds until every recorded change is made, and followed; undefined if that takes longer than four minutes. */
async function settled(connection: pg.ClientConfig): Promise<number | undefined> {
  const from = performance.now();
  for (; performance.now() - from < 240_000; await pause(1_000)) {
    const left = await query(connection, unsettled);
    if (left.length === 0) return performance.now() - from;
  }
  return undefined;
}

/** Where the last value of a branch in the journal isn't that of git. */
async function differences(connection: pg.ClientConfig, projects: readonly Project[]): Promise<string[]> {
  const found: string[] = [];
  for (const { id } of projects) {
    const rows = await query<{ ref: string; after: string | null }>(
      connection,
      `select distinct on (ref) ref, after from ref_changes where project_id = $1 order by ref, id desc`,
      [id],
    );
    // A branch that is gone has no line on either side.
    const journal = rows
      .filter(({ after }) => after !== null)
      .map(({ ref, after }) => `${ref} ${after}`)
      .toSorted();
    const refs = gitIn(repositoryOf(id), [
      'for-each-ref',
      '--format=%(refname) %(objectname)',
      'refs/heads',
      'refs/tags',
    ])
      .split('\n')
      .filter(Boolean)
      .toSorted();
    found.push(...journal.filter((line) => !refs.includes(line)), ...refs.filter((line) => !journal.includes(line)));
  }
  return found;
}
