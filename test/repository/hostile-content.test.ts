import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { encodedPath } from '../../src/values/text/file-path.ts';
import { temporaryFolder } from '../git/support/engine.ts';
import { testGateway } from '../support/gateway.ts';
import { signIn } from '../support/pages/browser-session.ts';
import { filledProject } from './support/clone.ts';
import { refsIn } from './support/journal.ts';

/** What a repository holds is data: nothing in it runs, leads out of it, or fills the disk. */

const gateway = await testGateway({ CAUSEWAY_MAX_REPOSITORY: '1' });
const { rest, tokens, url } = gateway;
const token = tokens.maintainer;

test('attributes, submodules and links of a tree run nothing and lead nowhere', async () => {
  const { project, folder, git, push } = await filledProject(gateway);
  const touched = join(temporaryFolder(), 'touched');
  writeFileSync(join(folder, '.gitattributes'), '*.txt diff=evil filter=evil merge=evil\nids.md export-subst\n');
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  writeFileSync(join(folder, 'ids.md'), '$Format:%an$\n');
  writeFileSync(
    join(folder, '.gitmodules'),
    `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch% ${touched}\n\tupdate = !touch ${touched}\n`,
  );
  symlinkSync('/etc/passwd', join(folder, 'link'));
  git('-c', 'filter.evil.clean=cat', 'add', '.');
  git('commit', '--quiet', '-m', 'Traps');
  // A submodule, without its repository.
  git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},x`);
  git('commit', '--quiet', '-m', 'A submodule');
  const pushed = await push('main');
  // Git itself refuses a submodule that names a command; without it the rest is let in.
  expect(pushed.code, pushed.text).toBe(1);
  git('rm', '--quiet', '--cached', '.gitmodules');
  git('reset', '--quiet', '--soft', 'origin/main');
  git('commit', '--quiet', '-m', 'Traps without one');
  expect((await push('main')).code).toBe(0);
  const at = `${project.path}/repository`;
  const get = async (path: string) => (await rest('GET', `${at}${path}`, { token })).text;
  expect(await get('/files/link/raw?ref=main')).toBe('/etc/passwd');
  expect(await get('/files/a.txt/raw?ref=main')).toBe('one\n');
  expect(await get('/files/a.txt/blame?ref=main')).toContain('one');
  expect(await get('/commits/main/diff')).toContain('+one');
  expect(await get('/tree')).toContain('"type":"commit"');
  // A submodule has no page that a commit could lead to.
  const { id } = (await rest('GET', `${at}/commits/main`, { token })).body;
  const { html } = await (await signIn(gateway, 'maintainer')).get(`/${project.fullPath}/-/commit/${id}`);
  expect(html).toContain('Subproject commit');
  expect(html).toContain(`/-/blob/${id}/a.txt"`);
  expect(html).not.toContain(`/-/blob/${id}/x"`);
  const archive = await fetch(`${url}${at}/archive.tar`, { headers: { 'private-token': token } });
  const entries = Buffer.from(await archive.arrayBuffer()).toString('latin1');
  expect(entries).toContain('one\n');
  expect(entries).not.toContain('root:');
  const json = { branch: 'main', content: 'a file now', commit_message: 'Replace the link' };
  expect((await rest('PUT', `${at}/files/link`, { token, json })).status).toBe(200);
  expect(await get('/files/link/raw?ref=main')).toBe('a file now');
  for (const page of ['-/tree/main', '-/blob/main/link', '-/blob/main/.gitattributes'])
    expect((await fetch(`${url}/${project.fullPath}/${page}`, { redirect: 'manual' })).status).toBeLessThan(500);
  expect(existsSync(touched)).toBe(false);
});

