import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startEmbeddedPostgres } from '../../src/database/embedded/index.ts';
import { optional } from '../support/run/optional.ts';
import { killProcesses, startProcess } from '../support/run/process.ts';

/** A start that can't succeed prints one sentence and its remedy, never a stack. */

let place: string;
let dataDir: string;
const cluster = (name: string) => join(dataDir, 'postgres', name);
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'broken-starts-'));
  await chmod(place, 0o755);
  dataDir = join(place, 'data');
  await (await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })).stop();
});
afterAll(async () => {
  await killProcesses();
  await rm(place, { recursive: true, force: true });
});

/** Starts the gateway, which fails. @returns the two lines that it prints */
async function failed(folder: string): Promise<string[]> {
  const { ended, output } = startProcess({ DATA_DIR: folder, CAUSEWAY_LOG_LEVEL: 'error' });
  expect([await ended(), output.stdout]).toEqual([1, '']);
  const lines = output.stderr.trim().split('\n');
  expect(lines).toHaveLength(2);
  return lines;
}

describe('a data folder that can’t be made', () => {
  test.each([
    [
      'below a file',
      () => join(place, 'file', 'data'),
      /^The data folder \S+ can't be used: ENOTDIR/,
      /^Remove the file that is in the place of a folder/,
    ],
    [
      'because it is a file',
      () => join(place, 'file'),
      /^The data folder \S+ can't be used: EEXIST/,
      /^Remove the file that is in the place of a folder/,
    ],
    [
      'because the system allows no folders there',
      () => '/proc/nothing/data',
      /^The data folder \S+ can't be used: ENOENT/,
      /^Set DATA_DIR to a folder that can be made/,
    ],
  ])('%s', async (_why, folder, sentence, remedy) => {
    await writeFile(join(place, 'file'), '');
    expect(await failed(folder())).toEqual([expect.stringMatching(sentence), expect.stringMatching(remedy)]);
  });
});

describe('a file of the database', () => {
  /** Runs a start while a file is damaged, then restores the file. */
  async function failedWhile(file: string, becomes: (file: string) => Promise<unknown>): Promise<string[]> {
    const there = await stat(file).catch(() => undefined);
    if (there) await rename(file, `${file}.kept`);
    try {
      await becomes(file);
      return await failed(dataDir);
    } finally {
      await rm(file, { recursive: true, force: true });
      if (there) await rename(`${file}.kept`, file);
    }
  }
  const nothing = () => Promise.resolve();
  const empty = (file: string) => writeFile(file, '');
  const folder = (file: string) => mkdir(file);
  const other = (file: string) => writeFile(file, '{"a":1}');
  const passwords = 'causeway-passwords.json';

  test.each([
    [passwords, 'is gone', nothing, /passwords .* can't be read: ENOENT/, /Put back the causeway-passwords.json/],
    [passwords, 'is a folder', folder, /passwords .* can't be read: EISDIR/, /Put back the causeway-passwords.json/],
    [passwords, 'is empty', empty, /passwords .* are damaged/, /Put back the causeway-passwords.json/],
    [passwords, 'holds something else', other, /passwords .* are damaged/, /Put back the causeway-passwords.json/],
    ['PG_VERSION', 'is empty', empty, /PG_VERSION is damaged/, /from a copy/],
    ['PG_VERSION', 'is a folder', folder, /PG_VERSION is damaged/, /from a copy/],
    ['global/pg_control', 'is gone', nothing, /does not start on .*pg_control/, /Remove the cause it names/],
    [
      '../postgres.log',
      'is a folder',
      folder,
      /can't be used: EISDIR.*postgres\.log/,
      /^Remove the folder that is in the place of a file/,
    ],
    ['../secret.key', 'is a folder', folder, /secret\.key can’t be read: EISDIR/, /Put back secret.key/],
    ['../secret.key', 'is empty', empty, /secret\.key is empty/, /Put back secret.key/],
  ])('%s that %s', async (name, _how, becomes, sentence, remedy) => {
    expect(await failedWhile(cluster(name), becomes)).toEqual([
      expect.stringMatching(sentence),
      expect.stringMatching(remedy),
    ]);
  });
});

describe.runIf(optional('mount', canMount(), 'A small file system can’t be mounted here: that takes root on Linux.'))(
  'a full disk',
  () => {
    async function onDisk(megabytes: number, work: (disk: string) => Promise<void>): Promise<void> {
      const disk = await mkdtemp(join(place, 'disk-'));
      mount(disk, megabytes);
      try {
        await work(disk);
      } finally {
        execFileSync('umount', ['-l', disk]);
      }
    }

    test('at the first start, which leaves nothing behind', () =>
      onDisk(8, async (disk) => {
        expect(await failed(join(disk, 'data'))).toEqual([
          expect.stringMatching(/^The database can't be made \(initdb\): the disk of \S+ is full\.$/),
          expect.stringMatching(/^Make room on the disk/),
        ]);
        const { blocks, bfree, bsize } = await statfs(disk);
        expect((blocks - bfree) * bsize).toBeLessThan(100_000);
      }));

    test('at a later one', () =>
      onDisk(100, async (disk) => {
        execFileSync('cp', ['-a', dataDir, join(disk, 'data')]);
        await writeFile(join(disk, 'ballast'), Buffer.alloc(100_000_000)).catch(() => undefined);
        expect(await failed(join(disk, 'data'))).toEqual([
          expect.stringMatching(/^PostgreSQL does not start on \S+: the disk of \S+ is full\.$/),
          expect.stringMatching(/^Make room on the disk/),
        ]);
      }));
  },
);

test('the database’s log is bounded while it runs, and its last part is kept beside it', async () => {
  const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
  const log = join(dataDir, 'postgres.log');
  const client = new pg.Client(server.connection);
  await client.connect();
  try {
    const write = (text: string) => client.query(`do $$ begin raise log '%', ${text}; end $$`);
    for (let nth = 0; nth < 7; nth++) await write(`'number ${nth} ' || repeat('x', 1000000)`);
    await vi.waitFor(async () => expect((await stat(log)).size).toBeLessThan(100_000), {
      timeout: 30_000,
      interval: 100,
    });
    const former = await stat(`${log}.1`);
    expect([former.size, former.mode & 0o777]).toEqual([5_000_000, 0o600]);
    execFileSync('grep', ['-q', 'number 6 ', `${log}.1`]);
    // PostgreSQL continues in the same file, from its beginning.
    await write(`'and on'`);
    expect((await stat(log)).size).toBeLessThan(100_000);
    execFileSync('grep', ['-q', 'and on', log]);
  } finally {
    await client.end();
    await server.stop();
  }
});

function mount(folder: string, megabytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder], { stdio: 'pipe' });
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mount-'));
  try {
    mount(folder, 1);
    execFileSync('umount', ['-l', folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
}
