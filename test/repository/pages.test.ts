import { commitActions } from '../../src/git/write/index.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { highlighter } from '../../src/web/repository/files/highlighter.ts';
import { browserSession, scriptsOf, signIn, type BrowserSession } from '../support/pages/browser-session.ts';
import { testGateway } from '../support/gateway.ts';
import { linksOf } from '../support/pages/page.ts';
import { newUser } from '../support/places/people.ts';
import { newCode, type Code } from './support/code.ts';

/** The pages of a repository, without a browser and without JavaScript. */

const gateway = await testGateway();

/** The maintainer, and the developer of the projects. */
let mary: BrowserSession;
let dave: BrowserSession;
const anyone = browserSession(gateway);
/** A public project with some files. */
let code: Code;
let first: string;
const at = (page: string) => `/${code.fullPath}/-/${page}`;

const readme = `# Harbour

See [the rules](docs/rules.md), [elsewhere](https://example.com/a) and [the root](/LICENSE).

[Below](#how-it-works)

## How it *works*?

## How it works

![Map](docs/map.png) <img src="../../outside.png" onerror="alert(1)">

<script>alert(1)</script>
`;

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

beforeAll(async () => {
  mary = await signIn(gateway, 'maintainer');
  dave = await signIn(gateway, 'developer');
  code = await newCode(gateway, { visibility: 'public' });
  first = await code.commit(
    {
      'README.md': readme,
      LICENSE: 'Free\n',
      'docs/rules.md': '# Rules\n\n- one\n',
      'docs/deep/a b#c?.txt': 'odd\n',
      'src/main.ts': '/* two\n   lines */\nexport const greeting = "<hello> & co";\n',
      'src/page.html': '<!doctype html><script>alert(1)</script>\n',
      'src/drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>\n',
    },
    { commit_message: 'Begin <b>here</b>\n\nAnd more.' },
  );
  await code.commit(
    {},
    {
      commit_message: 'Add a map',
      actions: [
        { action: 'create', file_path: 'docs/map.png', content: png, encoding: 'base64' },
        { action: 'create', file_path: 'docs/data.bin', content: 'AAECAwA=', encoding: 'base64' },
      ],
    },
  );
  await code.branch('feature/one');
  await code.branch('feature/one-more');
  await code.commit({ 'only/here.txt': 'here\n' }, { branch: 'feature/one', commit_message: 'Work on a feature' });
});

describe('the page of a project', () => {
  test('has the files of the default branch, the last commit, and the address to clone', async () => {
    const { status, text, html } = await anyone.get(`/${code.fullPath}`);
    expect(status).toBe(200);
    for (const part of ['docs', 'src', 'LICENSE', 'README.md', 'Add a map']) expect(text).toContain(part);
    expect(html).toContain(`href="${at('tree/main/docs')}"`);
    expect(html).toContain(`href="${at('blob/main/LICENSE')}"`);
    expect(html).toContain(`value="${gateway.url}/${code.fullPath}.git"`);
    expect(html).toContain(`href="${at('commits')}"`);
  });

  test('shows the README: its links lead to files and pictures of the revision, and nothing in it runs', async () => {
    const page = await anyone.get(`/${code.fullPath}`);
    const { html } = page;
    expect(html).toContain(`<a href="${at('blob/main/docs/rules.md')}">the rules</a>`);
    expect(html).toContain(`<a href="${at('blob/main/LICENSE')}">the root</a>`);
    expect(html).toContain('href="https://example.com/a" rel="nofollow noreferrer noopener"');
    expect(html).toContain(`src="${at('raw/main/docs/map.png')}"`);
    expect(html).toContain(`src="${at('raw/main/outside.png')}"`);
    expect(html).toContain('<a href="#user-content-how-it-works">Below</a>');
    expect(html).toContain('id="user-content-how-it-works"');
    expect(html).toContain('id="user-content-how-it-works-1"');
    expect(html).not.toContain('onerror');
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(scriptsOf(page)).toEqual(['copy']);
  });

  test('of an empty repository has the commands of git for those who may push, and none for others', async () => {
    const empty = await newCode(gateway, { visibility: 'public' });
    const address = `${gateway.url}/${empty.fullPath}.git`;
    const own = await mary.get(`/${empty.fullPath}`);
    expect(own.text).toContain(`git clone ${address}`);
    expect(own.text).toContain(`git remote add origin ${address}`);
    expect(own.text).toContain('git push --set-upstream origin main');
    expect(scriptsOf(own)).toEqual(['copy']);
    expect(scriptsOf(await mary.get(`/${empty.fullPath}/-/merge_requests`))).toEqual(['copy']);
    expect(scriptsOf(await anyone.get(`/${empty.fullPath}/-/merge_requests`))).toEqual([]);
    expect(scriptsOf(await anyone.get('/'))).toEqual(['copy']);
    await gateway.rest('POST', `${empty.path}/archive`, { token: gateway.tokens.maintainer });
    expect((await mary.get(`/${empty.fullPath}`)).text).not.toContain('git push');
    const other = await anyone.get(`/${empty.fullPath}`);
    expect(other.text).toContain('The repository is empty');
    expect(other.text).not.toContain('git push');
    expect((await mary.get(`/${empty.fullPath}/-/tree`)).location).toBe(`/${empty.fullPath}`);
    for (const page of ['tree/main', 'commits/main', 'blob/main/README.md', 'raw/main/README.md', 'commit/1234567'])
      expect([page, (await mary.get(`/${empty.fullPath}/-/${page}`)).status]).toEqual([page, 404]);
  });

  test('shows no code to those who may not read it', async () => {
    const hidden = await newCode(gateway, {
      visibility: 'public',
      repository_access_level: 'private',
      merge_requests_access_level: 'private',
      builds_access_level: 'private',
    });
    await hidden.commit({ 'secret.txt': 'secret' });
    const page = await anyone.get(`/${hidden.fullPath}`);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('secret.txt');
    expect(page.html).not.toContain('/-/tree');
    for (const below of ['tree/main', 'blob/main/secret.txt', 'raw/main/secret.txt', 'commits/main'])
      expect([below, (await anyone.get(`/${hidden.fullPath}/-/${below}`)).status]).toEqual([below, 403]);
    const secret = await newCode(gateway);
    await secret.commit({ 'a.txt': 'a' });
    const stranger = await newUser(gateway, 'stranger');
    expect(stranger).toBeDefined();
    for (const below of ['tree/main', 'raw/main/a.txt'])
      expect((await anyone.get(`/${secret.fullPath}/-/${below}`)).status).toBe(404);
    expect((await dave.get(`/${secret.fullPath}/-/tree/main`)).status).toBe(200);
  });
});

