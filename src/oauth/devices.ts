import { keyedDigest, newToken } from '../auth/index.ts';
import { decideDevice, findDevice, storeDevice, type DeviceRow } from './statements/devices.ts';
import { Forbidden } from '../errors.ts';
import { authenticateClient, findClientById, type ClientCredentials } from './client.ts';
import type { Decider, Engine } from './engine.ts';
import { invalidScope } from './errors.ts';
import { lendsTooMuch } from './guard.ts';
import { requireGrant } from './issue.ts';
import { deviceCode as grantType } from './profile.ts';
import { parseScopes, within } from './scopes.ts';

/** Seconds for which a person may take to type the code, and between two polls. */
const life = 300;
const interval = 5;

/** RFC 8628 §6.1: consonants only, so that no words come out, and nothing that looks alike. 20^8 codes. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const userCodeLength = 8;

/** RFC 8628 §3.2. */
export interface DeviceAuthorization {
  readonly deviceCode: string;
  /** As `ABCD-EFGH`. */
  readonly userCode: string;
  /** Seconds. */
  readonly expiresIn: number;
  /** Seconds. */
  readonly interval: number;
}

/** @throws OAuthError */
export async function authorizeDevice(
  engine: Engine,
  credentials: ClientCredentials,
  scope: string | null | undefined,
): Promise<DeviceAuthorization> {
  const client = await authenticateClient(engine, credentials);
  requireGrant(engine, client, grantType);
  const scopes = parseScopes(scope);
  if (!scopes || !within(scopes, client.scopes)) throw invalidScope();
  const code = newToken('device');
  for (;;) {
    const userCode = randomUserCode();
    const values = [code.digest, userCodeDigest(engine, userCode)[0], client.id, scopes, life, interval];
    const stored = await engine.sql.rows(storeDevice, values);
    // Another device may show the same code: then this one gets another.
    if (stored.length > 0) return { deviceCode: code.secret, userCode, expiresIn: life, interval };
  }
}

function randomUserCode(): string {
  const letters: string[] = [];
  while (letters.length < userCodeLength) {
    for (const byte of crypto.getRandomValues(new Uint8Array(16))) {
      // 240 is the largest multiple of 20 in a byte: above it some letters would be likelier.
      if (byte < 240 && letters.length < userCodeLength) letters.push(alphabet[byte % alphabet.length]!);
    }
  }
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`;
}

/** What a person typed, as it was meant: case, hyphens and spaces don't count (RFC 8628 §6.1). */
export function normalUserCode(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 32);
}

/** A user code is short enough to be guessed from a plain digest, so its digest is keyed. */
function userCodeDigest({ keys }: Engine, typed: string): Buffer[] {
  return keys.derive('device user code').map((key) => keyedDigest(key, normalUserCode(typed)));
}

/** The request behind a user code that waits for a decision; null for any other. */
export async function pendingDevice(engine: Engine, typed: string): Promise<DeviceRow | null> {
  for (const digest of userCodeDigest(engine, typed)) {
    const [row] = await engine.sql.rows(findDevice, [digest]);
    if (row) return row;
  }
  return null;
}

/**
 * @returns whether the decision counted: false when it came too late
 * @throws Forbidden for an administrator who would lend their power against the instance's settings
 */
export async function decide(
  engine: Engine,
  typed: string,
  { userId, administrator, checkedAt }: Decider,
  approved: boolean,
): Promise<boolean> {
  const pending = approved ? await pendingDevice(engine, typed) : null;
  const client = pending && (await findClientById(engine, pending.application_id));
  if (pending && lendsTooMuch(engine, administrator, client, pending.scopes)) {
    throw new Forbidden('Administrators give api and sudo only to applications of the instance itself.');
  }
  const { address, requestId } = engine.origin;
  for (const digest of userCodeDigest(engine, typed)) {
    const [row] = await engine.sql.rows(decideDevice, [digest, approved, userId, address, requestId, checkedAt]);
    if (row) return true;
  }
  return false;
}
