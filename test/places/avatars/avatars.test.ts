import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { signIn, type BrowserSession, type WebPage } from '../../support/pages/browser-session.ts';
import { everything } from '../../support/databases/everything.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { addEmail, addMember, newUser, type TestUser } from '../../support/places/people.ts';
import { gif, jpeg, picture, png, webp } from '../../support/places/pictures.ts';
import { newGroup, newProject } from '../../support/places/places.ts';

/** Pictures of people, groups and projects: sent, refused, shown to those who may see them, removed. */

let gateway: TestGateway;
let root: string;
let ann: TestUser;
beforeAll(async () => {
  gateway = await testGateway();
  root = gateway.tokens.root;
  ann = await newUser(gateway, 'ann');
});

const call = (method: string, path: string, multipart?: Record<string, string | File>, token = root) =>
  gateway.rest(method, `/api/v4${path}`, { token, ...(multipart && { multipart }) });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, gateway.url), { headers, redirect: 'manual' });
const address = (kind: string, id: string | number, name: string) =>
  `${gateway.url}/uploads/-/system/${kind}/avatar/${id}/${name}`;

const tooBig = { message: { avatar: ['is too big (should be at most 200 KiB)'] } };
const unsupported = {
  message: {
    avatar: [
      'file format is not supported. Please try one of the following supported formats: png, jpg, jpeg, gif, bmp, tiff, ico, webp',
    ],
  },
};
const tooLarge = { message: { avatar: ['is too large (should be at most 4096 pixels wide and high)'] } };

type Refused = readonly [what: string, content: Buffer, body: object];

describe('sending a picture', () => {
  test.each([
    ['PNG', png(), 'a.png', 'a.png', 'image/png'],
    ['JPEG', jpeg(), 'a.jpeg', 'a.jpeg', 'image/jpeg'],
    ['GIF', gif(), 'a.gif', 'a.gif', 'image/gif'],
    ['WebP', webp(), 'a.webp', 'a.webp', 'image/webp'],
    ['PNG with another name', png(), '../../x/Ünsere <b>.html', '_nsere_b_.png', 'image/png'],
    ['PNG without a name', png(), '.png', 'avatar.png', 'image/png'],
    ['PNG of the largest size', png(4_096, 4_096), 'a.b.PNG', 'a_b.png', 'image/png'],
    ['PNG that is HTML too', png(2, 2, '<html><script>alert(1)</script>'), 'a.html', 'a.png', 'image/png'],
  ])('%s', async (_format, content, sent, name, type) => {
    // The media type that the client says counts for nothing.
    const changed = await call('PUT', '/user/avatar', { avatar: picture(content, sent, 'text/html') }, ann.token);
    const url = address('user', ann.id, name);
    expect([changed.status, changed.body]).toEqual([200, { avatar_url: url }]);
    const served = await get(url);
    expect([served.status, (await bytesOf(served)).equals(content)]).toEqual([200, true]);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cache-control': 'private, max-age=0, must-revalidate',
      etag: `"${createHash('sha256').update(content).digest('hex')}"`,
    });
  });

  test.each<Refused>([
    ['a file above 200 KiB', Buffer.concat([png(), Buffer.alloc(204_800)]), tooBig],
    ['too wide', png(4_097, 1), tooLarge],
    ['too high', gif(1, 65_535), tooLarge],
    ['huge', png(0xffff_ffff, 0xffff_ffff), tooLarge],
    ['without pixels', png(0, 5), unsupported],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'), unsupported],
    ['BMP', Buffer.from('424d46000000000000003600000028000000020000000200000001001800', 'hex'), unsupported],
    ['HTML', Buffer.from('<html>GIF89a'), unsupported],
    ['empty', Buffer.alloc(0), unsupported],
    ['zeros after a JPEG’s begin', Buffer.concat([jpeg().subarray(0, 4), Buffer.alloc(200_000)]), unsupported],
    ['the name of a PNG with another first byte', Buffer.concat([Buffer.from('<'), png().subarray(1)]), unsupported],
    ...[png(), jpeg(), gif(), webp()].flatMap((whole) =>
      [0.2, 0.5, 0.9].map((part): Refused => {
        const end = Math.floor(whole.length * part);
        return [`truncated to ${end} bytes`, whole.subarray(0, end), unsupported];
      }),
    ),
  ])('refuses what is no picture: %s', async (_what, content, body) => {
    const before = await everything(gateway);
    const refused = await call('PUT', `/users/${ann.id}`, { name: 'Changed', avatar: picture(content) });
    expect([refused.status, refused.body]).toEqual([400, body]);
    expect(await everything(gateway)).toBe(before);
  });

  test('a text instead of a file is invalid, and PUT /user/avatar needs one', async () => {
    const invalid = [400, { error: 'avatar is invalid' }];
    const sent = { avatar: 'me.png' };
    for (const [method, path] of [
      ['PUT', `/users/${ann.id}`],
      ['PUT', '/user/avatar'],
      ['PUT', '/groups/demo'],
      ['PUT', '/projects/demo%2Fstorefront'],
    ] as const) {
      const multipart = await call(method, path, sent);
      expect([multipart.status, multipart.body]).toEqual(invalid);
      // Nothing in JSON is a file.
      for (const json of [sent, { avatar: { filename: 'a', content: 'b' } }, { avatar: ['a'] }, { avatar: 1 }]) {
        const answer = await gateway.rest(method, `/api/v4${path}`, { token: root, json });
        expect([answer.status, answer.body]).toEqual(invalid);
      }
    }
    const missing = await call('PUT', '/user/avatar', { other: 'x' }, ann.token);
    expect([missing.status, missing.body]).toEqual([400, { error: 'avatar is missing' }]);
    expect((await gateway.rest('PUT', '/api/v4/user/avatar', { multipart: { avatar: picture() } })).status).toBe(401);
  });
});