describe('a folder', () => {
  test('has folders before files, the way up, and the choice of another revision', async () => {
    const { status, html, text } = await anyone.get(at('tree/main/docs'));
    expect(status).toBe(200);
    const names = [...html.matchAll(/<li class="(tree|blob)">.*?<bdi>([^<]*)</g)].map(([, , name]) => name);
    expect(names).toEqual(['deep', 'data.bin', 'map.png', 'rules.md']);
    expect(html).toContain(`href="${at('tree/main')}"`);
    expect(html).toContain('<option value="feature/one">');
    expect(text).toContain('Add a map');
    const deep = await anyone.get(at('tree/main/docs/deep'));
    const [, odd] = /href="([^"]*a%20b[^"]*)"/.exec(deep.html)!;
    expect(odd).toBe(at('blob/main/docs/deep/a%20b%23c%3F.txt'));
    expect((await anyone.get(odd!)).text).toContain('odd');
  });

  test('is found at a branch whose name has slashes, at a tag, and at a commit', async () => {
    for (const address of ['feature/one/only', 'feature%2Fone/only', 'feature%2Fone%2Fonly'])
      expect([address, (await anyone.get(at(`tree/${address}`))).text.includes('here.txt')]).toEqual([address, true]);
    expect((await anyone.get(at('tree/feature/one-more/docs'))).status).toBe(200);
    expect((await anyone.get(at('tree/feature/one-more/only'))).status).toBe(404);
    expect((await anyone.get(at(`tree/${first}`))).status).toBe(200);
    expect((await anyone.get(at(`tree/${first.slice(0, 8)}/docs`))).text).not.toContain('map.png');
    for (const missing of [
      'nothing',
      'feature',
      'main~1',
      'main:docs',
      '--help',
      'main/nothing',
      'main%2Fdocs%2F..',
      '%00',
    ])
      expect([missing, (await anyone.get(at(`tree/${missing}`))).status]).toEqual([
        missing,
        missing === '%00' ? 400 : 404,
      ]);
  });

  test('leads to the file of its name, and a file to the folder', async () => {
    expect((await anyone.get(at('tree/main/LICENSE'))).location).toBe(at('blob/main/LICENSE'));
    expect((await anyone.get(at('blob/main/docs'))).location).toBe(at('tree/main/docs'));
    expect((await anyone.get(at('tree'))).location).toBe(at('tree/main'));
  });

  test('is shown at another revision by a plain form', async () => {
    const go = async (query: string) => (await anyone.get(at(`refs/switch?${query}`))).location;
    expect(await go('to=tree&ref=feature%2Fone&path=docs%2Fdeep')).toBe(at('tree/feature/one/docs/deep'));
    expect(await go('to=blob&ref=main&path=LICENSE')).toBe(at('blob/main/LICENSE'));
    expect(await go('to=//example.com&ref=main')).toBe(at('tree/main'));
    expect(await go('ref=')).toBe(at('tree'));
  });

  test('continues on further pages', async () => {
    const many = await newCode(gateway, { visibility: 'public' });
    await many.commit(
      Object.fromEntries(Array.from({ length: 130 }, (_, one) => [`f/${String(one).padStart(3, '0')}`, 'a'])),
    );
    const page = await anyone.get(`/${many.fullPath}/-/tree/main/f`);
    expect(page.text).toContain('099');
    expect(page.text).not.toContain('100');
    const [, next] = /rel="next" href="([^"]*)"/.exec(page.html)!;
    expect((await anyone.get(next!.replaceAll('&amp;', '&'))).text).toContain('129');
  });
});

