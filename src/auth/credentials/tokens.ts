import type { InstanceKeys } from '../keys/instance-keys.ts';
import { digest, keyedDigest, randomSecret } from '../keys/crypto.ts';

/**
 * Prefixes of tokens. They determine the table to look in, and secret scanners recognise our tokens by them.
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
  job: 'cwjt_',
  /** Those of runners are as programs of runners know them: made for one, or by its registration. */
  runner: 'glrt-',
  registered: 'glrtr-',
  registration: 'cwrr_',
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

/** A personal access token that an operator chose. It may be guessable, so its digest is keyed. */
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
