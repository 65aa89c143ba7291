import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { tokenLength } from './protocol.ts';

/** A new token: proof that a connection belongs to a job, and to which. */
export const newToken = (): string => randomBytes(tokenLength / 2).toString('hex');

/** Milliseconds in which a new connection must say what it is. */
const introduction = 5_000;

/**
 * The socket on which the gateway waits for the runner's connections: 0600 in a fresh folder of mode 0700. Each
 * connection begins with a token that the gateway gave out, once; any other is closed.
 */
export class Connections {
  readonly #expected = new Map<string, (socket: Socket) => void>();
  readonly #server: Server;
  readonly folder: string;
  readonly path: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.path = join(folder, 's');
    // Half-open: git may still write after its input was closed.
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
  }

  /** @returns a socket that listens */
  static async open(): Promise<Connections> {
    const connections = new Connections(await mkdtemp(join(tmpdir(), 'causeway-git-')));
    connections.#server.listen(connections.path);
    await once(connections.#server, 'listening');
    await chmod(connections.path, 0o600);
    return connections;
  }

  /** Expects a connection with this token. @param opened gets it, with what it says after the token unread */
  expect(token: string, opened: (socket: Socket) => void): void {
    this.#expected.set(token, opened);
  }

  /** The connection isn't expected any more. */
  forget(token: string): void {
    this.#expected.delete(token);
  }

  async close(): Promise<void> {
    this.#server.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  #accept(socket: Socket): void {
    let head: Buffer = Buffer.alloc(0);
    const timer = setTimeout(() => socket.destroy(), introduction);
    // The code that takes the socket over listens for its errors; until then they only close it.
    socket.on('error', () => undefined);
    const read = () => {
      for (;;) {
        const chunk = socket.read() as Buffer | null;
        if (!chunk) return;
        head = Buffer.concat([head, chunk]);
        if (head.length < tokenLength) continue;
        clearTimeout(timer);
        socket.off('readable', read);
        const token = head.toString('latin1', 0, tokenLength);
        const opened = this.#expected.get(token);
        this.#expected.delete(token);
        if (!opened) return socket.destroy() as unknown as void;
        if (head.length > tokenLength) socket.unshift(head.subarray(tokenLength));
        return opened(socket);
      }
    };
    socket.on('readable', read);
    socket.once('close', () => clearTimeout(timer));
  }
}
