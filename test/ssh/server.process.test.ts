import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { afterFile } from '../support/run/after-file.ts';
import { makeDatabase } from '../support/databases/database.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { killProcesses, startProcess } from '../support/run/process.ts';
import { psLines } from '../support/run/programs.ts';
import { scrapeOf } from '../support/requests/scrape.ts';
import { scratch } from '../support/databases/scratch.ts';
import { command, freePort, newKey } from './support/gateway.ts';

/** Git over SSH as an operator starts it. */

afterFile(killProcesses);

/** The processes that a process started. */
const childrenOf = (pid: number): number[] =>
  psLines('-A', '-o', 'pid=,ppid=,args=')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === pid && args.at(-1) === 'ssh')
    .map(([child]) => Number(child));

/** Repeats until something doesn't throw, at most so often. */
async function eventually<T>(act: () => Promise<T>, most = 100): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await act();
    } catch (error) {
      if (tried === most) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

test('causeway start runs it, replaces it when it dies, and stops it', async () => {
  const { url: databaseUrl } = await makeDatabase('demo');
  const port = await freePort();
  const dataDir = join(scratch(), `causeway-files-${randomUUID()}`);
  afterFile(() => rm(dataDir, { recursive: true, force: true }));
  const gateway = startProcess({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    CAUSEWAY_SECRET_KEY: secretKey,
    CAUSEWAY_SSH_PORT: String(port),
    CAUSEWAY_LOG_LEVEL: 'error',
    PORT: '0',
  });
  const url = await gateway.ready();
  const key = newKey();
  // Nobody has this key; that it is refused so shows who listens.
  const asked = () => eventually(() => expect(command(port, key, '')).rejects.toThrow('authentication methods'));
  await asked();
  const [first] = childrenOf(gateway.child.pid!);
  expect(first).toBeGreaterThan(0);
  // The gateway counts what that process told it of.
  await eventually(async () =>
    expect((await scrapeOf(url)).get('causeway_ssh_connections_total{outcome="taken"}')).toBeGreaterThan(0),
  );
  process.kill(first!, 'SIGKILL');
  await eventually(async () => expect(childrenOf(gateway.child.pid!)).not.toEqual([first]));
  await asked();
  const [second] = childrenOf(gateway.child.pid!);
  expect(await gateway.stop('SIGTERM')).toBe(0);
  expect(() => process.kill(second!, 0)).toThrow('ESRCH');
  expect(gateway.output.stdout + gateway.output.stderr).toContain('the process for git over SSH exited');
});

test('a port that is taken ends the start, with a remedy', async () => {
  const { url } = await makeDatabase('demo');
  const port = await freePort();
  const { createServer } = await import('node:net');
  const taken = createServer().listen(port, '127.0.0.1');
  afterFile(() => new Promise((resolve) => taken.close(resolve)));
  const gateway = startProcess({
    DATABASE_URL: url,
    DATA_DIR: join(scratch(), `causeway-files-${randomUUID()}`),
    CAUSEWAY_SECRET_KEY: secretKey,
    CAUSEWAY_SSH_PORT: String(port),
    PORT: '0',
  });
  expect(await gateway.ended()).toBe(1);
  expect(gateway.output.stderr).toContain(`Git over SSH can’t listen on port ${port}`);
  expect(gateway.output.stderr).toContain('CAUSEWAY_SSH_PORT');
});