test('files and folders whose names have line breaks or other control characters have pages', async () => {
  const { project, folder, git, push } = await filledProject(gateway);
  const inside = 'a\nfolder\t\r';
  mkdirSync(join(folder, inside));
  for (const name of ['two\nlines.txt', 'bell\x07.txt']) {
    writeFileSync(join(folder, name), 'in the root\n');
    writeFileSync(join(folder, inside, name), 'inside\n');
  }
  git('add', '.');
  git('commit', '--quiet', '-m', 'Odd names');
  expect((await push('main')).code).toBe(0);
  const mary = await signIn(gateway, 'maintainer');
  const page = async (kind: string, path: string) =>
    await mary.get(`/${project.fullPath}/-/${kind}/main${path === '' ? '' : `/${encodedPath(path)}`}`);
  for (const at of ['', inside]) {
    const { html } = await page('tree', at);
    for (const name of ['two\nlines.txt', 'bell\x07.txt']) {
      const path = at === '' ? name : `${at}/${name}`;
      const text = at === '' ? 'in the root' : 'inside';
      expect(html).toContain(`href="/${project.fullPath}/-/blob/main/${encodedPath(path)}"`);
      for (const kind of ['blob', 'blame', 'raw'])
        expect([kind, path, (await page(kind, path)).html]).toEqual([kind, path, expect.stringContaining(text)]);
      expect((await page('commits', path)).text).toContain('Odd names');
      expect((await page('tree', path)).location).toContain('/-/blob/main/');
      // REST refuses paths with line breaks, as GitLab does.
      const file = `${project.path}/repository/files/${encodeURIComponent(path)}?ref=main`;
      const read = await rest('GET', file, { token });
      if (/[\n\r]/.test(path)) expect(read.body).toEqual({ error: 'file_path should be a valid file path' });
      else expect(read.body).toMatchObject({ file_path: path, ref: 'main' });
    }
  }
  const listed = await rest('GET', `${project.path}/repository/tree?path=${encodeURIComponent(inside)}`, { token });
  expect(listed.body.map(({ name }: { name: string }) => name)).toEqual(['bell\x07.txt', 'two\nlines.txt']);
  // What isn't there breaks nothing for those who ask next.
  for (const path of ['no\nfile', `${inside}/no\nfile`, 'first/no\nfile'])
    expect((await page('blob', path)).status).toBe(404);
  expect((await page('blob', 'first')).status).toBe(200);
});

test('whoever a commit names as its author, who wrote it over the API is its committer', async () => {
  const { project } = await filledProject(gateway);
  const { body } = await rest('POST', `${project.path}/repository/commits`, {
    token,
    json: {
      branch: 'main',
      commit_message: 'As another',
      author_name: 'Administrator',
      author_email: 'admin@example.com',
      actions: [{ action: 'create', file_path: 'x', content: 'x' }],
    },
  });
  expect(body).toMatchObject({ author_email: 'admin@example.com' });
  expect(body.committer_email).not.toBe('admin@example.com');
});

describe('a repository that may hold 1 MiB', () => {
  test('takes no push that makes it larger, and no commit once it is full; deleting goes on', async () => {
    const { project, first, commit, push, git } = await filledProject(gateway);
    const full = 'The repository is full: it may hold 1 MiB.';
    commit('large', randomBytes(1_500_000));
    const refused = await push('main');
    expect(refused.code).toBe(1);
    expect(refused.text).toContain(`remote: ${full}`);
    expect(refsIn(gateway, project)).toEqual({ 'refs/heads/main': first });

    git('reset', '--quiet', '--hard', first);
    commit('half', randomBytes(600_000));
    expect((await push('main:refs/heads/half')).code).toBe(0);
    const write = (name: string) =>
      rest('POST', `${project.path}/repository/files/${name}`, {
        token,
        json: {
          branch: 'main',
          content: randomBytes(600_000).toString('base64'),
          encoding: 'base64',
          commit_message: 'More',
        },
      });
    expect((await write('more')).status).toBe(201);
    expect(await write('most')).toMatchObject({ status: 400, body: { message: full } });
    expect((await rest('DELETE', `${project.path}/repository/branches/half`, { token })).status).toBe(204);
  });
});

test('what one request reads is bounded, however often it names a file or a long description', async () => {
  const { project, folder, git, push } = await filledProject(gateway);
  // Thirty megabytes, which take some kilobytes of the disk.
  writeFileSync(join(folder, 'zeros'), '0'.repeat(30 * 2 ** 20));
  git('add', '.');
  git('commit', '--quiet', '-m', 'Zeros');
  expect((await push('main')).code).toBe(0);
  const file = 'blobs(paths: ["zeros"]) { nodes { size contentSha256 } }';
  const ask = (aliases: string) =>
    gateway.graphql(
      `query ($path: ID!) { project(fullPath: $path) { repository { ${[...aliases].map((alias) => `${alias}: ${file}`).join(' ')} } } }`,
      { token, variables: { path: project.fullPath } },
    );
  expect((await ask('abcd')).errors).toBeUndefined();
  const tooLarge = {
    message: 'One request may read 128 MiB of records, files and diffs. Ask for fewer at a time.',
    extensions: { code: 'TOO_LARGE' },
  };
  expect((await ask('abcde')).errors).toMatchObject([tooLarge]);

  const issue = { title: 'Long', description: 'long' };
  for (let count = 0; count < 30; count++)
    expect((await rest('POST', `${project.path}/issues`, { token, json: issue })).status).toBe(201);
  await gateway.sql(`update issues set description = repeat('long', 250000) where title = 'Long'`);
  const list = (aliases: string) =>
    gateway.graphql(
      `query ($path: ID!) { project(fullPath: $path) { ${[...aliases].map((alias, at) => `${alias}: issues(first: ${30 + at}) { nodes { iid } }`).join(' ')} } }`,
      { token, variables: { path: project.fullPath } },
    );
  expect((await list('abcde')).errors).toMatchObject([tooLarge]);
});
