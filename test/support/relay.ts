import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net';

/** A way to PostgreSQL that can be made to fail. */
export interface Relay {
  /** The address of the database by this way. */
  readonly url: string;
  /** Takes connections and hands nothing on in either direction, as a server that hangs or a network that swallows. */
  freeze(): void;
  /** Forgets the connections there are, as a firewall does: nothing more comes through them, and nobody is told. Others are taken. */
  forget(): void;
  /** Hands on again, also what came meanwhile. */
  thaw(): void;
  /** Ends every connection, and those that come. */
  cut(): void;
  /** Takes connections again. */
  restore(): void;
  /** Connections from now on lead to another server. Those that are open stay with the last one. */
  turnTo(databaseUrl: string): void;
  close(): Promise<void>;
}

/** @param databaseUrl with a socket's folder as `host` among the parameters, as the test server's, or with a port */
export async function relayTo(databaseUrl: string): Promise<Relay> {
  let target = targetOf(databaseUrl);
  const sockets = new Set<Socket>();
  let frozen = false;
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(target);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('data', (bytes) => other.write(bytes));
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      if (frozen) one.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    forget() {
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    restore() {
      isCut = false;
    },
    turnTo(other) {
      target = targetOf(other);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function targetOf(databaseUrl: string): NetConnectOpts {
  const { searchParams, hostname, port } = new URL(databaseUrl);
  const folder = searchParams.get('host');
  return folder === null ? { host: hostname, port: Number(port) } : { path: `${folder}/.s.PGSQL.${port}` };
}