describe('users, groups and projects', () => {
  test('are created and changed together with a picture, and lose it by an empty one', async () => {
    const user = await call('POST', '/users', {
      username: 'ben',
      name: 'Ben',
      email: 'ben@example.com',
      force_random_password: '1',
      external: '0',
      avatar: picture(),
    });
    expect([user.status, user.body.avatar_url]).toEqual([201, address('user', user.body.id, 'me.png')]);
    const group = await call('POST', '/groups', { name: 'Pics', path: 'pics', avatar: picture(jpeg(), 'g.jpg') });
    expect([group.status, group.body.avatar_url]).toEqual([201, address('group', group.body.id, 'g.jpg')]);
    const project = await call('POST', '/projects', {
      name: 'P',
      namespace_id: String(group.body.id),
      avatar: picture(gif(), 'p.gif'),
    });
    expect([project.status, project.body.avatar_url, project.body.namespace.avatar_url]).toEqual([
      201,
      address('project', project.body.id, 'p.gif'),
      group.body.avatar_url,
    ]);
    for (const [path, kind, id] of [
      [`/users/${user.body.id}`, 'user', user.body.id],
      [`/groups/${group.body.id}`, 'group', group.body.id],
      [`/projects/${project.body.id}`, 'project', project.body.id],
    ]) {
      const changed = await call('PUT', path, { name: 'Renamed', avatar: picture(webp(), 'new.webp') });
      expect([changed.status, changed.body.name, changed.body.avatar_url]).toEqual([
        200,
        'Renamed',
        address(kind, id, 'new.webp'),
      ]);
      expect((await call('GET', path)).body.avatar_url).toBe(address(kind, id, 'new.webp'));
      // An unrelated change keeps it.
      expect((await call('PUT', path, { name: 'Again' })).body.avatar_url).toBe(address(kind, id, 'new.webp'));
      const removed = await call('PUT', path, { avatar: '' });
      expect([removed.status, removed.body.avatar_url]).toEqual([200, null]);
      expect((await get(address(kind, id, 'new.webp'))).status).toBe(404);
    }
    expect(await gateway.sql('select 1 from avatars where user_id = $1', [user.body.id])).toEqual([]);
  });

  test('the groups above a project have theirs', async () => {
    const group = await newGroup(gateway, { path: 'pictured', visibility: 'PRIVATE' });
    const { body } = await call('PUT', `/groups/${group}`, { avatar: picture(png(), 'above.png') });
    expect(body.avatar_url).toBe(address('group', body.id, 'above.png'));
    const project = await newProject(gateway, { group: 'pictured', path: 'below', visibility: 'PRIVATE' });
    expect((await call('GET', `/projects/${project}/groups`)).body).toMatchObject([
      { full_path: 'pictured', avatar_url: body.avatar_url },
    ]);
  });

  test('a refused picture makes no group', async () => {
    const refused = await call('POST', '/groups', { name: 'X', path: 'never', avatar: picture(Buffer.from('x')) });
    expect([refused.status, refused.body.message]).toEqual([
      400,
      `Failed to save group {:avatar=>${JSON.stringify(unsupported.message.avatar)}}`,
    ]);
    expect((await call('GET', '/groups/never')).status).toBe(404);
  });

  test('their own namespace has the picture of a person', async () => {
    await call('PUT', '/user/avatar', { avatar: picture() }, ann.token);
    const [namespace] = (await call('GET', '/namespaces?owned_only=true', undefined, ann.token)).body;
    expect([namespace.kind, namespace.avatar_url]).toEqual(['user', address('user', ann.id, 'me.png')]);
    for (const path of ['/user', `/users/${ann.id}`, '/users?username=ann'])
      expect([(await call('GET', path)).body].flat()[0]).toHaveProperty('avatar_url');
    expect((await call('GET', '/user', undefined, ann.token)).body.avatar_url).toBe(address('user', ann.id, 'me.png'));
  });

  test('over GraphQL, the bytes are base64', async () => {
    const source =
      'mutation ($input: UpdateAvatarInput!) { updateAvatar(input: $input) { user { avatarUrl } errors } }';
    const send = (content: string) =>
      gateway.graphql(source, { token: ann.token, variables: { input: { avatar: { filename: 'x.png', content } } } });
    expect((await send(gif().toString('base64'))).data).toEqual({
      updateAvatar: { user: { avatarUrl: address('user', ann.id, 'x.gif') }, errors: [] },
    });
    expect((await send(Buffer.from('<svg/>').toString('base64'))).data).toMatchObject({
      updateAvatar: { user: null, errors: [expect.stringMatching(/^Avatar file format is not supported/)] },
    });
    expect((await send('no base64!')).errors?.[0]?.message).toMatch(/Base64 is a string/);
  });
});

