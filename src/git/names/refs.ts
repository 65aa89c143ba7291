import { Invalid } from '../errors.ts';

/**
 * Names of references, checked before git sees them: git-check-ref-format(1), and what its rules let through although
 * it is dangerous: options, revision syntax, names that look like object names.
 */

/** The longest component in bytes: git adds `.lock`, and file systems take 255. */
const longest = 250;
const longestName = 1_024;

// oxlint-disable-next-line no-control-regex -- control characters are what it refuses
const forbidden = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|^@$/;
const objectName = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;
/** Git treats a branch named so as an object, also where more follows. */
const looksLikeObject = /^[0-9a-f]{40}(?:-?\/|$)|^[0-9a-f]{64}$/i;

/** Whether git could store a reference of that name below `refs/heads/` or `refs/tags/`. */
function isRefPart(name: string): boolean {
  if (name === '' || forbidden.test(name) || !name.isWellFormed() || Buffer.byteLength(name) > longestName)
    return false;
  return name
    .split('/')
    .every((part) => !part.startsWith('.') && !part.endsWith('.lock') && Buffer.byteLength(part) <= longest);
}

/** Whether a branch or tag may have this name: no option, no `HEAD`, no `refs/…`, nothing that names an object. */
export const isName = (name: string): boolean =>
  isRefPart(name) &&
  !name.startsWith('-') &&
  name !== 'HEAD' &&
  !/^refs(?:\/|$)/.test(name) &&
  !looksLikeObject.test(name);

/** Whether it is a full name of a reference, such as `refs/heads/main` or `refs/merge-requests/1/head`. */
export const isRef = (ref: string): boolean => /^refs\/[^/]+\/./.test(ref) && isRefPart(ref);

/** `refs/heads/…` of a branch. @throws Invalid unless a branch may have that name */
export const branchRef = (name: string): string => `refs/heads/${checkedName(name)}`;

/** `refs/tags/…` of a tag. @throws Invalid unless a tag may have that name */
export const tagRef = (name: string): string => `refs/tags/${checkedName(name)}`;

function checkedName(name: string): string {
  if (!isName(name)) throw new Invalid('The name of a branch or tag is invalid.');
  return name;
}

/** The reference as given. @throws Invalid unless it is a full name */
export function checkedRef(ref: string): string {
  if (!isRef(ref)) throw new Invalid('The name of a reference is invalid.');
  return ref;
}

/** Whether these are all 40 digits of an object's name, in small letters. */
export const isObjectName = (name: string): boolean => objectName.test(name) && name === name.toLowerCase();

/** The full object name as given. @throws Invalid for anything else */
export function checkedObject(name: string): string {
  if (!isObjectName(name)) throw new Invalid('The name of an object is invalid.');
  return name;
}

/** What stands for "no object" in updates of references. */
export const noObject = '0'.repeat(40);
