import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { steadyLoad } from '../support/run/load.ts';
import { killProcesses, startProcess, type GatewayProcess } from '../support/run/process.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
});
afterAll(killProcesses);

async function started(settings: Record<string, string> = {}): Promise<{ gateway: GatewayProcess; url: string }> {
  const begun = startProcess({
    DATABASE_URL: gateway.databaseUrl,
    CAUSEWAY_SECRET_KEY: secretKey,
    CAUSEWAY_DEMO: 'on',
    ...settings,
  });
  return { gateway: begun, url: await begun.ready() };
}
const settings = '/api/v4/notification_settings';
const statusOf = async (url: string) => (await fetch(url)).status;

/** @returns a connection, and what comes back on it until it is closed */
function connection(url: string): { socket: Socket; closed: Promise<string> } {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  let text = '';
  const closed = new Promise<string>((resolve) =>
    socket.on('data', (bytes) => (text += bytes.toString())).on('close', () => resolve(text)),
  );
  return { socket, closed };
}

describe('a gateway that stops', () => {
  test('under load answers every request that it let in', async () => {
    const { gateway: stopping, url } = await started();
    await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'private-token': gateway.tokens.guest },
      body: JSON.stringify({ query: 'query Who { currentUser { id } }' }),
    });
    const load = steadyLoad(url + settings, {
      perSecond: 150,
      connections: 32,
      headers: { 'private-token': gateway.tokens.guest },
    });
    await vi.waitFor(() => expect(load.outcomes.answered[200]).toBeGreaterThan(300), { timeout: 30_000 });
    expect(await stopping.stop()).toBe(0);
    const { answered, closing, refused, lost } = await load.stop();
    expect(lost).toEqual([]);
    expect(Object.keys(answered)).toEqual(['200']);
    expect(closing).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
    // Each of them has its line, the last ones too.
    const lines = stopping.output.stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const told = lines.filter(({ path }) => path === settings);
    expect(told).toHaveLength(answered[200]!);
    const viewer = Number(
      (await gateway.operator<{ user: { id: number } }>('{ user(username: "guest") { id: databaseId } }')).user.id,
    );
    expect(told[0]).toMatchObject({
      message: 'request',
      route: `GET ${settings}`,
      fields: 'notificationSettings',
      status: 200,
      viewer,
      statements: expect.any(Number),
      databaseMilliseconds: expect.any(Number),
    });
    expect(lines.find(({ route }) => route === 'graphql')).toMatchObject({
      operation: 'Who',
      fields: 'currentUser',
      cost: 2,
      viewer,
    });
  });

  test('first reports that it isn’t ready, and serves requests for the configured delay', async () => {
    const { gateway: stopping, url } = await started({ CAUSEWAY_DRAIN_DELAY: '2000' });
    stopping.child.kill('SIGTERM');
    await vi.waitFor(async () => expect(await statusOf(`${url}/-/readiness`)).toBe(503), { interval: 20 });
    const response = await fetch(`${url}/-/readiness`);
    expect(await response.json()).toEqual({
      status: 'failed',
      db_check: [{ status: 'ok' }],
      migrations_check: [{ status: 'ok' }],
      draining_check: [{ status: 'failed', message: 'The gateway is stopping.' }],
    });
    expect(await statusOf(`${url}/-/liveness`)).toBe(200);
    expect(await statusOf(`${url}${settings}`)).toBe(401);
    expect(await stopping.ended()).toBe(0);
  });

  test('waits for a request that is half received, but for no silent or idle connection', async () => {
    const { gateway: stopping, url } = await started({ CAUSEWAY_DRAIN_TIMEOUT: '600000' });
    const silent = connection(url);
    const idle = connection(url);
    idle.socket.write('GET /-/health HTTP/1.1\r\nhost: x\r\n\r\n');
    await new Promise((resolve) => idle.socket.once('data', resolve));
    const half = connection(url);
    half.socket.write('GET /api/v4/version HTTP/1.1\r\nhost: x\r\n');
    await statusOf(`${url}/-/health`);
    stopping.child.kill('SIGTERM');
    expect(await silent.closed).toBe('');
    expect(await idle.closed).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Causeway OK$/);
    half.socket.write(`private-token: ${gateway.tokens.guest}\r\n\r\n`);
    expect(await half.closed).toMatch(/^HTTP\/1\.1 200 OK\r\n(?=[^]*connection: close\r\n)[^]*"version"/i);
    expect(await stopping.ended()).toBe(0);
  });
});
