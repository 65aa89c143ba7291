import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync, brotliCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { rawClient, type RawAnswer, type RawRequest } from '../support/requests/raw-client.ts';
import { runs } from '../support/run/runs.ts';

/** Clients that are slow, that send too much, or that say two things at once (row 36, row 44). */

let gateway: TestGateway;
let ask: (request: RawRequest) => Promise<RawAnswer>;
beforeAll(async () => {
  gateway = await testGateway();
  ask = rawClient(gateway.url);
});

const open = ({ url } = gateway): Socket => connect(Number(new URL(url).port), '127.0.0.1');

/** All that is answered to some bytes until the gateway ends the connection. */
async function exchange(...lines: string[]): Promise<string> {
  const socket = open();
  let answered = '';
  socket.on('data', (chunk) => (answered += String(chunk)));
  socket.on('error', () => undefined);
  socket.write(lines.join('\r\n'));
  await once(socket, 'close');
  return answered;
}
const statuses = (answered: string) => [...answered.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));

describe('a body that is packed', () => {
  // Unpacked it would be a hundred times the size of what is read at most.
  const bomb = Buffer.alloc(100 * 2 ** 20, ' ');
  const packed = { gzip: gzipSync(bomb), br: brotliCompressSync(bomb), 'gzip, gzip': gzipSync(gzipSync(bomb)) };
  const targets = [
    ['PUT', '/api/v4/notification_settings', 'application/json'],
    ['PUT', '/api/v4/notification_settings', 'application/x-www-form-urlencoded'],
    ['POST', '/oauth/token', 'application/x-www-form-urlencoded'],
    ['POST', '/graphql', 'application/json'],
    ['POST', '/users/sign_in', 'application/x-www-form-urlencoded'],
  ] as const;

  test.each(
    targets.flatMap((target) => Object.entries(packed).map(([encoding, body]) => [...target, encoding, body] as const)),
  )('isn’t unpacked: %s %s as %s, %s', async (method, path, type, encoding, body) => {
    const headers = { 'private-token': gateway.tokens.guest, 'content-type': type, 'content-encoding': encoding };
    expect((await ask({ method, path, headers, body })).status).toBe(415);
  });

  test('in the one way that packs nothing is read', async () => {
    const headers = {
      'private-token': gateway.tokens.guest,
      'content-type': 'application/json',
      'content-encoding': 'identity',
    };
    expect(
      (await ask({ method: 'PUT', path: '/api/v4/notification_settings', headers, body: '{"level":"mention"}' }))
        .status,
    ).toBe(200);
  });
});

describe('requests on one connection, sent without waiting', () => {
  const request = (path: string, ...headers: string[]) =>
    `GET ${path} HTTP/1.1\r\nhost: x\r\nprivate-token: ${gateway.tokens.guest}\r\n${headers.join('')}\r\n`;

  test('are answered in their order, each by its own answer', async () => {
    const paths = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0 ? '/api/v4/version' : `/api/v4/users/${index}00000`,
    );
    const answered = await exchange(
      paths.map((path) => request(path)).join('') + request('/api/v4/version', 'connection: close\r\n'),
    );
    expect(statuses(answered)).toEqual([...paths.map((path) => (path.endsWith('version') ? 200 : 404)), 200]);
  });

  test('end with the first that isn’t HTTP', async () => {
    const answered = await exchange(request('/api/v4/version') + 'nonsense\r\n\r\n' + request('/api/v4/version'));
    expect(statuses(answered).at(-1)).toBe(400);
  });

  test('don’t hide in the body of another (RFC 9112 §6.3)', async () => {
    const hidden = 'GET /api/v4/version HTTP/1.1\r\nhost: x\r\n\r\n';
    for (const framing of [
      'content-length: 0\r\ntransfer-encoding: chunked',
      `content-length: 0\r\ncontent-length: ${hidden.length}`,
      'transfer-encoding: chunked, identity',
      'transfer-encoding : chunked',
      'content-length: +5',
      'content-length: 0x10',
    ]) {
      expect([
        framing,
        statuses(await exchange('PUT /api/v4/notification_settings HTTP/1.1', 'host: x', framing, '', hidden)),
      ]).toEqual([framing, [400]]);
    }
  });
});

