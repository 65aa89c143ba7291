import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import isomorphic from 'isomorphic-git';
import http from 'isomorphic-git/http/node';
import { beforeAll, describe, expect, test } from 'vitest';
import { gitClient, plainGit, temporaryFolder } from '../git/support/engine.ts';
import { testGateway } from '../support/gateway.ts';
import { psLines } from '../support/run/programs.ts';
import { runs } from '../support/run/runs.ts';
import { clone, filledProject, gitUrl, workTree } from './support/clone.ts';
import { expectSound, folderOf, refsIn } from './support/journal.ts';
import { newProject } from './support/project.ts';

const gateway = await testGateway();
const { rest, tokens, sql } = gateway;
const token = tokens.maintainer;

type Project = Awaited<ReturnType<typeof newProject>>;
const revList = (folder: string, ...args: string[]) => plainGit(folder, ['rev-list', ...args]);

const filled = () => filledProject(gateway);

const defaultBranchOf = async ({ id }: Project) =>
  (await sql<{ name: string | null }>('select default_branch as name from projects where id = $1', [id]))[0]!.name;

describe('a new project', () => {
  test.each(['0', '1', '2'])('is cloned empty over protocol %s, and nothing is made by that', async (version) => {
    const project = await newProject(gateway);
    const {
      code,
      text: said,
      folder,
    } = await clone(gitUrl(gateway, project, token), '-c', `protocol.version=${version}`);
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining('cloned an empty repository') });
    // Only version 2 says which branch will be the default one.
    if (version === '2') expect(plainGit(folder, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/main');
    expect(await sql('select from repositories where project_id = $1', [project.id])).toEqual([]);
  });

  test('is filled by the first push: its branch is the default one, protected, and REST reads it', async () => {
    const project = await newProject(gateway);
    const { commit, push, git } = workTree(gitUrl(gateway, project, token));
    const tip = commit('a.txt', 'hello\n');
    git('branch', 'alpha');
    git('branch', 'trunk');
    const pushed = await push('alpha', 'trunk', 'main');
    expect(pushed, pushed.text).toMatchObject({ code: 0 });
    expect(await defaultBranchOf(project)).toBe('main');
    const rules = await sql('select name, push_access_level from protected_branches where project_id = $1', [
      project.id,
    ]);
    expect(rules).toEqual([{ name: 'main', push_access_level: 40 }]);
    const file = await rest('GET', `${project.path}/repository/files/a.txt/raw?ref=trunk`, { token });
    expect(file.text).toBe('hello\n');
    expect((await rest('GET', `${project.path}/repository/commits`, { token })).body).toMatchObject([{ id: tip }]);
    await expectSound(gateway, project);
  });

  test('gets another default branch, if the one it was to get can’t be made', async () => {
    const { project } = await filled();
    await sql('update projects set default_branch = null where id = $1', [project.id]);
    await sql('delete from protected_branches where project_id = $1', [project.id]);
    const other = workTree(gitUrl(gateway, project, token));
    other.commit('other');
    // Below a branch there can be no other: git refuses that one alone.
    const stale = await other.push('main:refs/heads/main/below', 'main:refs/heads/dev');
    expect(stale.code).toBe(1);
    expect(await defaultBranchOf(project)).toBe('dev');
  });
});

