import { describe, expect, inject, test } from 'vitest';
import { followed, signIn } from '../../support/pages/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import { account } from '../../support/oauth/oauth.ts';
import { newUser } from '../../support/places/people.ts';
import { sshKeyPair, type KeyType } from '../../support/oauth/ssh-key-pair.ts';

const gateway = await testGateway();
const { rest } = gateway;
const host = new URL(gateway.url).hostname;

const made = (type: KeyType, bits = 2_048) => sshKeyPair(type, { bits, comment: 'ada@laptop.example' }).public;
const bare = (line: string) => line.split(' ').slice(0, 2).join(' ');
const sha256 = async (line: string) => {
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(line.split(' ')[1]!, 'base64'));
  return `SHA256:${Buffer.from(digest).toString('base64').replace('=', '')}`;
};
const { developer, guest, root } = gateway.tokens;

interface Key {
  readonly id: number;
  readonly title: string;
  readonly key: string;
}
const add = (fields: object, token = developer, path = '/api/v4/user/keys') =>
  rest('POST', path, { token, json: { title: 'Laptop', ...fields } });
const added = async (fields: object = {}, token = developer) =>
  (await add({ key: made('ed25519'), ...fields }, token)).body as Key;

describe('a person’s SSH keys', () => {
  test.each(['rsa', 'ed25519', 'ecdsa'] as const)('takes %s, without the comment it came with', async (type) => {
    const key = made(type);
    const { status, body } = await add({ key: `  ${key}\n` });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        title: 'Laptop',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        expires_at: null,
        key: expect.stringContaining(bare(key)),
        usage_type: 'auth_and_signing',
      },
    ]);
    const { name } = (await rest('GET', '/api/v4/user', { token: developer })).body as { name: string };
    expect((body as Key).key).toBe(`${bare(key)} ${name} (${host})`);
  });

  test('are listed, read and removed', async () => {
    const token = await gateway.personalToken('guest', ['api']);
    const key = await added({ expires_at: '2099-01-02T03:04:05Z', usage_type: 'auth' }, token);
    expect(key).toMatchObject({ expires_at: '2099-01-02T03:04:05.000Z', usage_type: 'auth' });
    const list = await rest('GET', '/api/v4/user/keys', { token });
    expect([list.headers.get('x-total'), list.body]).toEqual(['1', [key]]);
    const path = `/api/v4/user/keys/${key.id}`;
    expect((await rest('GET', path, { token })).body).toEqual(key);
    expect((await rest('GET', path, { token: developer })).body).toEqual({ message: '404 Key Not Found' });
    expect((await rest('DELETE', path, { token: developer })).status).toBe(404);
    expect((await rest('DELETE', path, { token })).status).toBe(204);
    expect((await rest('DELETE', path, { token })).body).toEqual({ message: '404 Key Not Found' });
    const events = await gateway.sql<{ kind: string; detail: string }>(
      `select kind, detail from audit_events where kind like 'ssh_key%' and user_id = (select id from users where username = 'guest') order by id`,
    );
    expect(events).toEqual([
      { kind: 'ssh_key_added', detail: 'Laptop' },
      { kind: 'ssh_key_removed', detail: 'Laptop' },
    ]);
  });

  test('are public by id and by name, without a token', async () => {
    const key = await added();
    const { id } = (await rest('GET', '/api/v4/user', { token: developer })).body as { id: number };
    for (const who of [id, 'developer']) {
      const list = (await rest('GET', `/api/v4/users/${who}/keys`)).body as Key[];
      expect(list).toContainEqual(key);
      expect((await rest('GET', `/api/v4/users/${who}/keys/${key.id}`)).body).toEqual(key);
    }
    const missing = await rest('GET', '/api/v4/users/nobody-here/keys');
    expect([missing.status, missing.body]).toEqual([404, { message: '404 User Not Found' }]);
    expect((await rest('GET', `/api/v4/users/root/keys/${key.id}`)).body).toEqual({ message: '404 Key Not Found' });
    expect((await rest('GET', '/api/v4/user/keys')).status).toBe(401);
  });

  test('are added and removed by administrators, and by nobody else', async () => {
    const { id } = (await rest('GET', '/api/v4/user', { token: guest })).body as { id: number };
    const path = `/api/v4/users/${id}/keys`;
    expect((await add({ key: made('ed25519') }, developer, path)).status).toBe(403);
    const { status, body } = await add({ key: made('ed25519') }, root, path);
    expect(status).toBe(201);
    const key = `${path}/${(body as Key).id}`;
    expect((await rest('DELETE', key, { token: developer })).status).toBe(403);
    expect((await rest('DELETE', key, { token: root })).status).toBe(204);
    expect((await rest('DELETE', key, { token: root })).body).toEqual({ message: '404 Key Not Found' });
    expect((await add({ key: made('ed25519') }, root, '/api/v4/users/999999/keys')).status).toBe(404);
  });

  test('are never changed with an OAuth token or a token that only reads', async () => {
    const key = made('ed25519');
    for (const token of [
      await gateway.accessToken('developer', ['api']),
      await gateway.personalToken('developer', ['read_api']),
    ])
      expect([401, 403]).toContain((await add({ key }, token)).status);
  });
});

