import { statfs } from 'node:fs/promises';
import { finished, PassThrough, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busy, TooLarge } from '../errors.ts';
import type { Repository } from '../repository.ts';
import { checkedRef } from '../names/refs.ts';
import { failureOf, type Job } from '../runner/index.ts';
import { outputOf } from '../runner/output.ts';
import { checkConfiguration } from '../storage/create.ts';
import { answerHooks, type PushPolicy } from './hooks.ts';

export { fetchedRefs, fetchOrigin, originDigest, type Origin } from './origin.ts';
export type { PushPolicy, ReceivedPush } from './hooks.ts';

/**
 * Git's own protocol, as streams: what a door of HTTP or SSH passes on. Bytes go between the connection and git without
 * being looked at; a client that reads slowly slows git down.
 */

export type Service = 'git-upload-pack' | 'git-receive-pack';

/** Whose request it is, and how it ends. */
export interface TransportOptions {
  /** The client's `Git-Protocol`, checked: anything but `version=…` words is left out. */
  readonly protocol?: string | undefined;
  /** For the bound of heavy work of one person or address. */
  readonly owner?: string;
  /** Further references that a fetch sees, by their full names. */
  readonly also?: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** Bytes of the request, where the client says it. */
  readonly length?: number | undefined;
}

/** Names that people may not see, and not write. */
const hidden = 'transfer.hideRefs';
/** Git reads a name several times only as several options: the last match decides. */
const visible = (refs: readonly string[]) => ['refs', ...refs.map((ref) => `!${ref}`)];

const servicesOf = {
  'git-upload-pack': visible(['refs/heads', 'refs/tags', 'refs/merge-requests']),
  'git-receive-pack': visible(['refs/heads', 'refs/tags']),
} as const satisfies Record<Service, readonly string[]>;

const options = (
  service: Service,
  { hooks, also = [] }: { hooks?: string; also?: readonly string[] } = {},
): string[] => [
  ...[...servicesOf[service], ...also.map((ref) => `!${checkedRef(ref)}`)].flatMap((value) => [
    '-c',
    `${hidden}=${value}`,
  ]),
  '-c',
  'uploadpack.allowFilter=true',
  '-c',
  'uploadpack.advertiseSidebandAll=false',
  '-c',
  'receive.advertisePushOptions=true',
  '-c',
  'receive.denyCurrentBranch=ignore',
  '-c',
  'receive.denyDeleteCurrent=ignore',
  '-c',
  'receive.unpackLimit=100',
  '-c',
  'receive.updateServerInfo=false',
  // The client waits for what it sent to be checked: a second thread takes a quarter off that.
  ...(service === 'git-receive-pack' ? ['-c', 'pack.threads=2'] : []),
  ...(hooks === undefined ? [] : ['-c', `core.hooksPath=${hooks}`]),
];

const acceptable = /^[a-z0-9=.:]{1,64}$/;
const environmentOf = (service: Service, { protocol }: TransportOptions): Readonly<Record<string, string>> =>
  // Pushes have no version 2; another value would only confuse git.
  service === 'git-upload-pack' && protocol !== undefined && acceptable.test(protocol)
    ? { GIT_PROTOCOL: protocol }
    : {};

/** One line of the protocol: four digits of length, then text. */
const packetLine = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;

/**
 * What `GET info/refs` answers, with the line before it that version 0 wants there; `unnamed`: without that line.
 * @returns a stream that fails if git fails
 * @throws NotFound, Busy, Broken
 */
export async function advertise(
  repository: Repository,
  service: Service,
  how: TransportOptions & { readonly unnamed?: boolean } = {},
): Promise<Readable> {
  const environment = environmentOf(service, how);
  const job = await repository.start(
    [
      ...options(service, how),
      service.slice(4),
      '--stateless-rpc',
      '--http-backend-info-refs',
      '--strict',
      repository.path,
    ].filter((arg) => service === 'git-upload-pack' || arg !== '--strict'),
    { kind: 'command', environment, signal: how.signal },
  );
  const output = outputOf(job, how.signal);
  if (how.unnamed || /version=2/.test(environment.GIT_PROTOCOL ?? '')) return output;
  const joined = new PassThrough();
  joined.write(`${packetLine(`# service=${service}\n`)}0000`);
  void pipeline(output, joined).catch(() => undefined);
  return joined;
}

/**
 * Serves one request of a fetch or clone.
 * @param request its body, decompressed
 * @returns the answer, a stream that fails if git fails. Destroying it ends git
 * @throws NotFound, Busy, Broken; the stream: TooLarge for a request over `limits.fetchRequest`
 */
export async function uploadPack(
  repository: Repository,
  request: Readable,
  how: TransportOptions = {},
): Promise<Readable> {
  const job = await repository.start(
    [...options('git-upload-pack', how), 'upload-pack', '--stateless-rpc', '--strict', repository.path],
    {
      kind: 'transfer',
      input: true,
      environment: environmentOf('git-upload-pack', how),
      ...(how.owner === undefined ? {} : { owner: how.owner }),
      signal: how.signal,
    },
  );
  return exchange(job, request, repository.limits.fetchRequest, how.signal);
}

/**
 * Serves a fetch or clone over a connection: git speaks first, and goes on until the client has everything.
 * @param request what the client sends
 * @returns a stream that fails if git fails. Destroying it ends git
 * @throws NotFound, Busy, Broken; the stream: TooLarge as that of `uploadPack`
 */
export async function converse(
  repository: Repository,
  request: Readable,
  how: TransportOptions = {},
): Promise<Readable> {
  const job = await repository.start([...options('git-upload-pack', how), 'upload-pack', '--strict', repository.path], {
    kind: 'transfer',
    input: true,
    environment: environmentOf('git-upload-pack', how),
    ...(how.owner === undefined ? {} : { owner: how.owner }),
    signal: how.signal,
  });
  return exchange(job, request, repository.limits.fetchRequest, how.signal);
}

/**
 * Serves a push over a connection: the references first, then the one request of the client. Git that receives isn't
 * started before something comes.
 * @returns a stream that fails if one of both fails
 */
export function pushConversation(
  request: Readable,
  advertised: () => Promise<Readable>,
  received: () => Promise<Readable>,
): Readable {
  async function* answer() {
    yield* await advertised();
    if (await hasBegun(request)) yield* await received();
  }
  return Readable.from(answer(), { objectMode: false });
}

/** Waits until something can be read. False if the stream ended, or was closed, with nothing. */
const hasBegun = (request: Readable): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = () => {
      for (const event of events) request.off(event, settle);
      resolve(request.readableLength > 0);
    };
    const events = ['readable', 'end', 'close', 'error'];
    if (request.readableEnded || request.destroyed) resolve(false);
    else for (const event of events) request.on(event, settle);
  });

