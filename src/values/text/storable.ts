/** Texts as PostgreSQL and git keep them: without NUL, and without half of a surrogate pair. */

export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** A text without what can't be kept. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
