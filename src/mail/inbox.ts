import { counters } from '../counters.ts';
import type { Database } from '../database/index.ts';
import type { Log } from '../observability/index.ts';
import type { Message } from './message.ts';
import { delivered, type Outgoing } from './outgoing.ts';
import type { Mail } from './sender.ts';
import { keepMail } from './statements.ts';

const leftOut = '(The inbox leaves out the link.)';

/**
 * A message without its links: anyone who has them may sign in with them, so they are never stored. What a message says besides
 * is known to the account anyway.
 */
const withoutLinks = ({ text, html, ...message }: Message): Message => ({
  ...message,
  text: text.replace(/https?:\/\/\S+/g, leftOut),
  html: html.replace(/<a [^>]*>([^<]*)<\/a>/g, `$1 ${leftOut}`).replace(/https?:\/\/[^\s"<]+/g, leftOut),
});

const sender = 'Causeway <causeway@localhost>';

/** The headers as the inbox page shows them. */
const shown = ({ headers, sender: name, messageId, inReplyTo, references }: Outgoing) => ({
  From: name === null ? sender : `${name} <causeway@localhost>`,
  'Reply-To': sender,
  'Message-ID': messageId,
  ...(inReplyTo !== null && { 'In-Reply-To': inReplyTo, References: references.join(' ') }),
  ...headers,
});

/** Keeps messages in the database for the inbox page. It is no mail server: whatever needs one isn't offered. */
export function inboxMail(database: Database, log: Log): Mail {
  const underWay = new Set<Promise<unknown>>();
  return {
    configured: false,
    keeps: true,
    send(address, message) {
      const { kind, subject, text, html } = withoutLinks(message);
      const kept = database
        .rows(keepMail, [kind, address, subject, '{}', text, html])
        .then(() => counters.mail.count('kept'))
        .catch((error: Error) => log.warn({ mail: kind, error: error.message }, 'a message could not be kept'))
        .finally(() => underWay.delete(kept));
      underWay.add(kept);
    },
    async deliver(message) {
      const { kind, to, subject, text, html } = message;
      try {
        await database.rows(keepMail, [kind, to, subject, JSON.stringify(shown(message)), text, html]);
        counters.mail.count('kept');
        return delivered;
      } catch (error) {
        return { outcome: 'unreachable', error: (error as Error).name };
      }
    },
    close: async () => void (await Promise.all(underWay)),
  };
}
