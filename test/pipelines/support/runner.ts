import { spawn, execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import yauzl from 'yauzl';
import yazl from 'yazl';

/**
 * A small runner: it speaks nothing but the runner's API and git over HTTP, as a stock runner with the shell executor does,
 * and runs scripts in a scratch folder of its own. It trusts the jobs that it gets: only for tests and demonstrations.
 */

/** A job, as the gateway hands it out. */
export interface GivenJob {
  readonly id: number;
  readonly token: string;
  readonly job_info: { readonly name: string; readonly stage: string; readonly project_id: number };
  readonly git_info: {
    readonly repo_url: string;
    readonly ref: string;
    readonly sha: string;
    readonly refspecs: readonly string[];
    readonly depth: number;
  };
  readonly runner_info: { readonly timeout: number };
  readonly variables: readonly { key: string; value: string; public: boolean; masked: boolean; file?: boolean }[];
  readonly image: object | null;
  readonly services: readonly object[];
  readonly steps: readonly { name: string; script: readonly string[]; when: string; allow_failure: boolean }[];
  readonly artifacts:
    | readonly {
        paths: readonly string[];
        artifact_type: string;
        artifact_format: string;
        name?: string;
        when: string;
        expire_in?: string;
      }[]
    | null;
  readonly dependencies: readonly { id: number; token: string; artifacts_file?: { filename: string } }[];
}

export interface RunnerOptions {
  readonly url: string;
  readonly token: string;
  readonly systemId?: string;
  readonly features?: Readonly<Record<string, boolean>>;
  /** Milliseconds between two pieces of a log. */
  readonly interval?: number;
}

/** What a stock runner says that it can do. */
const usualFeatures = {
  variables: true,
  artifacts: true,
  upload_multiple_artifacts: true,
  upload_raw_artifacts: true,
  artifacts_exclude: true,
  refspecs: true,
  return_exit_code: true,
  cancelable: true,
};

/** How a job ended, as its runner sees it. */
export interface Ran {
  readonly id: number;
  readonly outcome: 'success' | 'failed' | 'aborted';
  /** What it printed. */
  readonly log: string;
  /** Of a job that was aborted, how the gateway said that it is. */
  readonly status?: string | undefined;
}

/** The gateway said that the job isn't to go on. */
class Aborted extends Error {
  readonly status: string | undefined;
  constructor(status: string | null) {
    super(`The job is ${status ?? 'not running'}.`);
    this.status = status ?? undefined;
  }
}

const run = promisify(execFile);

export class TestRunner {
  readonly #options: RunnerOptions;
  readonly #stopped = new AbortController();
  /** What the last answer without a job said. */
  lastUpdate: string | undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  #api(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.#options.url}/api/v4${path}`, { ...init, signal: init.signal ?? this.#stopped.signal });
  }

  #info() {
    const { features = usualFeatures, systemId: system_id = 's_testrunner' } = this.#options;
    const info = {
      name: 'gitlab-runner',
      version: '17.0.0',
      revision: 'abc',
      platform: 'linux',
      architecture: 'amd64',
      executor: 'shell',
      features,
    };
    return { token: this.#options.token, system_id, info };
  }

  /** Ends all that it does, as a kill would: the gateway isn’t told. */
  kill(): void {
    this.#stopped.abort();
  }

  verify(): Promise<Response> {
    return this.#api('/runners/verify', json('POST', this.#info()));
  }

  /** Asks once. Undefined: there was none. @throws Error for any other answer */
  async request(): Promise<GivenJob | undefined> {
    const asked = { ...this.#info(), ...(this.lastUpdate !== undefined && { last_update: this.lastUpdate }) };
    const answer = await this.#api('/jobs/request', json('POST', asked));
    if (answer.status === 201) return (await answer.json()) as GivenJob;
    if (answer.status !== 204) throw new Error(`${answer.status} ${await answer.text()}`);
    this.lastUpdate = answer.headers.get('x-gitlab-last-update') ?? undefined;
    return undefined;
  }

  /** Asks until there is a job: news of another job ends a wait without one. */
  async nextJob(): Promise<GivenJob> {
    for (;;) {
      const job = await this.request();
      if (job) return job;
    }
  }

  /** Asks until there is a job, and carries it out. */
  async next(): Promise<Ran> {
    return await this.carryOut(await this.nextJob());
  }

  /** Carries out a job that it got. */
  async carryOut(job: GivenJob): Promise<Ran> {
    const scratch = await mkdtemp(join(tmpdir(), 'causeway-runner-'));
    const ends = new AbortController();
    const log = new Log(
      this.#options.interval ?? 50,
      (bytes, start) => this.#send(job, bytes, start),
      (error) => ends.abort(error),
    );
    try {
      log.write(`Running job ${job.id} in ${job.git_info.ref}\n`);
      const folder = await this.#prepare(job, scratch, log, ends.signal);
      const failed = await this.#steps(job, folder, scratch, log, ends.signal);
      await log.end();
      await this.#upload(job, folder, failed === undefined);
      await this.#report(job, failed);
      return { id: job.id, outcome: failed ? 'failed' : 'success', log: log.text };
    } catch (error) {
      log.stop();
      const reason = (ends.signal.reason ?? error) as Error;
      if (reason instanceof Aborted) return { id: job.id, outcome: 'aborted', log: log.text, status: reason.status };
      if (this.#stopped.signal.aborted) return { id: job.id, outcome: 'aborted', log: log.text };
      await this.#report(job, { failure_reason: 'runner_system_failure' }).catch(() => undefined);
      throw error;
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /** Fetches the commit as a stock runner does, and the artifacts of needed jobs. @returns the folder */
  async #prepare(job: GivenJob, scratch: string, log: Log, signal: AbortSignal): Promise<string> {
    const folder = join(scratch, 'build');
    const { repo_url, refspecs, depth, sha } = job.git_info;
    await mkdir(folder);
    const env = { PATH: process.env.PATH, HOME: scratch, GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1' };
    const git = (...args: string[]) => run('git', ['-C', folder, ...args], { env, signal });
    if (job.variables.find(({ key }) => key === 'GIT_STRATEGY')?.value !== 'none') {
      await git('init', '--quiet');
      await git('remote', 'add', 'origin', repo_url);
      await git('fetch', '--quiet', 'origin', ...refspecs, '--prune', ...(depth > 0 ? ['--depth', String(depth)] : []));
      await git('checkout', '--quiet', '--force', '--detach', sha);
      log.write(`Checked out ${sha.slice(0, 8)}\n`);
    }
    for (const { id, token, artifacts_file: file } of job.dependencies) {
      if (!file) continue;
      const answer = await this.#api(`/jobs/${id}/artifacts`, { headers: { 'job-token': token } });
      if (answer.status !== 200) throw new Error(`Artifacts of ${id}: ${answer.status}`);
      await unpack(Buffer.from(await answer.arrayBuffer()), folder);
    }
    return folder;
  }

  /** Runs the steps. @returns what the gateway is told of a failure */
  async #steps(
    { steps, variables, runner_info: { timeout } }: GivenJob,
    folder: string,
    scratch: string,
    log: Log,
    signal: AbortSignal,
  ): Promise<Failure | undefined> {
    const env: Record<string, string> = {
      PATH: process.env.PATH ?? '',
      HOME: scratch,
      CI_SERVER: 'yes',
      CI_PROJECT_DIR: folder,
    };
    for (const { key, value, file } of variables) {
      if (file) await writeFile(join(scratch, `variable-${key}`), value);
      env[key] = file ? join(scratch, `variable-${key}`) : value;
    }
    let failed: Failure | undefined;
    for (const { script, when, allow_failure } of steps) {
      if (when === 'on_success' && failed) continue;
      const lines = script.flatMap((line) => [`echo ${quoted(`$ ${line}`)}`, line]);
      const code = await shell(['set -eo pipefail', ...lines].join('\n'), { cwd: folder, env, log, signal, timeout });
      if (code === 'timeout') return { failure_reason: 'job_execution_timeout' };
      if (code !== 0 && !allow_failure) failed = { failure_reason: 'script_failure', exit_code: code };
    }
    return failed;
  }

  /** Sends a piece of the log. @returns where the next one begins */
  async #send({ id, token }: GivenJob, bytes: Buffer, start: number): Promise<number> {
    const answer = await this.#api(`/jobs/${id}/trace?debug_trace=false`, {
      method: 'PATCH',
      headers: {
        'job-token': token,
        'content-type': 'text/plain',
        'content-range': `${start}-${start + bytes.length - 1}`,
      },
      body: new Uint8Array(bytes),
    });
    const status = answer.headers.get('job-status');
    if (answer.status === 403 || status === 'canceled' || status === 'failed') throw new Aborted(status);
    if (answer.status === 202) return start + bytes.length;
    // The gateway has less, or more: go on where it says.
    if (answer.status === 416) return Number(answer.headers.get('range')!.split('-')[1]);
    throw new Error(`Log: ${answer.status} ${await answer.text()}`);
  }

  async #upload(job: GivenJob, folder: string, succeeded: boolean): Promise<void> {
    for (const { paths, artifact_type: type, artifact_format: format, when, expire_in } of job.artifacts ?? []) {
      if (when !== 'always' && (when === 'on_success') !== succeeded) continue;
      const found = await filesIn(folder, paths);
      if (found.length === 0) continue;
      const query = new URLSearchParams({
        artifact_type: type,
        artifact_format: format,
        ...(expire_in && { expire_in }),
      });
      const body = new FormData();
      const content = format === 'zip' ? await packed(folder, found) : await compressed(folder, found);
      body.append('file', new Blob([new Uint8Array(content)]), format === 'zip' ? 'artifacts.zip' : `${type}.gz`);
      const answer = await this.#api(`/jobs/${job.id}/artifacts?${query}`, {
        method: 'POST',
        headers: { 'job-token': job.token },
        body,
      });
      if (answer.status !== 201) throw new Error(`Artifacts: ${answer.status} ${await answer.text()}`);
    }
  }

  async #report({ id, token }: GivenJob, failed: Failure | undefined): Promise<void> {
    const body = { token, state: failed ? 'failed' : 'success', ...failed };
    for (;;) {
      const answer = await this.#api(`/jobs/${id}`, json('PUT', body));
      if (answer.status === 200) return;
      if (answer.status === 403) throw new Aborted(answer.headers.get('job-status'));
      if (answer.status !== 202) throw new Error(`Report: ${answer.status} ${await answer.text()}`);
    }
  }
}