/** What a push needs besides. */
export interface PushOptions extends TransportOptions {
  readonly policy: PushPolicy;
  /** Receives what the policy threw; the person sees only that the push failed. */
  readonly report: (error: unknown) => void;
}

/**
 * Serves the request of a push. The policy decides over it through git's hooks.
 * @returns the answer, a stream that fails if git fails
 * @throws NotFound, Busy (also when the disk is almost full), Broken
 */
export async function receivePack(repository: Repository, request: Readable, how: PushOptions): Promise<Readable> {
  const { limits, engine } = repository;
  how.signal?.throwIfAborted();
  await checkConfiguration(repository.path);
  const { bavail, bsize } = await statfs(repository.path);
  if (bavail * bsize < limits.freeSpace) throw new Busy('The disk is almost full.', 600);
  if (how.length === flush.length && (await isFlush(request))) return Readable.from([]);
  // Until git runs, the signal takes the push out of the queue. Then it lets git tidy up.
  const queued = new AbortController();
  const leave = () => queued.abort(how.signal!.reason);
  how.signal?.addEventListener('abort', leave, { once: true });
  const configuration = [
    ...options('git-receive-pack', { hooks: await engine.hooks() }),
    '-c',
    `receive.maxInputSize=${limits.push}`,
  ];
  const job = await repository
    .start([...configuration, 'receive-pack', '--stateless-rpc', repository.path], {
      kind: 'transfer',
      input: true,
      hooks: true,
      ...(how.owner === undefined ? {} : { owner: how.owner }),
      signal: queued.signal,
    })
    .finally(() => how.signal?.removeEventListener('abort', leave));
  answerHooks(job.hooks!, how.policy, { mostRefs: limits.pushedRefs, report: how.report });
  const gently = { ...job, stop: () => letGo(job) };
  how.signal?.addEventListener('abort', gently.stop, { once: true });
  void job.ended.then(() => how.signal?.removeEventListener('abort', gently.stop));
  return exchange(gently, request, limits.push + 2 ** 20, how.signal);
}

/** The packet that ends a list of packets. */
const flush = '0000';

/**
 * Whether a request of that length changes nothing: clients send an empty list before a large push, to see whether they
 * may. Git answers it with nothing, but has to be started for that.
 */
async function isFlush(request: Readable): Promise<boolean> {
  if (!(await hasBegun(request))) return false;
  const bytes = request.read() as Buffer;
  if (bytes.toString('latin1') === flush) return true;
  request.unshift(bytes);
  return false;
}

/** Milliseconds in which git may tidy up after a push that was broken off. */
const tidying = 10_000;

/** Ends a push by the end of its input: a signal would leave its objects in quarantine. */
function letGo(job: Job): void {
  if (!job.input.writableEnded) job.input.end();
  job.output.resume();
  const timer = setTimeout(job.stop, tidying);
  void job.ended.then(() => {
    clearTimeout(timer);
    job.output.destroy();
  });
}

/** Passes a request to a job, and its answer back. */
function exchange(job: Job, request: Readable, bound: number, signal?: AbortSignal): Readable {
  let size = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length;
      done(size > bound ? new TooLarge('The request', bound) : null, chunk);
    },
  });
  let failure: unknown;
  // Also if it failed before git was started.
  finished(request, { writable: false }, (error) => {
    if (!error) return;
    // Cut off: what came is not the whole.
    bounded.destroy();
    job.stop();
  });
  bounded.on('error', (error) => {
    failure = error;
    job.stop();
  });
  bounded.on('end', () => {
    if (!job.input.writableEnded) job.input.end();
  });
  // Git may answer and end before it has read everything.
  bounded.on('data', (chunk: Buffer) => {
    if (job.input.writable && !job.input.writableEnded && !job.input.write(chunk)) {
      bounded.pause();
      job.input.once('drain', () => bounded.resume());
    }
  });
  job.input.once('close', () => bounded.resume());
  request.pipe(bounded);
  async function* answer() {
    try {
      yield* job.output.iterator({ destroyOnReturn: false });
    } catch {
      // The connection was closed under it: how the job ended says why.
    } finally {
      // The answer is complete, or no one wants the rest.
      if (!job.output.readableEnded) job.stop();
    }
    const ended = await job.ended;
    job.output.destroy();
    if (failure) throw failure;
    if (ended.code !== 0) throw failureOf(ended, signal);
  }
  return Readable.from(answer(), { objectMode: false });
}
