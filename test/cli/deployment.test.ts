import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { settings } from '../../src/config/index.ts';
import { optional } from '../support/run/optional.ts';
import { repository } from '../support/run/process.ts';

/** Checks of the deployment files that need neither a container engine nor a running systemd. */

const read = (name: string) => readFile(join(repository, name), 'utf8');

test.each([
  'deploy/compose.yaml',
  'deploy/environment.example',
  'deploy/causeway.service',
  'deploy/Caddyfile',
  'deploy/nginx.conf',
  'Containerfile',
  'docs/operations.md',
])('%s uses only existing settings', async (file) => {
  const named =
    (await read(file)).match(/\b(CAUSEWAY_[A-Z_]+|DATABASE_URL|DATABASE_REPLICA_URL|REDIS_URL|DATA_DIR)\b/g) ?? [];
  expect([...new Set(named)].filter((name) => !(name in settings))).toEqual([]);
});

test('the Containerfile copies files that exist and that .containerignore allows', async () => {
  const copied = [...(await read('Containerfile')).matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) =>
    sources!.split(' '),
  );
  const seen = (await read('.containerignore'))
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  expect(copied.length).toBeGreaterThan(8);
  expect(copied.filter((name) => !existsSync(join(repository, name)))).toEqual([]);
  expect([...new Set(copied)].sort()).toEqual(seen.sort());
});

test('dist/cli.js is executable, as the link in the image needs', async () => {
  const { version } = JSON.parse(await read('package.json')) as { version: string };
  const { stdout } = await promisify(execFile)(join(repository, 'dist/cli.js'), ['--version']);
  expect(stdout).toBe(`${version}\n`);
});

const systemd = optional(
  'systemd-analyze',
  spawnSync('systemd-analyze', ['--version']).status === 0,
  'systemd isn’t installed.',
);

test.skipIf(!systemd)('systemd accepts the unit and rates its sandbox as good', async () => {
  const run = promisify(execFile);
  const unit = join(repository, 'deploy/causeway.service');
  const { stdout, stderr } = await run('systemd-analyze', ['verify', unit]);
  expect(stdout + stderr).toBe('');
  const { stdout: security } = await run('systemd-analyze', ['security', '--offline=yes', '--threshold=25', unit]);
  expect(security).toMatch(/Overall exposure level for causeway.service: [01]\.\d OK/);
});
