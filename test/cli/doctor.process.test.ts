import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { examine } from '../../src/cli/doctor/index.ts';
import { databaseUrl, dropDatabase, makeDatabase, query } from '../support/databases/database.ts';
import { testGateway } from '../support/gateway.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { freePort } from '../support/run/ports.ts';
import { killProcesses, startProcess } from '../support/run/process.ts';

const gateway = await testGateway();
const { port: gatewayPort } = new URL(gateway.url);
const settings = { DATABASE_URL: gateway.databaseUrl, CAUSEWAY_SECRET_KEY: secretKey, PORT: String(await freePort()) };
const place = await mkdtemp(join(tmpdir(), 'doctor-'));
afterAll(async () => {
  await killProcesses();
  await rm(place, { recursive: true, force: true });
});

/** The doctor's finding of this name, with additional settings. */
async function says(
  name: string,
  more: Record<string, string> = {},
): Promise<{ status: string; text: string } | undefined> {
  const found = (await examine({ ...settings, ...more })).find((finding) => finding.name === name);
  return found && { status: found.status, text: `${found.says}${found.remedy ? ` → ${found.remedy}` : ''}` };
}

test('a healthy check gives one ok line', async () => {
  const findings = await examine(settings);
  expect(findings.filter(({ status }) => status === 'ok').map(({ name }) => name)).toEqual([
    'Node.js',
    'port',
    'address',
    'database',
    'migrations',
    'clock',
    'connections',
    'search',
    'background jobs',
    'instance key',
    'disk',
    'git',
    'mail',
  ]);
  // The tests' own server runs with fsync off.
  expect(findings.filter(({ status }) => status !== 'ok')).toEqual([
    {
      name: 'durability',
      status: 'problem',
      says: expect.stringContaining('a crash'),
      remedy: expect.stringContaining('fsync'),
    },
  ]);
});

test('each invalid setting is a problem, and no other check runs', async () => {
  const findings = await examine({ PORT: 'many', CAUSEWAY_SECRET_KEY: 'short' });
  expect(findings.map(({ name, status }) => `${name} ${status}`)).toEqual([
    'Node.js ok',
    'settings problem',
    'settings problem',
  ]);
});

test('a port in use by another program is a problem, one in use by a gateway isn’t', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  try {
    const { port } = other.address() as AddressInfo;
    expect(await says('port', { PORT: String(port) })).toMatchObject({
      status: 'problem',
      text: expect.stringContaining('EADDRINUSE'),
    });
  } finally {
    other.close();
  }
  expect(await says('port', { PORT: gatewayPort })).toEqual({
    status: 'ok',
    text: `a gateway listens on ${gatewayPort} already`,
  });
});

test('a database that is unreachable, missing, not migrated, read-only or not UTF8 has its remedy', async () => {
  const at = (url: string) => ({ DATABASE_URL: url });
  expect(await says('database', at('postgres://user@127.0.0.1:1/none'))).toMatchObject({
    status: 'problem',
    text: expect.stringMatching(/ECONNREFUSED.*Start it/),
  });
  expect(await says('database', at(databaseUrl('never_made')))).toMatchObject({
    status: 'problem',
    text: expect.stringMatching(/does not exist.*CREATE DATABASE/),
  });
  const { name, url } = await makeDatabase('empty');
  try {
    expect(await says('migrations', at(url))).toMatchObject({
      status: 'warning',
      text: expect.stringContaining('causeway migrate'),
    });
    await query(databaseUrl('postgres'), `alter database "${name}" set default_transaction_read_only = on`);
    expect(await says('database', at(url))).toMatchObject({
      status: 'problem',
      text: expect.stringContaining('it is read-only'),
    });
  } finally {
    await dropDatabase(name);
  }
  await query(
    databaseUrl('postgres'),
    `create database "${name}" encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`,
  );
  try {
    expect(await says('database', at(url))).toMatchObject({
      status: 'problem',
      text: expect.stringContaining('SQL_ASCII'),
    });
  } finally {
    await dropDatabase(name);
  }
});

test('base address, proxies and demo workspace: what is unsafe gets a warning', async () => {
  expect((await says('address', { HOST: '0.0.0.0' }))?.status).toBe('warning');
  expect(await says('address', { CAUSEWAY_BASE_URL: 'http://causeway.example' })).toMatchObject({
    status: 'warning',
    text: expect.stringContaining('unencrypted'),
  });
  const behindProxy = { CAUSEWAY_BASE_URL: 'https://causeway.example' };
  expect(await says('address', behindProxy)).toEqual({ status: 'ok', text: 'https://causeway.example' });
  expect((await says('proxies', behindProxy))?.status).toBe('warning');
  expect(await says('proxies', { ...behindProxy, CAUSEWAY_TRUSTED_PROXIES: 'loopback' })).toBeUndefined();
  expect((await says('demo workspace', { ...behindProxy, CAUSEWAY_DEMO: 'on' }))?.status).toBe('warning');
});

test('a mail server that doesn’t answer is a problem; its password isn’t shown', async () => {
  const unreachable = {
    CAUSEWAY_SMTP_URL: `smtp://me:hidden-password@127.0.0.1:${await freePort()}`,
    CAUSEWAY_SMTP_FROM: 'causeway@example.com',
  };
  const said = await says('mail', unreachable);
  expect(said).toMatchObject({ status: 'problem', text: expect.stringContaining('ECONNREFUSED') });
  expect(said!.text).not.toContain('hidden-password');
});

test('a Redis that doesn’t answer is a problem; without REDIS_URL there is no check', async () => {
  expect(await says('Redis', { REDIS_URL: `redis://:hidden-password@127.0.0.1:${await freePort()}` })).toEqual({
    status: 'problem',
    text: expect.stringMatching(/^127\.0\.0\.1:\d+ doesn’t answer[^@]*REDIS_URL\.$/),
  });
  expect(await says('Redis')).toBeUndefined();
});

test('an instance key that other accounts can read is a problem; the exit code is 1, with --json too', async () => {
  await writeFile(join(place, 'secret.key'), 'k'.repeat(64));
  await chmod(join(place, 'secret.key'), 0o644);
  const { ended, output } = startProcess({ DATA_DIR: place }, [process.execPath, 'dist/cli.js', 'doctor', '--json']);
  expect([await ended(), output.stderr]).toEqual([1, '']);
  const { findings } = JSON.parse(output.stdout) as { findings: object[] };
  expect(findings).toContainEqual({
    name: 'secret file',
    status: 'problem',
    says: expect.stringContaining('mode 644'),
    remedy: expect.stringContaining('chmod 600'),
  });
  expect(findings).toContainEqual(expect.objectContaining({ name: 'PostgreSQL’s programs', status: 'ok' }));
  expect(findings).toContainEqual({ name: 'database', status: 'ok', says: `the first start creates one in ${place}` });
});
