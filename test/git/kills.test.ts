import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { GitError } from '../../src/git/errors.ts';
import { isAncestor } from '../../src/git/history/index.ts';
import { readRef } from '../../src/git/objects/index.ts';
import { changeRefs } from '../../src/git/refs/transaction.ts';
import { staleLocks } from '../../src/git/storage/index.ts';
import { commitActions } from '../../src/git/write/index.ts';
import { psLines } from '../support/run/programs.ts';
import { runs } from '../support/run/runs.ts';
import { fsck, newRepository, openEngine } from './support/engine.ts';

const git = await openEngine();
const person = { name: 'Ann', email: 'ann@example.com', at: new Date(1_700_000_000_000) };

/** Processes below one, without itself. */
const below = (pid: number): number[] => psLines('-o', 'pid=', '--ppid', String(pid)).map(Number);

test('whatever is killed, every acknowledged commit is there, and nothing is damaged', async () => {
  const repository = await newRepository(git);
  const acknowledged = new Map<string, string[]>();
  let going = true;
  let failed = 0;
  const write = async (branch: string) => {
    const ref = `refs/heads/${branch}`;
    const mine: string[] = [];
    acknowledged.set(ref, mine);
    for (let number = 0; going; number++) {
      try {
        const old = await readRef(repository, ref);
        const commit = { parents: old ? [old] : [], message: `${number}`, author: person, committer: person };
        const made = await commitActions(repository, commit, [
          { action: 'create', path: `${number}`, content: Buffer.from(branch) },
        ]);
        await changeRefs(repository, [{ ref, old, new: made }]);
        mine.push(made);
      } catch (error) {
        // A clean error of ours, whatever died; a lock that a killed git left is for the sweep.
        expect(error).toBeInstanceOf(GitError);
        failed++;
        rmSync(join(repository.path, `${ref}.lock`), { force: true });
      }
    }
  };
  const writers = ['one', 'two', 'three'].map(write);
  for (let round = 0; round < 12 * runs; round++) {
    await sleep(randomInt(60));
    const { pid } = git.engine.runner;
    if (pid === undefined) continue;
    const victims = round % 4 === 3 ? [pid] : below(pid);
    for (const victim of victims) {
      try {
        process.kill(victim, 'SIGKILL');
      } catch {
        // It has just ended.
      }
    }
  }
  await sleep(100);
  going = false;
  await Promise.all(writers);
  expect(failed).toBeGreaterThan(0);
  for (const [ref, commits] of acknowledged) {
    const tip = (await readRef(repository, ref))!;
    expect(commits.length).toBeGreaterThan(0);
    for (const commit of commits) expect(await isAncestor(repository, commit, tip)).toBe(true);
  }
  expect(await staleLocks(repository)).toEqual([]);
  expect(fsck(repository)).toBe('');
});
