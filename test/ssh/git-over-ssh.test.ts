import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { gitClient, plainGit, temporaryFolder } from '../git/support/engine.ts';
import { signIn } from '../support/pages/browser-session.ts';
import { addMember, newUser, type TestUser } from '../support/places/people.ts';
import { newProject } from '../repository/support/project.ts';
import { workTree } from '../repository/support/clone.ts';
import { command, keyOf, newKey, sshGateway, through, type TestKey } from './support/gateway.ts';

const { gateway, port, start } = await sshGateway();
await start();
const { rest, tokens, sql } = gateway;

const urlOf = ({ fullPath }: { fullPath: string }, user = 'git') => `ssh://${user}@127.0.0.1:${port}/${fullPath}.git`;
const hidden = "ERROR: The project you were looking for could not be found or you don't have permission to view it.";

let maintainer: TestKey;
let developer: TestKey;
let stranger: TestKey;
let someone: TestUser;
let project: Awaited<ReturnType<typeof newProject>>;

beforeAll(async () => {
  someone = await newUser(gateway, 'ssh-stranger');
  const keys = [tokens.maintainer, tokens.developer, someone.token].map((token) => keyOf(gateway, token));
  [maintainer, developer, stranger] = (await Promise.all(keys)) as [TestKey, TestKey, TestKey];
  project = await newProject(gateway);
  await addMember(gateway, { id: '3' }, 'DEVELOPER', { project: project.fullPath });
});

const clone = async (key: TestKey, url: string, ...options: string[]) => {
  const folder = temporaryFolder();
  return {
    ...(await gitClient(folder, [...through(key), 'clone', ...options, url, 'clone'])),
    folder: `${folder}/clone`,
  };
};
const push = (folder: string, key: TestKey, ...args: string[]) =>
  gitClient(folder, [...through(key), 'push', 'origin', ...args]);

describe('git', () => {
  test('pushes to an empty repository, clones, fetches and pushes again', async () => {
    const work = workTree(urlOf(project));
    const first = work.commit('first');
    expect(await push(work.folder, maintainer, 'main')).toMatchObject({ code: 0 });
    const { body } = await rest('GET', `${project.path}/repository/branches/main`, { token: tokens.maintainer });
    expect(body).toMatchObject({ name: 'main', default: true, commit: { id: first } });

    const copy = await clone(developer, urlOf(project));
    expect(copy.code, copy.text).toBe(0);
    expect(plainGit(copy.folder, ['rev-parse', 'HEAD'])).toBe(first);
    const second = work.commit('second');
    expect(await push(work.folder, maintainer, 'main', 'HEAD:refs/heads/side', 'HEAD:refs/tags/v1')).toMatchObject({
      code: 0,
    });
    expect(await gitClient(copy.folder, [...through(developer), 'pull', '--ff-only'])).toMatchObject({ code: 0 });
    expect(plainGit(copy.folder, ['rev-parse', 'HEAD'])).toBe(second);
    // Nothing to do, in both directions.
    expect(await push(work.folder, maintainer, 'main')).toMatchObject({
      code: 0,
      text: expect.stringContaining('up-to-date'),
    });
    expect(await gitClient(copy.folder, [...through(developer), 'fetch'])).toMatchObject({ code: 0 });
    const actors = await sql<{ username: string }>(
      `select distinct u.username from ref_changes c join users u on u.id = c.actor_id where c.project_id = $1`,
      [project.id],
    );
    expect(actors).toEqual([{ username: 'maintainer' }]);
  });

  test.each(['0', '1', '2'])('speaks version %s, also for shallow and partial clones', async (version) => {
    for (const options of [[], ['--depth=1'], ['--filter=blob:none', '--no-checkout']]) {
      const copy = await clone(developer, urlOf(project), '-c', `protocol.version=${version}`, ...options);
      expect(copy.code, copy.text).toBe(0);
    }
  });

  test.each(['rsa', 'ecdsa'] as const)('takes keys of the type %s', async (type) => {
    const key = await keyOf(gateway, tokens.developer, { type });
    expect(await clone(key, urlOf(project))).toMatchObject({ code: 0 });
  });

  test('pushes and clones many bytes', async () => {
    const big = await newProject(gateway);
    const work = workTree(urlOf(big));
    work.commit('big', randomBytes(3 << 20));
    expect(await push(work.folder, maintainer, 'main')).toMatchObject({ code: 0 });
    const copy = await clone(maintainer, urlOf(big));
    expect(copy.code, copy.text).toBe(0);
    expect(plainGit(copy.folder, ['rev-parse', 'HEAD:big'])).toBe(work.git('rev-parse', 'HEAD:big'));
  });

  test('follows a project that moved, and says so after a push', async () => {
    const moving = await newProject(gateway);
    const work = workTree(urlOf(moving));
    work.commit('first');
    await push(work.folder, maintainer, 'main');
    await rest('PUT', moving.path, { token: tokens.maintainer, json: { path: 'moved-for-ssh' } });
    work.commit('second');
    const { code, text } = await push(work.folder, maintainer, 'main');
    expect(code, text).toBe(0);
    expect(text).toContain(`git remote set-url origin ssh://git@127.0.0.1:${port}/maintainer/moved-for-ssh.git`);
  });
});

