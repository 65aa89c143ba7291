import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../observability/index.ts';
import { counters } from '../counters.ts';
import type { Message } from './message.ts';
import { delivered, deliveryOf, type Delivery, type Outgoing } from './outgoing.ts';
import { composed, openTransport, senderOf } from './transport.ts';

/** Sends mail, or says that none is configured. */
export interface Mail {
  /** Whether a mail server is configured. Features that need one check this. */
  readonly configured: boolean;
  /** Whether messages are kept for the inbox page instead of being sent. */
  readonly keeps?: true;
  /**
   * Queues a message and returns at once: requests don't wait for the mail server, and timing doesn't show whether a
   * message was sent.
   */
  send(address: string, message: Message): void;
  /**
   * Hands a notification to the mail server, once, and says what became of it. It never throws. Notifications wait in the
   * database, so nothing here does; the caller bounds how many are under way.
   */
  deliver(message: Outgoing): Promise<Delivery>;
  /** Accepts no more, and waits briefly for deliveries in progress (graceful shutdown). */
  close(): Promise<void>;
}

/** Whether people are notified: there is a mail server, or an inbox. */
export const sendsNotifications = ({ configured, keeps }: Mail): boolean => configured || keeps === true;

export const noMail: Mail = {
  configured: false,
  send: () => undefined,
  deliver: () => Promise.resolve({ outcome: 'unreachable', error: 'there is no mail server' }),
  close: () => Promise.resolve(),
};

export interface MailOptions {
  /** `smtp://` or `smtps://`, with credentials where the server wants them. */
  readonly url: string;
  /** The `From` header: an address, maybe with a name. */
  readonly from: string;
  /** The host of the instance, which names a sender that has no name. */
  readonly host: string;
  readonly log: Log;
  /** Milliseconds before each retry. */
  readonly pauses?: readonly number[];
}

/** Milliseconds before each retry (backoff): long enough for a mail server to restart. */
const usualPauses = [2_000, 15_000, 60_000, 300_000] as const;
/** Maximum number of messages in the queue; further ones are dropped. */
const maxQueued = 1_000;
/** Milliseconds after which a server that trickles its answers has failed: less than the lease of a message. */
const longestDelivery = 60_000;
/** Milliseconds that a stopping gateway waits for deliveries. */
const closeTimeout = 5_000;
/**
 * Sends over SMTP, in the background. The queue is in memory only: a message may carry a valid link, which must not be
 * stored.
 */
export async function startMail({ url, from, host, log, pauses = usualPauses }: MailOptions): Promise<Mail> {
  const sender = senderOf(from, host);
  const transport = await openTransport(url, sender);
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
      if (stopping.signal.aborted || underWay.size >= maxQueued) {
        counters.mail.count('not taken');
        return log.error({ mail: message.kind }, 'mail queue is full: message dropped');
      }
      const delivery = deliver(address, message)
        // Stopped while waiting for a retry.
        .catch(() => log.error({ mail: message.kind }, 'mail not sent: the gateway is stopping'))
        .finally(() => underWay.delete(delivery));
      underWay.add(delivery);
    },
    async deliver(message) {
      const signal = AbortSignal.timeout(longestDelivery);
      try {
        await transport.sendMail({ ...composed({ ...message, from: sender }), signal });
        counters.mail.count('sent');
        return delivered;
      } catch (error) {
        const delivery = deliveryOf(error);
        counters.mail.count(delivery.outcome);
        log.warn({ mail: message.kind, outcome: delivery.outcome, error: delivery.error }, 'notification not sent');
        return delivery;
      }
    },
    async close() {
      stopping.abort();
      await Promise.race([Promise.all(underWay), pause(closeTimeout, undefined, { ref: false })]);
      transport.close();
    },
  };
}

/** The codes of a failure. The server's text is left out: it may repeat the message. */
function reasonOf(error: unknown): { readonly code: string | undefined; readonly answered: number | undefined } {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return { code, answered: responseCode };
}

/** RFC 5321 §4.2.1: a 5yz reply is permanent; don't retry. */
const isFinal = (error: unknown): boolean => (reasonOf(error).answered ?? 0) >= 500;
