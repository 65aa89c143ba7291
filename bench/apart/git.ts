import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { diffBetween } from '../../src/git/diff/index.ts';
import { Git } from '../../src/git/index.ts';
import { logPage } from '../../src/git/history/index.ts';
import { merge } from '../../src/git/merge/index.ts';
import { findFile, readBlob, readTree, resolveCommit } from '../../src/git/objects/index.ts';
import { changeRefs } from '../../src/git/refs/transaction.ts';
import type { Repository } from '../../src/git/repository.ts';
import { createRepository, maintain } from '../../src/git/storage/index.ts';
import { commitActions } from '../../src/git/write/index.ts';
import { fillRepository, someFile, someFolder } from './big-repository.ts';
import { median, type Check } from '../report.ts';
import { PlainGit } from '../sides/plain-git.ts';

/**
 * The git engine beside the same work by hand, in one process: the least code over one `git cat-file`, or git started
 * for each request. Both do the work in turn; a figure is the median of the ratios of the rounds.
 */

const rounds = 9;
const run = promisify(execFile);

/** One comparison: the same work by the engine and by hand, so many times a round. */
interface Pair {
  readonly name: string;
  readonly times: number;
  readonly bound: number;
  ours(turn: number): Promise<unknown>;
  plain(turn: number): Promise<unknown>;
}

async function ratioOf({ times, ours, plain }: Pair): Promise<number> {
  let turn = 0;
  const take = async (work: (turn: number) => Promise<unknown>) => {
    const startedAt = performance.now();
    for (let count = 0; count < times; count++) await work(turn++);
    return performance.now() - startedAt;
  };
  await take(ours);
  await take(plain);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 === 0 ? await take(ours) : undefined;
    const other = await take(plain);
    ratios.push((first ?? (await take(ours))) / other);
  }
  return median(ratios);
}

