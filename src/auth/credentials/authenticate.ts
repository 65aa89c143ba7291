import type { Prefetch, RequestDatabase, Sql } from '../../database/index.ts';
import { endPersonalFamily } from '../statements/personal-tokens.ts';
import { findAccessToken, findPersonalToken, noteUse, type PersonalTokenRow } from '../statements/tokens.ts';
import { InvalidToken, Unauthenticated, Unavailable } from '../../errors.ts';
import type { Origin, Scope, Viewer } from '../../policy/index.ts';
import { digest } from '../keys/crypto.ts';
import type { InstanceKeys } from '../keys/instance-keys.ts';
import { livePerson, type PersonRow } from './live-person.ts';
import { authenticateMachine, type MachineToken } from './machines.ts';
import { personalDigests, prefixes } from './tokens.ts';

/**
 * What a request presented. A bearer may be an OAuth access token or a personal
 * one; `private` (`PRIVATE-TOKEN`, `private_token`) takes personal ones only. `job`, `runner` and `registration` are
 * tokens of machines, where they are taken.
 */
export interface Presented {
  readonly as: 'bearer' | 'private' | MachineToken;
  readonly token: string;
}

/**
 * The viewer behind a credential, looked up together with its prefetch. The checks run in the order that
 * clients know: expired, revoked, then the state of the person.
 * @throws Unauthenticated for an unknown token, InvalidToken, Forbidden for a blocked user
 */
export async function authenticate(
  database: RequestDatabase,
  keys: InstanceKeys,
  presented: Presented,
  origin: Origin,
  prefetch?: Prefetch,
): Promise<Viewer> {
  if (presented.as !== 'bearer' && presented.as !== 'private')
    return await authenticateMachine(database, presented as { as: MachineToken; token: string }, prefetch);
  if (presented.token.startsWith(prefixes.access)) {
    if (presented.as === 'private') throw new Unauthenticated();
    return await byAccessToken(database, presented.token, prefetch);
  }
  return await byPersonalToken(database, keys, presented.token, origin, prefetch);
}

async function byPersonalToken(
  database: RequestDatabase,
  keys: InstanceKeys,
  token: string,
  origin: Origin,
  prefetch: Prefetch | undefined,
): Promise<Viewer> {
  let row: PersonalTokenRow | undefined;
  // There is one digest, except for a token that an operator chose if the instance has several keys.
  for (const digest of personalDigests(keys, token))
    row ??= await database.lookUp(findPersonalToken, [digest], prefetch);
  if (!row) throw new Unauthenticated();
  // A replaced token is used again: a sign of theft. Either party may have its successor, so revoke the family.
  if (row.replaced_in !== null) await endFamily(database, row.replaced_in, origin);
  if (row.expired) throw new InvalidToken('expired');
  if (row.revoked) throw new InvalidToken('revoked');
  const person = livePerson(row);
  // Note the use in a separate statement, so that the look-up only reads.
  if (row.unnoted) await database.rows(noteUse, [row.id, origin.address]).catch(ignoreUnavailable);
  return {
    person,
    credential: {
      kind: 'personal',
      tokenId: row.id,
      scopes: row.scopes as Scope[],
      ...(row.of_page && { ofPage: true }),
    },
  };
}

/** Ignores that the database can't write at the moment: reads still work, and a later use is noted. */
export function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof Unavailable)) throw error;
}

/** Revokes every token of a rotation family, including one that is being created concurrently. */
async function endFamily(sql: Sql, family: number, { address, requestId }: Origin): Promise<void> {
  for (;;) {
    const [row] = await sql.rows(endPersonalFamily, [family, address, requestId]);
    if (row!.live === 0) return;
  }
}

async function byAccessToken(
  database: RequestDatabase,
  token: string,
  prefetch: Prefetch | undefined,
): Promise<Viewer> {
  const row = await database.lookUp(findAccessToken, [digest(token)], prefetch);
  if (!row) throw new Unauthenticated();
  if (row.expired) throw new InvalidToken('expired');
  if (row.revoked) throw new InvalidToken('revoked');
  return {
    person: row.user_id === null ? null : livePerson(row as PersonRow),
    credential: {
      kind: 'oauth',
      tokenId: row.id,
      scopes: row.scopes as Scope[],
      application: row.application_id === null ? null : { id: row.application_id, uid: row.application_uid! },
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    },
  };
}
