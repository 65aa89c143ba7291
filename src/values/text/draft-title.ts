/** Titles of merge requests that say that they aren't ready. */

const sign = /^\s*(?:\[draft\]|draft:|\(draft\))\s*/i;

/** Whether a title says that it isn't ready. */
export const isDraft = (title: string): boolean => sign.test(title);

/** A title with the sign of a draft, or without any. */
export function withDraft(title: string, draft: boolean): string {
  if (draft) return isDraft(title) ? title : `Draft: ${title}`;
  let plain = title;
  while (isDraft(plain)) plain = plain.replace(sign, '');
  return plain;
}
