import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import ssh from 'ssh2';
import { gitClient, temporaryFolder } from '../git/support/engine.ts';
import { newProject } from '../repository/support/project.ts';
import { workTree } from '../repository/support/clone.ts';
import {
  command,
  connected,
  freePort,
  keyOf,
  newKey,
  runOn,
  sshGateway,
  through,
  type TestKey,
} from './support/gateway.ts';

/** Clients that aren't git, or that try what they shouldn't. */

const bounds = { handshake: 3_000, strangersPerAddress: 5, perAddress: 8, idle: 1_500, channels: 2, quiet: 2_000 };
const { gateway, port, start } = await sshGateway();
let running = await start(bounds);
const { tokens } = gateway;

let key: TestKey;
let project: Awaited<ReturnType<typeof newProject>>;
beforeAll(async () => {
  key = await keyOf(gateway, tokens.maintainer);
  project = await newProject(gateway);
  const work = workTree(`ssh://git@127.0.0.1:${port}/${project.fullPath}.git`);
  work.commit('first');
  expect(await gitClient(work.folder, [...through(key), 'push', 'origin', 'main'])).toMatchObject({ code: 0 });
});

const greeting = { code: 1, out: '', errors: 'Welcome, maintainer. Causeway gives no shell.\n' };
const hidden = expect.stringContaining('could not be found or you don');

describe('a command', () => {
  /** Runs commands on one connection. @returns what each said */
  async function saidTo(texts: readonly string[]) {
    const client = await connected(port, { privateKey: key.private });
    const said = [];
    for (const text of texts) said.push([text, await runOn(client, text)]);
    client.end();
    return said;
  }

  const strange = [
    '',
    'id',
    'sh -c id',
    'scp -t /tmp',
    'git-upload-pack',
    `git-upload-pack 'a/b'; id`,
    `git-upload-pack 'a/b' 'c/d'`,
    `git-upload-pack "a/b"`,
    'git-upload-pack a/b',
    `git-upload-pack 'a'\\''b'`,
    `git-upload-pack --strict 'a/b'`,
    `git-upload-pack --upload-pack=id 'a/b'`,
    `git-upload-pack 'a/b' --upload-pack=id`,
    `git upload-pack  'a/b'`,
    ` git-upload-pack 'a/b'`,
    `git-upload-pack 'a/b'\n`,
    `git-shell -c 'id'`,
    `GIT_PROTOCOL=x git-upload-pack 'a/b'`,
    `git-upload-pack '$(id)' && id`,
  ];
  test('that is none of git’s two gets a greeting', async () => {
    expect(await saidTo(strange)).toEqual(strange.map((text) => [text, greeting]));
  });

  const nowhere = [
    '/',
    '',
    '..',
    '../../etc/passwd',
    '/etc/passwd',
    '/maintainer/../../etc',
    '--upload-pack=id',
    '-c/core.sshCommand=id',
    '$(id)/`id`',
    'a/b\u0000c',
    'a/b\nc',
    'a\\b/c',
    `${'x'.repeat(2_000)}/y`,
    'gid://gitlab/Project/1',
    '1',
    'snippets/1',
  ];
  test('names only what is a project', async () => {
    const texts = nowhere.map((path) => `git-upload-pack '${path}'`);
    const refused = expect.objectContaining({ code: 1, out: '', errors: hidden });
    expect(await saidTo(texts)).toEqual(texts.map((text) => [text, refused]));
  });

  test('finds a project by each form of its path, and offers no wiki and no archive', async () => {
    for (const path of [`/${project.fullPath}.git`, project.fullPath, `/${project.fullPath.toUpperCase()}.git/`])
      expect((await command(port, key, `git-upload-pack '${path}'`)).out).toContain('refs/heads/main');
    expect(await command(port, key, `git-upload-pack '${project.fullPath}.wiki.git'`)).toMatchObject({
      errors: hidden,
    });
    const archive = await command(port, key, `git-upload-archive '${project.fullPath}.git'`);
    expect(archive).toMatchObject({ code: 1, errors: expect.stringContaining('over HTTP only') });
  });

  test('gets no environment but a version of the protocol', async () => {
    const ask = (env: object) => command(port, key, `git-upload-pack '${project.fullPath}.git'`, env);
    expect((await ask({ GIT_PROTOCOL: 'version=2' })).out).toContain('version 2');
    for (const env of [
      { GIT_PROTOCOL: 'version=2:x' },
      { GIT_PROTOCOL: 'version=2\n' },
      { GIT_TRACE: '1', GIT_DIR: '/', LD_PRELOAD: '/x', GIT_SSH_COMMAND: 'id' },
    ]) {
      const { out, errors } = await ask(env);
      expect(out).toMatch(/^[0-9a-f]{4}[0-9a-f]{40} HEAD/);
      expect(errors).not.toContain('trace');
    }
  });

  test('is one for each channel; terminals, subsystems and forwarding are refused', async () => {
    const client = await connected(port, { privateKey: key.private });
    const shell = await new Promise<string>((resolve) =>
      client.shell({ term: 'xterm' }, (error) => resolve(String(error?.message))),
    );
    expect(shell).toContain('pseudo-terminal');
    const sftp = await new Promise<string>((resolve) => client.sftp((error) => resolve(String(error?.message))));
    expect(sftp).toContain('subsystem');
    const forwarded = await new Promise<string>((resolve) =>
      client.forwardOut('127.0.0.1', 1, '127.0.0.1', port, (error) => resolve(String(error?.message))),
    );
    expect(forwarded).toContain('Channel open failure');
    const listening = await new Promise<string>((resolve) =>
      client.forwardIn('127.0.0.1', 0, (error) => resolve(String(error?.message))),
    );
    expect(listening).toContain('Unable to bind');
    client.end();
  });
});

