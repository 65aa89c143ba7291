import { InvalidFields } from '../../../errors.ts';
import type { Visibility } from '../../../policy/index.ts';

const visibilityRank: Record<Visibility, number> = { PRIVATE: 0, INTERNAL: 1, PUBLIC: 2 };

/** Whether more people see the one than the other. */
export const isWider = (one: Visibility, other: Visibility): boolean => visibilityRank[one] > visibilityRank[other];

/** The one that fewer people see. */
export const narrower = (one: Visibility, other: Visibility): Visibility => (isWider(one, other) ? other : one);

/**
 * Refuses a visibility, in words that end a sentence.
 * @param because as in “since the parent group has a private visibility”
 * @throws InvalidFields
 */
export function refuseVisibility(wanted: Visibility, because: string): never {
  throw new InvalidFields({ visibilityLevel: [`${wanted.toLowerCase()} is not allowed ${because}.`] });
}
