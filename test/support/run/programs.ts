import { join } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';

/** Runs programs from a small process: see `starter.mjs`. It starts with the first of them, and ends with this process. */

interface How {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Its standard input, which is empty otherwise. */
  readonly input?: string | Uint8Array;
}

interface Ended {
  readonly id: number;
  /** Of the exit; -1 after a signal. */
  readonly code: number;
  /** Why it didn't start. */
  readonly failure?: string;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** Milliseconds after which a program counts as hanging: less than a test may take. */
const patience = 150_000;

let starter: { readonly port: MessagePort; readonly answers: Int32Array } | undefined;
let lastId = 0;
const waiting = new Map<number, (ended: Ended) => void>();

function settle(ended: Ended): void {
  waiting.get(ended.id)?.(ended);
  waiting.delete(ended.id);
}

function startStarter() {
  const { port1: port, port2 } = new MessageChannel();
  /** How many answers there were. */
  const answers = new Int32Array(new SharedArrayBuffer(4));
  new Worker(join(import.meta.dirname, 'starter.mjs'), {
    workerData: { port: port2, answers },
    transferList: [port2],
    execArgv: [],
  }).unref();
  port.on('message', settle);
  port.unref();
  return { port, answers };
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength);

function endOf(file: string, args: readonly string[], how: How): Ended {
  const { port, answers } = (starter ??= startStarter());
  const id = ++lastId;
  const ended: Ended[] = [];
  waiting.set(id, (one) => ended.push(one));
  port.postMessage({ ...how, id, file, args });
  for (;;) {
    const before = Atomics.load(answers, 0);
    for (let answer; (answer = receiveMessageOnPort(port));) settle(answer.message as Ended);
    if (ended[0]) return ended[0];
    if (Atomics.wait(answers, 0, before, patience) === 'timed-out')
      throw new Error(`It doesn’t end: ${file} ${args.join(' ')}`);
  }
}

/** Runs a program, and waits. @returns its output @throws Error with what it wrote to stderr, if it fails */
export function runSync(file: string, args: readonly string[], how: How): Buffer {
  const { code, failure, stdout, stderr } = endOf(file, args, how);
  if (code !== 0) throw new Error(`${file} ${args.join(' ')}: ${failure ?? bytesOf(stderr).toString()}`);
  return bytesOf(stdout);
}

/** The lines that `ps` prints: none where no process is as it was asked. */
export const psLines = (...args: string[]): string[] =>
  bytesOf(endOf('ps', args, { cwd: '/', env: { PATH: process.env.PATH } }).stdout)
    .toString()
    .split('\n')
    .filter((line) => line.trim() !== '');

/** Runs a program beside this process. @param signal kills it @returns its exit code and all that it wrote, in order */
export function run(
  file: string,
  args: readonly string[],
  how: How,
  signal?: AbortSignal,
): Promise<{ code: number; text: string }> {
  const { port } = (starter ??= startStarter());
  const id = ++lastId;
  return new Promise((resolve) => {
    waiting.set(id, ({ code, failure = '', stdout }) => resolve({ code, text: failure + bytesOf(stdout).toString() }));
    port.postMessage({ ...how, id, file, args, together: true });
    signal?.addEventListener('abort', () => port.postMessage({ id }));
  });
}
