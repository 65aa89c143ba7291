import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { hasCommand, outcomeOf, scriptAt } from '../support/run/packaged.ts';

/**
 * Commands that make of a gateway what a file says, from Debian packages: they read each record, compare it with the
 * file and write what differs. A key that is missing, or shows something else than was written, makes every run write.
 */

let gateway: TestGateway;
const folder = mkdtempSync(join(tmpdir(), 'declared-'));
const environment = {
  PATH: '/usr/bin:/bin',
  HOME: folder,
  LANG: 'C.UTF-8',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};
beforeAll(async () => {
  gateway = await testGateway();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The body that an administrator gets. */
const shown = async (path: string) => {
  const { status, body } = await gateway.rest('GET', `/api/v4/${path}`, { token: gateway.tokens.root });
  expect(status, path).toBe(200);
  return body as never;
};

const gitlabracadabra = '/usr/bin/gitlabracadabra';
describe.skipIf(!hasCommand('gitlabracadabra', gitlabracadabra))('gitlabracadabra', () => {
  const upstream = join(folder, 'upstream');
  const git = (...args: string[]) => outcomeOf('/usr/bin/git', ['-C', upstream, ...args], environment);

  /** Runs it with files of this folder. @returns what it did or says that it can't do, without the names of places */
  async function run(...files: string[]): Promise<string[]> {
    const copies = files.map((file) => {
      const copy = join(folder, file);
      writeFileSync(copy, readFileSync(scriptAt(`gitlabracadabra-${file}`), 'utf8').replaceAll('UPSTREAM', upstream));
      return copy;
    });
    const { code, text } = await outcomeOf(
      gitlabracadabra,
      ['-c', join(folder, 'config'), '-v', ...copies],
      environment,
    );
    expect(code, text).toBe(0);
    return text.split('\n').filter((line) => line !== '');
  }
  const problems = (lines: string[]) => lines.filter((line) => !line.startsWith('INFO'));

  beforeAll(async () => {
    const config = `[global]\ndefault = here\n[here]\nurl = ${gateway.url}\nprivate_token = ${gateway.tokens.root}\n`;
    writeFileSync(join(folder, 'config'), config);
    await outcomeOf('/usr/bin/git', ['init', '--quiet', '--initial-branch', 'main', upstream], environment);
    await git('commit', '--quiet', '--allow-empty', '--message', 'One');
    await git('branch', 'topic');
    await git('tag', 'v1');
  });

  test('sets up people, a group and projects, and then has nothing to change', async () => {
    const first = await run('people.yml', 'places.yml');
    expect(problems(first)).toEqual([]);
    // It can't create a closed milestone: it closes it the next time.
    expect(await run('people.yml', 'places.yml')).toEqual([
      'INFO     [rc-firm] Changing milestone 0.9 state_event: active -> close',
    ]);
    expect(await run('people.yml', 'places.yml')).toEqual([]);
    expect(await shown('projects/rc-firm%2Frc-shop/labels')).toMatchObject([
      { name: 'bug', priority: 1, is_project_label: false },
      { name: 'feature', priority: null },
      { name: 'shop', priority: 0 },
    ]);
  });

  test('mirrors branches and tags of another repository', async () => {
    const branches = 'projects/rc-firm%2Frc-copy/repository/branches';
    expect(await shown(branches)).toMatchObject([{ name: 'upstream/main' }, { name: 'upstream/topic' }]);
    expect(await shown('projects/rc-firm%2Frc-copy/repository/tags')).toMatchObject([{ name: 'upstream-1' }]);
    await git('commit', '--quiet', '--allow-empty', '--message', 'Two');
    expect(await run('places.yml')).toEqual([
      expect.stringContaining(`INFO     [rc-firm/rc-copy] ${upstream} Pushing branch main to upstream/main: `),
    ]);
    expect(await shown(`${branches}/upstream%2Fmain`)).toMatchObject({ commit: { message: 'Two\n' } });
  });

  test('changes all of that, and then has nothing to change', async () => {
    expect(problems(await run('changes.yml'))).toEqual([]);
    expect(await run('changes.yml')).toEqual([]);
  });

  test('hears by name what isn’t offered, and does the rest', async () => {
    expect(problems(await run('refused.yml'))).toEqual([
      'ERROR    [rc-other] Error while processing param boards: 404 Not Found',
      'ERROR    [rc-other/rc-shop] Error while processing param boards: 404 Not Found',
      'ERROR    [rc-other/rc-shop] Unable to change param import_url (None -> https://example.com/shop.git): import_url is not offered',
      'ERROR    [rc-other/rc-shop] Error while processing param webhooks: 404 Not Found',
    ]);
    expect(await shown('projects/rc-other%2Frc-shop')).toMatchObject({ description: 'Done all the same' });
  });

  test('removes people, groups and projects', async () => {
    expect(problems(await run('gone.yml'))).toEqual([]);
    expect(await run('gone.yml')).toEqual([]);
  });
});

const rulez = '/usr/bin/gitlab-rulez';
describe.skipIf(!hasCommand('gitlab-rulez', rulez))('gitlab-rulez', () => {
  /** @returns its exit code, and what it says about the project of the demo */
  async function run(...args: string[]) {
    const access = ['--gitlab-server-url', gateway.url, '--gitlab-api-token', gateway.tokens.root];
    const { code, text } = await outcomeOf(rulez, [...access, ...args], environment);
    return {
      code,
      lines: text.split('\n').filter((line) => /^(project demo|computed|applied|found)/.test(line)),
      text,
    };
  }
  const storefront = (command: string) => run(command, '--filter', 'demo/storefront', scriptAt('gitlab-rulez.yml'));

  beforeAll(async () => {
    const first = { branch: 'main', content: 'A shop', commit_message: 'Begin' };
    const path = '/api/v4/projects/demo%2Fstorefront/repository/files/README.md';
    expect((await gateway.rest('POST', path, { token: gateway.tokens.root, json: first })).status).toBe(201);
  });

  test('lists projects', async () => {
    const { text } = await run('list-projects', '--filter', 'demo/*');
    expect(text).toContain(' demo/storefront\n');
  });

  test('says what its rules change, changes it, and then has nothing to change', async () => {
    const { code, lines } = await storefront('diff');
    expect([code, lines.at(-1)]).toEqual([10, `computed ${lines.length - 1} actions`]);
    expect(lines).toContain('project demo/storefront: protected_branches: edit "main": recreate');
    expect(await storefront('apply')).toMatchObject({
      code: 0,
      lines: [...lines, `applied ${lines.length - 1} actions`],
    });
    for (const command of ['diff', 'apply'])
      expect(await storefront(command)).toMatchObject({ code: 0, lines: ['computed 0 actions'] });
    expect(await shown('projects/demo%2Fstorefront')).toMatchObject({ default_branch: 'stable', topics: ['a', 'b'] });
  });
});
