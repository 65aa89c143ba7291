import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterFile } from '../support/run/after-file.ts';
import { testGateway } from '../support/gateway.ts';
import { killProcesses, startProcess } from '../support/run/process.ts';
import { emptyTarget } from './support/target.ts';

/** `causeway import`, as an operator runs it. */

const origin = await testGateway();
const target = await emptyTarget();
const token = await origin.personalToken('root', ['api', 'sudo', 'read_repository']);
await origin.rest('POST', '/api/v4/projects/demo%2Fstorefront/issues', {
  token: origin.tokens.maintainer,
  json: { title: 'Paint the hull' },
});
const folder = mkdtempSync(join(tmpdir(), 'causeway-import-'));
const tokenFile = join(folder, 'token');
writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 });
afterFile(async () => {
  await killProcesses();
  rmSync(folder, { recursive: true });
});

const start = (args: readonly string[], input = '') =>
  startProcess(target.settings, [process.execPath, 'dist/cli.js', 'import', ...args], input);

async function typed(args: readonly string[], input?: string) {
  const { ended, output } = start(args, input);
  return { code: await ended(), ...output };
}

const usual = ['--from', origin.url, '--token-file', tokenFile, '--same', 'root=root'];

test('a dry run and a whole one', async () => {
  const dry = await typed(['--from', origin.url, '--same', 'root=root', '--dry-run'], token);
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/would do:\n {2}people: 3 created\n/) });

  const report = join(folder, 'report.json');
  const whole = await typed([...usual, '--report', report]);
  expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining(`Imported from ${origin.url}:`) });
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ counts: { people: { refused: 0 } } });
  expect(`${whole.stdout}${whole.stderr}`).not.toContain(token);
  const { body } = await target.rest('GET', '/api/v4/projects', { token: target.token });
  expect(body).toHaveLength(2);
});

test('a single group is taken with its members, by its path', async () => {
  const other = await typed([...usual, '--group', 'demo/platform', '--only', 'groups', '--json', '--dry-run']);
  expect(other.code, other.stderr).toBe(0);
  expect((JSON.parse(other.stdout) as { counts: object }).counts).toMatchObject({ groups: { created: 0, refused: 0 } });
});

test.each([
  [[], { issues: 1, 'merge requests': 0, snippets: 0 }],
  [['--only', 'people'], undefined],
  [['--only', 'issues,snippets', '--since', '2999-01-01'], { issues: 0, snippets: 0 }],
  [['--group', 'demo/platform'], { issues: 0, 'merge requests': 0 }],
])('a dry run with %j counts what the run would read', async (args, there) => {
  const { stdout } = await typed([...usual, ...args, '--dry-run', '--json']);
  expect((JSON.parse(stdout) as { there?: object }).there).toEqual(there);
});

test('a token file that others can read is pointed out', async () => {
  chmodSync(tokenFile, 0o644);
  const { stderr } = await typed([...usual, '--only', 'people', '--dry-run']);
  chmodSync(tokenFile, 0o600);
  expect(stderr).toContain(`Others on this machine can read ${tokenFile}`);
});

test.each([
  [['--from', 'http://gitlab.example.com'], 'plain text', 1],
  [['--from', origin.url, '--token-file', '/nonexistent'], 'can’t be read', 1],
  [['--from', origin.url, '--only', 'wikis'], 'wikis is none of', 2],
  [['--from', origin.url, '--same', 'root'], 'name-there=name-here', 2],
  [['--from', origin.url, '--since', 'yesterday'], 'Write a day', 2],
  [[], '--from', 2],
])('%j is refused', async (args, reason, code) => {
  expect(await typed(args, 'wrong')).toMatchObject({ code, stderr: expect.stringContaining(reason) });
});