describe('a file', () => {
  test('is coloured, with numbered lines to link to', async () => {
    const { status, html } = await anyone.get(at('blob/main/src/main.ts'));
    expect(status).toBe(200);
    expect(html).toContain('<span class="line" id="L3"><a class="number" href="#L3" tabindex="-1">3</a>');
    expect(html).toContain('<span class="hljs-keyword">export</span>');
    // A comment of two lines is one in each line.
    expect(html).toContain('<span><span class="hljs-comment">   lines */</span>');
    expect(html).toContain('&lt;hello&gt; &amp; co');
    expect(html).not.toContain('id="L4"');
    expect(html).toContain(`href="${at('raw/main/src/main.ts')}"`);
  });

  test('of an unknown kind is shown as it is; one that is no text or too long is offered to save', async () => {
    const license = await anyone.get(at('blob/main/LICENSE'));
    expect(license.html).toContain('<span>Free\n</span>');
    const binary = await anyone.get(at('blob/main/docs/data.bin'));
    expect(binary.text).toContain('This file can’t be shown here');
    expect(binary.html).toContain(`href="${at('raw/main/docs/data.bin?inline=false')}"`);
    const large = await newCode(gateway, { visibility: 'public' });
    await large.commit({ 'large.ts': 'const a = 1;\n'.repeat(45_000) });
    await large.commit({ 'long.ts': 'const a = 1;\n'.repeat(25_000) });
    expect((await anyone.get(`/${large.fullPath}/-/blob/main/large.ts`)).text).toContain(
      'This file can’t be shown here',
    );
    const long = await anyone.get(`/${large.fullPath}/-/blob/main/long.ts`);
    expect(long.html).toContain('id="L25000"');
    expect(long.html).not.toContain('hljs-');
  });

  test('in Markdown is shown as a text, and as it was written', async () => {
    const { html } = await anyone.get(at('blob/main/docs/rules.md'));
    expect(html).toContain('<li>one</li>');
    const plain = await anyone.get(at('blob/main/docs/rules.md?plain=1'));
    expect(plain.html).toContain('id="L3"');
  });

  test('says who wrote which lines', async () => {
    const own = await newCode(gateway, { visibility: 'public' });
    await own.commit({ 'a.js': 'let one;\nlet two;\n' }, { commit_message: 'First lines' });
    const actions = [{ action: 'update', file_path: 'a.js', content: 'let one;\nlet 2;\n' }];
    const sha = await own.commit({}, { commit_message: 'Second line', actions });
    const page = await anyone.get(`/${own.fullPath}/-/blame/main/a.js`);
    expect(page.text).toMatch(/First lines.*let one.*Second line.*let 2/s);
    expect(page.html).toContain(`href="/${own.fullPath}/-/commit/${sha}"`);
    expect(page.html).toContain('id="L2"');
    expect((await anyone.get(`/${own.fullPath}/-/blame/main/a.js?page=7`)).text).toContain('There are no lines.');
    expect((await anyone.get(`/${own.fullPath}/-/blame/main/nothing`)).status).toBe(404);
    expect((await anyone.get(at('blame/main/docs/data.bin'))).text).toContain('This file can’t be shown here');
  });

  test('that is a picture is shown', async () => {
    const { html } = await anyone.get(at('blob/main/docs/map.png'));
    expect(html).toContain(`<img src="${at('raw/main/docs/map.png')}" alt="map.png"`);
  });

  test('is sent as it is, and no browser runs it', async () => {
    for (const [path, type] of [
      ['src/page.html', 'text/plain; charset=utf-8'],
      ['src/drawing.svg', 'text/plain; charset=utf-8'],
      ['docs/map.png', 'image/png'],
      ['docs/data.bin', 'application/octet-stream'],
    ]) {
      const { status, headers } = await anyone.get(at(`raw/main/${path}`));
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, type]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain('sandbox');
      expect(headers.get('content-disposition')).toMatch(/^inline; filename="/);
      expect(headers.get('cache-control')).toContain('no-store');
    }
    const saved = await anyone.get(at('raw/main/docs/deep/a%20b%23c%3F.txt?inline=false'));
    expect(saved.headers.get('content-disposition')).toBe(
      `attachment; filename="a b#c?.txt"; filename*=UTF-8''a%20b%23c%3F.txt`,
    );
    const large = await newCode(gateway, { visibility: 'public' });
    const parent = await large.commit({ 'a.txt': 'a' });
    const person = { name: 'Mary', email: 'mary@example.com', at: new Date() };
    const content = Buffer.alloc(2 ** 21, 'x');
    const sha = await commitActions(
      gateway.gateway.application.git.repository(large.id),
      { parents: [parent], message: 'Add much', author: person, committer: person },
      [{ action: 'create', path: 'large.txt', content }],
    );
    const sent = await anyone.get(`/${large.fullPath}/-/raw/${sha}/large.txt`);
    expect(sent.html).toBe(content.toString());
    expect(sent.headers.get('content-type')).toBe('application/octet-stream');
    expect(sent.headers.get('content-security-policy')).toContain('sandbox');
    expect((await anyone.get(at('raw/main/docs'))).status).toBe(404);
  });
});

