import { hasNameForm, isNumber, isReserved, maxNameLength } from '../../values/text/place-names.ts';
import { largestInteger } from '../../values/integers.ts';

/** The decoded segments of a full path or a username in an address; null if it isn't valid. */
export function nameSegments(path: string): readonly string[] | null {
  const segments = path.split('/').map(decode);
  return segments.every(isName) && !isReserved(segments[0]!) ? (segments as string[]) : null;
}

const isName = (segment: string | null): segment is string =>
  segment !== null && segment.length <= maxNameLength && hasNameForm(segment) && !isNumber(segment);

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** Whether a text of an address can be the id or the iid of a record: a positive number that the database can hold. */
export const isRecordNumber = (text: string | undefined): text is string =>
  text !== undefined && /^[1-9]\d{0,9}$/.test(text) && Number(text) <= largestInteger;

/** What is below a project at addresses that clients made before these had `/-/`, and still make. */
const onceBelow: ReadonlySet<string> = new Set([
  'activity',
  'archive',
  'badges',
  'blame',
  'blob',
  'branches',
  'commit',
  'commits',
  'compare',
  'environments',
  'issues',
  'jobs',
  'labels',
  'merge_requests',
  'milestones',
  'pipelines',
  'raw',
  'snippets',
  'tags',
  'tree',
]);

/** The address of a page of a project, for one that lacks the `/-/`: `/a/b/commit/1` is `/a/b/-/commit/1`. */
export function withDash(path: string): string | undefined {
  const segments = path.slice(1).split('/');
  // A project has at least two names before.
  const at = segments.findIndex((segment, place) => place > 1 && onceBelow.has(segment));
  const project = segments.slice(0, at).join('/');
  // What is no name of a project could lead to another site.
  return at < 0 || !nameSegments(project) ? undefined : `/${project}/-/${segments.slice(at).join('/')}`;
}
