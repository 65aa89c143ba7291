import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';

/** A pooler that lends connections to PostgreSQL for one transaction, as PgBouncer does with `pool_mode = transaction`. */
export interface Pooler {
  /** The URL of the database through this pooler. */
  readonly url: string;
  /** Whether it tracks prepared statements across connections, as PgBouncer does from 1.21 on. */
  follows: boolean;
  /** How often a client got another connection than before. */
  readonly exchanges: number;
  close(): Promise<void>;
}

const ready = message('Z', Buffer.from('I'));

/** A connection to PostgreSQL. */
interface Far {
  readonly socket: Socket;
  readonly prepared: Set<string>;
  client: Client | undefined;
  /** For each pending message, which of its answers the client didn't request. */
  surplus: { readonly type: '1' | '3'; readonly isSurplus: boolean }[][];
}

/** A connected program. */
interface Client {
  readonly socket: Socket;
  /** Its prepared statements by its own names: text and parameter types, as sent. */
  readonly statements: Map<string, Buffer>;
  waiting: { type: string; body: Buffer }[];
  far: Far | undefined;
  last: Far | undefined;
}

/** @param connections of the pooler to PostgreSQL */
export async function poolerTo(databaseUrl: string, connections: number): Promise<Pooler> {
  const all: Far[] = [];
  const clients = new Set<Client>();
  const names = new Map<string, string>();
  let exchanges = 0;
  /** A stack: the connection returned last is lent first. */
  const free: Far[] = [];
  for (let made = 0; made < connections; made++) {
    const session = new pg.Client({ connectionString: databaseUrl });
    await session.connect();
    const { stream: socket } = (session as unknown as { connection: { stream: Socket } }).connection;
    // The session is opened as usual; from here on its messages are those of clients.
    for (const event of ['data', 'close', 'end', 'error']) socket.removeAllListeners(event);
    const far: Far = { socket, prepared: new Set(), client: undefined, surplus: [] };
    socket
      .on('error', () => undefined)
      .on(
        'data',
        reading((type, body) => answer(far, type, body)),
      );
    all.push(far);
    free.push(far);
  }

  const pooler = { follows: true };

  function nameOf(statement: Buffer): string {
    const key = statement.toString('latin1');
    if (!names.has(key)) names.set(key, `P_${names.size}`);
    return names.get(key)!;
  }

  function ask(client: Client, type: string, body: Buffer): void {
    if (type === 'X') return void client.socket.end();
    client.waiting.push({ type, body });
    lend();
  }

  function lend(): void {
    for (const client of clients) {
      if (client.waiting.length === 0) continue;
      if (!client.far) {
        const far = free.pop();
        if (!far) return;
        if (client.last && client.last !== far) exchanges++;
        far.client = client;
        client.far = client.last = far;
        far.surplus = [[]];
      }
      for (const { type, body } of client.waiting.splice(0)) forward(client, client.far, type, body);
    }
  }

  function forward(client: Client, far: Far, type: string, body: Buffer): void {
    const noted = far.surplus.at(-1)!;
    const prepare = (name: string, statement: Buffer, isSurplus: boolean) => {
      if (far.prepared.has(name)) {
        far.socket.write(message('C', Buffer.from(`S${name}\0`)));
        noted.push({ type: '3', isSurplus: true });
      }
      far.prepared.add(name);
      far.socket.write(message('P', Buffer.concat([Buffer.from(`${name}\0`), statement])));
      noted.push({ type: '1', isSurplus });
    };
    /** The name of a client's statement on this connection, where it is prepared by then. */
    const carried = (own: string): string => {
      const statement = client.statements.get(own);
      if (!statement) return own;
      const name = nameOf(statement);
      if (!far.prepared.has(name)) prepare(name, statement, true);
      return name;
    };
    if (pooler.follows && type === 'P') {
      const [own, statement] = cut(body);
      if (own !== '') {
        client.statements.set(own, statement);
        return prepare(nameOf(statement), statement, false);
      }
    }
    if (type === 'P') noted.push({ type: '1', isSurplus: false });
    if (pooler.follows && type === 'B') {
      const [portal, rest] = cut(body);
      const [own, values] = cut(rest);
      body = Buffer.concat([Buffer.from(`${portal}\0${carried(own)}\0`), values]);
    }
    if (type === 'S' || type === 'Q') far.surplus.push([]);
    far.socket.write(message(type, body));
  }

  function answer(far: Far, type: string, body: Buffer): void {
    const { client } = far;
    if ((type === '1' || type === '3') && far.surplus[0]!.shift()?.isSurplus) return;
    client?.socket.write(message(type, body));
    if (type !== 'Z') return;
    far.surplus.shift();
    if (far.surplus.length > 1 || body.toString() !== 'I') return;
    far.client = undefined;
    if (client) client.far = undefined;
    free.push(far);
    lend();
  }

  const server = createServer({ noDelay: true }, (socket) => {
    const client: Client = { socket, statements: new Map(), waiting: [], far: undefined, last: undefined };
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clients.delete(client);
      // A transaction that a client leaves open is rolled back.
      if (!client.far) return;
      client.far.client = undefined;
      client.far.surplus.push([]);
      client.far.socket.write(message('Q', Buffer.from('rollback\0')));
    });
    socket.once('data', (start: Buffer) => {
      // A cancel request, which this pooler ignores.
      if (start.readInt32BE(4) !== 196_608) return void socket.end();
      clients.add(client);
      socket.on(
        'data',
        reading((type, body) => ask(client, type, body)),
      );
      const parameters = Object.entries({
        server_version: '16.0',
        client_encoding: 'UTF8',
        standard_conforming_strings: 'on',
        integer_datetimes: 'on',
      });
      const sessionKey = Buffer.alloc(8);
      sessionKey.writeInt32BE(2_000_000_000 + clients.size, 0);
      socket.write(
        Buffer.concat([
          message('R', Buffer.alloc(4)),
          ...parameters.map(([name, value]) => message('S', Buffer.from(`${name}\0${value}\0`))),
          message('K', sessionKey),
          ready,
        ]),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return Object.defineProperties(pooler, {
    url: { value: url.href },
    exchanges: { get: () => exchanges },
    close: {
      value: async () => {
        for (const { socket } of [...clients, ...all]) socket.destroy();
        await new Promise((resolve) => server.close(resolve));
      },
    },
  }) as unknown as Pooler;
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** The text up to the first NUL, and what comes after it. */
function cut(body: Buffer): [string, Buffer] {
  const end = body.indexOf(0);
  return [body.toString('utf8', 0, end), body.subarray(end + 1)];
}

/** Cuts a stream into messages of the protocol. */
function reading(each: (type: string, body: Buffer) => void): (chunk: Buffer) => void {
  let left = Buffer.alloc(0);
  return (chunk) => {
    left = Buffer.concat([left, chunk]);
    while (left.length >= 5 && left.length > left.readInt32BE(1)) {
      const end = 1 + left.readInt32BE(1);
      const [type, body] = [left.toString('latin1', 0, 1), left.subarray(5, end)];
      left = left.subarray(end);
      each(type, body);
    }
  };
}
