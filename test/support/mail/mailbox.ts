import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { vi } from 'vitest';
import { afterFile } from '../run/after-file.ts';

/** A received message. */
export interface Mail {
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  /** The plain text. */
  readonly text: string;
  readonly html: string;
  /** The first URL in the text. */
  readonly link: string;
}

/** An SMTP server on the loopback, which accepts every message unless a test says otherwise. */
export interface Mailbox {
  /** The settings of a gateway that sends its mail here. */
  readonly settings: { readonly CAUSEWAY_SMTP_URL: string; readonly CAUSEWAY_SMTP_FROM: string };
  /** All received messages, the oldest first. */
  readonly mails: Mail[];
  /** SMTP codes with which the next messages are refused. */
  readonly refusals: number[];
  /** The latest message to an address with this text in its subject; waits for it. */
  latest(to: string, subject: string): Promise<Mail>;
  to(address: string): Mail[];
}

export async function mailbox(): Promise<Mailbox> {
  const mails: Mail[] = [];
  const refusals: number[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const refusal = refusals.shift();
        if (refusal !== undefined) return done(Object.assign(new Error('Not now'), { responseCode: refusal }));
        mails.push(
          parsed(session.envelope.rcptTo.map(({ address }) => address).join(), Buffer.concat(chunks).toString('utf8')),
        );
        done();
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  afterFile(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  const to = (address: string) => mails.filter((mail) => mail.to === address);
  return {
    settings: { CAUSEWAY_SMTP_URL: `smtp://127.0.0.1:${port}`, CAUSEWAY_SMTP_FROM: 'Causeway <causeway@example.com>' },
    mails,
    refusals,
    to,
    latest: (address, subject) =>
      vi.waitFor(
        () => {
          const found = to(address).findLast((mail) => mail.subject.includes(subject));
          if (!found)
            throw new Error(
              `No “${subject}” for ${address}, but: ${mails.map((mail) => `${mail.to} ${mail.subject}`).join('; ')}`,
            );
          return found;
        },
        { timeout: 20_000, interval: 20 },
      ),
  };
}

function parsed(to: string, raw: string): Mail {
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'mi').exec(raw)?.[1]?.trim() ?? '';
  const part = (type: string) => {
    const [, encoding = '', body = ''] =
      new RegExp(`Content-Type: ${type}[^]*?Content-Transfer-Encoding: (\\S+)\\r\\n\\r\\n([^]*?)\\r\\n--`).exec(raw) ??
      [];
    return encoding === 'quoted-printable' ? fromQuotedPrintable(body) : body;
  };
  const text = part('text/plain');
  return {
    to,
    from: header('From'),
    subject: header('Subject'),
    text,
    html: part('text/html'),
    link: /https?:\/\/\S+/.exec(text)?.[0] ?? '',
  };
}

const fromQuotedPrintable = (text: string): string =>
  Buffer.from(
    text
      .replaceAll('=\r\n', '')
      .replace(/=([0-9A-F]{2})/g, (_coded, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
