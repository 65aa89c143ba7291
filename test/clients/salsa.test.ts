import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, test } from 'vitest';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { hasCommand, outcomeOf } from '../support/run/packaged.ts';

/** Debian's command for GitLab, from its package `devscripts`: a client in Perl. */

const program = '/usr/bin/salsa';

describe.skipIf(!hasCommand('devscripts', program))('salsa', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await testGateway();
  });

  const salsa = (...args: string[]) =>
    outcomeOf(program, ['--conf-file', '/dev/null', '--yes', ...args], {
      PATH: '/usr/bin:/bin',
      HOME: tmpdir(),
      SALSA_API_URL: `${gateway.url}/api/v4`,
      SALSA_TOKEN: gateway.tokens.root,
      SALSA_NO_CACHE: '1',
    });
  const inDemo = (...args: string[]) => salsa('--group', 'demo', ...args);
  /** @throws AssertionError if it fails */
  async function done(running: ReturnType<typeof salsa>): Promise<string> {
    const { code, text } = await running;
    expect(code, text).toBe(0);
    expect(text).not.toContain('error');
    return text;
  }

  test('says who one is, and finds people, groups and projects', async () => {
    expect(await done(salsa('whoami'))).toMatch(/Username: root\n/);
    expect(await done(salsa('search_user', 'developer'))).toMatch(/Username : developer\n/);
    expect(await done(salsa('search_group', 'demo'))).toMatch(/Full path: demo\n/);
    expect(await done(salsa('search_project', 'storefront'))).toMatch(/Full path: demo\/storefront\n/);
    expect(await done(inDemo('list_groups'))).toMatch(/Full path: demo\/platform\n/);
    expect(await done(inDemo('list_repos'))).toMatch(/Name: Storefront\n/);
  });

  test('adds a person to a group, changes their role and removes them', async () => {
    const roleOf = async () => /Username {4}: guest\n.*\nAccess level: (\w+)/.exec(await done(inDemo('group')))?.[1];
    expect(await roleOf()).toBe('guest');
    await done(inDemo('update_user', 'reporter', 'guest'));
    expect(await roleOf()).toBe('reporter');
    await done(inDemo('del_user', 'guest'));
    expect(await roleOf()).toBeUndefined();
    await done(inDemo('add_user', 'guest', 'guest'));
    expect(await roleOf()).toBe('guest');
  });

  test('makes a project and changes it; what it checks then is as it was set', async () => {
    const options = ['--desc', '--issues', 'private', '--wiki', 'no', '--mr', 'yes', '--request-access', 'no'];
    await done(inDemo('create_repo', 'packaged', '--desc'));
    const differs = await inDemo('check_repo', 'packaged', ...options);
    expect([differs.code, differs.text]).toEqual([1, expect.stringContaining('packaged')]);
    for (const _ of [1, 2]) await done(inDemo('update_repo', 'packaged', ...options));
    await done(inDemo('check_repo', 'packaged', ...options));
    await done(inDemo('protect_branch', 'packaged', 'main', 'm', 'd'));
    expect(await done(inDemo('protected_branches', 'packaged'))).toMatch(/main +\| Maintainers +\| Developers/);
    await done(inDemo('del_repo', 'packaged'));
    expect((await inDemo('check_repo', 'packaged')).text).toContain('not found');
  });
});
