/**
 * What a place (a person's namespace, a group, a project) may be called in a
 * path. One list for those who make names and those who read addresses.
 */

/** First segments that the gateway keeps for itself, or that clients expect it to. */
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

/** Longest full path, in characters: what an index can hold, with room to spare. */
export const maxFullPathLength = 1_024;

/** Letters, digits, `_`, `-` and `.`; not `-` first, nor an ending that addresses give a meaning. */
export function hasNameForm(segment: string): boolean {
  return /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/.test(segment) && !/(\.|\.git|\.atom)$/i.test(segment);
}

/** A number would be taken for an id. */
export const isNumber = (segment: string): boolean => /^\d+$/.test(segment);

/** Whether a first segment is kept, whatever its case. */
export const isReserved = (segment: string): boolean => reserved.has(segment.toLowerCase());
