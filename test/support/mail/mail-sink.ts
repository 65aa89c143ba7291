import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterFile } from '../run/after-file.ts';

/** A message that arrived, parsed. */
export interface Arrived extends Email {
  /** The recipient of the envelope. */
  readonly recipient: string;
  /** The value of a header; undefined if there is none. */
  header(name: string): string | undefined;
  /** As it came over the wire. */
  readonly raw: string;
}

/** How a mail server answers: at RCPT TO, after DATA, or not at all. */
export interface Behaviour {
  /** An SMTP code for RCPT TO; undefined: the recipient is fine. */
  rcpt?: (address: string) => number | undefined;
  /** An SMTP code after DATA, or `dies`: the connection is cut within DATA. */
  data?: (address: string) => number | 'dies' | undefined;
  /** Milliseconds before the answer to DATA. */
  slow?: number;
}

/** A real SMTP server on the loopback, for tests of notifications. */
export interface MailSink {
  readonly settings: { readonly CAUSEWAY_SMTP_URL: string; readonly CAUSEWAY_SMTP_FROM: string };
  /** All messages that it took, the oldest first. */
  readonly arrived: Arrived[];
  /** Changed by tests at any time. */
  behaviour: Behaviour;
  /** How many connections were opened. */
  readonly connections: number;
  to(address: string): Arrived[];
  /** Refuses connections from now on. */
  down(): Promise<void>;
  /** Takes connections again, on the same port. */
  up(): Promise<void>;
}

export async function mailSink(): Promise<MailSink> {
  const arrived: Arrived[] = [];
  let server: SMTPServer;
  let port = 0;
  let connections = 0;
  const answer = (code: number) => Object.assign(new Error('As the test says'), { responseCode: code });
  const start = async () => {
    server = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      closeTimeout: 10,
      onConnect(_session, done) {
        connections += 1;
        done();
      },
      onRcptTo({ address }, _session, done) {
        const code = sink.behaviour.rcpt?.(address);
        done(code === undefined ? null : answer(code));
      },
      onData(stream, session, done) {
        const recipient = session.envelope.rcptTo[0]!.address;
        const how = sink.behaviour.data?.(recipient);
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if (how === 'dies') for (const { _socket } of connectionsOf(server)) _socket.destroy();
        });
        stream.on('end', () => {
          if (how === 'dies') return;
          if (how !== undefined) return done(answer(how));
          const raw = Buffer.concat(chunks);
          void PostalMime.parse(raw).then((email) => {
            arrived.push({
              ...email,
              recipient,
              raw: raw.toString('latin1'),
              header: (name) => email.headers.find(({ key }) => key === name.toLowerCase())?.value,
            });
            setTimeout(done, sink.behaviour.slow ?? 0);
          });
        });
      },
    });
    server.on('error', () => undefined);
    server.listen(port, '127.0.0.1');
    await once(server.server, 'listening');
    ({ port } = server.server.address() as AddressInfo);
  };
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const { _socket } of connectionsOf(server)) _socket.destroy();
    });
  const sink: MailSink = {
    get settings() {
      return { CAUSEWAY_SMTP_URL: `smtp://127.0.0.1:${port}`, CAUSEWAY_SMTP_FROM: 'Causeway <causeway@example.com>' };
    },
    arrived,
    behaviour: {},
    get connections() {
      return connections;
    },
    to: (address) => arrived.filter(({ recipient }) => recipient === address),
    down: stop,
    up: start,
  };
  await start();
  afterFile(stop);
  return sink;
}

/** The open connections; smtp-server doesn't declare their sockets. */
const connectionsOf = (server: SMTPServer) => [
  ...(server as unknown as { connections: Set<{ _socket: { destroy(): void } }> }).connections,
];
