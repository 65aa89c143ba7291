import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { promised, rounded } from '../promised.ts';
import { timeouts, type Gateway } from '../gateways.ts';
import { allAnswered } from '../verify.ts';

const count = 200;

/** A request sent a byte at a time that never ends. */
interface Dripping {
  readonly closed: Promise<{ readonly milliseconds: number; readonly answer: string }>;
  readonly socket: Socket;
}

function drip(gateway: Gateway, text: string): Dripping {
  const { hostname, port } = new URL(gateway.origin);
  const startedAt = performance.now();
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('error', () => {});
  socket.on('data', (bytes) => (answer += bytes.toString()));
  socket.write(text);
  const timer = setInterval(() => socket.writable && socket.write('x'), 500);
  const closed = new Promise<{ milliseconds: number; answer: string }>((resolve) =>
    socket.on('close', () => {
      clearInterval(timer);
      resolve({ milliseconds: performance.now() - startedAt, answer });
    }),
  );
  return { closed, socket };
}

/** The first part of each kind; more of it follows slowly. */
const kinds = {
  headers: 'GET /api/v4/version HTTP/1.1\r\nhost: x\r\nx-slow: ',
  bodies:
    'POST /oauth/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{"grant_type":"',
} as const;

export const slowClients: Fault = {
  name: 'slow-clients',
  what: `${count} clients send headers, and ${count} send bodies, a byte every half second and without an end.`,
  async run({ gateways, load, watch }) {
    const from = performance.now();
    const dripping = Object.values(kinds).flatMap((text) =>
      Array.from({ length: count }, (_one, index) => drip(gateways[index % gateways.length]!, text)),
    );
    const all = Promise.all(dripping.map(({ closed }) => closed));
    const bound = timeouts.request + 2_500;
    const ended = await Promise.race([all, pause(bound + 2_000)]);
    const to = performance.now();
    for (const { socket } of dripping) socket.destroy();
    const closed = ended ?? [];
    const most = Math.max(0, ...closed.map(({ milliseconds }) => milliseconds));
    const statuses = [...new Set(closed.map(({ answer }) => answer.split(' ')[1] ?? 'no answer'))].sort().join(', ');
    return [
      promised(
        `Each is answered 408 or 503 and disconnected after its timeout (${timeouts.request / 1_000} s) is over.`,
        ended ? `answered ${statuses}, the last after ${rounded(most)}` : 'some were never disconnected',
        ended !== undefined && most <= bound && closed.every(({ answer }) => /^HTTP\/1\.1 (408|503) /.test(answer)),
      ),
      allAnswered('All other requests are answered.', load.between(from, to)),
      watch.staysGreen(gateways, from),
    ];
  },
};
