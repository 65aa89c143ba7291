import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { asking, runSlice, type Call } from '../load.ts';
import { median, type Check } from '../report.ts';
import type { Server } from '../server.ts';
import { startSide } from '../sides.ts';
import type { Store } from '../store.ts';
import { settings } from '../workload/rest.ts';
import { credentials, post } from '../workload/request.ts';

/**
 * Measures what one hostile connection of each kind does to others: the p95 of settings reads over sixteen connections
 * while it runs, against the quiet p95 of the same round.
 */

const rounds = 5;
/** Seconds of a slice, approximately. */
const seconds = 1;
const connections = 16;
/** The limit: p95 under attack as a multiple of the quiet p95. */
const bound = 3;

/** Starts the attack. @returns stops it */
type Hostile = (server: Server, store: Store) => Promise<() => Promise<void>>;

const document = (query: string): Call => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query }),
});

/** One connection that sends the next request as soon as it has a response, whatever that is. */
const asked =
  (next: (turn: number, store: Store) => Call): Hostile =>
  async ({ origin }, store) => {
    const client = new Client(origin, { pipelining: 1 });
    let going = true;
    const running = (async () => {
      for (let turn = 0; going; turn++) {
        const { method = 'GET', path, headers = {}, body = null } = next(turn, store);
        await (await client.request({ method, path, headers, body })).body.dump();
      }
    })();
    return async () => {
      going = false;
      await running;
      await client.close();
    };
  };

/** So many connections from one address that send a body of 150 kB very slowly. */
const slowBodies =
  (count: number): Hostile =>
  async ({ origin }) => {
    const { hostname, port } = new URL(origin);
    const head = `POST /api/v4/projects HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: 150000\r\n\r\n{`;
    const sockets: Socket[] = [];
    for (let at = 0; at < count; at++) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined).resume();
      sockets.push(socket);
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
      socket.write(head);
    }
    const drip = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write(' ')), 500);
    return async () => {
      clearInterval(drip);
      for (const socket of sockets) socket.destroy();
      await sleep(200);
    };
  };

const kinds: Readonly<Record<string, Hostile>> = {
  // Each twice: a repeated document is cached.
  'documents of 10 kB': asked((turn) =>
    document(`query Hostile${turn >> 1} { user(username: "${'x'.repeat(9_900)}") { id } }`),
  ),
  'documents of 518 connections': asked((turn) =>
    document(`query H${turn % 1_000} {${'projects{nodes{id}}'.repeat(518)}}`),
  ),
  'documents as costly to validate as they may be': asked((turn) =>
    document(`query H${turn} { ${'currentUser { id name } '.repeat(80)} }`),
  ),
  'slow bodies': slowBodies(1_100),
  'guessed passwords': asked((turn, { people }) =>
    post('/oauth/token', {
      grant_type: 'password',
      ...credentials,
      username: people[turn % people.length]!.username,
      password: `guess ${turn}`,
    }),
  ),
  'guessed passwords of made-up names': asked((turn) =>
    post('/oauth/token', {
      grant_type: 'password',
      ...credentials,
      username: `unknown-${turn}`,
      password: `guess ${turn}`,
    }),
  ),
  'unknown tokens': asked((turn) => ({
    path: '/api/v4/user',
    headers: { 'private-token': `cwpat_${turn}`.padEnd(49, 'x') },
  })),
  'searches without an account': asked((turn) => ({ path: `/api/v4/projects?search=${turn % 1_000}&per_page=100` })),
  pages: asked((turn) => ({ path: turn % 2 === 0 ? '/users/sign_in' : '/docs' })),
  'fetches of what is not there': asked((turn) => ({
    path: `/nobody/repository-${turn}.git/info/refs?service=git-upload-pack`,
  })),
  'runners with made-up tokens': asked((turn) => ({
    method: 'POST',
    path: '/api/v4/jobs/request',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: `made-up-${turn}`, info: { name: 'x', features: {} } }),
  })),
  'device codes': asked(() =>
    post('/oauth/authorize_device', { client_id: credentials.client_id, scope: 'read_user' }),
  ),
};

/** @returns a ratio for each kind: the median of its rounds; infinite when others were refused */
export async function measureHostile(store: Store, print: (message: string) => void): Promise<Check[]> {
  const server = await startSide('causeway', store);
  try {
    const calls = settings(store, asking(server));
    const slice = (count: number) => runSlice(server, calls, count, connections);
    let warm = await slice(500);
    for (let more = 0; more < 5; more++) warm = await slice(Math.round((warm.requests / warm.seconds) * seconds));
    const count = Math.round((warm.requests / warm.seconds) * seconds);
    const p95 = async () => (await slice(count)).latencies.percentile(95) / 1e6;
    const ratios = new Map<string, number[]>(Object.keys(kinds).map((kind) => [kind, []]));
    for (let round = 0; round < rounds; round++) {
      for (const [kind, begin] of Object.entries(kinds)) {
        const quiet = await p95();
        const end = await begin(server, store);
        try {
          // Give it time to start before the others are measured.
          await sleep(200);
          const beside = await p95().catch(
            (error: Error) => (print(`${kind}: others are refused: ${error.message.slice(0, 200)}`), Infinity),
          );
          print(`… hostile connections, ${kind}: ${beside.toFixed(1)} ms beside it, ${quiet.toFixed(1)} ms without`);
          ratios.get(kind)!.push(beside / quiet);
        } finally {
          await end();
        }
      }
    }
    return [...ratios].map(([kind, found]) => ({
      name: `hostile connections: ${kind}, p95 of others`,
      value: median(found),
      unit: 'times quiet',
      bound,
    }));
  } finally {
    await server.stop();
  }
}
