import { below } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { withQuery } from '../../site/forms/fields.ts';

/** The addresses of the pages of merge requests. */

/** The list, or a page below it. @param page begins with a slash: `/new` */
export const mergeRequestsPath = (place: Pick<PlaceHead, 'kind' | 'fullPath'>, page = ''): string =>
  below(place, `/merge_requests${page}`);

/** One of them, or a page of it. @param page begins with a slash: `/diffs` */
export const mergeRequestPath = (
  place: Pick<PlaceHead, 'kind' | 'fullPath'>,
  { iid }: { readonly iid: string },
  page = '',
): string => mergeRequestsPath(place, `/${iid}${page}`);

/** The form of a new one from a branch. */
export const newMergeRequestPath = (
  { fullPath }: Pick<PlaceHead, 'fullPath'>,
  given: { readonly source?: string; readonly target?: string } = {},
): string => withQuery(mergeRequestsPath({ kind: 'project', fullPath }, '/new'), given);
