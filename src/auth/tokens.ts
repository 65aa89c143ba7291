import type { InstanceKeys } from './instance-keys.ts';
import { digest, keyedDigest, randomSecret } from './crypto.ts';

/**
 * How tokens look and how they are stored. The prefix says which table to probe,
 * and lets secret scanners know one of ours when they see it.
 */
export const prefixes = {
  personal: 'cwpat_',
  access: 'cwat_',
  refresh: 'cwrt_',
  code: 'cwac_',
  device: 'cwdc_',
  client: 'cwcs_',
  session: 'cwss_',
  pending: 'cwps_',
  mailed: 'cwmt_',
} as const;
export type TokenKind = keyof typeof prefixes;

/** A new token: `secret` is shown once, `digest` is stored. */
export interface NewToken {
  readonly secret: string;
  readonly digest: Buffer;
}

export function newToken(kind: TokenKind): NewToken {
  const secret = prefixes[kind] + randomSecret();
  return { secret, digest: digest(secret) };
}

/** A personal access token that an operator chose: it may be guessable, so its digest is keyed. */
export function chosenToken(keys: InstanceKeys, secret: string): NewToken {
  const [key] = chosenKeys(keys);
  return { secret, digest: keyedDigest(key!, secret) };
}

/** The digests under which a personal access token may be stored. */
export function personalDigests(keys: InstanceKeys, secret: string): Buffer[] {
  if (secret.startsWith(prefixes.personal)) return [digest(secret)];
  return chosenKeys(keys).map((key) => keyedDigest(key, secret));
}

const chosenKeys = (keys: InstanceKeys) => keys.derive('operator-chosen personal access token');
