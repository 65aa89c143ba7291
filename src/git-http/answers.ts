import { domainError } from '../context.ts';
import {
  Busy,
  Forbidden,
  InsufficientScope,
  InvalidToken,
  NotFound,
  RateLimited,
  TooLarge,
  Unauthenticated,
  Unavailable,
  type DomainError,
} from '../errors.ts';
import { toResponse, type Exchange } from '../http/index.ts';
import { readCredential, type ServiceName } from './request.ts';

/** Headers of every answer (contract §10.1). */
export const gitHeaders = {
  'cache-control': 'no-cache, max-age=0, must-revalidate',
  expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
  pragma: 'no-cache',
} as const;

interface Refusal {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const denied = {
  status: 401,
  text: "HTTP Basic: Access denied. If a password was provided for Git authentication, the password was incorrect or you're required to use a token instead of a password. If a token was provided, it was either incorrect, expired, or improperly scoped.",
  headers: { 'www-authenticate': 'Basic realm="Causeway"' },
} as const satisfies Refusal;

const hidden = "The project you were looking for could not be found or you don't have permission to view it.";

/** A refusal as text, which git shows to the person. */
export function refuse(exchange: Exchange, { status, text, headers }: Refusal): Response {
  // Drop what is left of the body: many clients read the answer only after sending all.
  exchange.connection.body?.resume();
  return toResponse(exchange, {
    status,
    headers: { ...gitHeaders, 'content-type': 'text/plain; charset=utf-8', ...headers },
    body: `${text}\n`,
  });
}

export const notAllowed: Refusal = { status: 403, text: "The command you're trying to execute is not allowed." };
export const notOffered: Refusal = { status: 404, text: 'Not Found' };

/** Load shedding. */
export const gitUnavailable = (exchange: Exchange): Response =>
  refuse(exchange, refusalOf(new Unavailable(), 'git-upload-pack', false)!);

/**
 * What an error means for a client of git.
 * @param known whether the request came with a credential: others learn only that they need one
 * @returns undefined for a programming error
 */
export function refusalOf(thrown: unknown, service: ServiceName, known: boolean): Refusal | undefined {
  const error = domainError(thrown);
  if (!error) return undefined;
  if (error instanceof Unauthenticated || error instanceof InvalidToken) return denied;
  if (!known && (error instanceof NotFound || error instanceof Forbidden)) return denied;
  return statusOf(error, service);
}

/** The answer to what was thrown. @param report called for a programming error, of which the client learns no more */
export function refuseThrown(exchange: Exchange, thrown: unknown, service: ServiceName, report: () => void): Response {
  const refusal = refusalOf(thrown, service, readCredential(exchange) !== null);
  if (refusal) return refuse(exchange, refusal);
  report();
  return refuse(exchange, { status: 500, text: `Internal Server Error. Request id: ${exchange.id}` });
}

const later = (seconds: number) => ({ 'retry-after': String(seconds) });

function statusOf(error: DomainError, service: ServiceName): Refusal {
  if (error instanceof NotFound)
    return {
      status: 404,
      text: error.subject === 'Repository' ? 'A repository for this project does not exist yet.' : hidden,
    };
  if (error instanceof InsufficientScope)
    return {
      status: 403,
      text: `You are not allowed to ${service === 'git-upload-pack' ? 'download' : 'upload'} code.`,
    };
  if (error instanceof Forbidden) return { status: 403, text: error.message };
  if (error instanceof RateLimited) return { status: 429, text: error.message, headers: later(error.retryAfter) };
  if (error instanceof Busy) return { status: 503, text: error.message, headers: later(error.retryAfter) };
  if (error instanceof Unavailable) return { status: 503, text: error.message, headers: later(5) };
  if (error instanceof TooLarge) return { status: 413, text: error.message };
  return { status: 400, text: error.message };
}
