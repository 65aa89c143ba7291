import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../observability/index.ts';
import { counters } from '../counters.ts';
import type { Message } from './message.ts';

/** Sends messages, or says that it can't. */
export interface Mail {
  /** Whether a mail server is configured. What needs one says so where there is none. */
  readonly configured: boolean;
  /**
   * Takes a message over and returns at once: nobody waits for a mail server, and
   * nobody learns from the time it takes whether there was anything to send.
   */
  send(address: string, message: Message): void;
  /** Takes no more, and waits a little for what is under way. */
  close(): Promise<void>;
}

export const noMail: Mail = { configured: false, send: () => undefined, close: () => Promise.resolve() };

export interface MailOptions {
  /** `smtp://` or `smtps://`, with credentials where the server wants them. */
  readonly url: string;
  /** What stands in `From`. */
  readonly from: string;
  readonly log: Log;
  /** Milliseconds before each further try. */
  readonly pauses?: readonly number[];
}

/** Milliseconds: a server that restarts is back by then. */
const usualPauses = [2_000, 15_000, 60_000, 300_000] as const;
/** Messages that wait at most; of a flood the rest is left out. */
const most = 1_000;
/** Milliseconds that a stopping gateway waits for messages under way. */
const patience = 5_000;
const timeout = 10_000;

function connectionTo(url: string) {
  const { hostname, username } = new URL(url);
  const here = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  // A password goes over the network encrypted or not at all.
  return {
    url,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    requireTLS: username !== '' && !here,
  };
}

/** Whether a mail server answers and lets the gateway in. @throws what stands in the way */
export async function reachMailServer(url: string): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(connectionTo(url));
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/**
 * Sends over SMTP, in the background. What waits is kept in memory only: a message
 * may carry a link that works, and that is to lie nowhere.
 */
export async function startMail({ url, from, log, pauses = usualPauses }: MailOptions): Promise<Mail> {
  // Only where mail is sent at all.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ ...connectionTo(url), pool: true, maxConnections: 2 }, { from });
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();

  async function deliver(to: string, { kind, subject, text, html }: Message): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await transport.sendMail({ to: { name: '', address: to }, subject, text, html });
        counters.mail.count('sent');
        return log.info({ mail: kind, tries }, 'mail sent');
      } catch (error) {
        const wait = isFinal(error) ? undefined : pauses[tries - 1];
        counters.mail.count(wait === undefined ? 'failed' : 'tried again');
        log[wait === undefined ? 'error' : 'warn']({ mail: kind, tries, ...reasonOf(error) }, 'mail not sent');
        if (wait === undefined || stopping.signal.aborted) return;
        await pause(wait, undefined, { signal: stopping.signal, ref: false });
      }
    }
  }

  return {
    configured: true,
    send(address, message) {
      if (stopping.signal.aborted || underWay.size >= most) {
        counters.mail.count('not taken');
        return log.error({ mail: message.kind }, 'mail not taken');
      }
      const delivery = deliver(address, message)
        // Stopped while it waited for its next try.
        .catch(() => log.error({ mail: message.kind }, 'mail given up'))
        .finally(() => underWay.delete(delivery));
      underWay.add(delivery);
    },
    async close() {
      stopping.abort();
      await Promise.race([Promise.all(underWay), pause(patience, undefined, { ref: false })]);
      transport.close();
    },
  };
}

/** What a mail server and the network say of a failure. Its words are left out: they may repeat what was sent. */
function reasonOf(error: unknown): { readonly code: string | undefined; readonly answered: number | undefined } {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return { code, answered: responseCode };
}

/** RFC 5321 §4.2.1: what is refused with 5yz is refused again. */
const isFinal = (error: unknown): boolean => (reasonOf(error).answered ?? 0) >= 500;