describe('a clone', () => {
  let project: Project;
  let url: string;
  let tip: string;
  beforeAll(async () => {
    const made = await filled();
    ({ project } = made);
    url = gitUrl(gateway, project, token);
    for (const name of ['b', 'c', 'd']) tip = made.commit(name);
    made.git('tag', '-a', '-m', 'one', 'v1');
    made.git('tag', 'light');
    expect(await made.push('main', '--tags')).toMatchObject({ code: 0 });
  });

  test.each(['0', '1', '2'])('over protocol %s has branches and tags', async (version) => {
    const { code, folder } = await clone(url, '-c', `protocol.version=${version}`);
    expect(code).toBe(0);
    expect(plainGit(folder, ['rev-parse', 'HEAD'])).toBe(tip);
    expect(plainGit(folder, ['tag'])).toBe('light\nv1');
    expect(plainGit(folder, ['fsck', '--strict'])).toBe('');
  });

  test.each(['0', '2'])('may be shallow and deepened over protocol %s', async (version) => {
    const { code, folder } = await clone(url, '-c', `protocol.version=${version}`, '--depth=2');
    expect(code).toBe(0);
    expect(revList(folder, '--count', 'HEAD')).toBe('2');
    expect(await gitClient(folder, ['-c', `protocol.version=${version}`, 'fetch', '--unshallow'])).toMatchObject({
      code: 0,
    });
    expect(revList(folder, '--count', 'HEAD')).toBe('4');
  });

  test('may be partial, and fetches what it lacks', async () => {
    const { code, folder } = await clone(url, '--bare', '--filter=blob:none');
    expect(code).toBe(0);
    expect(revList(folder, '--objects', '--missing=print', 'HEAD')).toContain('?');
    expect((await gitClient(folder, ['cat-file', '-p', 'HEAD:first'])).text).toContain('first');
  });

  test('sees what REST commits, in a fetch', async () => {
    const { folder } = await clone(url);
    const { body } = await rest('POST', `${project.path}/repository/commits`, {
      token,
      json: {
        branch: 'rest',
        start_branch: 'main',
        commit_message: 'REST',
        actions: [{ action: 'create', file_path: 'r', content: 'r' }],
      },
    });
    expect(await gitClient(folder, ['fetch'])).toMatchObject({ code: 0 });
    expect(plainGit(folder, ['rev-parse', 'origin/rest'])).toBe(body.id);
  });

  test('asks for much in a packed request', async () => {
    const { folder } = await clone(url);
    const upstream = workTree(url);
    // Made by one process: there are many.
    const stream = Array.from(
      { length: 40 },
      (_, number) =>
        `commit refs/heads/far/${number}\ncommitter A <a@b> ${1_700_000_000 + number} +0000\ndata 1\nx\nM 100644 inline far\ndata 3\nfar\n`,
    );
    plainGit(upstream.folder, ['fast-import', '--quiet'], stream.join('\n'));
    expect(await upstream.push('refs/heads/far/*:refs/heads/far/*')).toMatchObject({ code: 0 });
    const { code, text: said } = await gitClient(folder, ['fetch'], {
      GIT_TRACE_CURL: '1',
      GIT_TRACE_CURL_NO_DATA: '1',
    });
    expect(code).toBe(0);
    expect(said).toMatch(/content-encoding: gzip/i);
    expect(plainGit(folder, ['rev-parse', 'origin/far/39'])).toBe(upstream.git('rev-parse', 'far/39'));
  });

  test('works at the address without .git, and in any case', async () => {
    const bare = gitUrl(gateway, project, token).replace(/\.git$/, '');
    expect(await clone(bare)).toMatchObject({ code: 0 });
    expect(await clone(gitUrl(gateway, { fullPath: project.fullPath.toUpperCase() }, token))).toMatchObject({
      code: 0,
    });
  });
});