describe('what build tools and package managers fetch', () => {
  const get = (page: string) => fetch(gateway.url + page);

  test('is an archive whose folder has the name in its address', async () => {
    const project = code.fullPath.split('/').at(-1)!;
    const { rest, tokens } = gateway;
    for (const tag_name of ['v1.2', 'v1.2+1', 'release/1'])
      await rest('POST', `${code.path}/repository/tags`, {
        token: tokens.maintainer,
        json: { tag_name, ref: 'feature/one' },
      });
    for (const [ref, name] of [
      ['v1.2', `${project}-v1.2`],
      ['v1.2+1', `${project}-v1.2+1`],
      ['release/1', `${project}-release-1`],
      ['feature/one', `${project}-feature-one`],
    ]) {
      const answer = await get(at(`archive/${ref}/${name}.tar`));
      expect([ref, answer.status]).toEqual([ref, 200]);
      expect(answer.headers.get('content-type')).toBe('application/x-tar');
      expect(answer.headers.get('content-disposition')).toContain(`attachment; filename="${name}.tar"`);
      expect(await answer.text()).toContain(`${name}/only/here.txt`);
    }
    const named = async (page: string) => {
      const answer = await get(at(page));
      expect([page, answer.status]).toEqual([page, 200]);
      await answer.body?.cancel();
      return /filename="([^"]*)"/.exec(answer.headers.get('content-disposition')!)?.[1];
    };
    const withSha = new RegExp(`^${project}-main-[0-9a-f]{40}`);
    expect(await named('archive/main.zip')).toMatch(withSha);
    expect(await named('archive/main/other.tgz')).toMatch(withSha);
    expect(await named('archive/feature/one.zip')).toMatch(/-feature-one-[0-9a-f]{40}\.zip$/);
    expect(await named(`archive/main/${project}-main.tar.bz2?path=docs`)).toBe(`${project}-main-docs.tar.bz2`);
    expect((await get(at('archive/nowhere/a.zip'))).status).toBe(404);
    expect((await get(at('archive/main/a.rar'))).status).toBe(404);
    expect((await get(at('archive/main/a.zip?path=nothing'))).status).toBe(404);
    const hidden = await newCode(gateway);
    await hidden.commit({ 'a.txt': 'a' });
    const archived = `/${hidden.fullPath}/-/archive/main/a.zip`;
    expect((await get(archived)).status).toBe(404);
    expect((await dave.get(archived)).status).toBe(200);
  });

  test('is a commit as a patch or as a diff', async () => {
    const changed = await newCode(gateway, { visibility: 'public' });
    const root = await changed.commit({ 'a.txt': 'one\n' }, { commit_message: 'Begin' });
    const actions = [{ action: 'update', file_path: 'a.txt', content: 'two\n' }];
    const sha = await changed.commit({}, { commit_message: 'Count on\n\nFor a reason', actions });
    const text = async (name: string, status = 200) => {
      const answer = await get(`/${changed.fullPath}/-/commit/${name}`);
      expect([name, answer.status]).toEqual([name, status]);
      if (status === 200) expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      return await answer.text();
    };
    const patch = await text(`${sha}.patch`);
    expect(patch).toMatch(new RegExp(`^From ${sha} `));
    expect(patch).toContain('Subject: [PATCH] Count on\n\nFor a reason\n---\n a.txt | 2 +-\n');
    const diff = '@@ -1 +1 @@\n-one\n+two\n';
    expect(patch).toContain(diff);
    expect(await text(`${sha.slice(0, 9)}.diff`)).toMatch(/^diff --git a\/a\.txt b\/a\.txt\n/);
    expect(await text(`${sha}.diff`)).toContain(diff);
    expect(await text(`${root}.diff`)).toContain('+one');
    expect(await text(`${root}.patch`)).toContain('Subject: [PATCH] Begin');
    for (const name of ['main.patch', '1234567.diff', `${sha}.txt`, '.patch']) await text(name, 404);
  });

  test('is a merge request as a patch or as a diff', async () => {
    const { rest, tokens } = gateway;
    const changed = await newCode(gateway, { visibility: 'public' });
    await changed.commit({ 'a.txt': 'one\n' });
    await changed.branch('topic');
    await changed.commit({ 'b.txt': 'b\n' }, { branch: 'topic', commit_message: 'Add b' });
    await changed.commit({ 'c.txt': 'c\n' }, { branch: 'topic', commit_message: 'Add c' });
    const json = { source_branch: 'topic', target_branch: 'main', title: 'Two' };
    await rest('POST', `${changed.path}/merge_requests`, { token: tokens.maintainer, json });
    const one = `/${changed.fullPath}/-/merge_requests/1`;
    const patch = await (await get(`${one}.patch`)).text();
    expect(patch).toContain('Subject: [PATCH 1/2] Add b');
    expect(patch).toContain('Subject: [PATCH 2/2] Add c');
    const diff = await (await get(`${one}.diff`)).text();
    expect(diff.match(/^diff --git .*$/gm)).toEqual(['diff --git a/b.txt b/b.txt', 'diff --git a/c.txt b/c.txt']);
    for (const other of ['2.patch', '1.txt', 'x.diff'])
      expect((await get(`/${changed.fullPath}/-/merge_requests/${other}`)).status).toBe(404);
  });
});

