import { InvalidFields } from '../../../errors.ts';
import type { Visibility } from '../../../policy/index.ts';

const visibilityRank: Record<Visibility, number> = { PRIVATE: 0, INTERNAL: 1, PUBLIC: 2 };

/** Whether one visibility shows a place to more people than another. */
export const isWider = (one: Visibility, other: Visibility): boolean => visibilityRank[one] > visibilityRank[other];

/** The visibility that shows a place to fewer people. */
export const narrower = (one: Visibility, other: Visibility): Visibility => (isWider(one, other) ? other : one);

/**
 * Refuses a visibility with a reason.
 * @param because the end of the sentence: “since the parent group has a private visibility”
 * @throws InvalidFields
 */
export function refuseVisibility(wanted: Visibility, because: string): never {
  throw new InvalidFields({ visibilityLevel: [`${wanted.toLowerCase()} is not allowed ${because}.`] });
}