describe('the pictures of places', () => {
  let group: string;
  let project: string;
  let member: TestUser;
  beforeAll(async () => {
    group = await newGroup(gateway, { path: 'secret', visibility: 'PRIVATE' });
    project = await newProject(gateway, { group: 'secret', path: 'plan', visibility: 'PRIVATE' });
    member = await newUser(gateway, 'member');
    await addMember(gateway, member, 'GUEST', { group: 'secret' });
    await call('PUT', `/groups/${group}`, { avatar: picture() });
    await call('PUT', `/projects/${project}`, { avatar: picture() });
  });

  test('are for those who see the place; a hidden one and a missing one answer alike', async () => {
    for (const [kind, id] of [
      ['group', group],
      ['project', project],
    ] as const) {
      const url = address(kind, id, 'me.png');
      expect((await get(url, { 'private-token': member.token })).status).toBe(200);
      expect((await get(url, { authorization: `Bearer ${member.token}` })).status).toBe(200);
      expect((await get(`${url}?private_token=${member.token}`)).status).toBe(200);
      const missing = await get(address(kind, 999_999, 'me.png'));
      const page = (text: string) => text.replaceAll(/[0-9a-f-]{36}/g, '');
      const gone = page(await missing.text());
      expect(missing.status).toBe(404);
      for (const headers of [{}, { 'private-token': ann.token }, { 'private-token': 'cwpat_unknown' }]) {
        const hidden = await get(url, headers as Record<string, string>);
        expect([hidden.status, page(await hidden.text())]).toEqual([404, gone]);
      }
      expect((await get(url.replace('me.png', 'other.png'), { 'private-token': member.token })).status).toBe(404);
      for (const [token, status, body] of [
        [ann.token, 404, { message: `404 ${kind === 'group' ? 'Group' : 'Project'} Not Found` }],
        [undefined, 404, { message: `404 ${kind === 'group' ? 'Group' : 'Project'} Not Found` }],
      ] as const) {
        const hidden = await gateway.rest('GET', `/api/v4/${kind}s/${id}/avatar`, { token });
        expect([hidden.status, hidden.body]).toEqual([status, body]);
      }
    }
  });

  test('a session sees them, and has them again with 304', async () => {
    const browser = await signIn(gateway, 'maintainer');
    const { id: maintainer } = (
      await gateway.sql<{ id: number }>(`select id from users where username = 'maintainer'`)
    )[0]!;
    await addMember(gateway, { id: String(maintainer) }, 'GUEST', { group: 'secret' });
    const path = `/uploads/-/system/group/avatar/${group}/me.png`;
    const first = await browser.get(path);
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'image/png']);
    const again = await browser.get(path, { 'if-none-match': first.headers.get('etag')! });
    expect([again.status, again.html]).toEqual([304, '']);
    expect((await get(path, { 'if-none-match': first.headers.get('etag')! })).status).toBe(404);
  });

  test('the API serves the bytes to any Accept, and says what isn’t there', async () => {
    for (const path of [`groups/${group}`, `projects/${project}`, 'projects/secret%2Fplan']) {
      const served = await get(`/api/v4/${path}/avatar`, { 'private-token': member.token, accept: 'image/*' });
      expect([served.status, served.headers.get('content-type'), (await bytesOf(served)).equals(png())]).toEqual([
        200,
        'image/png',
        true,
      ]);
      expect(served.headers.get('content-security-policy')).toMatch(/sandbox/);
      const tag = served.headers.get('etag')!;
      const again = await get(`/api/v4/${path}/avatar`, { 'private-token': member.token, 'if-none-match': tag });
      expect(again.status).toBe(304);
    }
    const none = await call('GET', '/groups/demo/avatar');
    expect([none.status, none.body]).toEqual([404, { message: '404 Avatar Not Found' }]);
  });

  test('only those who may change the place change its picture', async () => {
    for (const path of [`/groups/${group}`, `/projects/${project}`])
      expect((await call('PUT', path, { avatar: picture() }, member.token)).status).toBe(403);
  });

  test('go with the place', async () => {
    const gone = await newGroup(gateway, { path: 'gone', visibility: 'PUBLIC' });
    await call('PUT', `/groups/${gone}`, { avatar: picture() });
    const url = address('group', gone, 'me.png');
    expect((await get(url)).status).toBe(200);
    await call('DELETE', `/groups/${gone}`);
    expect((await get(url)).status).toBe(404);
  });
});