describe('history', () => {
  test('has the commits of a revision or a path, in pages', async () => {
    const { text, html } = await anyone.get(at('commits/main'));
    expect(text).toContain('Add a map');
    expect(html).toContain('Begin &lt;b>here&lt;/b>');
    expect(text).not.toContain('Work on a feature');
    expect((await anyone.get(at('commits/feature/one'))).text).toContain('Work on a feature');
    const ofPath = await anyone.get(at('commits/main/docs/map.png'));
    expect(ofPath.html).not.toContain('Begin');
    expect((await anyone.get(at('commits/main?author=nobody'))).text).toContain('No commits of this author');
    expect((await anyone.get(at('commits/main/nothing'))).status).toBe(404);
    expect((await anyone.get(at('commits'))).location).toBe(at('commits/main'));
    const long = await newCode(gateway, { visibility: 'public' });
    const git = gateway.gateway.application.git.repository(long.id);
    const person = { name: 'Mary', email: 'mary@example.com', at: new Date(0) };
    let tip = await long.commit({ 'a.txt': 'a' });
    for (let one = 1; one <= 45; one++)
      tip = await commitActions(
        git,
        { parents: [tip], message: `Step ${one}.`, author: person, committer: person },
        [],
      );
    const newest = await anyone.get(`/${long.fullPath}/-/commits/${tip}`);
    expect(newest.text).toContain('Step 45.');
    expect(newest.text).not.toContain('Step 5.');
    const [, next] = /rel="next" href="([^"]*)"/.exec(newest.html)!;
    const older = await anyone.get(next!.replaceAll('&amp;', '&'));
    expect(older.text).toContain('Step 5.');
    expect(older.text).not.toContain('Step 45.');
  });

  test('a commit has its message, its parents, and its differences line by line', async () => {
    const changed = await newCode(gateway, { visibility: 'public' });
    const root = await changed.commit({
      'a.txt': 'one\ntwo\nthree\n',
      'old.txt': 'stays\nthe same\n',
      'gone.txt': 'gone',
    });
    const sha = await changed.commit(
      {},
      {
        commit_message: 'Change\n\nWith <em>reasons</em>',
        actions: [
          { action: 'update', file_path: 'a.txt', content: 'one\n2 < 3\nthree\n' },
          { action: 'move', file_path: 'new.txt', previous_path: 'old.txt' },
          { action: 'delete', file_path: 'gone.txt' },
          { action: 'create', file_path: 'b.bin', content: 'AAECAwA=', encoding: 'base64' },
        ],
      },
    );
    const page = await anyone.get(`/${changed.fullPath}/-/commit/${sha.slice(0, 10)}`);
    expect(page.status).toBe(200);
    expect(page.html).toContain('With &lt;em>reasons&lt;/em>');
    expect(page.html).toContain(`href="/${changed.fullPath}/-/commit/${root}"`);
    const row = (kind: string, before: string, now: string, text: string) =>
      expect(page.html).toMatch(
        new RegExp(
          `<tr class="${kind}"><td class="number">${before}</td><td class="number">${now}</td><td class="text"><span class="sign">.</span>${text}</td>`,
        ),
      );
    row('context', '1', '1', 'one');
    row('deleted', '2', '', 'two');
    row('added', '', '2', '2 &lt; 3');
    expect(page.text).toContain('Only its path changed.');
    expect(page.text).toContain('no line feed at the end');
    expect(page.text).toMatch(/4 changed files/);
    const first = await anyone.get(`/${changed.fullPath}/-/commit/${root}`);
    expect(first.text).toContain('None: it is the first one.');
    for (const other of ['main', 'abcdef0', 'HEAD', '%20'])
      expect([other, (await anyone.get(`/${changed.fullPath}/-/commit/${other}`)).status]).toEqual([other, 404]);
  });

  test('has comments: the latest first of all, and a form for those who are signed in', async () => {
    const talked = await newCode(gateway, { visibility: 'public' });
    await talked.commit({ 'b.txt': 'two\n' });
    const sha = await talked.commit({ 'a.txt': 'one\n' });
    const page = `/${talked.fullPath}/-/commit/${sha}`;
    expect((await anyone.get(page)).text).toContain('No comments yet. Sign in to comment.');
    const form = (await mary.get(page)).form('Comment');
    const sent = await mary.press(form, { body: 'Very **fine**, <b>@developer</b>' });
    expect(sent.location).toMatch(new RegExp(`^${page}#note_\\d+$`));
    const shown = await anyone.get(page);
    expect(shown.html).toContain(`id="${sent.location!.split('#')[1]!}"`);
    expect(shown.html).toContain('Very <strong>fine</strong>');
    const refused = await mary.press(form, { body: ' ' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("The comment can't be blank.")]);
    // On a line, and more than a page has.
    const comments = `${talked.path}/repository/commits/${sha}/comments`;
    const on = async (json: object) =>
      expect((await gateway.rest('POST', comments, { token: gateway.tokens.maintainer, json })).status).toBe(201);
    await on({ note: 'This one', path: 'a.txt', line: 1, line_type: 'new' });
    await gateway.sql(
      `insert into commit_comments (project_id, sha, author_id, note, title)
       select project_id, sha, author_id, 'Number ' || at || '.', title
         from commit_comments, generate_series(1, 19) at where project_id = $1 and note = 'This one' order by at`,
      [talked.id],
    );
    const latest = await anyone.get(page);
    expect(latest.html).toMatch(/<tr class="below"><td colSpan="3"><div class="thread">.*?This one/is);
    expect([latest.text.includes('Number 19.'), latest.text.includes('Very fine')]).toEqual([true, false]);
    const earlier = linksOf(latest.html).find((link) => link.includes('before='))!;
    expect((await anyone.get(earlier)).text).toContain('Very fine');
    expect((await mary.press(form, { body: '/tag v1.0 The first' })).location).toBe(`${page}#activity`);
  });

  test('is commented on line by line', async () => {
    const talked = await newCode(gateway, { visibility: 'public' });
    await talked.commit({ 'a.txt': 'one\ntwo\n', 'long.txt': 'old\n' });
    const odd = 'here/<i>odd</i> & "name".txt';
    const sha = await talked.commit(
      {},
      {
        actions: [
          { action: 'update', file_path: 'a.txt', content: 'one\n2\n' },
          { action: 'create', file_path: odd, content: '<u>text</u>\n' },
          { action: 'update', file_path: 'long.txt', content: 'new\n'.repeat(500) },
        ],
      },
    );
    const page = `/${talked.fullPath}/-/commit/${sha}`;
    const asking = (file: string, line: string) => `${page}?${new URLSearchParams({ file, line }).toString()}`;
    expect((await anyone.get(page)).html).not.toContain('Comment on line');
    expect((await anyone.get(asking(odd, '-1'))).forms.map(({ button }) => button)).not.toContain('Comment');
    const { html } = await mary.get(page);
    for (const line of ['1-1', '2-', '-2'])
      expect(html).toContain(`href="${asking('a.txt', line).replace('&', '&amp;')}#comment"`);

    const asked = await mary.get(asking(odd, '-1'));
    expect(asked.text).toContain(`Comment on line 1 of ${odd}`);
    const form = asked.forms.find(({ action, button }) => button === 'Comment' && action === page)!;
    const empty = await mary.press(form, { body: ' ' });
    expect([empty.status, empty.text]).toEqual([422, expect.stringContaining("The comment can't be blank.")]);
    expect(empty.text).toContain(`Comment on line 1 of ${odd}`);
    const wrongs: Record<string, string>[] = [{ line: '-77' }, { base: sha }];
    for (const wrong of wrongs) {
      const gone = await mary.press({ ...form, fields: { ...form.fields, ...wrong } }, { body: 'Where?' });
      expect([gone.status, gone.text]).toEqual([422, expect.stringContaining('The line isn’t part of the commit.')]);
      expect(gone.html).toContain('>Where?</textarea>');
    }
    const blank = await mary.press({ ...form, fields: { ...form.fields, line: '-77' } }, { body: ' ' });
    expect(blank.text).toContain("The comment can't be blank. The line isn’t part of the commit.");
    expect((await mary.press({ ...form, fields: { ...form.fields, line: 'x' } }, { body: 'Where?' })).status).toBe(404);
    expect((await mary.press(form, { body: '/tag v1 The first' })).location).toBe(page);
    const sent = await mary.press(form, { body: 'About *this* line' });
    expect(sent.location).toMatch(new RegExp(`^${page}#note_\\d+$`));
    const comments = `${talked.path}/repository/commits/${sha}/comments`;
    const { rest, tokens } = gateway;
    expect((await rest('GET', comments, { token: tokens.maintainer })).body).toMatchObject([
      { note: 'About *this* line', path: odd, line: 1, line_type: 'new' },
    ]);
    for (const json of [
      { note: 'On a deleted one', path: 'a.txt', line: 2, line_type: 'old' },
      { note: 'On a folded one', path: 'long.txt', line: 7, line_type: 'new' },
    ])
      expect((await rest('POST', comments, { token: tokens.maintainer, json })).status).toBe(201);

    // Each is at its line, and the conversation says so.
    const shown = await dave.get(page);
    const rows = [
      ...shown.html.matchAll(/<tr class="(\w+)">(?:(?!<tr).)*<\/tr><tr class="below">(?:(?!<tr).)*<\/tr>/gs),
    ];
    expect(
      rows.map(([row, kind]) => [kind, /About|deleted|folded/.exec(row.replace(/^.*?class="below"/s, ''))?.[0]]),
    ).toEqual([
      ['deleted', 'deleted'],
      ['added', 'About'],
      ['added', 'folded'],
    ]);
    expect(shown.html).toContain('<details class="fold" open>');
    const note = sent.location!.split('#')[1]!;
    expect(shown.html.match(new RegExp(`id="${note}"`, 'g'))).toHaveLength(1);
    expect(shown.html).toContain(`<a href="#${note}"`);
    expect(shown.text).toContain('commented on a.txt , line 2');

    // Replies, changes and deletions lead back to the line.
    const reply = await dave.press(shown.form('Send the reply'), { reply: 'Why?' });
    expect(reply.location).toMatch(new RegExp(`^${page}#note_\\d+$`));
    const edit = await mary.get(`${page}/notes/${note.replace('note_', '')}/edit`);
    await mary.press(edit.form('Save changes'), { body: 'About that line' });
    const changed = await anyone.get(page);
    expect(changed.text).toContain('About that line');
    expect(changed.html).toMatch(/<tr class="below">(?:(?!<tr).)*On a deleted one(?:(?!<tr).)*Why\?/s);
    await mary.press((await mary.get(`${page}/notes/${note.replace('note_', '')}/delete`)).form('Delete the comment'));
    expect((await anyone.get(page)).text).not.toContain('About that line');

    // The first commit has no parent.
    const start = await newCode(gateway, { visibility: 'public' });
    const first = `/${start.fullPath}/-/commit/${await start.commit({ 'a.txt': 'one\n' })}`;
    const [onFirst] = (await mary.get(`${first}?file=a.txt&line=-1`)).forms.filter(({ action }) => action === first);
    expect((await mary.press(onFirst!, { body: 'So it begins' })).status).toBe(303);
    expect((await anyone.get(first)).html).toMatch(/<tr class="below">(?:(?!<tr).)*So it begins/s);
  });

  test('has threads, which take replies; single comments take none', async () => {
    const talked = await newCode(gateway, { visibility: 'public' });
    const sha = await talked.commit({ 'a.txt': 'one\n' });
    const page = `/${talked.fullPath}/-/commit/${sha}`;
    const form = (await mary.get(page)).form('Comment');
    await mary.press(form, { body: 'Alone' });
    const buttons = ({ forms }: Awaited<ReturnType<BrowserSession['get']>>) => forms.map(({ button }) => button);
    expect(buttons(await mary.get(page))).not.toContain('Send the reply');
    await mary.press(form, { body: 'Does it leak?', thread: 'on' });
    const started = await mary.get(page);
    expect(buttons(started).filter((button) => button === 'Send the reply')).toHaveLength(1);
    const reply = started.form('Send the reply');
    const sent = await mary.press(reply, { reply: 'It **does**.' });
    expect(sent.location).toMatch(new RegExp(`^${page}#note_\\d+$`));
    const shown = await anyone.get(page);
    expect(shown.text).toMatch(/Does it leak\?.*It does/s);
    expect(shown.html.match(/<div class="thread">/g)).toHaveLength(2);
    for (const button of ['Send the reply', 'Comment']) expect(buttons(shown)).not.toContain(button);
    const refused = await mary.press(reply, { reply: ' ' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("The comment can't be blank.")]);

    // Their author changes and deletes them, and so do maintainers, but no other.
    const note = sent.location!.split('#note_')[1]!;
    const edit = `${page}/notes/${note}/edit`;
    expect((await mary.get(page)).html).toContain(`href="${edit}"`);
    const saved = await mary.press((await mary.get(edit)).form('Save changes'), { body: 'It doesn’t.' });
    expect(saved.location).toBe(`${page}#note_${note}`);
    expect((await anyone.get(page)).text).toMatch(/Edited.*It doesn’t\./);
    expect((await dave.get(page)).html).not.toContain(`href="${edit}"`);
    expect([(await dave.get(edit)).status, (await dave.get(`${page}/notes/0/edit`)).status]).toEqual([403, 404]);
    const question = await mary.get(`${page}/notes/${note}/delete`);
    expect((await mary.press(question.form('Delete the comment'))).location).toBe(`${page}#activity`);
    expect((await anyone.get(page)).text).not.toContain('It doesn’t.');

    // Of a long thread, the page has its ends, and another page the rest.
    await gateway.sql(
      `insert into commit_comments (project_id, sha, author_id, note, title, discussion_id, is_in_thread)
       select project_id, sha, author_id, 'Number ' || at || '.', title, discussion_id, true
         from commit_comments, generate_series(1, 40) at where project_id = $1 and note = 'Does it leak?' order by at`,
      [talked.id],
    );
    const ends = await mary.get(page);
    expect(ends.text).toContain('38 earlier replies');
    expect([ends.text.includes('Number 38.'), ends.text.includes('Number 40.')]).toEqual([false, true]);
    const thread = linksOf(ends.html).find((link) => link.includes('/discussions/'))!;
    const alone = await mary.get(thread);
    expect(alone.text).toContain(`A thread on commit ${sha.slice(0, 8)} `);
    expect(alone.text).toContain('41 comments on');
    const [early] = await gateway.sql<{ id: number }>(
      `select id from commit_comments where project_id = $1 and note = 'Number 5.'`,
      [talked.id],
    );
    const led = await mary.get(`${page}/notes/${early!.id}`);
    expect(led.location).toBe(`${thread}?from=0#note_${early!.id}`);
    expect((await mary.get(led.location!)).text).toContain('Number 5.');
    expect((await mary.get(`${page}/discussions/${'0'.repeat(40)}`)).status).toBe(404);

    const archived = await gateway.rest('POST', `${talked.path}/archive`, { token: gateway.tokens.root });
    expect(archived.status).toBe(201);
    const late = await mary.get(page);
    expect(late.text).toContain('This project is archived, so it takes no comments.');
    for (const button of ['Send the reply', 'Comment']) expect(buttons(late)).not.toContain(button);
  });

  test('a page shows a bounded part of large differences', async () => {
    const large = await newCode(gateway, { visibility: 'public' });
    const files = Object.fromEntries(
      Array.from({ length: 110 }, (_, one) => [`f${one}.txt`, `${'line\n'.repeat(one < 10 ? 450 : 1)}`]),
    );
    const sha = await large.commit(files);
    const page = await anyone.get(`/${large.fullPath}/-/commit/${sha}`);
    expect(page.html.match(/<tr class="added">/g)!.length).toBeLessThanOrEqual(3_000);
    expect(page.text).toContain('This page shows enough already.');
    expect(page.text).toContain('More than 100 changed files');
    expect(page.html).toContain('<details class="fold">');
  });
});

