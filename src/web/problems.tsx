import type { Answer } from '../http/index.ts';
import type { Site } from './layout.tsx';
import { toAnswer } from './page.ts';
import { Problem } from './pages/problem.tsx';

/** Missing and hidden are one and the same page: existence isn’t told to those who may not see. */
export const nothingHere = (site: Site): Answer =>
  toAnswer(
    <Problem
      site={site}
      title="Nothing here that you can see"
      says="It doesn’t exist, or it isn’t visible without signing in. Check the address for a slip."
    />,
    404,
  );

/** RFC 9110 §15.5.6: a refusal of a method names those that there are. */
export function wrongMethod(site: Site): Answer {
  const page = toAnswer(
    <Problem site={site} title="This page can only be read" says="It answers GET and HEAD, and no other method." />,
    405,
  );
  return { ...page, headers: { ...page.headers, allow: 'GET, HEAD' } };
}

/** The database can’t answer; `Retry-After` is in seconds. */
export function unavailable(site: Site): Answer {
  const page = toAnswer(
    <Problem site={site} title="Not just now" says="The gateway can’t reach its database. Try again in a moment." />,
    503,
  );
  return { ...page, headers: { ...page.headers, 'retry-after': '1' } };
}

/** A defect, of which only the log says more. */
export const defect = (site: Site, requestId: string): Answer =>
  toAnswer(
    <Problem
      site={site}
      title="Something went wrong here"
      says="It isn’t your doing. The gateway’s log has the details."
      requestId={requestId}
    />,
    500,
  );
