import type { Answer } from '../../../http/index.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { requireVisitor, type Visit } from '../../site/visit.ts';
import type { PlaceHead, PlaceRoute } from './route.ts';

/**
 * Restricts pages to those who are signed in and whom nothing refuses: others are asked to sign in, or read why not.
 * @param refusal why the viewer may not use the page; undefined if they may
 */
export function restrict(refusal: (place: PlaceHead) => string | undefined): (page: PlaceRoute) => PlaceRoute {
  function refused(visit: Visit, place: PlaceHead): Answer | undefined {
    requireVisitor(visit);
    const reason = refusal(place);
    return reason === undefined ? undefined : forbidden(visit.site, reason);
  }
  return (page) => {
    const { post } = page;
    const restricted = post && {
      post: ((visit, place, fields) => refused(visit, place) ?? post(visit, place, fields)) satisfies typeof post,
    };
    return page.get
      ? { ...page, ...restricted, get: (visit, place) => refused(visit, place) ?? page.get(visit, place) }
      : { ...page, ...restricted };
  };
}
