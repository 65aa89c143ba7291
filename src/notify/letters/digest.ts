import { rankOf } from '../causes.ts';
import { isOpening } from './headers.ts';
import type { Letter, Letters } from './letter.ts';

/** Whether letters are about one review, and nothing else. */
export const isReview = ([first, ...others]: Letters): boolean =>
  first.content.review !== null && others.every(({ message }) => message.occurrence === first.message.occurrence);

/**
 * A letter that stands for all letters of a digest or of a review: its subject, headers and footer are those of the
 * message. It begins the thread of the item if one of them does, and gives the most important reason of all.
 */
export function coverOf(letters: Letters): Letter {
  const last = letters.at(-1)!;
  const { content, message } = last;
  const opening = letters.find((one) => isOpening(one.message.cause)) ?? last;
  const { reason, via } = letters
    .map((one) => one.message)
    .reduce((best, one) => (rankOf(one.reason) < rankOf(best.reason) ? one : best));
  const [actor, ...others] = new Map(letters.map((one) => [one.content.actor?.username, one.content.actor])).values();
  return {
    ...last,
    // The item is as it is now; the comments are parts of the message.
    content: { ...content, actor: others.length === 0 ? (actor ?? null) : null, note: null, commits: null },
    message: {
      ...message,
      cause: opening.message.cause,
      reason,
      via,
      occurrence: isReview(letters) ? message.occurrence : `digest ${message.digestId}`,
    },
    unsubscribeUrl: letters.find((one) => one.unsubscribeUrl !== null)?.unsubscribeUrl ?? null,
  };
}
