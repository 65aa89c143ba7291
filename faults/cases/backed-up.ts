import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { makeCluster } from '../cluster.ts';
import type { Fault } from '../fault.ts';
import { commonSettings, makeGateway, rootToken, type Gateway } from '../gateways.ts';
import { calls, numberOf } from '../load.ts';
import { promised } from '../promised.ts';
import { allAnswered } from '../verify.ts';

let folder: string | undefined;

/** A commit, and when it was acknowledged, by `performance.now()`. */
interface Commit {
  readonly id: string;
  readonly at: number;
}

async function rest({ origin }: Gateway, path: string, body?: object): Promise<{ status: number; body: any }> {
  const answer = await fetch(`${origin}/api/v4/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'private-token': rootToken, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

const command = async (environment: Record<string, string>, ...args: string[]) =>
  (
    await promisify(execFile)(process.execPath, ['dist/cli.js', ...args], {
      cwd: process.env.FAULTS_ROOT!,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...commonSettings, ...environment },
    })
  ).stdout;

export const backedUp: Fault = {
  name: 'backed-up',
  what: 'A backup is made under load, while commits come in, and restored onto another PostgreSQL with another data folder.',
  async settings() {
    folder = await mkdtemp(join(tmpdir(), 'causeway-backup-faults-'));
    const shared = { DATA_DIR: join(folder, 'data') };
    return [shared, shared];
  },
  async run({ gateways, load, databaseUrl }) {
    const [gateway] = gateways as [Gateway];
    const project = (await rest(gateway, 'projects', { name: 'backed-up' })).body.id as number;
    const commits: Commit[] = [];
    let isOver = false;
    const committing = (async () => {
      for (let number = 0; !isOver; number++) {
        const { status, body } = await rest(
          gateways[number % gateways.length]!,
          `projects/${project}/repository/commits`,
          {
            branch: 'main',
            commit_message: `Commit ${number}`,
            actions: [{ action: 'create', file_path: `${number}`, content: String(number) }],
          },
        );
        if (status === 201) commits.push({ id: body.id, at: performance.now() });
        else await pause(50);
      }
    })();
    while (commits.length < 5) await pause(50);
    const settings = [...load.ledger.settings].map(([person, { acknowledged }]) => ({ person, acknowledged }));
    const from = performance.now();
    const file = join(folder!, 'backup.gz');
    await command({ DATABASE_URL: databaseUrl, DATA_DIR: join(folder!, 'data') }, 'backup', file);
    const to = performance.now();
    await pause(500);
    isOver = true;
    await committing;

    const other = await makeCluster();
    try {
      await other.start();
      const place = { DATABASE_URL: other.url('causeway'), DATA_DIR: join(folder!, 'restored') };
      const restoredFrom = performance.now();
      await command(place, 'restore', file);
      const took = performance.now() - restoredFrom;
      const restored = await makeGateway(process.env.FAULTS_ROOT!, 'restored', place);
      await restored.start();
      try {
        const before = commits.filter(({ at }) => at < from);
        const missing: string[] = [];
        for (const { id } of before) {
          const { status } = await rest(restored, `projects/${project}/repository/commits/${id}`);
          if (status !== 200) missing.push(`${id}: ${status}`);
        }
        const { body: branch } = await rest(restored, `projects/${project}/repository/branches/main`);
        const tip = commits.findIndex(({ id }) => id === branch.commit?.id);
        const made = await rest(restored, `projects/${project}/repository/commits`, {
          branch: 'main',
          commit_message: 'After the restore',
          actions: [{ action: 'create', file_path: 'after', content: 'x' }],
        });
        const lost: string[] = [];
        for (const { person, acknowledged } of settings) {
          const { status, text } = await load.ask(restored, calls.setting(person));
          const value = status === 200 ? numberOf(text) : Number.NaN;
          if (!(value >= acknowledged)) lost.push(`${value} of ${acknowledged}`);
        }
        return [
          allAnswered('Everything is answered while it is made.', load.between(from, to)),
          promised(
            'Every setting is in it that was acknowledged before it began.',
            lost.length > 0
              ? lost.join('; ')
              : `${settings.length} settings; ${((to - from) / 1_000).toFixed(1)} s to make it, ${(took / 1_000).toFixed(1)} s to restore it`,
            lost.length === 0,
          ),
          promised(
            'Every commit is in it that was acknowledged before it began, and its branch is at one of that moment or later.',
            missing.length > 0
              ? missing.slice(0, 3).join('; ')
              : `${before.length} commits before, ${commits.length} in all, the branch at number ${tip + 1}`,
            missing.length === 0 && tip + 1 >= before.length,
          ),
          promised('Commits can be made after the restore.', `answered ${made.status}`, made.status === 201),
        ];
      } finally {
        await restored.end('SIGTERM');
      }
    } finally {
      await other.remove();
    }
  },
  async clear() {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    folder = undefined;
  },
};
