/** Longest path of a file, in characters. */
const longest = 255;

/**
 * Whether a text is the path of a file inside something: `lib/adder.py`. It doesn't lead out of it, has no empty part
 * and no control characters. `..` is refused as a whole part only: `v1..2.txt` is a name.
 */
export const isFilePath = (path: string): boolean =>
  path.length <= longest &&
  !/[\p{Cc}\\]/u.test(path) &&
  path.split('/').every((part) => part.trim() !== '' && part !== '.' && part !== '..');

/** Whether the path of a file in a repository leads nowhere else: git takes many names that others don't. */
export const staysInside = (path: string): boolean =>
  !path.startsWith('/') && !/[\n\r\0]/.test(path) && path.split(/[/\\]/).every((part) => part !== '..');

/** A path without slashes at its ends. */
export const withoutSlashes = (path: string): string => path.replace(/^\/+|\/+$/g, '');

/** A path as a part of an address: each component is encoded, the slashes between them stay. */
export const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