interface Failure {
  readonly failure_reason: string;
  readonly exit_code?: number;
}

const json = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json', 'user-agent': 'gitlab-runner 17.0.0 (test; go1.22; linux/amd64)' },
  body: JSON.stringify(body),
});

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

interface ShellOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** In seconds. */
  readonly timeout: number;
}

/** Runs a script by bash. @returns its exit code */
async function shell(script: string, { cwd, env, log, signal, timeout }: ShellOptions): Promise<number | 'timeout'> {
  const child = spawn('bash', ['-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let timedOut = false;
  const stop = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  const timer = setTimeout(() => ((timedOut = true), stop()), timeout * 1000);
  signal.addEventListener('abort', stop);
  child.stdout.on('data', (bytes: Buffer) => log.write(bytes));
  child.stderr.on('data', (bytes: Buffer) => log.write(bytes));
  const code = await new Promise<number>((done, fail) => {
    child.once('error', fail);
    child.once('close', (status) => done(status ?? 137));
  });
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  return timedOut ? 'timeout' : code;
}

/** A log, sent in pieces while it grows. */
class Log {
  #all = Buffer.alloc(0);
  #sent = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();
  readonly #send: (bytes: Buffer, start: number) => Promise<number>;
  readonly #onError: (error: unknown) => void;

  constructor(
    interval: number,
    send: (bytes: Buffer, start: number) => Promise<number>,
    onError: (error: unknown) => void,
  ) {
    this.#send = send;
    this.#onError = onError;
    this.#timer = setInterval(
      () => void (this.#sending = this.#sending.then(() => this.#flush()).catch(this.#onError)),
      interval,
    );
  }

  get text(): string {
    return this.#all.toString();
  }

  write(piece: string | Buffer): void {
    this.#all = Buffer.concat([this.#all, Buffer.from(piece as string)]);
  }

  async #flush(): Promise<void> {
    // An empty piece asks whether the job goes on.
    this.#sent = await this.#send(this.#all.subarray(this.#sent), this.#sent);
  }

  /** Sends what is left. @throws what `send` throws */
  async end(): Promise<void> {
    this.stop();
    await this.#sending;
    while (this.#sent < this.#all.length) await this.#flush();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** The files below paths, which may end in `*`. */
async function filesIn(folder: string, paths: readonly string[]): Promise<string[]> {
  const all = await readdir(folder, { recursive: true });
  const found: string[] = [];
  for (const name of all) {
    const isWanted = paths.some(
      (path) =>
        name === path.replace(/\/$/, '') ||
        name.startsWith(path.replace(/\*+$/, '').replace(/\/?$/, '/')) ||
        (path.endsWith('*') && name.startsWith(path.slice(0, -1))),
    );
    if (isWanted && !name.startsWith('.git/') && (await stat(join(folder, name))).isFile()) found.push(name);
  }
  return found.toSorted();
}

async function packed(folder: string, names: readonly string[]): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const name of names) zip.addFile(join(folder, name), name);
  zip.end();
  const parts: Buffer[] = [];
  for await (const part of zip.outputStream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

async function compressed(folder: string, names: readonly string[]): Promise<Buffer> {
  const { gzip } = await import('node:zlib');
  const { readFile } = await import('node:fs/promises');
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name))));
  return await promisify(gzip)(Buffer.concat(contents));
}

async function unpack(content: Buffer, folder: string): Promise<void> {
  const zip = await new Promise<yauzl.ZipFile>((done, fail) =>
    yauzl.fromBuffer(content, { lazyEntries: true }, (error, opened) => (error ? fail(error) : done(opened))),
  );
  await new Promise<void>((done, fail) => {
    zip.on('error', fail);
    zip.on('end', () => done());
    zip.on('entry', (entry: yauzl.Entry) => {
      const target = resolve(folder, entry.fileName);
      if (relative(folder, target).startsWith('..') || entry.fileName.endsWith('/')) return zip.readEntry();
      zip.openReadStream(entry, (error, stream) => {
        if (error) return fail(error);
        void mkdir(dirname(target), { recursive: true })
          .then(() => pipeline(stream, createWriteStream(target)))
          .then(() => zip.readEntry(), fail);
      });
    });
    zip.readEntry();
  });
}
