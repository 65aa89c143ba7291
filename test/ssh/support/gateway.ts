import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import ssh from 'ssh2';
import { readConfig } from '../../../src/config/index.ts';
import type { SshOptions } from '../../../src/ssh/index.ts';
import { startSsh, type SshGateway } from '../../../src/ssh-gateway.ts';
import { temporaryFolder } from '../../git/support/engine.ts';
import { afterFile } from '../../support/run/after-file.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { secretKey } from '../../support/run/global-setup.ts';
import { sshKeyPair, type KeyType } from '../../support/oauth/ssh-key-pair.ts';

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A gateway that names git over SSH, and that beside it. */
export async function sshGateway(): Promise<{
  readonly gateway: TestGateway;
  readonly port: number;
  /** Starts git over SSH for the same instance; on the same port unless another is named. */
  readonly start: (
    bounds?: SshOptions['bounds'],
    at?: number,
    settings?: Record<string, string>,
  ) => Promise<SshGateway>;
}> {
  const port = await freePort();
  const gateway = await testGateway({ CAUSEWAY_SSH_PORT: String(port) });
  const start = async (bounds?: SshOptions['bounds'], at = port, settings: Record<string, string> = {}) => {
    const running = await startSsh(
      readConfig({
        DATABASE_URL: gateway.databaseUrl,
        DATA_DIR: gateway.dataDir,
        CAUSEWAY_SECRET_KEY: secretKey,
        CAUSEWAY_BASE_URL: gateway.url,
        CAUSEWAY_SSH_PORT: String(at),
        CAUSEWAY_ACCESS_LOG: 'off',
        CAUSEWAY_LOG_LEVEL: 'error',
        CAUSEWAY_DRAIN_TIMEOUT: '2000',
        ...settings,
      }),
      bounds,
    );
    let ended: Promise<void> | undefined;
    const stop = () => (ended ??= running.stop());
    afterFile(stop);
    return { ...running, stop };
  };
  return { gateway, port, start };
}
export { freePort };

export interface TestKey {
  readonly id: number;
  readonly private: string;
  /** The file with the private key. */
  readonly file: string;
}

/** A new key, which belongs to nobody. */
export function newKey(type?: KeyType): Omit<TestKey, 'id'> & { readonly public: string } {
  const made = sshKeyPair(type);
  const file = join(temporaryFolder(), 'key');
  writeFileSync(file, made.private, { mode: 0o600 });
  return { private: made.private, public: made.public, file };
}

/** A new key of a person. */
export async function keyOf(
  { rest }: TestGateway,
  token: string,
  { type, ...more }: { type?: KeyType; usage_type?: string } = {},
): Promise<TestKey> {
  const made = newKey(type);
  const { status, body } = await rest('POST', '/api/v4/user/keys', {
    token,
    json: { title: 'Test', key: made.public, ...more },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { id: body.id, ...made };
}

/** The options of git that make it use the client of these tests. @param hostKey the only one that it accepts */
export const through = ({ file }: Pick<TestKey, 'file'>, hostKey = '-'): string[] => [
  '-c',
  `core.sshCommand='${process.execPath}' '${join(import.meta.dirname, 'client.mjs')}' '${file}' '${hostKey}'`,
  '-c',
  'ssh.variant=ssh',
];

export interface Said {
  readonly code: number | undefined;
  readonly out: string;
  readonly errors: string;
}

/** Opens a connection. @throws what the client says when it isn't let in */
export function connected(port: number, options: Partial<ssh.ConnectConfig>): Promise<ssh.Client> {
  const client = new ssh.Client();
  return new Promise((resolve, reject) => {
    // Once it is in, errors come with `close`.
    client.on('error', reject).on('close', () => reject(new Error('closed')));
    client.on('ready', () => resolve(client));
    client.connect({ host: '127.0.0.1', port, username: 'git', readyTimeout: 10_000, ...options });
    // Otherwise each of its short messages waits for the one before to be confirmed.
    client.setNoDelay(true);
  });
}

/** Runs one command, and closes. */
export async function command(port: number, key: Pick<TestKey, 'private'>, text: string, env = {}): Promise<Said> {
  const client = await connected(port, { privateKey: key.private });
  const said = await runOn(client, text, env);
  client.end();
  return said;
}

/** Runs one command on a connection. */
export const runOn = (client: ssh.Client, text: string, env = {}): Promise<Said> =>
  new Promise((resolve, reject) => {
    client.exec(text, { env }, (error, channel) => {
      if (error) return reject(error);
      let code: number | undefined;
      let out = '';
      let errors = '';
      channel.on('data', (data: Buffer) => (out += data.toString('latin1')));
      channel.stderr.on('data', (data: Buffer) => (errors += data.toString('latin1')));
      channel.on('exit', (given: number) => (code = given));
      channel.on('close', () => resolve({ code, out, errors }));
      channel.end();
    });
  });
