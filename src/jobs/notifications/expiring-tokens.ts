import type { Database } from '../../database/index.ts';
import { messages, type Mail } from '../../mail/index.ts';
import { readExpiringTokens, toldOfExpiry } from '../statements/expiring-tokens.ts';

/** People who are read at once. */
const batch = 200;

/**
 * Mails people whose tokens expire within a week, one message for all of a person's. Those whom the mail server doesn't
 * reach now are tried again with the next run; a process that is killed after a message may send it twice.
 */
export async function notifyOfExpiringTokens(
  database: Database,
  mail: Mail,
  base: string,
  signal: AbortSignal,
): Promise<void> {
  for (let after = 0; ;) {
    const people = await database.rows(readExpiringTokens, [after, batch]);
    for (const { id, username, address, token_ids: tokenIds, tokens } of people) {
      signal.throwIfAborted();
      if (address !== null) {
        const { outcome } = await mail.deliver({
          ...messages.tokensExpire(username, tokens, base),
          to: address,
          sender: null,
          messageId: `<tokens-${tokenIds[0]}-${tokens[0]!.expiresAt}-${id}@${new URL(base).hostname}>`,
          inReplyTo: null,
          references: [],
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        if (outcome === 'unreachable') return;
        if (outcome === 'deferred') continue;
      }
      await database.rows(toldOfExpiry, [tokenIds]);
    }
    if (people.length < batch) return;
    after = people.at(-1)!.id;
  }
}