const blob = (...parts: (string | Buffer)[]) =>
  Buffer.concat(
    parts.map((part) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(Buffer.byteLength(part));
      return Buffer.concat([length, Buffer.from(part)]);
    }),
  ).toString('base64');
const forbidden = { message: { key: ['type is forbidden. Must be RSA, ECDSA, or ED25519'] } };
const invalid = { message: { key: ['is invalid'], fingerprint_sha256: ['cannot be generated'] } };

describe('a key is refused, and nothing is stored', () => {
  const good = made('ed25519');
  test.each<[string, object, object]>([
    ['that is missing', { key: undefined }, { error: 'key is missing' }],
    ['without a title', { title: undefined, key: good }, { error: 'title is missing' }],
    ['with a blank title', { title: '', key: good }, { message: { title: ["can't be blank"] } }],
    [
      'with a long title',
      { title: 'x'.repeat(256), key: good },
      { message: { title: ['is too long (maximum is 255 characters)'] } },
    ],
    ['that is blank', { key: ' ' }, { message: { key: ["can't be blank"] } }],
    ['that is no key', { key: 'hello' }, invalid],
    ['that is a private key', { key: sshKeyPair().private }, invalid],
    ['of two lines', { key: `${good}\n${good}` }, invalid],
    ['with options before it', { key: `command="id" ${good}` }, invalid],
    ['with broken Base64', { key: 'ssh-ed25519 AAAA' }, invalid],
    ['whose type isn’t that of its content', { key: `ssh-rsa ${good.split(' ')[1]}` }, invalid],
    [
      'with bytes behind it',
      {
        key: `ssh-ed25519 ${Buffer.concat([Buffer.from(good.split(' ')[1]!, 'base64'), Buffer.from('x')]).toString('base64')}`,
      },
      invalid,
    ],
    ['of the type DSA', { key: `ssh-dss ${blob('ssh-dss', 'p', 'q', 'g', 'y')}` }, forbidden],
    [
      'of a security token',
      { key: `sk-ssh-ed25519@openssh.com ${blob('sk-ssh-ed25519@openssh.com', Buffer.alloc(32), 'ssh:')}` },
      forbidden,
    ],
    ['with too few bits', { key: made('rsa', 1_024) }, { message: { key: ['must be at least 2048 bits'] } }],
    [
      'that is too long',
      { key: `${good} ${'x'.repeat(5_000)}` },
      { message: { key: ['is too long (maximum is 5000 characters)'] } },
    ],
    ['that expired', { key: good, expires_at: '2020-01-01' }, { message: { key: ['has expired'] } }],
    ['with a wrong use', { key: good, usage_type: 'login' }, { error: 'usage_type does not have a valid value' }],
    ['with a wrong day', { key: good, expires_at: 'soon' }, { error: 'expires_at is invalid' }],
  ])('%s', async (_what, fields, answer) => {
    const count = () => gateway.sql('select count(*) from ssh_keys');
    const before = await count();
    const { status, body } = await add(fields);
    expect([status, body]).toEqual([400, answer]);
    expect(await count()).toEqual(before);
  });

  test('that somebody else has, also of two at once', async () => {
    const key = made('ed25519');
    const statuses = await Promise.all([add({ key }), add({ key }, guest)]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect((await add({ key: `${bare(key)} another comment` })).body).toEqual({
      message: { fingerprint_sha256: ['has already been taken'] },
    });
  });

  test('that is one too many', async () => {
    const token = await gateway.personalToken('maintainer', ['api']);
    await gateway.sql(
      `insert into ssh_keys (user_id, title, key, fingerprint_sha256, fingerprint_md5)
       select (select id from users where username = 'maintainer'), 'x', 'x', sha256(n::text::bytea), '' from generate_series(1, 100) n`,
    );
    expect((await add({ key: made('ed25519') }, token)).body).toEqual({
      message: { key: ['is one too many (maximum is 100)'] },
    });
    await gateway.sql(`delete from ssh_keys where title = 'x'`);
  });
});

describe('administrators find whose a key is', () => {
  test('by id and by both fingerprints', async () => {
    const line = made('ecdsa');
    const key = await added({ key: line });
    const found = {
      ...key,
      user: expect.objectContaining({ username: 'developer', commit_email: expect.any(String) }),
    };
    expect((await rest('GET', `/api/v4/keys/${key.id}`, { token: root })).body).toEqual(found);
    const [{ md5 } = { md5: '' }] = await gateway.sql<{ md5: string }>(
      `select encode(fingerprint_md5, 'hex') as md5 from ssh_keys where id = $1`,
      [key.id],
    );
    for (const fingerprint of [await sha256(line), md5.match(/../g)!.join(':')]) {
      const path = `/api/v4/keys?fingerprint=${encodeURIComponent(fingerprint)}`;
      expect((await rest('GET', path, { token: root })).body).toEqual(found);
      expect((await rest('GET', path, { token: developer })).status).toBe(403);
      expect((await rest('GET', path)).status).toBe(401);
    }
  });

  test.each([
    ['/api/v4/keys', 400, { error: 'fingerprint is missing' }],
    ['/api/v4/keys?fingerprint=abc', 400, { message: 'Failed to return the key' }],
    [`/api/v4/keys?fingerprint=SHA256:${'A'.repeat(43)}`, 404, { message: '404 Key Not Found' }],
    ['/api/v4/keys/999999', 404, { message: '404 Not found' }],
    ['/api/v4/keys/x', 400, { error: 'key_id is invalid' }],
  ])('%s', async (path, status, body) => {
    const answer = await rest('GET', path, { token: root });
    expect([answer.status, answer.body]).toEqual([status, body]);
  });
});

test('GraphQL has the same, and the fingerprints', async () => {
  const line = made('ed25519');
  const key = await added({ key: line });
  const { data } = await gateway.graphql<{ sshKeys: { nodes: object[] } }>(
    '{ sshKeys(userId: "developer", last: 1) { nodes { databaseId fingerprintSha256 usageType user { username } lastUsedAt } } }',
    { token: guest },
  );
  expect(data?.sshKeys.nodes).toEqual([
    {
      databaseId: key.id,
      fingerprintSha256: await sha256(line),
      usageType: 'AUTH_AND_SIGNING',
      user: { username: 'developer' },
      lastUsedAt: null,
    },
  ]);
  // What lets somebody in is changed over REST and pages only.
  const { errors } = await gateway.graphql('mutation { addSshKey(input: { key: "x" }) { errors } }', { token: root });
  expect(errors?.[0]?.message).toContain('addSshKey');
});

test('keys that let a person in are at an address of their own, as authorized_keys has them', async () => {
  const { id } = await newUser(gateway, 'keyholder');
  const keys = [
    { key: made('ed25519'), title: 'in' },
    { key: made('ed25519'), title: 'signs', usage_type: 'signing' },
    { key: made('ed25519'), title: 'was in', expires_at: '2999-01-01' },
  ];
  for (const json of keys) await gateway.rest('POST', `/api/v4/users/${id}/keys`, { token: root, json });
  await gateway.sql(`update ssh_keys set expires_at = now() - interval '1 day' where title = 'was in'`);
  const response = await fetch(`${gateway.url}/keyholder.keys`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect((await response.text()).split('\n').map(bare)).toEqual([bare(keys[0]!.key), '']);
  expect((await fetch(`${gateway.url}/unknown-person.keys`)).status).toBe(404);
});

describe('the page', () => {
  const path = '/profile/keys';

  test('adds a key with its comment as title, lists it, and removes it', async () => {
    const { username, password } = await account(gateway, 'tess');
    const browser = await signIn(gateway, username, password);
    const empty = await browser.get('/-/user_settings/ssh_keys');
    expect(empty.location).toBe(path);
    const page = await browser.get(path);
    expect(page.text).toContain('You have no SSH keys.');
    const line = made('ed25519');
    const shown = await followed(browser, await browser.press(page.form('Add the key'), { key: line }));
    expect(shown.text).toContain('The key is added.');
    expect(shown.text).toContain('ada@laptop.example');
    expect(shown.text).toContain(await sha256(line));

    const again = await browser.press(shown.form('Add the key'), { key: line, title: 'Twice' });
    expect([again.status, again.text.includes('The key has already been taken')]).toEqual([422, true]);
    const wrong = await browser.press(shown.form('Add the key'), { key: 'nothing', expires_at: 'soon' });
    expect([wrong.status, wrong.text.includes('The expiry must be a day')]).toEqual([422, true]);
    expect(wrong.html).toContain('nothing</textarea>');

    const way = /href="(\/profile\/keys\/\d+\/remove)"/.exec(shown.html)?.[1] ?? '';
    const other = await signIn(gateway, 'guest', inject('passwords').demo);
    expect((await other.get(way)).status).toBe(404);
    const gone = await followed(browser, await browser.press((await browser.get(way)).form('Remove the key')));
    expect(gone.text).toContain('The key is removed.');
    expect(gone.text).toContain('You have no SSH keys.');
  });
});
