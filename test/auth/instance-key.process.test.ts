import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyFingerprints } from '../../src/auth/index.ts';
import { examine } from '../../src/cli/doctor/index.ts';
import { readConfig } from '../../src/config/index.ts';
import { backUpDatabase, restoreDatabase } from '../../src/backups.ts';
import { adoptInstanceKey, withDatabase } from '../../src/maintenance.ts';
import { startGateway } from '../../src/server.ts';
import { dropDatabase, makeDatabase, query } from '../support/databases/database.ts';
import { testGateway } from '../support/gateway.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { killProcesses, repository, startProcess } from '../support/run/process.ts';

/** A gateway starts only with the instance key that the database was used with; errors name their remedy. */

const otherKey = 'another-instance-key-of-32-characters-or-more';
const databases: string[] = [];
let place: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'instance-key-'));
  await chmod(place, 0o755);
});
afterAll(async () => {
  await killProcesses();
  for (const name of databases) await dropDatabase(name);
  await rm(place, { recursive: true, force: true });
});

async function database(from: 'demo' | 'migrated' | 'empty'): Promise<string> {
  const { name, url } = await makeDatabase(from);
  databases.push(name);
  return url;
}

const settings = (url: string, key: string) => ({
  DATABASE_URL: url,
  CAUSEWAY_SECRET_KEY: key,
  CAUSEWAY_LOG_LEVEL: 'error',
  PORT: '0',
});
const given = (url: string, key: string) => readConfig(settings(url, key));
const fingerprint = (key: string) => keyFingerprints({ secretKeys: [key], dataDir: '' })[0]!;
const known = async (url: string) =>
  (await query<{ fingerprint: string }>(url, 'select fingerprint from instance_key')).map((row) => row.fingerprint);
const wrong = {
  name: 'InstanceKeyError',
  message: expect.stringContaining('not the one that this database was used with'),
  remedy: expect.stringMatching(/keys reseal.*keys adopt/),
};
const doctor = async (environment: Record<string, string>) =>
  (await examine(environment)).find(({ name }) => name === 'instance key');

async function start(config: ReturnType<typeof readConfig>): Promise<void> {
  await (await startGateway(config)).stop();
}

describe('a database that several gateways share', () => {
  test('learns its key at the first start, and refuses a start and a command with another, changing nothing', async () => {
    const url = await database('empty');
    await start(given(url, secretKey));
    expect(await known(url)).toEqual([fingerprint(secretKey)]);
    const digests = () => query(url, 'select digest from personal_access_tokens');
    const before = await digests();
    await expect(start(given(url, otherKey))).rejects.toMatchObject(wrong);
    await expect(withDatabase(given(url, otherKey), () => Promise.resolve())).rejects.toMatchObject(wrong);
    expect([await known(url), await digests()]).toEqual([[fingerprint(secretKey)], before]);
    expect(await doctor(settings(url, otherKey))).toMatchObject({
      status: 'problem',
      says: wrong.message,
      remedy: wrong.remedy,
    });
    expect(await doctor(settings(url, secretKey))).toMatchObject({ status: 'ok' });
  });

  test('reports a wrong key to the operator in a sentence and a remedy, without a stack', async () => {
    const { ended, output } = startProcess(settings(await database('demo'), otherKey));
    expect(await ended()).toBe(1);
    expect(output.stderr.trim().split('\n')).toEqual([
      expect.stringContaining(fingerprint(secretKey)),
      expect.stringMatching(/^Put that key back/),
    ]);
  });

  test('of two starts at once with different keys, one counts', async () => {
    const url = await database('migrated');
    const outcomes = await Promise.allSettled(
      [secretKey, otherKey].map((key) => withDatabase(given(url, key), () => Promise.resolve())),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: wrong });
  });

  test('that an older version filled learns the oldest of the keys; doctor names the one that is to replace it', async () => {
    const url = await database('demo');
    await query(url, 'delete from instance_key');
    expect(await doctor(settings(url, `${otherKey},${secretKey}`))).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('the next start notes it'),
    });
    await start(given(url, `${otherKey},${secretKey}`));
    expect(await known(url)).toEqual([fingerprint(secretKey)]);
    expect(await doctor(settings(url, `${otherKey},${secretKey}`))).toMatchObject({
      status: 'warning',
      remedy: expect.stringContaining('keys reseal'),
    });
    await start(given(url, secretKey));
  });

  test('goes on with another key once an operator says that the former is lost', async () => {
    const url = await database('demo');
    expect(await adoptInstanceKey(given(url, secretKey))).toBeNull();
    expect(await adoptInstanceKey(given(url, otherKey))).toBe(fingerprint(secretKey));
    await start(given(url, otherKey));
    await expect(start(given(url, secretKey))).rejects.toMatchObject(wrong);
  });

  test('is backed up with a wrong key too, and the backup names the right one', async () => {
    const gateway = await testGateway();
    const file = join(place, 'wrong-key.gz');
    expect((await backUpDatabase(given(gateway.databaseUrl, otherKey), file, () => undefined)).keys).toEqual([
      fingerprint(secretKey),
    ]);
    const quiet = { signOut: false, progress: () => undefined, onNotice: () => undefined };
    const url = await database('empty');
    await expect(restoreDatabase(given(url, otherKey), file, { otherKey: false, ...quiet })).rejects.toThrow(
      /another instance key/,
    );
    await restoreDatabase(given(url, otherKey), file, { otherKey: true, ...quiet });
    expect(await known(url)).toEqual([fingerprint(otherKey)]);
    await start(given(url, otherKey));
  });
});

