import type { Context } from '../../../context.ts';
import { audit } from '../../../oauth/index.ts';
import { engineOf } from '../../access/oauth/engine.ts';
import { mergeAllOf } from '../../reviews/merging/when-due.ts';

interface Entry {
  readonly userId: number;
  /** Whether it activated the account. */
  readonly cameBack: boolean;
}

/**
 * Writes down that a person signed in, and goes on with what waited for the account.
 * @param detail how they did, if not by a password alone
 */
export async function noteEntry(context: Context, { userId, cameBack }: Entry, detail?: string): Promise<void> {
  const engine = engineOf(context);
  if (cameBack) {
    await audit(engine, { kind: 'user_activated', actorId: userId, userId });
    await mergeAllOf(context.database, [userId]);
  }
  await audit(engine, { kind: 'signed_in', actorId: userId, userId, detail: detail ?? null });
}
