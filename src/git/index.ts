import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { environment } from './environment.ts';
import { asGitError } from './errors.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { Pool } from './pool/index.ts';
import { Repository, type Engine } from './repository.ts';
import { Runner } from './runner/index.ts';
import { createRepository, exists, pathOf } from './storage/create.ts';
import { writeHooks } from './transport/hooks.ts';

/**
 * The git engine: repositories on this machine's disk, by the system's git. It knows no HTTP, no GraphQL, no database
 * and no rights. Functions take a `Repository`; names and paths from people are checked here before git sees them.
 */

/** What an engine needs. */
export interface GitOptions {
  /** The folder of the repositories, absolute; made if it isn't there. */
  readonly root: string;
  /** The runner's program: `git-runner.js` of the build. */
  readonly program: string;
  /** The git program, absolute; the first of the folders of `environment` if omitted. */
  readonly git?: string;
  readonly limits?: Partial<Limits>;
  /** Git processes of the shared kinds at a time; 4 × cores if omitted. */
  readonly share?: number;
  /** Long-lived processes at a time; 64 if omitted. */
  readonly pooled?: number;
}

/** An engine. One a process. It starts nothing and writes nothing before it is asked. */
export class Git {
  readonly root: string;
  readonly engine: Engine;
  #hooks: Promise<string> | undefined;

  constructor({ root, program, git = findGit(), limits, share, pooled }: GitOptions) {
    this.root = root;
    const runner = new Runner({ program, git, ...(share === undefined ? {} : { share }) });
    const hooks = () => (this.#hooks ??= makeHooks());
    this.engine = { runner, pool: new Pool(pooled), limits: { ...defaultLimits, ...limits }, hooks };
  }

  /** The repository of a record, which need not exist yet. @param id the record's number @throws Invalid */
  repository(id: number): Repository {
    return new Repository(this.engine, join(this.root, pathOf(id)));
  }

  /** An empty repository that nothing writes to: what clients see of one that doesn't exist yet. */
  async empty(): Promise<Repository> {
    const path = join(this.root, '+empty.git');
    if (!(await exists(path)))
      await createRepository(path).catch((error: unknown) => {
        // Another process was faster.
        if (asGitError(error)?.code !== 'CONFLICT') throw error;
      });
    return new Repository(this.engine, path);
  }

  /**
   * Which git this is. Before 2.39.1, reading a tree's attributes could overflow (CVE-2022-23521).
   * @returns its version, and whether it is new enough
   * @throws Broken if it can't be run
   */
  async version(): Promise<{ version: string; supported: boolean }> {
    const { output } = await this.engine.runner.run({ kind: 'command', args: ['version'] }, { bound: 1_000 });
    const version = /\d+\.\d+(?:\.\d+)?/.exec(output.toString())?.[0] ?? '';
    const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
    return { version, supported: major > 2 || (major === 2 && (minor > 39 || (minor === 39 && patch >= 1))) };
  }

  /** Commands of git that run, pooled readers included, and those that wait for their turn. */
  get load(): { readonly running: number; readonly waiting: number } {
    const { jobs, waiting } = this.engine.runner;
    return { running: jobs - waiting, waiting };
  }

  /** Ends every process of the engine. What is asked afterwards fails with `Broken`. */
  async close(): Promise<void> {
    this.engine.pool.close();
    await this.engine.runner.close();
    if (this.#hooks) await rm(await this.#hooks, { recursive: true, force: true });
  }
}

async function makeHooks(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-hooks-'));
  await writeHooks(folder);
  return folder;
}

/** Where git is, in the folders of its fixed environment. */
function findGit(): string {
  const folders = environment.PATH!.split(':');
  return folders.map((folder) => join(folder, 'git')).find((program) => existsSync(program)) ?? '/usr/bin/git';
}
