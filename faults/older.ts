import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The commit before a migration came; undefined where the history doesn't go back so far. */
export async function commitBefore(root: string, migration: string): Promise<string | undefined> {
  const path = `prisma/migrations/${migration}`;
  try {
    const args = ['log', '--first-parent', '--diff-filter=A', '--format=%H', '--', path];
    const added = (await run('git', args, { cwd: root })).stdout.trim().split('\n').at(-1);
    if (!added) return undefined;
    return (await run('git', ['rev-parse', '--verify', '--quiet', `${added}^`], { cwd: root })).stdout.trim();
  } catch {
    // Not a checkout, or git isn't there.
    return undefined;
  }
}

/** Builds the version of a commit, with the packages of today. */
export async function buildVersion(root: string, commit: string) {
  const results = join(root, 'faults/.results');
  await mkdir(results, { recursive: true });
  const folder = await mkdtemp(join(results, 'older-'));
  await run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, folder], { cwd: root });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await run(process.execPath, ['scripts/build.mjs'], { cwd: folder });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
