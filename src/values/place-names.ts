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

/** Longest full path, in characters: fits into an index. */
export const maxFullPathLength = 1_024;

/** Letters, digits, `_`, `-` and `.`; not `-` first, and no ending that has a meaning in addresses. */
export function hasNameForm(segment: string): boolean {
  return /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/.test(segment) && !/(\.|\.git|\.atom)$/i.test(segment);
}

/** Whether a segment would be read as an id. */
export const isNumber = (segment: string): boolean => /^\d+$/.test(segment);

/** Whether a first segment is reserved, in any case. */
export const isReserved = (segment: string): boolean => reserved.has(segment.toLowerCase());
