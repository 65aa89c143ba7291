import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { Arrivals } from '../../src/http/arrivals.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { logged } from '../support/run/logged.ts';
import { scrapeOf } from '../support/requests/scrape.ts';

/** Requests whose bodies are on their way: they aren't under way, and delay no other request (row 44). */

const lines = logged();
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway({
    CAUSEWAY_TRUSTED_PROXIES: 'loopback',
    CAUSEWAY_MAX_REQUESTS: '10',
    CAUSEWAY_REQUEST_TIMEOUT: '1000',
    CAUSEWAY_MAX_BODIES: '30',
    CAUSEWAY_MAX_BODIES_PER_ADDRESS: '20',
    CAUSEWAY_LOG_LEVEL: 'info',
    CAUSEWAY_ACCESS_LOG: 'on',
  });
});

interface Slow {
  readonly socket: Socket;
  /** All that was answered, once the connection is closed. */
  readonly closed: Promise<string>;
  /** So far. */
  readonly answered: () => string;
}

/** Begins a request whose body is announced and doesn't come. */
async function begin(
  address: string,
  { method = 'PUT', path = '/api/v4/notification_settings', type = 'application/json' } = {},
): Promise<Slow> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  let answered = '';
  socket.on('data', (bytes) => (answered += String(bytes))).on('error', () => undefined);
  const closed = once(socket, 'close').then(() => answered);
  await once(socket, 'connect');
  socket.write(
    `${method} ${path} HTTP/1.1\r\nhost: x\r\nprivate-token: ${gateway.tokens.guest}\r\nx-forwarded-for: ${address}\r\ncontent-type: ${type}\r\ncontent-length: 19\r\n\r\n`,
  );
  return { socket, closed, answered: () => answered };
}
const begun = (count: number, address: string) => Promise.all(Array.from({ length: count }, () => begin(address)));
const numbers = async () => {
  const found = await scrapeOf(gateway.url);
  return {
    arriving: found.get('causeway_requests_arriving'),
    underWay: found.get('causeway_requests_under_way'),
    shed: found.get('causeway_requests_shed_total')!,
  };
};
const arriving = (count: number) =>
  vi.waitFor(async () => expect((await numbers()).arriving).toBe(count), { timeout: 10_000 });
const leave = async (...slow: Slow[]) => {
  for (const { socket } of slow) socket.destroy();
  await arriving(0);
};
const change = (address: string) =>
  gateway.rest('PUT', '/api/v4/notification_settings', {
    token: gateway.tokens.guest,
    json: { level: 'watch' },
    headers: { 'x-forwarded-for': address },
  });

