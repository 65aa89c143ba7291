import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Git } from '../src/git/index.ts';
import { logPage } from '../src/git/history/index.ts';
import { findFile, readBlob, readTree, resolveCommit } from '../src/git/objects/index.ts';
import { changeRefs } from '../src/git/refs/transaction.ts';
import type { Repository } from '../src/git/repository.ts';
import { createRepository, maintain } from '../src/git/storage/index.ts';
import { commitActions } from '../src/git/write/index.ts';
import { median, type Check } from './report.ts';

/**
 * The git engine beside the same work by hand, in one process: the least code over one `git cat-file`, or git started
 * for each request. Both do the work in turn; a figure is the median of the ratios of the rounds.
 */

const rounds = 9;
const commits = 5_000;
const folders = 13;
const run = promisify(execFile);

/** A repository of 5,000 commits and 1,301 files, packed as maintenance leaves it. */
async function fill(repository: Repository): Promise<void> {
  await createRepository(repository.path);
  const parts: string[] = [];
  const file = (path: string, text: string) => `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
  for (let number = 1; number <= commits; number++) {
    parts.push(
      `commit refs/heads/main\ncommitter Ann <ann@example.com> ${1_700_000_000 + number} +0000\ndata 7\nChange\n\n`,
    );
    if (number === 1) {
      for (let folder = 0; folder < folders; folder++)
        for (let leaf = 0; leaf < 100; leaf++)
          parts.push(file(`d${folder}/f${leaf}`, `${folder} ${leaf}\n`.repeat(250)));
    }
    parts.push(file(`d${number % folders}/f${number % 100}`, `${number}\n`.repeat(300)));
  }
  execFileSync('git', ['fast-import', '--quiet'], {
    cwd: repository.path,
    input: `${parts.join('')}done\n`,
    maxBuffer: 2 ** 26,
  });
  await maintain(repository, 'thorough');
}

/** The least code over one `git cat-file --batch-command`: no bounds, no checks, no restart. */
class Plain {
  readonly #child: ChildProcess;
  readonly #waiting: ((content: Buffer) => void)[] = [];
  #bytes: Buffer = Buffer.alloc(0);

  constructor(folder: string) {
    this.#child = spawn('git', ['cat-file', '--batch-command'], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#child.stdout!.on('data', (bytes: Buffer) => {
      this.#bytes = this.#bytes.length > 0 ? Buffer.concat([this.#bytes, bytes]) : bytes;
      for (;;) {
        const end = this.#bytes.indexOf(10);
        const size = Number(this.#bytes.toString('latin1', 0, end).split(' ')[2]);
        if (end < 0 || this.#bytes.length < end + size + 2) return;
        this.#waiting.shift()!(this.#bytes.subarray(end + 1, end + 1 + size));
        this.#bytes = this.#bytes.subarray(end + size + 2);
      }
    });
  }

  read(name: string): Promise<Buffer> {
    this.#child.stdin!.write(`contents ${name}\n`);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    this.#child.kill();
  }
}

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
  await fill(repository);
  const plain = new Plain(repository.path);
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

function pairsOf(repository: Repository, plain: Plain): Pair[] {
  const at = (turn: number) => `d${turn % folders}/f${turn % 100}`;
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
    return await readBlob(repository, (await findFile(repository, tip!.id, at(turn)))!.id);
  };
  let tip: string | undefined;
  const person = (turn: number) => ({ name: 'Ann', email: 'ann@example.com', at: new Date(1_800_000_000_000 + turn) });
  return [
    {
      name: 'git: a file by its path, with its mode',
      times: 200,
      bound: 2,
      ours: blob,
      async plain(turn) {
        await plain.read('refs/heads/main');
        await plain.read(`refs/heads/main:d${turn % folders}`);
        return await plain.read(`refs/heads/main:${at(turn)}`);
      },
    },
    {
      name: 'git: a file by its path, against git for each request',
      times: 20,
      bound: 0.2,
      ours: blob,
      plain: (turn) => run('git', ['cat-file', 'blob', `refs/heads/main:${at(turn)}`], { cwd }),
    },
    {
      name: 'git: a folder of 100 entries',
      times: 200,
      bound: 2,
      async ours(turn) {
        const tip = await resolveCommit(repository, 'main', 'branch');
        return await readTree(repository, tip!.id, `d${turn % folders}`);
      },
      async plain(turn) {
        await plain.read('refs/heads/main');
        return await plain.read(`refs/heads/main:d${turn % folders}`);
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
      name: 'git: a commit of one file, against fast-import and update-ref',
      times: 10,
      bound: 1.3,
      async ours(turn) {
        const from = (await resolveCommit(repository, turn === 0 ? 'main' : 'ours', 'branch'))!.id;
        const content = Buffer.from(`ours ${turn}\n`);
        const commit = { parents: [from], message: 'Change\n', author: person(turn), committer: person(turn) };
        const made = await commitActions(repository, commit, [{ action: 'update', path: at(turn), content }]);
        await changeRefs(repository, [{ ref: 'refs/heads/ours', old: turn === 0 ? undefined : from, new: made }]);
      },
      async plain(turn) {
        tip ??= (await run('git', ['rev-parse', 'main'], { cwd })).stdout.trim();
        const text = `plain ${turn}\n`;
        const importing = run('git', ['fast-import', '--quiet', '--export-marks=marks'], { cwd });
        importing.child.stdin!.end(
          `commit refs/tmp/plain\nmark :1\ncommitter Ann <ann@example.com> ${1_800_000_000 + turn} +0000\ndata 7\nChange\n\n` +
            `from ${tip}\nM 100644 inline ${at(turn)}\ndata ${text.length}\n${text}\n` +
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
