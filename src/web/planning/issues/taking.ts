import type { PlaceRoute } from '../../places/place/route.ts';
import { seeOther } from '../../site/visit.ts';
import { issuePath } from './issue.ts';

/** A page below that of an issue that only takes a form; its own address leads to the issue. @param page without a slash at the beginning */
export const taking = (page: string, name: string, post: NonNullable<PlaceRoute['post']>): PlaceRoute => ({
  of: 'project',
  path: `/issues/:iid/${page}`,
  name,
  get: ({ named }, place) => seeOther(issuePath(place, { iid: named.iid! })),
  post,
});