describe('who may', () => {
  test('the rules of protected branches are the same, and refuse the whole push', async () => {
    const copy = await clone(developer, urlOf(project));
    plainGit(copy.folder, ['commit', '--allow-empty', '-m', 'Mine']);
    const refused = await push(copy.folder, developer, 'main', 'HEAD:refs/heads/mine');
    expect(refused.code).toBe(1);
    expect(refused.text).toContain('You are not allowed to push code to protected branches on this project.');
    expect((await rest('GET', `${project.path}/repository/branches/mine`, { token: tokens.developer })).status).toBe(
      404,
    );
    expect(await push(copy.folder, developer, 'HEAD:refs/heads/mine')).toMatchObject({ code: 0 });
  });

  test('hidden and missing projects answer alike', async () => {
    const texts = [];
    for (const fullPath of [project.fullPath, 'maintainer/nothing-here', 'nobody/nothing'])
      for (const service of ['git-upload-pack', 'git-receive-pack'])
        texts.push(await command(port, stranger, `${service} '/${fullPath}.git'`));
    expect(new Set(texts.map((said) => JSON.stringify(said))).size).toBe(1);
    expect(texts[0]).toMatchObject({ code: 1, out: '', errors: expect.stringContaining(hidden) });
    const copy = await clone(stranger, urlOf(project));
    expect([copy.code, copy.text.includes(hidden)]).toEqual([128, true]);
  });

  test('a stranger fetches from a public project, and may not push', async () => {
    const open = await newProject(gateway, { visibility: 'public' });
    expect(await clone(stranger, urlOf(open))).toMatchObject({ code: 0 });
    const work = workTree(urlOf(open));
    work.commit('first');
    const { code, text } = await push(work.folder, stranger, 'main');
    expect(code).toBe(128);
    expect(text).toContain('You are not allowed to push code to this project.');
  });

  test('nobody where the group at the root allows HTTP only', async () => {
    const token = tokens.maintainer;
    const { body: group } = await rest('POST', '/api/v4/groups', { token, json: { name: 'only', path: 'only-http' } });
    const one = await newProject(gateway);
    const { body } = await rest('PUT', `${one.path}/transfer`, { token, json: { namespace: group.id } });
    const url = urlOf({ fullPath: body.path_with_namespace as string });
    const allow = (protocol: string) =>
      rest('PUT', `/api/v4/groups/${group.id}`, { token, json: { enabled_git_access_protocol: protocol } });
    await allow('http');
    const refused = await clone(maintainer, url);
    expect([refused.code, refused.text]).toEqual([
      128,
      expect.stringContaining('Git access over SSH is not allowed') as string,
    ]);
    await allow('ssh');
    expect(await clone(maintainer, url)).toMatchObject({ code: 0 });
  });

  test('a blocked person is told so, and an expired key too', async () => {
    const ask = () => command(port, stranger, `git-upload-pack '/${project.fullPath}.git'`);
    await sql(`update users set state = 'BLOCKED' where id = $1`, [someone.id]);
    expect(await ask()).toMatchObject({ code: 1, errors: expect.stringContaining('Your account has been blocked.') });
    await sql(`update users set state = 'ACTIVE' where id = $1`, [someone.id]);
    await sql('update ssh_keys set expires_at = now() where id = $1', [stranger.id]);
    expect(await ask()).toMatchObject({ code: 1, errors: expect.stringContaining('Your SSH key has expired.') });
    await sql('update ssh_keys set expires_at = null where id = $1', [stranger.id]);
    expect(await ask()).toMatchObject({ errors: expect.stringContaining(hidden) });
  });

  test('a key works until it is removed, and its use is noted', async () => {
    const key = await keyOf(gateway, tokens.developer);
    expect(await command(port, key, '')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('Welcome, developer.'),
    });
    const [used] = await sql<{ last_used_at: Date | null }>('select last_used_at from ssh_keys where id = $1', [
      key.id,
    ]);
    expect(used?.last_used_at).toBeInstanceOf(Date);
    expect((await rest('DELETE', `/api/v4/user/keys/${key.id}`, { token: tokens.developer })).status).toBe(204);
    await expect(command(port, key, '')).rejects.toThrow('All configured authentication methods failed');
  });

  test('a key that only signs, and one of nobody, are refused', async () => {
    const signing = await keyOf(gateway, tokens.developer, { usage_type: 'signing' });
    for (const key of [signing, newKey()]) await expect(command(port, key, '')).rejects.toThrow('authentication');
  });

  test('addresses for SSH are shown over REST and on pages', async () => {
    const { body } = await rest('GET', project.path, { token: tokens.maintainer });
    expect(body.ssh_url_to_repo).toBe(urlOf(project));
    const browser = await signIn(gateway, 'maintainer', inject('passwords').demo);
    const empty = await newProject(gateway);
    for (const { fullPath } of [project, empty]) {
      const { html } = await browser.get(`/${fullPath}`);
      expect(html).toContain(`value="${urlOf({ fullPath })}"`);
      expect(html).toContain(`value="${gateway.url}/${fullPath}.git"`);
    }
  });
});
