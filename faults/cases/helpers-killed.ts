import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../test/support/run/ports.ts';
import type { Fault, Scene } from '../fault.ts';
import type { Gateway } from '../gateways.ts';
import { childrenOf, commandOf, descendantsOf, kill } from '../processes.ts';
import { promised, rounded, type Promised } from '../promised.ts';

/** Milliseconds within which a process is replaced: half a second of backoff, and a start on a busy machine. */
const within = 10_000;
/** Milliseconds of load between two kills. */
const between = 1_000;

let ports: number[] = [];

/** What a gateway starts beside itself, by the words of its command. */
const helpers = {
  worker: (words: string) => words.includes('cli.js') && words.endsWith('start\0'),
  'process for SSH': (words: string) => words.includes('cli.js') && words.endsWith('ssh\0'),
} as const;

const pidsOf = (gateway: Gateway, is: (words: string) => boolean): number[] =>
  childrenOf(gateway.pid).filter((pid) => is(commandOf(pid)));
const runnersOf = (gateway: Gateway): number[] =>
  descendantsOf(gateway.pid).filter((pid) => commandOf(pid).includes('git-runner'));

/** Milliseconds until something holds; undefined if it doesn't in time. */
async function until(holds: () => boolean | Promise<boolean>): Promise<number | undefined> {
  const from = performance.now();
  for (; performance.now() - from < within; await pause(50)) if (await holds()) return performance.now() - from;
  return undefined;
}

/** Whether a server of SSH greets at a port. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (found: boolean) => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(1_000, () => end(false));
    socket.once('error', () => end(false));
    socket.once('data', (bytes) => end(bytes.toString('latin1').startsWith('SSH-2.0-')));
  });
}

/** Kills one process of each gateway, and waits for its successor. */
async function killHelpers(
  { gateways }: Scene,
  name: keyof typeof helpers,
  works: (index: number) => boolean | Promise<boolean>,
): Promise<Promised> {
  const took: (number | undefined)[] = [];
  for (const [index, gateway] of gateways.entries()) {
    const there = pidsOf(gateway, helpers[name]);
    if (there.length === 0) throw new Error(`Gateway ${gateway.name} has no ${name}.`);
    kill(there[0]!);
    const isReplaced = async () => {
      const now = pidsOf(gateway, helpers[name]);
      return now.length === there.length && !now.includes(there[0]!) && (await works(index));
    };
    took.push(await until(isReplaced));
    await pause(between);
  }
  return promised(
    `A ${name} that was killed is replaced.`,
    took.map((one) => (one === undefined ? 'never' : `after ${rounded(one)}`)).join(' and '),
    took.every((one) => one !== undefined),
  );
}

export const helpersKilled: Fault = {
  name: 'helpers-killed',
  what: 'What gateways run beside themselves is killed (`kill -9`), one after the other: a worker of two, the process for git over SSH, and every git runner.',
  async settings() {
    ports = [await freePort(), await freePort()];
    // Six processes have connections.
    const few = { CAUSEWAY_WORKERS: '2', CAUSEWAY_DATABASE_CONNECTIONS: '5' };
    return ports.map((port) => ({ ...few, CAUSEWAY_SSH_PORT: String(port) }));
  },
  async run(scene) {
    const { gateways, load } = scene;
    const from = performance.now();
    const workers = await killHelpers(scene, 'worker', () => true);
    const ssh = await killHelpers(scene, 'process for SSH', (index) => greets(ports[index]!));
    const runners = gateways.flatMap(runnersOf);
    const killed = runners.filter(kill).length;
    const again = await until(() => gateways.flatMap(runnersOf).some((pid) => !runners.includes(pid)));
    await pause(between);
    const cut = load.between(from, performance.now()).filter(({ status }) => status === 0).length;
    return [
      workers,
      ssh,
      promised(
        'The next work of git starts another runner.',
        `${killed} were killed, ${again === undefined ? 'and none started' : `one started after ${rounded(again)}`}`,
        killed > 0 && again !== undefined,
      ),
      promised(
        'Only requests of a killed worker get no answer.',
        `${cut} got none, of two workers that were killed`,
        cut <= 2 * load.lanes,
      ),
    ];
  },
};
