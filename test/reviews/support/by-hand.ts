import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainGit, temporaryFolder } from '../../git/support/engine.ts';

export const methods = ['merge', 'rebase_merge', 'ff'] as const;
export type Method = (typeof methods)[number];

const folded = (folder: string, args: string[]): string | undefined => {
  try {
    return plainGit(folder, args);
  } catch {
    return undefined;
  }
};

/**
 * What the branches of a repository are, without names of commits, people and times: for each, a digest of its tree and of
 * those of its parents, in their order.
 */
export function shapeOf(folder: string): Record<string, string> {
  const shapes = new Map<string, string>();
  const commits = plainGit(folder, ['log', '--branches', '--topo-order', '--reverse', '--format=%H %T %P']).split('\n');
  for (const line of commits) {
    const [id, tree, ...parents] = line.trim().split(' ');
    const known = [tree!, ...parents.map((parent) => shapes.get(parent)!)].join(' ');
    shapes.set(id!, createHash('sha1').update(known).digest('hex'));
  }
  const refs = plainGit(folder, ['for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads']).split('\n');
  return Object.fromEntries(refs.map((line) => line.split(' ')).map(([ref, id]) => [ref!, shapes.get(id!)!]));
}

/** A repository in which a person does by hand, with a work tree and plain git, what others ask the API for. */
export function byHand() {
  const folder = temporaryFolder();
  const git = (...args: string[]) => plainGit(folder, args);
  const tries = (...args: string[]) => folded(folder, args);
  git('init', '--quiet', '--initial-branch=main');
  const revisions = (...args: string[]) =>
    git('rev-list', ...args)
      .split('\n')
      .filter(Boolean);

  /** @returns whether it worked; otherwise everything is as before */
  const orAbort = (what: string, ...args: string[]) => {
    if (tries(...args) !== undefined) return true;
    tries(what, '--abort');
    git('reset', '--hard', '--quiet');
    return false;
  };

  return {
    folder,
    git,
    /** The content of a file on a branch. */
    read: (branch: string, file: string) => tries('show', `${branch}:${file}`),
    commit(branch: string, file: string, content: string) {
      if (tries('rev-parse', '--verify', '--quiet', 'HEAD') !== undefined) git('checkout', '--quiet', branch);
      writeFileSync(join(folder, file), content);
      git('add', '.');
      git('commit', '--quiet', '-m', 'Change');
    },
    branch: (name: string, from: string) => void git('branch', name, from),
    /** Whether by hand, too, it is git's choice what comes out: of several bases, or orders of commits. */
    isOpen(source: string, target: string): boolean {
      const bases = git('merge-base', '--all', target, source).split('\n');
      return bases.length > 1 || revisions('--merges', `${target}..${source}`).length > 0;
    },
    isBehind: (source: string, target: string) => tries('merge-base', '--is-ancestor', source, target) !== undefined,
    /** @returns whether it worked */
    merge(source: string, target: string, { method, squash }: { method: Method; squash: boolean }): boolean {
      const base = git('merge-base', target, source);
      if (this.isBehind(source, target) || (method !== 'merge' && base !== git('rev-parse', target))) return false;
      let merged = git('rev-parse', source);
      const added = revisions(`${base}..${source}`);
      const isOne = added.length === 1 && git('rev-parse', `${source}^@`) === base;
      if (squash && !isOne) {
        git('checkout', '--quiet', '--detach', base);
        git('merge', '--quiet', '--squash', source);
        git('commit', '--quiet', '--allow-empty', '-m', 'Squashed');
        merged = git('rev-parse', 'HEAD');
      }
      git('checkout', '--quiet', target);
      if (method === 'ff') return orAbort('merge', 'merge', '--quiet', '--ff-only', merged);
      return orAbort('merge', 'merge', '--quiet', '--no-ff', '-m', 'Merge', merged);
    },
    /** @returns whether it worked */
    rebase(source: string, target: string): boolean {
      git('checkout', '--quiet', source);
      const options = ['--quiet', '--no-fork-point', '--reapply-cherry-picks', '--empty=drop'];
      return orAbort('rebase', 'rebase', ...options, target);
    },
    /** Takes back what a merge brought to a branch. @returns whether it worked */
    revert(branch: string, commit: string): boolean {
      git('checkout', '--quiet', branch);
      return orAbort('revert', 'revert', '--no-edit', '-m', '1', commit);
    },
  };
}
