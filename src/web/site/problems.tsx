import type { Busy, Enough } from '../../errors.ts';
import type { Answer } from '../../http/index.ts';
import type { Site } from './layout.tsx';
import { toAnswer } from './page.ts';
import { Problem } from './problem.tsx';

/** Missing and hidden are one and the same page: existence isn’t told to those who may not see. */
export const nothingHere = (site: Site): Answer =>
  toAnswer(
    <Problem
      site={site}
      title="Nothing here that you can see"
      says={`It doesn’t exist, or it isn’t visible ${site.visitor ? 'to you' : 'without signing in'}. Check the address for a slip.`}
    />,
    404,
  );

/** RFC 9110 §15.5.6: a refusal of a method names those that there are. */
export function wrongMethod(site: Site, allow: string): Answer {
  const page = toAnswer(
    <Problem site={site} title="Not in this way" says={`This page answers ${allow}, and no other method.`} />,
    405,
  );
  return { ...page, headers: { ...page.headers, allow } };
}

/** A request that doesn't make sense as HTTP, or in which something comes twice. */
export const unreadable = (site: Site, status: number, says: string): Answer =>
  toAnswer(<Problem site={site} title="This can’t be read" says={says} />, status);

/** A form that was sent from elsewhere: by another site, or under another name of the gateway. */
export const foreignForm = (site: Site): Answer =>
  toAnswer(
    <Problem
      site={site}
      title="This form came from elsewhere"
      says={`Forms are taken only from the gateway’s own pages, under its own address: ${site.baseUrl}. Nothing was changed.`}
      again={site.baseUrl}
    />,
    403,
  );

/** A form whose page belongs to another session, or says something else than what came back. @param again where a fresh one is */
export const staleForm = (site: Site, again: string): Answer =>
  toAnswer(
    <Problem
      site={site}
      title="This page was out of date"
      says="It was made for another session, or came back changed, or your browser keeps no cookies. Nothing was changed."
      again={again}
    />,
    403,
  );

/** A form that acts only once and came again, by a second press or a reload. @param result where what came of it is shown */
export const sentAlready = (site: Site, result: string): Answer =>
  toAnswer(
    <Problem
      site={site}
      title="This form was sent already"
      says="What it asks for is done once, and wasn’t done again. To do it another time, open its page again."
      again={result}
      onward="See what came of it"
    />,
    409,
  );

/** The viewer may see it, and may not do it. */
export const forbidden = (site: Site, says: string): Answer =>
  toAnswer(<Problem site={site} title="Not for you to do" says={says} />, 403);

/** RFC 6585 §4. @param seconds until another try makes sense */
function tooMany(site: Site, seconds: number, title: string, says: string): Answer {
  const page = toAnswer(<Problem site={site} title={title} says={says} />, 429);
  return { ...page, headers: { ...page.headers, 'retry-after': String(seconds) } };
}

function inWords(seconds: number): string {
  if (seconds <= 60) return 'a minute';
  return seconds <= 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
}

/** Too many wrong passwords or codes. */
export const throttled = (site: Site, seconds: number): Answer =>
  tooMany(
    site,
    seconds,
    'Too many wrong tries',
    `Nothing more is tried for now, not even what would be right. Wait ${inWords(seconds)}.`,
  );

/** More was asked for than is given in so short a time. */
export const enough = (site: Site, { message, retryAfter }: Enough): Answer =>
  tooMany(site, retryAfter, 'Enough for now', `${message} Nothing was changed. Come back in ${inWords(retryAfter)}.`);

/** Too many forms of this kind from one address, whatever was in them. */
export const rateLimited = (site: Site, seconds: number): Answer =>
  tooMany(
    site,
    seconds,
    'Too many at once',
    `More has come from your network than is let through in so short a time. Nothing was changed. Wait ${inWords(seconds)}, then go back and send it again.`,
  );

/** More is asked for than can be done now. */
export const busy = (site: Site, { message, retryAfter }: Busy): Answer =>
  tooMany(site, retryAfter, 'Very busy just now', message);

/** The database can’t answer, or there is more to do than can be done; `Retry-After` is in seconds. */
export function unavailable(site: Site, because = 'The gateway can’t reach its database.'): Answer {
  const page = toAnswer(<Problem site={site} title="Not just now" says={`${because} Try again in a moment.`} />, 503);
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