describe('a push', () => {
  test('is announced by an empty list, which changes nothing', async () => {
    const { project } = await filled();
    const ask = (body: string) =>
      fetch(`${gateway.url}/${project.fullPath}.git/git-receive-pack`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}`,
          'content-type': 'application/x-git-receive-pack-request',
        },
        body,
      });
    const answer = await ask('0000');
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'application/x-git-receive-pack-result',
      '',
    ]);
    // Git refuses four other bytes, and says so to the log.
    await expect(ask('zzzz').then((refused) => refused.text())).rejects.toThrow(/terminated|fetch failed/);
    await expectSound(gateway, project);
  });

  test('is forced, deletes, and moves tags', async () => {
    const { project, push, git, commit } = await filled();
    git('checkout', '--quiet', '-b', 'topic');
    commit('topic');
    git('tag', 'moving');
    expect(await push('topic', 'moving')).toMatchObject({ code: 0 });
    git('commit', '--quiet', '--amend', '-m', 'Again');
    expect((await push('topic')).text).toContain('[rejected]');
    git('tag', '-f', 'moving');
    expect(await push('--force', 'topic', 'moving')).toMatchObject({ code: 0 });
    expect(refsIn(gateway, project)['refs/tags/moving']).toBe(git('rev-parse', 'HEAD'));
    expect(await push('--delete', 'topic', 'moving')).toMatchObject({ code: 0 });
    expect(Object.keys(refsIn(gateway, project))).toEqual(['refs/heads/main']);
    await expectSound(gateway, project);
  });

  test('may be atomic, and then one reference that moved stops all', async () => {
    const { project, push, git, commit, first } = await filled();
    const other = workTree(gitUrl(gateway, project, token));
    await other.fetch();
    other.git('reset', '--quiet', '--hard', 'origin/main');
    other.commit('faster');
    await other.push('main');
    commit('slower');
    git('branch', 'topic');
    // The client refuses by itself; so it is told that nothing moved.
    git('update-ref', 'refs/remotes/origin/main', first);
    const refused = await push('--atomic', '--force-with-lease=main', 'main', 'topic');
    expect(refused.code).toBe(1);
    expect(refsIn(gateway, project)['refs/heads/topic']).toBeUndefined();
    expect(await push('--atomic', 'topic', 'topic:refs/heads/more')).toMatchObject({ code: 0 });
    await expectSound(gateway, project);
  });

  test('has 200 references, and each is in the journal', async () => {
    const { project, push, folder, first } = await filled();
    const names = Array.from({ length: 199 }, (_, number) => `n${String(number).padStart(3, '0')}`);
    plainGit(folder, ['update-ref', '--stdin'], names.map((name) => `create refs/heads/${name} ${first}\n`).join(''));
    const pushed = await push('--atomic', ...names);
    expect(pushed, pushed.text).toMatchObject({ code: 0 });
    expect(Object.keys(refsIn(gateway, project))).toHaveLength(200);
    await expectSound(gateway, project);
  });

  test('of 30 MB streams in chunks', async () => {
    const { project, push, commit, git } = await filled();
    git('config', 'core.compression', '0');
    const tip = commit('large', randomBytes(30_000_000));
    const pushed = await push('main');
    expect(pushed, pushed.text).toMatchObject({ code: 0 });
    expect(refsIn(gateway, project)['refs/heads/main']).toBe(tip);
    const { code, folder } = await clone(gitUrl(gateway, project, token));
    expect(code).toBe(0);
    expect(plainGit(folder, ['rev-parse', 'HEAD'])).toBe(tip);
    await expectSound(gateway, project);
  });

  test('that races with others has one winner', async () => {
    const { project, first } = await filled();
    const url = gitUrl(gateway, project, token);
    const racers = await Promise.all(
      Array.from({ length: 4 }, async (_, number) => {
        const racer = workTree(url);
        await racer.fetch();
        racer.git('reset', '--quiet', '--hard', 'origin/main');
        return { ...racer, tip: racer.commit(`racer-${number}`) };
      }),
    );
    const results = await Promise.all(racers.map(async ({ push, tip }) => ({ tip, ...(await push('main')) })));
    expect(results.filter(({ code }) => code === 0)).toHaveLength(1);
    for (const { code, text: said } of results) if (code !== 0) expect(said).toMatch(/rejected|failed to update ref/);
    const { tip } = results.find(({ code }) => code === 0)!;
    expect(refsIn(gateway, project)).toEqual({ 'refs/heads/main': tip });
    expect(revList(folderOf(gateway, project), '--count', `${first}..main`)).toBe('1');
    await expectSound(gateway, project);
  });

  test('and commits over REST at the same time are all there, or were refused', async () => {
    const { project } = await filled();
    const url = gitUrl(gateway, project, token);
    const pushing = Promise.all(
      Array.from({ length: 4 }, async (_, number) => {
        const pusher = workTree(url);
        const tip = pusher.commit(`p${number}`);
        return { tip, ...(await pusher.push(`main:refs/heads/p${number}`)) };
      }),
    );
    const committing = Promise.all(
      Array.from({ length: 8 }, (_, number) =>
        rest('POST', `${project.path}/repository/commits`, {
          token,
          json: {
            branch: `r${number}`,
            start_branch: 'main',
            commit_message: 'REST',
            actions: [{ action: 'create', file_path: 'r', content: 'r' }],
          },
        }),
      ),
    );
    for (const { code, text: said } of await pushing) expect(code, said).toBe(0);
    const answers = await committing;
    for (const { status, body } of answers) expect([201, 400, 503], JSON.stringify(body)).toContain(status);
    const refs = refsIn(gateway, project);
    for (const [number, { status, body }] of answers.entries())
      expect(refs[`refs/heads/r${number}`]).toBe(status === 201 ? body.id : undefined);
    await expectSound(gateway, project);
  });

  test('comes in at either of two gateways on one database and one folder', async () => {
    const other = await testGateway({ DATA_DIR: dirname(gateway.gateway.application.git.root) }, gateway);
    const { project, push, commit } = await filled();
    const there = workTree(gitUrl(other, project, token));
    await there.fetch();
    there.git('reset', '--quiet', '--hard', 'origin/main');
    const second = there.commit('there');
    expect(await there.push('main')).toMatchObject({ code: 0 });
    commit('here');
    expect((await push('main')).code).toBe(1);
    const { folder } = await clone(gitUrl(gateway, project, token));
    expect(plainGit(folder, ['rev-parse', 'HEAD'])).toBe(second);
    const racing = await Promise.all([
      push('main:refs/heads/x'),
      there.push('main:refs/heads/y'),
      there.push('main:refs/heads/x'),
    ]);
    expect(racing[1]).toMatchObject({ code: 0 });
    expect(racing.filter(({ code }) => code === 0)).toHaveLength(2);
    await expectSound(gateway, project);
  });
});

test('a second implementation of git, without a process, clones and pushes', async () => {
  const { project, first } = await filled();
  const dir = temporaryFolder();
  const remote = {
    fs,
    http,
    dir,
    url: gitUrl(gateway, project),
    onAuth: () => ({ username: 'oauth2', password: token }),
  };
  await isomorphic.clone(remote);
  expect(await isomorphic.resolveRef({ fs, dir, ref: 'HEAD' })).toBe(first);
  await fs.promises.writeFile(join(dir, 'second'), 'second');
  await isomorphic.add({ fs, dir, filepath: 'second' });
  const author = { name: 'Iso Morphic', email: 'iso@example.com' };
  const tip = await isomorphic.commit({ fs, dir, message: 'Second', author });
  expect(await isomorphic.push({ ...remote, remoteRef: 'refs/heads/iso', ref: 'main' })).toMatchObject({ ok: true });
  expect(refsIn(gateway, project)).toEqual({ 'refs/heads/main': first, 'refs/heads/iso': tip });
  const refused = isomorphic.push({ ...remote, remoteRef: `refs/heads/${'a'.repeat(40)}`, ref: 'main' });
  await expect(refused).rejects.toThrow('pre-receive hook declined');
  await isomorphic.fetch(remote);
  await expectSound(gateway, project);
});

const many = Math.min(1_000, 10 * runs);

test(`${many} repositories in turn, over REST and git, keep processes and descriptors few`, async () => {
  const { engine } = gateway.gateway.application.git;
  const processes = () =>
    psLines('-o', 'args=', '--ppid', String(engine.runner.pid)).filter((line) => line.includes('git ')).length;
  const descriptors = () =>
    [process.pid, engine.runner.pid!].reduce((sum, pid) => sum + fs.readdirSync(`/proc/${pid}/fd`).length, 0);
  const folder = temporaryFolder();
  let warm = 0;
  for (let number = 0; number < many; number++) {
    const project = await newProject(gateway, { initialize_with_readme: true });
    const file = await rest('GET', `${project.path}/repository/files/README.md/raw`, { token });
    expect(file.status, file.text).toBe(200);
    const listed = await gitClient(folder, ['ls-remote', gitUrl(gateway, project, token), 'refs/heads/main']);
    expect(listed).toMatchObject({ code: 0, text: expect.stringMatching(/^[0-9a-f]{40}\trefs\/heads\/main$/m) });
    if (number % 10 === 0) {
      const work = workTree(gitUrl(gateway, project, token));
      work.commit('more');
      expect(await work.push('main:refs/heads/more')).toMatchObject({ code: 0 });
    }
    expect(engine.pool.size).toBeLessThanOrEqual(64);
    if (number === Math.floor(many / 4)) warm = descriptors();
  }
  expect(processes()).toBeLessThanOrEqual(64 + 4);
  // Each reader has some of its own; in the long run the pool was full by then.
  expect(descriptors()).toBeLessThanOrEqual(warm + 100);
});
