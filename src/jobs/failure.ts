/** Seconds between attempts: they grow threefold up to the longest. */
const firstPause = 10;
const longestPause = 3_600;

/**
 * Seconds until the next attempt, with a quarter of jitter, so that jobs that failed together don't come back together.
 * @param attempts how many failed
 * @param longest at most this long
 */
export const pauseAfter = (attempts: number, longest = longestPause, random = Math.random()): number =>
  Math.min(firstPause * 3 ** (attempts - 1), longestPause, longest) * (0.75 + random / 2);

/** Maximum length of a stored error. */
const maxLength = 500;

/** What looks like a secret: a password in an address, a value of a telling name, a bearer token, a token with a prefix. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/(\w+:\/\/)[^\s/@]+@/g, '$1…@'],
  [/\b(bearer|basic)\s+[^\s,;]+/gi, '$1 …'],
  [/((?:password|passwd|secret|token|authorization|api[-_]?key|cookie)["']?\s*[:=]\s*["']?)[^\s"',;&]+/gi, '$1…'],
  [/\b(?:cw|gl)[a-z]{1,6}[-_][\w.-]{8,}/g, '…'],
  [/\b[\w-]{40,}\b/g, '…'],
];

/** An error as it is stored: one line, without anything that looks like a secret. */
export function described(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return secrets
    .reduce((said, [pattern, shown]) => said.replace(pattern, shown), text)
    .replaceAll('\0', '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, maxLength);
}
