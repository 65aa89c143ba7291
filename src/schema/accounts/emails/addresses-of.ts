import type { Sql } from '../../../database/index.ts';
import { findVerifiedEmail, releaseAddress } from './statements.ts';

/** The id of an address (in lower case), if it is a verified one of this person. */
export async function verifiedAddress(sql: Sql, userId: number, address: string): Promise<number | undefined> {
  const [email] = await sql.rows(findVerifiedEmail, [userId, address]);
  return email?.id;
}

/** Frees an address that was added a day ago or earlier and never confirmed. */
export async function releaseUnconfirmed(sql: Sql, address: string): Promise<void> {
  await sql.rows(releaseAddress, [address]);
}