/** Measures the engine. @param root the package's folder @param print reports progress */
export async function measureGit(root: string, print: (message: string) => void): Promise<Check[]> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-git-'));
  const git = new Git({ root: folder, program: join(root, 'dist/git-runner.js') });
  const repository = git.repository(1);
  print('… git: a repository of 5,000 commits');
  await createRepository(repository.path);
  fillRepository(repository.path);
  // Packed as maintenance leaves it.
  await maintain(repository, 'thorough');
  const plain = new PlainGit(repository.path);
  try {
    const checks: Check[] = [];
    for (const pair of pairsOf(repository, plain)) {
      print(`… ${pair.name}`);
      checks.push({ name: pair.name, value: await ratioOf(pair), unit: 'times by hand', bound: pair.bound });
    }
    return checks;
  } finally {
    plain.close();
    await git.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function branchesIn(repository: Repository) {
  const base = (await resolveCommit(repository, 'main', 'branch'))!.id;
  const ann = { name: 'Ann', email: 'ann@example.com', at: new Date(1_800_000_000_000) };
  const changed = async (branch: string, files: number) => {
    const paths = [...new Set(Array.from({ length: 10 * files }, (_, turn) => someFile(turn)))].slice(0, files);
    const actions = paths.map((path) => ({ action: 'update' as const, path, content: Buffer.from(`${branch}\n`) }));
    const commit = { parents: [base], message: 'Change\n', author: ann, committer: ann };
    const made = await commitActions(repository, commit, actions);
    await changeRefs(repository, [{ ref: `refs/heads/${branch}`, old: undefined, new: made }]);
    return made;
  };
  return { base, head: await changed('of-50', 50), merged: await changed('of-one', 1) };
}

function pairsOf(repository: Repository, plain: PlainGit): Pair[] {
  const cwd = repository.path;
  const page = (number: number): Omit<Pair, 'name' | 'bound'> => {
    let names: string[] | undefined;
    return {
      times: 40,
      async ours() {
        const tip = await resolveCommit(repository, 'main');
        return await logPage(repository, { from: [tip!.id] }, { skip: (number - 1) * 20, count: 20 });
      },
      // Its names are known: only the commits are read.
      async plain() {
        names ??= (
          await run('git', ['rev-list', `--skip=${(number - 1) * 20}`, '--max-count=20', 'main'], { cwd })
        ).stdout
          .trim()
          .split('\n');
        return await Promise.all(names.map((name) => plain.read(name)));
      },
    };
  };
  const blob = async (turn: number) => {
    const tip = await resolveCommit(repository, 'main', 'branch');
    return await readBlob(repository, (await findFile(repository, tip!.id, someFile(turn)))!.id);
  };
  let tip: string | undefined;
  /** Where merging has come. */
  let ours: string | undefined;
  let ends: Promise<{ base: string; head: string; merged: string }> | undefined;
  /** A branch of 50 changed files, and one of one commit, both of the same base. */
  const branches = () => (ends ??= branchesIn(repository));
  const person = (turn: number) => ({ name: 'Ann', email: 'ann@example.com', at: new Date(1_800_000_000_000 + turn) });
  return [
    {
      name: 'git: a file by its path, with its mode',
      times: 200,
      bound: 2,
      ours: blob,
      async plain(turn) {
        await plain.read('refs/heads/main');
        await plain.read(`refs/heads/main:${someFolder(turn)}`);
        return await plain.read(`refs/heads/main:${someFile(turn)}`);
      },
    },
    {
      name: 'git: a file by its path, against git for each request',
      times: 20,
      bound: 0.2,
      ours: blob,
      plain: (turn) => run('git', ['cat-file', 'blob', `refs/heads/main:${someFile(turn)}`], { cwd }),
    },
    {
      name: 'git: a folder of 100 entries',
      times: 200,
      bound: 2,
      async ours(turn) {
        const tip = await resolveCommit(repository, 'main', 'branch');
        return await readTree(repository, tip!.id, someFolder(turn));
      },
      async plain(turn) {
        await plain.read('refs/heads/main');
        return await plain.read(`refs/heads/main:${someFolder(turn)}`);
      },
    },
    { name: 'git: 20 commits, page 1', bound: 2, ...page(1) },
    { name: 'git: 20 commits, page 100', bound: 2, ...page(100) },
    {
      name: 'git: 20 commits, page 100, against git log',
      bound: 1,
      ...page(100),
      times: 20,
      plain: () => run('git', ['log', '--skip=1980', '--max-count=20', 'main'], { cwd }),
    },
    {
      name: 'git: the changes of 50 files, against git diff',
      times: 20,
      bound: 1.5,
      async ours() {
        const { base, head } = await branches();
        return await diffBetween(repository, base, head);
      },
      async plain() {
        const { base, head } = await branches();
        return await run('git', ['diff', '-M', '--no-color', '--full-index', base, head], { cwd });
      },
    },
    {
      name: 'git: merging one commit, against merge-tree, commit-tree and update-ref',
      times: 10,
      bound: 1.3,
      async ours(turn) {
        const { base, merged } = await branches();
        const how = { message: 'Merge\n', author: person(turn), committer: person(turn) };
        const made = await merge(repository, { target: base, source: merged, ...how });
        await changeRefs(repository, [{ ref: 'refs/heads/merged', old: ours, new: made }]);
        ours = made;
      },
      async plain(turn) {
        const { base, merged } = await branches();
        const env = {
          ...process.env,
          GIT_AUTHOR_NAME: 'Ann',
          GIT_AUTHOR_EMAIL: 'ann@example.com',
          GIT_COMMITTER_NAME: 'Ann',
          GIT_COMMITTER_EMAIL: 'ann@example.com',
          GIT_COMMITTER_DATE: `${1_800_000_000 + turn} +0000`,
        };
        const tree = (await run('git', ['merge-tree', '--write-tree', base, merged], { cwd })).stdout.trim();
        const parents = ['-p', base, '-p', merged];
        const made = (await run('git', ['commit-tree', tree, ...parents, '-m', 'Merge'], { cwd, env })).stdout.trim();
        await run('git', ['update-ref', 'refs/heads/merged-by-hand', made], { cwd });
      },
    },
    {
      name: 'git: a commit of one file, against fast-import and update-ref',
      times: 10,
      bound: 1.3,
      async ours(turn) {
        const from = (await resolveCommit(repository, turn === 0 ? 'main' : 'ours', 'branch'))!.id;
        const content = Buffer.from(`ours ${turn}\n`);
        const commit = { parents: [from], message: 'Change\n', author: person(turn), committer: person(turn) };
        const made = await commitActions(repository, commit, [{ action: 'update', path: someFile(turn), content }]);
        await changeRefs(repository, [{ ref: 'refs/heads/ours', old: turn === 0 ? undefined : from, new: made }]);
      },
      async plain(turn) {
        tip ??= (await run('git', ['rev-parse', 'main'], { cwd })).stdout.trim();
        const text = `plain ${turn}\n`;
        const importing = run('git', ['fast-import', '--quiet', '--export-marks=marks'], { cwd });
        importing.child.stdin!.end(
          `commit refs/tmp/plain\nmark :1\ncommitter Ann <ann@example.com> ${1_800_000_000 + turn} +0000\ndata 7\nChange\n\n` +
            `from ${tip}\nM 100644 inline ${someFile(turn)}\ndata ${text.length}\n${text}\n` +
            `reset refs/tmp/plain\nfrom ${'0'.repeat(40)}\n\n`,
        );
        await importing;
        const made = (await readFile(join(cwd, 'marks'), 'utf8')).trim().split(' ')[1]!;
        await run('git', ['update-ref', 'refs/heads/plain', made], { cwd });
        tip = made;
      },
    },
  ];
}
