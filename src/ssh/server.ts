import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { GraphQLSchema } from 'graphql';
import ssh from 'ssh2';
import { addressKey } from '../values/address.ts';
import { counters } from '../counters.ts';
import { compileGit } from '../git-http/index.ts';
import { Counter, usualBounds, type Bounds } from './bounds.ts';
import { Connection } from './connection.ts';
import type { Service } from './session.ts';

export interface SshOptions extends Omit<Service, 'operations'> {
  readonly schema: GraphQLSchema;
  /** The private key by which clients recognise the instance. */
  readonly hostKey: string;
  readonly host: string;
  readonly port: number;
  readonly bounds?: Partial<Bounds>;
}

export interface SshServer {
  readonly port: number;
  /** Takes no more connections, waits for commands that run, and ends the rest after so many milliseconds. */
  stop(milliseconds: number): Promise<void>;
}

/** What today's clients have, without SHA-1 and without compression, which costs memory before anything is known. */
const algorithms: ssh.Algorithms = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group14-sha256',
    'diffie-hellman-group16-sha512',
  ],
  serverHostKey: ['ssh-ed25519'],
  cipher: [
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
    'aes128-ctr',
    'aes256-ctr',
    'chacha20-poly1305@openssh.com',
  ],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
};

/**
 * Git over SSH: the second way of git's clients, beside HTTP. It knows no rights and runs no git: it asks the operations
 * that git over HTTP asks (decision 0078).
 * @throws if it can't listen
 */
export async function listenSsh(options: SshOptions): Promise<SshServer> {
  const { schema, hostKey, host, port, bounds: given, ...rest } = options;
  const bounds = { ...usualBounds, ...given };
  const service: Service = { ...rest, operations: compileGit(schema) };
  const counter = new Counter(bounds);
  const connections = new Map<Socket, Connection>();
  const protocol = new ssh.Server({ hostKeys: [hostKey], ident: 'Causeway', algorithms });
  /** What a socket's connection calls when it has a key. */
  const arrivals = new Map<string, { readonly connection: Connection; readonly known: () => void }>();

  protocol.on('connection', (client, { ip, port: from }) => {
    const arrival = arrivals.get(`${ip} ${from}`);
    if (arrival) arrival.connection.begin(client, arrival.known);
    else client.end();
  });

  const listener = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }, (socket) => {
    // Errors come with `close`.
    socket.on('error', () => undefined);
    const address = socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '');
    const place = address === undefined ? undefined : counter.enter(addressKey(address));
    counters.sshConnections.count(place ? 'taken' : 'too many');
    if (!place) return void socket.destroy();
    const name = `${socket.remoteAddress} ${socket.remotePort}`;
    const connection = new Connection(service, bounds, socket, address!);
    connections.set(socket, connection);
    arrivals.set(name, { connection, known: place.known });
    socket.once('close', () => {
      place.leave();
      connections.delete(socket);
      arrivals.delete(name);
    });
    protocol.injectSocket(socket);
  });
  listener.listen(port, host);
  await once(listener, 'listening');
  // Too many open files, for example: the next connection may get through.
  listener.on('error', (error) => service.log.error({ error: error.message }, 'git over SSH can’t take a connection'));

  return {
    port: (listener.address() as AddressInfo).port,
    async stop(milliseconds) {
      const closed = new Promise((resolve) => listener.close(resolve));
      for (const connection of connections.values()) connection.drain();
      const late = setTimeout(() => {
        for (const connection of connections.values()) connection.destroy();
      }, milliseconds);
      await closed;
      clearTimeout(late);
    },
  };
}