describe('a connection', () => {
  test('needs the user name git', async () => {
    for (const username of ['root', 'maintainer', 'Git', ''])
      await expect(connected(port, { privateKey: key.private, username })).rejects.toThrow();
  });

  test('takes no password, and ends after six keys', async () => {
    const asked: string[] = [];
    await expect(connected(port, { password: 'secret', tryKeyboard: true })).rejects.toThrow('authentication');
    const keys = Array.from({ length: 8 }, () => newKey().private);
    await expect(
      connected(port, {
        authHandler: (_left, _partial, next) => {
          const privateKey = keys.pop();
          asked.push('key');
          next(privateKey === undefined ? (false as never) : { type: 'publickey', username: 'git', key: privateKey });
        },
      }),
    ).rejects.toThrow();
    expect(asked.length).toBeLessThanOrEqual(7);
  });

  test('must prove the key: its public half isn’t enough', async () => {
    const other = newKey();
    const mine = ssh.utils.parseKey(key.private) as ssh.ParsedKey;
    const theirs = ssh.utils.parseKey(other.private) as ssh.ParsedKey;
    // A key that shows the public half of one and signs with another.
    const forged = Object.assign(Object.create(theirs) as ssh.ParsedKey, {
      getPublicSSH: () => mine.getPublicSSH(),
      sign: (data: Buffer, hash?: string) => theirs.sign(data, hash),
    });
    await expect(
      connected(port, {
        authHandler: [{ type: 'publickey', username: 'git', key: forged as unknown as string }] as never,
      }),
    ).rejects.toThrow();
  });

  test('that says nothing, or nonsense, is closed; more of them than may be are closed at once', async () => {
    const silent = Array.from({ length: 12 }, () =>
      connect(port, '127.0.0.1')
        .on('error', () => undefined)
        .resume(),
    );
    const begun = performance.now();
    const times = await Promise.all(
      silent.map((socket) => once(socket, 'close').then(() => performance.now() - begun)),
    );
    const atOnce = times.filter((time) => time < bounds.handshake * 0.8);
    expect(atOnce).toHaveLength(12 - bounds.strangersPerAddress);
    const nonsense = connect(port, '127.0.0.1')
      .on('error', () => undefined)
      .resume();
    nonsense.write('GET / HTTP/1.1\r\n\r\n'.repeat(2_000));
    await once(nonsense, 'close');
    expect(await command(port, key, '')).toEqual(greeting);
  });

  test('that has a key is bounded too, and ends when it asks nothing', async () => {
    const clients = [];
    for (let n = 0; n < bounds.perAddress; n++) clients.push(await connected(port, { privateKey: key.private }));
    await expect(connected(port, { privateKey: key.private })).rejects.toThrow();
    await Promise.all(clients.map((client) => once(client, 'close')));
    expect(await command(port, key, '')).toEqual(greeting);
  });

  test('has few channels at once, and a silent fetch ends', async () => {
    const client = await connected(port, { privateKey: key.private });
    const open = () =>
      new Promise<Error | undefined>((resolve) =>
        client.exec(`git-upload-pack '${project.fullPath}.git'`, (error, channel) => {
          channel?.resume();
          resolve(error);
        }),
      );
    expect([await open(), await open()]).toEqual([undefined, undefined]);
    expect((await open())?.message).toContain('Channel open failure');
    await once(client, 'close');
    expect(await command(port, key, '')).toEqual(greeting);
  });
});

