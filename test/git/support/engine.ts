import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll } from 'vitest';
import { Git, type GitOptions } from '../../../src/git/index.ts';
import type { Repository } from '../../../src/git/repository.ts';
import { createRepository } from '../../../src/git/storage/create.ts';
import { run, runSync } from '../../support/run/programs.ts';

/** An empty folder that is removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-git-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The runner's program, bundled from the sources. */
export function runnerProgram(folder: string): string {
  const program = join(folder, 'git-runner.js');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(program)) {
    buildSync({
      entryPoints: [join(import.meta.dirname, '../../../src/git/runner/program.ts')],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'cjs',
    });
  }
  return program;
}

/** An engine over an empty folder, closed after the tests of the file. */
export async function openEngine(options: Partial<GitOptions> = {}): Promise<Git> {
  const folder = temporaryFolder();
  const git = new Git({ root: join(folder, 'repositories'), program: runnerProgram(folder), ...options });
  afterAll(() => git.close());
  return git;
}

let last = 0;

/** A new empty repository. */
export async function newRepository(git: Git): Promise<Repository> {
  const repository = git.repository(++last);
  await createRepository(repository.path);
  return repository;
}

const identity = {
  GIT_AUTHOR_NAME: 'Ann Author',
  GIT_AUTHOR_EMAIL: 'ann@example.com',
  GIT_COMMITTER_NAME: 'Carl Committer',
  GIT_COMMITTER_EMAIL: 'carl@example.com',
  GIT_AUTHOR_DATE: '1700000000 +0300',
  GIT_COMMITTER_DATE: '1700000100 -0130',
};

const clientEnvironment = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  ...identity,
};

/** Runs plain git, with no configuration of this machine. @returns its output without the last line feed */
export function plainGit(folder: string, args: readonly string[], input?: string | Buffer): string {
  const output = runSync('git', args, { cwd: folder, env: clientEnvironment, input: input ?? '' });
  return output.toString().replace(/\n$/, '');
}

/** Runs the git client beside this process, which serves it. @returns its exit code and all that it wrote */
export function gitClient(
  folder: string,
  args: readonly string[],
  further: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<{ code: number; text: string }> {
  return run('git', args, { cwd: folder, env: { ...clientEnvironment, ...further } }, signal);
}

/** Fills a repository by fast-import. @param stream what git fast-import reads */
export function fastImport(repository: Repository, stream: string): void {
  plainGit(repository.path, ['fast-import', '--quiet', '--force'], stream);
}

/** Whether every object of a repository is sound. @returns what git complains of */
export function fsck(repository: Repository): string {
  return plainGit(repository.path, ['fsck', '--strict', '--no-dangling']);
}