test('slow bodies don’t count as requests under way: more of them than the limit leave others alone', async () => {
  const slow = await begun(20, '203.0.113.1');
  await arriving(20);
  expect((await numbers()).underWay).toBe(0);
  const others = await Promise.all(Array.from({ length: 10 }, () => change('203.0.113.2')));
  expect(others.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  await leave(...slow);
});

test('a body that takes longer than the request timeout is answered once it is complete', async () => {
  const slow = await begin('203.0.113.3');
  slow.socket.write('{"level":');
  await pause(1_600);
  slow.socket.write('"mention"}');
  await vi.waitFor(() => expect(slow.answered()).toMatch(/^HTTP\/1\.1 200 .*"mention"/s), { timeout: 10_000 });
  await leave(slow);
});

test('above the limit of an address, its oldest body is answered 503 in the dialect of its door, and a quick request from there is served', async () => {
  const { shed } = await numbers();
  const oldest = await begin('203.0.113.4');
  await arriving(1);
  const page = await begin('203.0.113.4', {
    method: 'POST',
    path: '/users/sign_in',
    type: 'application/x-www-form-urlencoded',
  });
  await arriving(2);
  const others = await begun(18, '203.0.113.4');
  await arriving(20);
  const elsewhere = await begin('203.0.113.5');
  await arriving(21);
  expect((await change('203.0.113.4')).status).toBe(200);
  expect(await oldest.closed).toMatch(
    /^HTTP\/1\.1 503 .*retry-after: 1.*connection: close.*\{"message":"503 Service Unavailable"\}$/is,
  );
  expect((await change('203.0.113.4')).status).toBe(200);
  // Since the oldest is gone the quick ones have room.
  expect(page.answered()).toBe('');
  const next = await begin('203.0.113.4');
  await arriving(21);
  const last = await begin('203.0.113.4');
  expect(await page.closed).toMatch(/^HTTP\/1\.1 503 .*text\/html.*The gateway is overloaded/is);
  expect((await numbers()).shed).toBe(shed + 2);
  expect([...others, elsewhere, next, last].map(({ answered }) => answered())).toEqual(
    Array.from({ length: 21 }, () => ''),
  );
  await vi.waitFor(() =>
    expect(lines.map(({ message }) => message)).toContain(
      'requests whose bodies were on their way made room for others',
    ),
  );
  await leave(...others, elsewhere, next, last);
});

test('above the limit of all addresses, the one that has the most bodies makes room', async () => {
  const few = await begun(5, '203.0.113.6');
  await arriving(5);
  const many = await begun(20, '203.0.113.7');
  await arriving(25);
  const more = await begun(15, '203.0.113.8');
  const standing = (slow: Slow[]) => slow.filter(({ answered }) => answered() === '').length;
  await vi.waitFor(() => expect(standing(few) + standing(many) + standing(more)).toBe(30), { timeout: 10_000 });
  expect([standing(few), standing(many), standing(more)]).toEqual([5, 12, 13]);
  await leave(...few, ...many, ...more);
});

describe('a client that leaves in the middle of a body', () => {
  const doors = [
    ['REST', 'PUT', '/api/v4/notification_settings', 'application/json'],
    ['OAuth', 'POST', '/oauth/token', 'application/x-www-form-urlencoded'],
    ['GraphQL', 'POST', '/graphql', 'application/json'],
    ['pages', 'POST', '/users/sign_in', 'application/x-www-form-urlencoded'],
    ['a page that isn’t there', 'POST', '/nowhere/at/all', 'multipart/form-data; boundary=x'],
  ] as const;

  test.each(doors)(
    'is no defect in the log, whether it breaks the connection or closes it: %s',
    async (_door, method, path, type) => {
      const from = lines.length;
      for (const how of ['resetAndDestroy', 'destroy', 'end'] as const) {
        const slow = await begin('203.0.113.9', { method, path, type });
        slow.socket.write('{"quer');
        await arriving(1);
        slow.socket[how]();
        await arriving(0);
      }
      // A defect names the path too.
      const since = () => lines.slice(from).filter((line) => line.path === path);
      await vi.waitFor(() => expect(since()).toHaveLength(3));
      expect(since().map(({ message, status }) => [message, status])).toEqual(
        Array.from({ length: 3 }, () => ['request', 0]),
      );
    },
  );
});

describe('the bytes that bodies on their way hold', () => {
  test('are bounded together: the oldest of the address with the most makes room, and what is done counts no more', () => {
    const mebibyte = 2 ** 20;
    const arrivals = new Arrivals({ bodies: 1_000, bodiesPerAddress: 1_000 });
    const turnedAway: string[] = [];
    const begin = (address: string, name: string) => arrivals.begin(address, () => void turnedAway.push(name));
    const [small, done] = [begin('192.0.2.1', 'small'), begin('192.0.2.1', 'done')];
    small.grow(mebibyte);
    done.grow(30 * mebibyte);
    done.end();
    done.end();
    // One address, for it is a /64 of IPv6.
    const large = Array.from({ length: 64 }, (_, index) => begin(`2001:db8::${index + 1}`, `large ${index}`));
    for (const one of large) one.grow(mebibyte);
    expect(turnedAway).toEqual(['large 0']);
    // What was turned away grows no more.
    large[0]!.grow(mebibyte);
    small.grow(mebibyte);
    expect([turnedAway, arrivals.size, arrivals.turnedAway]).toEqual([['large 0', 'large 1'], 63, 2]);
    for (const one of [small, ...large]) one.end();
    expect(arrivals.size).toBe(0);
  });
});