/** The host key as a client sees it. */
async function hostKeyAt(at: number): Promise<string> {
  let seen = '';
  const client = await connected(at, {
    privateKey: key.private,
    hostVerifier: (blob: Buffer) => {
      seen = createHash('sha256').update(blob).digest('base64');
      return true;
    },
  });
  client.end();
  return seen;
}

describe('the process', () => {
  test('shows the same host key after a restart, and so does another one', async () => {
    const before = await hostKeyAt(port);
    const at = await freePort();
    const second = await start({}, at);
    expect(await hostKeyAt(at)).toBe(before);
    await second.stop();
    await running.stop();
    running = await start(bounds);
    expect(await hostKeyAt(port)).toBe(before);
    const [row] = await gateway.sql<{ sealed: string; shown: string }>(
      `select encode(private_key, 'escape') as sealed, public_key as shown from ssh_host_keys`,
    );
    expect(row?.sealed).not.toContain('OPENSSH');
    expect(
      createHash('sha256')
        .update(Buffer.from(row!.shown.split(' ')[1]!, 'base64'))
        .digest('base64'),
    ).toBe(before);
  });

  test('counts commands for the person, and refuses them above the limit', async () => {
    const at = await freePort();
    const limited = await start({}, at, { CAUSEWAY_LIMIT_AUTHENTICATED_API: '2/3600' });
    const client = await connected(at, { privateKey: key.private });
    const fetch = `git-upload-pack '${project.fullPath}.git'`;
    expect((await runOn(client, fetch)).out).toContain('refs/heads/main');
    expect(await runOn(client, '')).toEqual(greeting);
    const refused = { code: 1, out: '', errors: expect.stringContaining('remote: ERROR: Retry later') };
    expect(await runOn(client, fetch)).toEqual(refused);
    expect(await runOn(client, '')).toEqual(refused);
    // Another person has a count of their own.
    const other = await keyOf(gateway, tokens.developer);
    expect((await command(at, other, '')).errors).toContain('Welcome, developer');
    await limited.stop();
  });

  test('lets a clone finish when it stops, and takes no more', async () => {
    const client = await connected(port, { privateKey: key.private });
    const idle = await connected(port, { privateKey: key.private });
    const folder = temporaryFolder();
    const ended = once(idle, 'close');
    let out = '';
    const channel = await new Promise<ssh.ClientChannel>((resolve, reject) =>
      client.exec(`git-upload-pack '${project.fullPath}.git'`, (error, opened) =>
        error ? reject(error) : resolve(opened),
      ),
    );
    channel.on('data', (data: Buffer) => (out += data.toString('latin1')));
    await once(channel, 'data');
    const stopping = running.stop();
    await ended;
    await expect(connected(port, { privateKey: key.private })).rejects.toThrow();
    const closed = once(channel, 'close');
    channel.write('0000');
    await closed;
    await stopping;
    expect(out).toContain('refs/heads/main');
    running = await start(bounds);
    expect(
      await gitClient(folder, [...through(key), 'clone', `ssh://git@127.0.0.1:${port}/${project.fullPath}.git`, 'x']),
    ).toMatchObject({ code: 0 });
    expect((await runOn(await connected(port, { privateKey: key.private }), '')).code).toBe(1);
  });
});
