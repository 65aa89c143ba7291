import { keyedDigest, newToken } from '../auth/index.ts';
import { decideDevice, findDevice, storeDevice, type DeviceRow } from './statements/devices.ts';
import { Forbidden } from '../errors.ts';
import { authenticateClient, findClientById, type ClientCredentials } from './client.ts';
import type { Decider, Engine } from './engine.ts';
import { invalidScope } from './errors.ts';
import { lendsAdministratorPower } from './guard.ts';
import { requireGrant } from './issue.ts';
import { deviceCode as grantType } from './profile.ts';
import { parseScopes, within } from './scopes.ts';

/** Seconds within which the person must type the code, and seconds between two polls. */
const life = 300;
const interval = 5;

/**
 * The letters of user codes (RFC 8628 §6.1): only consonants, so that codes spell no words, and no look-alikes.
 * There are 20^8 codes.
 */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const userCodeLength = 8;

/** The codes of a device (RFC 8628 §3.2). */
export interface DeviceAuthorization {
  readonly deviceCode: string;
  /** As `ABCD-EFGH`. */
  readonly userCode: string;
  /** Seconds. */
  readonly expiresIn: number;
  /** Seconds. */
  readonly interval: number;
}

/** Issues the codes of a device. @throws OAuthError */
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
    // If another device has this user code, try another one.
    if (stored.length > 0) return { deviceCode: code.secret, userCode, expiresIn: life, interval };
  }
}

function randomUserCode(): string {
  const letters: string[] = [];
  while (letters.length < userCodeLength) {
    for (const byte of crypto.getRandomValues(new Uint8Array(16))) {
      // 240 is the largest multiple of 20 in a byte; with larger bytes some letters would be more likely.
      if (byte < 240 && letters.length < userCodeLength) letters.push(alphabet[byte % alphabet.length]!);
    }
  }
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`;
}

/** A typed code without case, hyphens and spaces (RFC 8628 §6.1). */
export function normalUserCode(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 32);
}

/** Keyed digests of a user code: from a plain digest, such a short code could be guessed. */
function userCodeDigest({ keys }: Engine, typed: string): Buffer[] {
  return keys.derive('device user code').map((key) => keyedDigest(key, normalUserCode(typed)));
}

/** The pending request of a user code; null if it is decided, expired or unknown. */
export async function pendingDevice(engine: Engine, typed: string): Promise<DeviceRow | null> {
  for (const digest of userCodeDigest(engine, typed)) {
    const [row] = await engine.sql.rows(findDevice, [digest]);
    if (row) return row;
  }
  return null;
}

/**
 * Approves or denies a device.
 * @returns false if it is too late: expired, decided before, or the person’s session was revoked
 * @throws Forbidden if `guardAdministrators` keeps an administrator from approving
 */
export async function decide(
  engine: Engine,
  typed: string,
  { userId, administrator, checkedAt }: Decider,
  approved: boolean,
): Promise<boolean> {
  const pending = approved ? await pendingDevice(engine, typed) : null;
  const client = pending && (await findClientById(engine, pending.application_id));
  if (pending && lendsAdministratorPower(engine, administrator, client, pending.scopes)) {
    throw new Forbidden('Administrators give api and sudo only to applications of the instance itself.');
  }
  const { address, requestId } = engine.origin;
  for (const digest of userCodeDigest(engine, typed)) {
    const [row] = await engine.sql.rows(decideDevice, [digest, approved, userId, address, requestId, checkedAt]);
    if (row) return true;
  }
  return false;
}
