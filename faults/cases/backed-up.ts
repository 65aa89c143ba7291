import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeCluster, query } from '../cluster.ts';
import type { Fault, Scene } from '../fault.ts';
import { command, makeGateway, type Gateway } from '../gateways.ts';
import { damageOf } from '../git.ts';
import { calls, numberOf, tryOf } from '../load.ts';
import { promised, rounded, type Promised } from '../promised.ts';
import { allAnswered, persistently } from '../verify.ts';

/** Milliseconds of load before the backup, and after it. */
const before = 5_000;
const after = 1_500;

/** What was acknowledged when the backup began. */
function acknowledgedSoFar({ ledger }: Scene['load']) {
  const made = ledger.made.flatMap(({ token }) => (token === undefined || ledger.doubtful.has(token) ? [] : [token]));
  return {
    settings: [...ledger.settings].map(([person, { acknowledged }]) => ({ person, acknowledged })),
    made,
    revoked: [...ledger.revoked],
  };
}

/** Whether another gateway has what was acknowledged then. */
async function isThere(
  { load }: Scene,
  gateway: Gateway,
  { settings, made, revoked }: ReturnType<typeof acknowledgedSoFar>,
): Promise<Promised> {
  const lost: string[] = [];
  for (const { person, acknowledged } of settings) {
    const { status, text } = await persistently(load, gateway, calls.setting(person));
    const value = status === 200 ? numberOf(text) : Number.NaN;
    const { attempted } = load.ledger.settings.get(person)!;
    if (!(value >= acknowledged && value <= attempted))
      lost.push(`a setting is ${value}, acknowledged ${acknowledged}, attempted ${attempted}`);
  }
  // Some of these may have been revoked before the snapshot, after it was noted here.
  for (const token of made.filter((one) => !load.ledger.doubtful.has(one))) {
    const { status } = await persistently(load, gateway, tryOf(token));
    if (status !== 200) lost.push(`a token is answered ${status}`);
  }
  for (const token of revoked) {
    const { status } = await persistently(load, gateway, tryOf(token));
    if (status !== 401) lost.push(`a revoked token is answered ${status}`);
  }
  return promised(
    'Every write that was acknowledged before the backup is in it, and what was revoked stays revoked.',
    `${settings.length} settings, ${made.length} tokens, ${revoked.length} revoked${lost.map((one) => `; ${one}`).join('')}`,
    lost.length === 0 && made.length > 0 && revoked.length > 0,
  );
}

/** What git finds wrong with the repositories below a folder. */
async function damageBelow(folder: string): Promise<{ readonly count: number; readonly damage: string }> {
  const all = await readdir(join(folder, 'repositories'), { recursive: true, withFileTypes: true });
  const repositories = all.filter((one) => one.isDirectory() && one.name.endsWith('.git'));
  const damage = repositories.map(({ parentPath, name }) => damageOf(join(parentPath, name))).join('');
  return { count: repositories.length, damage };
}

export const backedUp: Fault = {
  name: 'backed-up',
  what: 'A backup is written under the load, with repositories and logs of jobs, and restored onto another PostgreSQL and into another folder, where a third gateway starts.',
  async run(scene) {
    const { root, load, watch, gateways, databaseUrl, dataDir, doors } = scene;
    const folder = await mkdtemp(join(tmpdir(), 'causeway-restored-'));
    const file = join(folder, 'backup.gz');
    const other = await makeCluster();
    const timeOf = async (args: readonly string[], where: Record<string, string>) => {
      const from = performance.now();
      await command(root, args, where);
      return performance.now() - from;
    };
    try {
      await pause(before);
      const acknowledged = acknowledgedSoFar(load);
      const from = performance.now();
      const writing = await timeOf(['backup', file], { DATABASE_URL: databaseUrl, DATA_DIR: dataDir });
      const meanwhile = load.between(from, performance.now());
      await pause(after);

      await other.start();
      await query(other.url('postgres'), 'create database restored');
      const where = { DATABASE_URL: other.url('restored'), DATA_DIR: join(folder, 'data') };
      const restoring = await timeOf(['restore', file], where);
      const restored = await makeGateway(root, 'restored', where);
      try {
        await restored.start();
        const { count, damage } = await damageBelow(where.DATA_DIR);
        return [
          allAnswered('Everything is answered while the backup is written.', meanwhile),
          watch.staysGreen(gateways, from),
          promised(
            'It is written and restored.',
            `${Math.round((await stat(file)).size / 1_000)} kB within ${rounded(writing)}, restored within ${rounded(restoring)}`,
            true,
          ),
          await isThere(scene, restored, acknowledged),
          ...(await doors.verify([restored], from)),
          promised(
            'Every object of its repositories is sound (`git fsck --strict`).',
            `${count} repositories; ${damage || 'nothing is damaged'}`,
            damage === '' && count > 0,
          ),
        ];
      } finally {
        await restored.end('SIGTERM');
      }
    } finally {
      await other.remove();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
