import type { Sql } from '../../database/index.ts';
import type { RelyingParty } from '../../values/relying-party.ts';
import { rememberPlace } from '../passwords/attempt-limits.ts';
import type { InstanceKeys } from '../keys/instance-keys.ts';
import { open, pendingSignIn } from '../sign-in/pending-sign-in.ts';
import type { OwnSession } from '../sign-in/sessions.ts';
import { openSession } from '../statements/sessions.ts';
import { newToken } from '../credentials/tokens.ts';
import type { ChallengeFor } from './challenge.ts';
import { verifyUsed, type RefusedPasskey } from './verify.ts';

/** Where an answer of a passkey comes from. */
export interface PasskeyFrom {
  readonly answer: string;
  readonly browser: string | null;
  readonly address: string;
  readonly userAgent: string;
}

export type EnteredByPasskey =
  | { readonly session: string; readonly userId: number; readonly cameBack: boolean }
  | { readonly session: null; readonly refused: RefusedPasskey };

export const signInPurpose = (browser: string | null): ChallengeFor => ({ act: 'sign in', shownTo: browser ?? '' });
export const secondStepPurpose = (pending: string): ChallengeFor => ({ act: 'second step', shownTo: pending });
export const confirmPurpose = ({ id }: Pick<OwnSession, 'id'>): ChallengeFor => ({ act: 'confirm', shownTo: `${id}` });
export const createPurpose = ({ id }: Pick<OwnSession, 'id'>): ChallengeFor => ({ act: 'create', shownTo: `${id}` });

const refused = (reason: RefusedPasskey) => ({ session: null, refused: reason }) as const;

/** Signs in by a passkey alone, which is both factors: the device, and what unlocks it. */
export async function signInByPasskey(
  sql: Sql,
  keys: InstanceKeys,
  party: RelyingParty,
  from: PasskeyFrom,
): Promise<EnteredByPasskey> {
  const checking = { sql, keys, party, purpose: signInPurpose(from.browser) };
  const passkey = await verifyUsed(checking, from.answer, { alone: true });
  if (typeof passkey === 'string' || 'wrong' in passkey) return refused(passkey);
  if (!passkey.may_sign_in) return refused('UNKNOWN');
  const { user_id: userId, checked_at: checkedAt } = passkey;
  const { secret, digest } = newToken('session');
  const values = [userId, digest, from.address, from.userAgent.slice(0, 255), checkedAt];
  const [opened] = await sql.rows(openSession, values);
  if (!opened) return refused('UNKNOWN');
  await rememberPlace(sql, userId, from);
  return { session: secret, userId, cameBack: opened.came_back };
}

/** Completes a sign-in after the password. @returns null if no sign-in is pending any more */
export async function completeByPasskey(
  sql: Sql,
  keys: InstanceKeys,
  party: RelyingParty,
  from: PasskeyFrom & { readonly pending: string },
): Promise<EnteredByPasskey | null> {
  const pending = await pendingSignIn(sql, from.pending, from.browser);
  if (!pending) return null;
  const checking = { sql, keys, party, purpose: secondStepPurpose(from.pending) };
  const passkey = await verifyUsed(checking, from.answer, { owner: pending.user_id, alone: false });
  if (typeof passkey === 'string' || 'wrong' in passkey) return refused(passkey);
  return await open(sql, pending, from);
}
