import { configured } from './environment.ts';
import { Broken, NotFound, writingFailed } from './errors.ts';
import type { Limits } from './limits.ts';
import { DiffReader } from './pool/diffs.ts';
import type { Pool } from './pool/index.ts';
import { ObjectReader } from './pool/objects.ts';
import type { Command, Job, Kind, Runner } from './runner/index.ts';
import { checkConfiguration } from './storage/create.ts';

/** What repositories of one engine share. */
export interface Engine {
  readonly runner: Runner;
  readonly pool: Pool;
  readonly limits: Limits;
  /** The folder of our hooks: used by pushes only, so made by the first. */
  readonly hooks: () => Promise<string>;
}

/** How to run a command in a repository. */
export interface Options {
  /** `command` if omitted. */
  readonly kind?: Kind;
  readonly input?: string | Buffer;
  /** Bytes of output that are read into memory; `limits.output` if omitted. */
  readonly bound?: number;
  /** Configuration beyond the fixed one. */
  readonly configuration?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly owner?: string;
  readonly milliseconds?: number;
  readonly signal?: AbortSignal | undefined;
}

/** How a command ended. */
export interface Outcome {
  readonly code: number;
  readonly output: Buffer;
  /** The first 8 KiB. For the log, never for people. */
  readonly stderr: string;
}

/** A bare repository on this machine's disk. Cheap to make; nothing is opened until something is asked. */
export class Repository {
  readonly engine: Engine;
  /** Absolute. */
  readonly path: string;
  readonly #quarantine: string | undefined;
  /** The path of another repository whose objects are read too. */
  readonly #beside: string | undefined;

  constructor(engine: Engine, path: string, { quarantine, beside }: { quarantine?: string; beside?: string } = {}) {
    this.engine = engine;
    this.path = path;
    this.#quarantine = quarantine;
    this.#beside = beside;
  }

  get limits(): Limits {
    return this.engine.limits;
  }

  /** The pooled reader of objects. */
  get objects(): ObjectReader {
    const make = () => new ObjectReader(this.engine.runner, this.#arguments(), this.#environment());
    return this.engine.pool.get(this.#key, 'objects', make);
  }

  /** The pooled process that compares commits. */
  diffs(form: 'patches' | 'numbers'): DiffReader {
    const make = () => new DiffReader(this.engine.runner, this.#arguments(), form, this.#environment());
    return this.engine.pool.get(this.#key, form, make);
  }

  /**
   * The same repository, with the objects of a push that isn't accepted yet. Release it after use.
   * @param quarantine the name of the folder that git keeps them in
   * @throws Broken for any other name
   */
  within(quarantine: string): Repository {
    if (!/^(?:tmp_objdir-)?incoming-[A-Za-z0-9]+$/.test(quarantine)) throw new Broken('This is no quarantine of git.');
    return new Repository(this.engine, this.path, { quarantine });
  }

  /**
   * The same repository, with the objects of another one, to compare them: for someone who reads both. Nothing is copied,
   * and nothing is written through it (contract S14).
   */
  beside({ path }: Repository): Repository {
    return new Repository(this.engine, this.path, { beside: path });
  }

  /** Ends the pooled processes: after maintenance, and when the repository or the quarantine is gone. */
  release(): void {
    this.engine.pool.drop(this.#key);
  }

  /**
   * Runs a command of git to its end.
   * @param args the command and its arguments
   * @returns its output and exit code; the caller judges the code
   * @throws NotFound if there is no repository, Broken when git dies (128), TooLarge, TimedOut, Busy
   */
  async run(args: readonly string[], options: Options = {}): Promise<Outcome> {
    const { input, bound = this.limits.output } = options;
    const command = this.#command(args, options);
    await checkConfiguration(this.path);
    const { output, code, stderr } = await this.engine.runner.run(command, {
      bound,
      ...(input === undefined ? {} : { input }),
    });
    if (/^fatal: not a git repository/m.test(stderr)) throw new NotFound('The repository does not exist.');
    return { code, output, stderr };
  }

  /**
   * Runs a command that must succeed.
   * @returns its output
   * @throws as `run`; Broken for any exit code but 0
   */
  async read(args: readonly string[], options?: Options): Promise<Buffer> {
    const { code, output, stderr } = await this.run(args, options);
    if (code !== 0) throw writingFailed(`git ${args[0]} failed.`, stderr);
    return output;
  }

  /** Starts a command whose input or output is a stream. @throws NotFound without a repository, Busy, Broken */
  async start(
    args: readonly string[],
    options: Omit<Options, 'input' | 'bound'> & Pick<Command, 'input' | 'hooks'>,
  ): Promise<Job> {
    const { input, hooks } = options;
    const command = this.#command(args, options);
    await checkConfiguration(this.path);
    return await this.engine.runner.start({
      ...command,
      ...(input ? { input } : {}),
      ...(hooks ? { hooks } : {}),
    });
  }

  #command(args: readonly string[], options: Omit<Options, 'input'>): Command {
    const { kind = 'command', configuration, environment, owner, milliseconds, signal } = options;
    return {
      kind,
      args: [...this.#arguments(configuration), ...args],
      environment: { ...this.#environment(), ...environment },
      ...(owner === undefined ? {} : { owner }),
      ...(milliseconds === undefined ? {} : { milliseconds }),
      ...(signal ? { signal } : {}),
    };
  }

  get #key(): string {
    if (this.#beside) return `${this.path}+${this.#beside}`;
    return this.#quarantine ? `${this.path}:${this.#quarantine}` : this.path;
  }

  #arguments(configuration?: Readonly<Record<string, string>>): string[] {
    return [...configured(configuration), `--git-dir=${this.path}`];
  }

  #environment(): Readonly<Record<string, string>> | undefined {
    if (this.#beside) return { GIT_ALTERNATE_OBJECT_DIRECTORIES: `${this.#beside}/objects` };
    if (this.#quarantine === undefined) return undefined;
    const objects = `${this.path}/objects`;
    const folder = `${objects}/${this.#quarantine}`;
    return { GIT_QUARANTINE_PATH: folder, GIT_OBJECT_DIRECTORY: folder, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
  }
}
