/**
 * Names of places (personal namespaces, groups, projects) in paths: one set of rules for
 * creating names and for parsing addresses.
 */

/** First segments that are reserved for the gateway. */
const reserved = new Set([
  '-',
  '.well-known',
  'admin',
  'api',
  'apple-touch-icon.png',
  'assets',
  'dashboard',
  'docs',
  'explore',
  'favicon.ico',
  'favicon.png',
  'favicon.svg',
  'graphql',
  'groups',
  'health',
  'help',
  'import',
  'jwt',
  'login',
  'oauth',
  'profile',
  'projects',
  'public',
  'robots.txt',
  'search',
  'sitemap',
  'snippets',
  'unsubscribes',
  'uploads',
  'users',
  'v2',
]);

/** Longest segment of a path, in characters. */
export const maxNameLength = 255;

/** Longest full path, in characters: PostgreSQL can't index much longer texts. */
export const maxFullPathLength = 1_024;

/**
 * Whether a segment consists of letters, digits, `_`, `-` and `.`, doesn't begin with `-`, and doesn't end in `.`,
 * `.git` or `.atom`.
 */
export function hasNameForm(segment: string): boolean {
  return /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/.test(segment) && !/(\.|\.git|\.atom)$/i.test(segment);
}

/** Whether a segment is a number, which would be read as an id. */
export const isNumber = (segment: string): boolean => /^\d+$/.test(segment);

/** Whether a first segment is reserved, in any case. */
export const isReserved = (segment: string): boolean => reserved.has(segment.toLowerCase());