describe('GET /avatar', () => {
  const ask = (query: Record<string, string>) => gateway.rest('GET', '/api/v4/avatar', { query });

  test('finds public addresses only, and never says who exists', async () => {
    await call('PUT', '/user/avatar', { avatar: picture() }, ann.token);
    await addEmail(gateway, ann, 'ann@public.example.com', true);
    for (const email of [ann.email, 'ann@public.example.com', 'nobody@example.com', '']) {
      const answer = await ask({ email });
      expect([answer.status, answer.body]).toEqual([200, { avatar_url: null }]);
    }
    await call('PUT', `/users/${ann.id}`, { public_email: 'ann@public.example.com' });
    const found = await ask({ email: 'Ann@Public.example.com', size: '32' });
    expect([found.status, found.body]).toEqual([200, { avatar_url: address('user', ann.id, 'me.png') }]);
    expect((await ask({ email: ann.email })).body).toEqual({ avatar_url: null });
  });

  test('names what is missing or invalid', async () => {
    expect([(await ask({})).status, (await ask({})).body]).toEqual([400, { error: 'email is missing' }]);
    expect((await ask({ email: 'a@example.com', size: 'x' })).body).toEqual({ error: 'size is invalid' });
  });
});

describe('on pages', () => {
  let browser: BrowserSession;
  beforeAll(async () => {
    browser = await signIn(gateway, 'root', inject('passwords').root);
  });

  /** Sends the form of a picture, as a browser does. */
  async function choose(path: string, file: File | undefined): Promise<WebPage> {
    const form = (await browser.get(path)).form('Save the picture');
    const data = new FormData();
    for (const [name, value] of Object.entries(form.fields)) if (name !== 'avatar') data.append(name, value);
    // What a browser sends for a file field that was left empty.
    data.append('avatar', file ?? new File([], '', { type: 'application/octet-stream' }));
    return await browser.post(form.action, data);
  }

  test.each(['/profile', '/groups/demo', '/demo/storefront'])(
    '%s has a form that sets and removes it',
    async (path) => {
      const letter = await browser.get(path);
      expect(letter.html).toMatch(/<span class="avatar \w+ large tint-\d" aria-hidden="true">[A-Z]<\/span>/);
      const saved = await choose(path, picture(png(), 'new.png'));
      expect([saved.status, saved.location]).toEqual([303, path]);
      const shown = await browser.get(path);
      expect(shown.text).toContain('The picture is saved.');
      const [, src] = /<img class="avatar \w+ large" src="([^"]+)" alt /.exec(shown.html)!;
      expect((await browser.get(src!)).status).toBe(200);

      const removed = await browser.press(shown.form('Save the picture'), { remove: 'on' });
      expect([removed.status, removed.location]).toEqual([303, path]);
      expect((await browser.get(path)).html).not.toMatch(/large" src=/);
    },
  );

  test.each(['/profile', '/groups/demo', '/demo/storefront'])('%s says what is wrong with a file', async (path) => {
    for (const [file, says] of [
      [picture(Buffer.from('<svg/>'), 'a.svg'), 'This isn’t a picture in one of the formats below.'],
      [picture(png(5_000, 1)), 'The picture is too large (should be at most 4096 pixels wide and high).'],
      [picture(Buffer.concat([png(), Buffer.alloc(204_800)])), 'The picture is too big (should be at most 200 KiB).'],
      [undefined, 'Choose a picture first.'],
    ] as const) {
      const refused = await choose(path, file);
      expect([refused.status, refused.text.includes(says)]).toEqual([422, true]);
    }
    expect((await browser.get(path)).html).not.toMatch(/large" src=/);
  });

  test('lists show pictures, and who may not change a place gets no form', async () => {
    browser = await signIn(gateway, 'maintainer');
    await choose('/profile', picture());
    await choose('/demo/storefront', picture());
    for (const path of ['/', '/groups/demo', '/maintainer', '/demo/storefront'])
      expect([path, (await browser.get(path)).html]).toEqual([
        path,
        expect.stringContaining('src="/uploads/-/system/'),
      ]);
    const guest = await signIn(gateway, 'guest');
    const page = await guest.get('/demo/storefront');
    expect(page.status).toBe(200);
    expect(() => page.form('Save the picture')).toThrow();
    const form = (await browser.get('/demo/storefront')).form('Save the picture');
    expect((await guest.post(form.action, { ...form.fields, remove: 'on' })).status).toBe(403);
  });
});

test('addresses that are none answer 404, and nothing writes there', async () => {
  for (const path of ['/uploads/', '/uploads/-/system/user/avatar/1', '/uploads/-/system/appearance/logo/1/a.png'])
    expect((await get(path)).status).toBe(404);
  const posted = await fetch(address('user', ann.id, 'me.png'), { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  const head = await fetch(address('user', ann.id, 'none.png'), { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([404, '']);
});