describe('a header that comes twice', () => {
  const twice = (name: string, one: string, other: string) =>
    exchange(
      'GET /api/v4/version HTTP/1.1',
      ...(name === 'host' ? [] : ['host: x']),
      `${name}: ${one}`,
      `${name}: ${other}`,
      'connection: close',
      '',
      '',
    );

  test.each(['private-token', 'authorization', 'sudo', 'content-type', 'host'])(
    'and may come once is refused: %s',
    async (name) => {
      const value = name === 'authorization' ? `Bearer ${gateway.tokens.guest}` : gateway.tokens.guest;
      for (const other of [value, 'x']) expect(statuses(await twice(name, value, other))).toEqual([400]);
    },
  );

  test('and may come twice is read', async () => {
    const answered = await exchange(
      'GET /api/v4/version HTTP/1.1',
      'host: x',
      `private-token: ${gateway.tokens.guest}`,
      'accept: text/html',
      'accept: */*',
      'connection: close',
      '',
      '',
    );
    expect(statuses(answered)).toEqual([200]);
  });
});

test('too many headers, or one that is too long, are refused as such', async () => {
  const many = Array.from({ length: 2_001 }, (_, index) => `x-${index}: ${'y'.repeat(20)}`);
  expect(statuses(await exchange('GET /api/v4/version HTTP/1.1', 'host: x', ...many, '', ''))).toEqual([431]);
  expect(statuses(await exchange(`GET /api/v4/version?${'x'.repeat(20_000)} HTTP/1.1`, 'host: x', '', ''))).toEqual([
    431,
  ]);
});

// In the long form with the limits of a gateway as it comes, which are counted in tens of seconds.
describe('a client that takes its time', () => {
  let patient: TestGateway;
  beforeAll(async () => {
    patient = runs > 1 ? gateway : await testGateway({ CAUSEWAY_BODY_TIMEOUT: '1000' }, gateway);
  });

  test.concurrent.each([
    ['with its headers is refused', 'GET /api/v4/version HTTP/1.1\r\nhost: x\r\n', () => '', 'x: y\r\n', [408]],
    // In the long form there are more than one address may send at once, of which the first make room.
    [
      'with its body is refused',
      'PUT /api/v4/notification_settings HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n',
      () => `private-token: ${patient.tokens.guest}\r\n\r\n`,
      ' ',
      runs > 1 ? [408, 503] : [408],
    ],
    // A balancer that connects in advance would take a word for the answer to what it asks just then.
    ['with everything is disconnected without an answer', '', () => '', '', [undefined]],
  ])(
    '%s, and meanwhile others are served',
    async (_what, start, rest, drop, statusesOfOne) => {
      const slow = Array.from({ length: runs > 1 ? 200 : 20 }, () => open(patient));
      const closed = slow.map(async (socket) => {
        let answered = '';
        socket.on('data', (chunk) => (answered += String(chunk)));
        socket.on('error', () => undefined);
        await once(socket, 'close');
        return statuses(answered);
      });
      for (const socket of slow) socket.write(start + rest());
      const dripping = setInterval(() => slow.forEach((socket) => socket.writable && socket.write(drop)), 100);
      const meanwhile = await rawClient(patient.url)({
        path: '/api/v4/version',
        headers: { 'private-token': patient.tokens.guest },
      });
      expect(meanwhile.status).toBe(200);
      for (const answered of await Promise.all(closed)) {
        expect(answered.length).toBeLessThanOrEqual(1);
        expect(statusesOfOne).toContain(answered[0]);
      }
      clearInterval(dripping);
    },
    120_000,
  );
});
