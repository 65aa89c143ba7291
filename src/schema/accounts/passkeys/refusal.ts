import type { RefusedPasskey } from '../../../auth/passkeys/index.ts';
import type { Context } from '../../../context.ts';
import { InvalidFields } from '../../../errors.ts';
import { auditRefusal } from '../../../oauth/index.ts';
import { engineOf } from '../../access/oauth/engine.ts';

const sentences = {
  STALE: 'This page was open for too long, or its passkey was used already. Try again.',
  UNKNOWN: 'This passkey isn’t known here. Use another one, or your password.',
  UNVERIFIED: 'This passkey didn’t check that it’s you. Enter your password first; it asks for the passkey then.',
} as const;

/** Writes down that a passkey of a person was refused. @returns the error to throw */
export async function refusalOf(context: Context, refused: RefusedPasskey): Promise<InvalidFields> {
  if (typeof refused === 'string') return new InvalidFields({ passkey: [sentences[refused]] });
  await auditRefusal(engineOf(context), { kind: 'passkey_refused', userId: refused.wrong.user_id });
  return new InvalidFields({ passkey: ['This passkey is wrong. Use another one, or your password.'] });
}
