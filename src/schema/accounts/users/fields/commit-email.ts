import type { Context } from '../../../../context.ts';
import { verifiedAddress } from '../../emails/addresses-of.ts';
import { normalAddress } from '../addresses.ts';
import type { AccountRow } from '../statements/users.ts';

/** The address for commits that are made for a person. */

/** Stands for an address of this instance that receives no mail. */
const hidden = '_private';

export const commitEmailDescription =
  'The address for commits, one of the verified ones, or `_private` for one that receives no mail; null or empty: the primary one.';

/** What to store; null for the primary address. */
export const storedCommitAddress = (given: string): string | null =>
  given === '' ? null : given === hidden ? hidden : normalAddress(given);

/** Why an address can't be used for commits. @param verified an address that counts as verified already */
export const commitAddressProblems = async (
  context: Context,
  userId: number | null,
  given: string | null | undefined,
  verified?: string,
): Promise<string[]> => (given === hidden ? [] : await ownAddressProblems(context, userId, given, verified));

/**
 * Why an address can't be shown as a person's own; empty for none.
 * @param userId null for a person who has no account yet
 * @param verified an address that counts as verified already
 */
export async function ownAddressProblems(
  { database }: Context,
  userId: number | null,
  given: string | null | undefined,
  verified?: string,
): Promise<string[]> {
  if (!given) return [];
  const address = normalAddress(given);
  if (address === verified) return [];
  const own = userId !== null && (await verifiedAddress(database, userId, address)) !== undefined;
  return own ? [] : ['is not an email you own'];
}

/** The number and the username in an address that receives no mail; undefined for other addresses. */
export function ownerOfHidden({ baseUrl }: Context, address: string): { id: number; username: string } | undefined {
  const [name, host] = address.split('@users.noreply.');
  const [, id, username] = /^(\d{1,9})-(.+)$/.exec(name!) ?? [];
  return username !== undefined && host === new URL(baseUrl).hostname ? { id: Number(id), username } : undefined;
}

/** The address as it is shown. */
export function commitAddress(
  { baseUrl }: Context,
  { id, username }: { readonly id: number; readonly username: string },
  account: (Pick<AccountRow, 'address'> & { readonly attributes: { readonly [name: string]: unknown } }) | undefined,
): string | null {
  const stored = account?.attributes.commitEmail;
  if (stored === hidden) return `${id}-${username}@users.noreply.${new URL(baseUrl).hostname}`;
  return typeof stored === 'string' ? stored : (account?.address ?? null);
}