describe('a key file beside the gateway’s own database', () => {
  let dataDir: string;
  let file: string;
  let own: string;
  const config = () => readConfig({ DATA_DIR: dataDir, CAUSEWAY_LOG_LEVEL: 'error', CAUSEWAY_DEMO: 'off', PORT: '0' });
  beforeAll(async () => {
    dataDir = join(place, 'data');
    file = join(dataDir, 'secret.key');
    expect(await doctor({ DATA_DIR: dataDir })).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('the first start creates one'),
    });
    await start(config());
    own = await readFile(file, 'utf8');
  });

  /** What a start and `doctor` report about the present key file. */
  async function refused(message: RegExp): Promise<void> {
    const fault = {
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(/Put (back|that key back)/),
    };
    await expect(start(config())).rejects.toMatchObject({ name: 'InstanceKeyError', ...fault });
    expect(await doctor({ DATA_DIR: dataDir })).toMatchObject({
      status: 'problem',
      says: fault.message,
      remedy: fault.remedy,
    });
  }

  test.each([
    ['empty', () => '', /is empty/],
    ['cut short', () => own.slice(0, 20), /is damaged/],
    ['overwritten in the middle', () => `${own.slice(0, 30)}\0\0${own.slice(32)}`, /is damaged/],
    [
      'changed by one digit',
      () => `${own.startsWith('0') ? '1' : '0'}${own.slice(1)}`,
      /not the one that this database was used with/,
    ],
    ['another instance’s', () => otherKey, /not the one that this database was used with/],
  ])('that is %s stops the start, and is left as it is', async (_how, text, message) => {
    await writeFile(file, text());
    await refused(message);
    expect(await readFile(file, 'utf8')).toBe(text());
  });

  test('that is a folder stops the start, and no backup', async () => {
    await rm(file);
    await mkdir(file);
    await refused(/can’t be read: EISDIR/);
    expect((await backUpDatabase(config(), join(place, 'no-key.gz'), () => undefined)).keys).toEqual([
      fingerprint(own.trim()),
    ]);
    await rm(file, { recursive: true });
  });

  test('that is gone isn’t made beside existing data, until an operator says that it is lost', async () => {
    await rm(file, { force: true });
    await refused(/is gone/);
    expect(existsSync(file)).toBe(false);

    await writeFile(join(place, 'copy'), own);
    await rename(join(place, 'copy'), file);
    await start(config());

    await rm(file);
    const { ended, output } = startProcess({ DATA_DIR: dataDir }, [
      process.execPath,
      `${repository}dist/cli.js`,
      'keys',
      'adopt',
      '--json',
    ]);
    expect([await ended(), output.stderr, JSON.parse(output.stdout)]).toEqual([
      0,
      '',
      { former: fingerprint(own.trim()) },
    ]);
    expect(await readFile(file, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    await start(config());
  });
});
