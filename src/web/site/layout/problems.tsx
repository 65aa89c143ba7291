import type { Busy, Enough } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import type { Site } from './layout.tsx';
import { toAnswer } from './page.ts';
import { Problem } from './problem.tsx';

/** 404 for a missing and for a hidden record: the page doesn't reveal which records exist. */
export const pageNotFound = (site: Site): Answer =>
  toAnswer(
    <Problem
      site={site}
      title="Page not found"
      says={`It doesn’t exist, or it isn’t visible ${site.visitor ? 'to you' : 'without signing in'}. Check the address.`}
      signIn={!site.visitor}
    />,
    404,
  );

/** RFC 9110 §15.5.6: a 405 lists the allowed methods. */
export function wrongMethod(site: Site, allow: string): Answer {
  const page = toAnswer(
    <Problem site={site} title="Method not allowed" says={`This page accepts only ${allow}.`} />,
    405,
  );
  return { ...page, headers: { ...page.headers, allow } };
}

/** A malformed request, or one with a parameter twice. */
export const unreadable = (site: Site, status: number, says: string): Answer =>
  toAnswer(<Problem site={site} title="Invalid request" says={says} />, status);

/** CSRF protection: the form was sent by another site, or under another host name of the gateway. */
export const foreignForm = (site: Site): Answer =>
  toAnswer(
    <Problem
      site={site}
      title="Request from another site"
      says={`The gateway accepts forms only from its own pages at ${site.baseUrl}. Nothing was changed.`}
      again={site.baseUrl}
    />,
    403,
  );

/** CSRF protection: the token doesn't fit the session or what the page showed. @param again the address of a new form */
export const staleForm = (site: Site, again: string): Answer =>
  toAnswer(
    <Problem
      site={site}
      title="This page is out of date"
      says="It belongs to another session, its form was altered, or your browser blocks cookies. Nothing was changed."
      again={again}
    />,
    403,
  );

/** A form that works once was sent again, by a second press or a reload. @param result the address of its result */
export const sentAlready = (site: Site, result: string): Answer =>
  toAnswer(
    <Problem
      site={site}
      title="This form was already submitted"
      says="It works once, and nothing was done a second time. To do it again, open its page again."
      again={result}
      linkLabel="See the result"
    />,
    409,
  );

/** 403: the viewer may see it, but not do it. @param again the address of the page with the form that was refused */
export const forbidden = (site: Site, says: string, again?: string): Answer =>
  toAnswer(
    <Problem
      site={site}
      title="Access denied"
      says={says}
      {...(again !== undefined && { again, linkLabel: 'Back to the page' })}
    />,
    403,
  );

/** What was asked for can't be done, because of what there is by now. @param again the address of the page with the form */
export const notDone = (site: Site, status: 409 | 422, says: string, again: string): Answer =>
  toAnswer(
    <Problem
      site={site}
      title="It can’t be done"
      says={`${says.replace(/[.!]?$/, '.')} Nothing was changed.`}
      again={again}
      linkLabel="See how it is now"
    />,
    status,
  );

/** RFC 6585 §4. @param seconds until the client may try again */
function tooMany(site: Site, seconds: number, title: string, says: string): Answer {
  const page = toAnswer(<Problem site={site} title={title} says={says} />, 429);
  return { ...page, headers: { ...page.headers, 'retry-after': String(seconds) } };
}

function inWords(seconds: number): string {
  if (seconds <= 60) return 'a minute';
  return seconds <= 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
}

/** Rate limiting of wrong passwords and codes. */
export const throttled = (site: Site, seconds: number): Answer =>
  tooMany(
    site,
    seconds,
    'Too many wrong attempts',
    `Passwords and codes are refused for now, even correct ones. Wait ${inWords(seconds)}.`,
  );

/** Rate limiting of what an operation does, such as sending mail. */
export const quotaExceeded = (site: Site, { message, retryAfter }: Enough): Answer =>
  tooMany(
    site,
    retryAfter,
    'Too many requests',
    `${message} Nothing was changed. Try again in ${inWords(retryAfter)}.`,
  );

/** Rate limiting of forms by address, whatever their content. */
export const rateLimited = (site: Site, seconds: number): Answer =>
  tooMany(
    site,
    seconds,
    'Too many requests',
    `Your network has sent too many forms in a short time. Nothing was changed. Wait ${inWords(seconds)}, then go back and send it again.`,
  );

/** Load shedding by an operation that is too busy. */
export const busy = (site: Site, { message, retryAfter }: Busy): Answer =>
  tooMany(site, retryAfter, 'Server busy', message);

/** 503: the database is unreachable or the gateway is overloaded; `Retry-After` is in seconds. */
export function unavailable(site: Site, because = 'The gateway can’t reach its database.'): Answer {
  const page = toAnswer(
    <Problem site={site} title="Temporarily unavailable" says={`${because} Try again in a moment.`} />,
    503,
  );
  return { ...page, headers: { ...page.headers, 'retry-after': '1' } };
}

/** 500: an unhandled error. Only the log has the details. */
export const defect = (site: Site, requestId: string): Answer =>
  toAnswer(
    <Problem
      site={site}
      title="Something went wrong"
      says="This isn’t your fault. The gateway’s log has the details."
      requestId={requestId}
    />,
    500,
  );