describe('a comparison', () => {
  test('has the commits and differences of one revision that another lacks', async () => {
    const page = await anyone.get(at('compare/main...feature/one'));
    expect(page.status).toBe(200);
    expect(page.text).toContain('Work on a feature');
    expect(page.text).toContain('only/here.txt');
    expect(page.text).not.toContain('Add a map');
    const back = await anyone.get(at('compare/feature%2Fone...main'));
    expect(back.text).toContain('main has no commit that feature/one lacks');
    expect((await anyone.get(at('compare/main...main'))).text).toContain('Both are the same commit.');
  });

  test('is asked for by a plain form', async () => {
    expect((await anyone.get(at('compare?from=main&to=feature%2Fone'))).location).toBe(
      at('compare/main...feature/one'),
    );
    const missing = await anyone.get(at('compare/main...nothing'));
    expect(missing.status).toBe(404);
    expect(missing.text).toContain('One of them isn’t there.');
    expect((await anyone.get(at('compare/main'))).status).toBe(404);
  });
});

describe('branches and tags', () => {
  test('are listed and searched, and those who may delete them, after a question', async () => {
    const own = await newCode(gateway, { visibility: 'public' });
    const page = (path: string) => `/${own.fullPath}/-/${path}`;
    await own.commit({ 'a.txt': 'a' });
    await own.branch('old/way');
    await own.branch('other');
    const { rest, tokens } = gateway;
    const json = { tag_name: 'v1/beta', ref: 'main', message: 'Of <b>use</b>' };
    expect((await rest('POST', `${own.path}/repository/tags`, { token: tokens.maintainer, json })).status).toBe(201);

    const list = await dave.get(page('branches'));
    for (const part of ['main', 'Default', 'Protected', 'old/way', 'Merged']) expect(list.text).toContain(part);
    expect(list.html).toContain(`href="${page('compare/main...old/way')}"`);
    expect(list.html).toContain(`href="${page('branches/delete/old/way')}"`);
    expect(list.html).not.toContain(`href="${page('branches/delete/main')}"`);
    expect((await anyone.get(page('branches'))).html).not.toContain('branches/delete');
    expect((await dave.get(page('branches?search=old'))).html).not.toContain('other');

    const asked = await dave.get(page('branches/delete/old/way'));
    const deleted = await dave.press(asked.form('Delete the branch'));
    expect([deleted.status, deleted.location]).toEqual([303, page('branches')]);
    const after = await dave.get(page('branches'));
    expect(after.text).toContain('The branch is deleted.');
    expect(after.text).not.toContain('old/way');
    const refused = await dave.press((await dave.get(page('branches/delete/main'))).form('Delete the branch'));
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
    expect((await dave.press((await dave.get(page('branches/delete/gone'))).form('Delete'))).status).toBe(404);
    expect((await anyone.get(page('branches/delete/other'))).location).toContain('/users/sign_in');

    const tags = await dave.get(page('tags'));
    expect(tags.text).toContain('v1/beta');
    expect(tags.html).toContain('Of &lt;b>use&lt;/b>');
    const archives = linksOf(tags.html).filter((link) => link.includes('/-/archive/'));
    const file = page(`archive/v1/beta/${own.fullPath.split('/').at(-1)}-v1-beta`);
    expect(archives).toEqual([`${file}.zip`, `${file}.tar.gz`]);
    expect((await dave.get(archives[1]!)).status).toBe(200);
    expect((await dave.get(page('tree/v1/beta'))).text).toContain('a.txt');
    await dave.press((await dave.get(page('tags/delete/v1/beta'))).form('Delete the tag'));
    expect((await dave.get(page('tags'))).text).toContain('No tags yet.');
  });

  test('aren’t deleted by those who only read', async () => {
    const guest = await signIn(gateway, 'guest');
    expect((await guest.get(at('branches/delete/feature/one-more'))).status).toBe(403);
    const form = (await mary.get(at('branches/delete/feature/one-more'))).form('Delete the branch');
    expect((await guest.post(form.action, form.fields)).status).toBeGreaterThanOrEqual(400);
    expect((await anyone.get(at('branches'))).text).toContain('feature/one-more');
  });
});

