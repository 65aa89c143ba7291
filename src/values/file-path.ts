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
