import { isName, isObjectName } from './refs.ts';

/**
 * What people may write where a commit is wanted: `HEAD`, a branch, a tag, or 7 to 64 hex digits. No revision syntax:
 * `main~3`, `:/text` and `main:path` name nothing (contract S3).
 */

const hex = /^[0-9a-f]{7,64}$/i;

/**
 * The names to try in git, best first, as git itself would: a whole object name, then a tag, a branch, and last an
 * abbreviated object name.
 * @param only restricts it to branches or to tags
 * @returns names for `cat-file`; none for what can't name anything
 */
export function candidates(revision: string, only?: 'branch' | 'tag'): readonly string[] {
  if (only) return isName(revision) ? [`refs/${only === 'tag' ? 'tags' : 'heads'}/${revision}`] : [];
  if (revision === 'HEAD') return ['HEAD'];
  const full = revision.toLowerCase();
  if (isObjectName(full)) return [full];
  const qualified = /^refs\/(?:heads|tags)\/(?<name>.+)$/.exec(revision)?.groups?.name;
  if (qualified !== undefined) return isName(qualified) ? [revision] : [];
  return [
    ...(isName(revision) ? [`refs/tags/${revision}`, `refs/heads/${revision}`] : []),
    ...(hex.test(revision) ? [full] : []),
  ];
}