test('a text is shown without colours if the thread that colours it doesn’t begin', async () => {
  const lines = await highlighter('/nowhere/highlight.js')('a.ts', 'const a = "<b>";\r\nlet b;\n');
  expect(lines).toEqual(['const a = "&lt;b&gt;";', 'let b;']);
});

test('addresses without `/-/`, which other programs still make, lead to the pages', async () => {
  for (const page of [`commit/${first}`, 'blob/main/docs/rules.md?plain=1', 'compare/main...feature%2Fone', 'issues'])
    expect((await anyone.get(`/${code.fullPath}/${page}`)).location).toBe(at(page));
  expect((await anyone.get(`/${code.fullPath}/tags/v1`)).location).toBe(at('tags/v1'));
  expect((await anyone.get(at('tags/v1'))).location).toBe(at('tree/v1'));
  for (const page of ['nowhere/main', 'commit/one/more'])
    expect([page, (await anyone.get(`/${code.fullPath}/${page}`)).status]).toEqual([page, 404]);
  expect((await anyone.get(`${gateway.url}//elsewhere.example.com/a/commit/1`)).status).toBe(404);
});

test('pages belong to projects: a group has none of them', async () => {
  for (const page of ['tree/main', 'commits/main', 'branches', 'tags', 'compare'])
    expect([page, (await mary.get(`/groups/demo/-/${page}`)).status]).toEqual([page, 404]);
});
