/** A text as one word for a shell, in single quotes. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
