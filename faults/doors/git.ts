import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Gateway } from '../gateways.ts';
import { git, remoteOf } from '../git.ts';
import { promised } from '../promised.ts';
import { newProject, repeated, type Place, type Work } from './work.ts';

/** Milliseconds between two pushes, and between two reads. */
const interval = 800;
/** Failures in a row after which pushes go to another branch: a killed git leaves a lock for some minutes. */
const patience = 4;
/** How often a branch is read afterwards before that fails. */
const tries = 20;

/** A push that was acknowledged. */
interface Pushed {
  readonly branch: string;
  readonly commit: string;
  /** By `performance.now()`. */
  readonly at: number;
}

/** Pushes commits to a repository, and reads what its branch is, by the gateways in turn. */
export async function workWithGit(place: Place): Promise<Work> {
  const { gateways } = place;
  const { fullPath } = await newProject(place, 'pushed');
  const tree = await mkdtemp(join(place.folder, 'tree-'));
  await git(tree, ['init', '--quiet', '--initial-branch=main']);
  const pushed: Pushed[] = [];
  /** Every commit, the oldest first: each branch is a part of one line. */
  const commits: string[] = [];
  let [refused, reads, old, turn] = [0, 0, 0, 0];
  let [branch, failures] = ['main', 0];
  const next = () => gateways[turn++ % gateways.length]!;
  const headOf = async (gateway: Gateway, name: string) => {
    const { code, text } = await git(tree, ['ls-remote', '--quiet', remoteOf(gateway, fullPath), `refs/heads/${name}`]);
    return code === 0 ? text.split('\t')[0]! : undefined;
  };

  const stopPushing = repeated(interval, async (round) => {
    await git(tree, ['commit', '--quiet', '--allow-empty', '-m', `Commit ${round}`]);
    const commit = (await git(tree, ['rev-parse', 'HEAD'])).text.trim();
    commits.push(commit);
    const to = remoteOf(next(), fullPath);
    const { code } = await git(tree, ['push', '--quiet', to, `${commit}:refs/heads/${branch}`]);
    if (code === 0) pushed.push({ branch, commit, at: performance.now() });
    else refused++;
    failures = code === 0 ? 0 : failures + 1;
    if (failures > patience) [branch, failures] = [`other-${round}`, 0];
  });
  const stopReading = repeated(interval, async () => {
    const last = pushed.at(-1);
    if (!last) return;
    const head = await headOf(next(), last.branch);
    if (head === undefined) return;
    reads++;
    if (commits.indexOf(head) < commits.indexOf(last.commit)) old++;
  });

  return {
    async stop() {
      await Promise.all([stopPushing(), stopReading()]);
    },
    async verify([at], before = Infinity) {
      const all = pushed.filter((one) => one.at < before);
      const lost: string[] = [];
      for (const name of new Set(all.map((one) => one.branch))) {
        let head: string | undefined;
        for (let tried = 0; head === undefined && tried < tries; tried++) {
          head = await headOf(at!, name);
          if (head === undefined) await pause(500);
        }
        const last = all.findLast((one) => one.branch === name)!;
        if (commits.indexOf(head ?? '') < commits.indexOf(last.commit))
          lost.push(`${name} is at ${head ?? 'nothing'} instead of ${last.commit}`);
      }
      return [
        promised(
          'git: every acknowledged push is there, and no read is older.',
          `${all.length} pushes, ${refused} refused; ${old} of ${reads} reads were older${lost.map((one) => `; ${one}`).join('')}`,
          lost.length === 0 && old === 0 && all.length > 0,
        ),
      ];
    },
  };
}
