import { randomBytes } from 'node:crypto';
import { digest, type InstanceKeys } from '../../../auth/index.ts';
import { openSecret, sealSecret } from '../variables/sealing.ts';
import type { TriggerRow } from './statements.ts';

/** The tokens of triggers. Secret scanners know them by their beginning. */

const prefix = 'glptt-';
/** How much of a token other maintainers see. */
const shown = 4;

/** What a token is bound to in the database. */
const rowOf = (tokenDigest: Buffer) => `ci trigger ${tokenDigest.toString('hex')}`;

/** A new token: how it is stored. */
export function newTriggerToken(keys: InstanceKeys) {
  const token = `${prefix}${randomBytes(20).toString('hex')}`;
  const tokenDigest = digest(token);
  return { digest: tokenDigest, sealed: sealSecret(keys, rowOf(tokenDigest), token), start: token.slice(0, shown) };
}

/** A token in full; its beginning, if no instance key opens it any more. */
export const tokenOf = (keys: InstanceKeys, trigger: Pick<TriggerRow, 'digest' | 'sealed' | 'start'>): string =>
  openSecret(keys, rowOf(trigger.digest), trigger.sealed) ?? trigger.start;
