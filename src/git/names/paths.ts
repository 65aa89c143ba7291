import { Invalid } from '../errors.ts';

/**
 * Paths of files in a repository. git-fast-import(1) and hand-written trees take any path, so these checks come before
 * a path is written (contract S10): nothing may reach a `.git` folder on any system that checks the tree out.
 */

const longest = 4_096;
const longestComponent = 255;

/** Code points that HFS+ ignores in names. */
const ignored = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** The name as HFS+ and NTFS see it: invisible letters, streams (`:`), trailing dots and spaces are gone. */
const folded = (component: string) =>
  component
    .replace(ignored, '')
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();

const isGitFolder = (component: string) => ['.git', 'git~1'].includes(folded(component));

/**
 * Whether git itself interprets a file of this name (`.gitmodules`, `.gitattributes`, also disguised): such a file is
 * checked by git before it is stored.
 */
export const isSpecial = (component: string): boolean =>
  /^\.git(?:modules|attributes)|^git(?:mod|att)~\d|^gi[0-9a-f]{4}~\d/.test(folded(component));

/** What is wrong with a path that is to be read, if anything: it can't name a file. */
function readable(path: string): boolean {
  return (
    path.isWellFormed() &&
    Buffer.byteLength(path) <= longest &&
    !path.includes('\0') &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}

/** Whether a file or folder with this path can be asked for. The root of a tree is not a path. */
export const isReadable = (path: string): boolean => readable(path);

/** Why a file may not be written at a path, or undefined if it may. */
export function problemOf(path: string): 'empty' | 'traversal' | 'invalid' | undefined {
  if (path === '') return 'empty';
  const parts = path.split('/');
  if (parts.includes('..')) return 'traversal';
  if (!readable(path)) return 'invalid';
  // oxlint-disable-next-line no-control-regex -- control characters: git reads CR in a path as a part of it or not
  if (/[\\\u0000-\u001f\u007f]/.test(path)) return 'invalid';
  const bad = (part: string) => isGitFolder(part) || /[. ]$/.test(part) || Buffer.byteLength(part) > longestComponent;
  return parts.some(bad) ? 'invalid' : undefined;
}

/** The path as given. @throws Invalid unless a file may be written there */
export function checkedPath(path: string): string {
  const problem = problemOf(path);
  if (problem === 'empty') throw new Invalid('You must provide a file path');
  if (problem === 'traversal') throw new Invalid('Path cannot include directory traversal');
  if (problem) throw new Invalid(`invalid path: '${path}'`);
  return path;
}
