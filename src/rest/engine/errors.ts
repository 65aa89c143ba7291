import type { OutgoingHttpHeaders } from 'node:http';
import { TokenInQuery, TwoCredentials } from '../../credential.ts';
import {
  BadRequest,
  Busy,
  Conflict,
  EndpointRateLimited,
  Forbidden,
  InsufficientScope,
  InvalidFields,
  InvalidToken,
  NotFound,
  OAuthError,
  PreconditionFailed,
  RateLimited,
  Unauthenticated,
  Unavailable,
} from '../../errors.ts';
import { Unreadable } from '../../http/index.ts';
import { PageRefused } from './pages.ts';
import type { AnyRoute, Dialect } from './route.ts';
import { snakeCase } from './snake-case.ts';

/** How an error is told on the wire. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  /** JSON, or a text that is sent as it is. */
  readonly body: object | string;
}

/** Parameters that can't be read as declared: `{"error"}`, all of them joined. */
export class ParameterProblems extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join(', '));
  }
}

/** A value that reads well and that the model refuses: `{"message"}` with just this text. */
export class ModelProblem extends Error {}

/** What of a request decides how an error is answered. */
interface Asking {
  /** Whether the client authenticated by HTTP Basic. */
  readonly basic: boolean;
}

type Mapping = readonly [
  type: abstract new (...parameters: never[]) => Error,
  errorResponse: (error: never, asking: Asking) => ErrorResponse,
];

const row = <E extends Error>(
  type: abstract new (...parameters: never[]) => E,
  errorResponse: (error: E, asking: Asking) => ErrorResponse,
): Mapping => [type, errorResponse];

const message = (status: number, text: unknown, headers?: OutgoingHttpHeaders): ErrorResponse => ({
  status,
  body: { message: text },
  ...(headers && { headers }),
});
const error = (status: number, text: string, headers?: OutgoingHttpHeaders): ErrorResponse => ({
  status,
  body: { error: text },
  ...(headers && { headers }),
});

const invalidRequest = (text: string): ErrorResponse => ({
  status: 400,
  body: { error: 'invalid_request', error_description: text },
});

const because = (text: string, reason: string | undefined) => (reason ? `${text} - ${reason}` : text);

/** RFC 6750 §3: what kind of credential is wanted, and what was wrong with the one that came. */
function challenge(code: string, description: string, scope?: string): OutgoingHttpHeaders {
  const parts = [`realm="Causeway"`, `error="${code}"`, `error_description="${description}"`];
  if (scope) parts.push(`scope="${scope}"`);
  return { 'www-authenticate': `Bearer ${parts.join(', ')}` };
}

/** Each kind of error, as version 4 tells it. The first row that fits counts. */
const version4: readonly Mapping[] = [
  row(ParameterProblems, ({ message: text }) => error(400, text)),
  row(ModelProblem, ({ message: text }) => message(400, text)),
  row(PageRefused, ({ message: text }) => error(405, text)),
  row(Unreadable, ({ status, message: text }) =>
    status === 413 ? message(413, '413 Request Entity Too Large') : error(status, text),
  ),
  row(TwoCredentials, ({ message: text }) => invalidRequest(text)),
  row(TokenInQuery, ({ message: text }) => invalidRequest(text)),
  row(Unauthenticated, () => message(401, '401 Unauthorized', { 'www-authenticate': 'Bearer realm="Causeway"' })),
  row(InvalidToken, ({ message: text }) => ({
    status: 401,
    headers: challenge('invalid_token', text),
    body: { error: 'invalid_token', error_description: text },
  })),
  row(InsufficientScope, ({ message: text, accepted }) => ({
    status: 403,
    headers: challenge('insufficient_scope', text, accepted.join(' ')),
    body: { error: 'insufficient_scope', error_description: text, scope: accepted.join(' ') },
  })),
  row(Forbidden, ({ reason }) => message(403, because('403 Forbidden', reason))),
  row(NotFound, ({ subject }) => message(404, `404 ${subject} Not Found`)),
  row(InvalidFields, ({ fields }) => message(400, inSnakeCase(fields))),
  row(BadRequest, ({ message: text }) => message(400, because('400 Bad request', text))),
  row(Conflict, ({ message: text }) => message(409, text)),
  row(PreconditionFailed, () => message(412, '412 Precondition Failed')),
  row(EndpointRateLimited, ({ message: text, retryAfter }) =>
    message(429, { error: text }, { 'retry-after': String(retryAfter) }),
  ),
  // Clients have always been told this one as a text.
  row(RateLimited, ({ message: text, retryAfter }) => ({
    status: 429,
    headers: { 'content-type': 'text/plain', 'retry-after': String(retryAfter) },
    body: text,
  })),
  row(Unavailable, () => message(503, '503 Service Unavailable', { 'retry-after': '1' })),
];

/** Making a group tells what is wrong in one text, in the form that clients have always found there. */
const makingAGroup: readonly Mapping[] = [
  row(InvalidFields, ({ fields }) => {
    const told = Object.entries(fields).map(([field, texts]) => `:${snakeCase(field)}=>${JSON.stringify(texts)}`);
    return message(400, `Failed to save group {${told.join(', ')}}`);
  }),
];

/** What isn't in a dialect of OAuth is told as version 4 does. */
const tokenInformation: readonly Mapping[] = [
  row(Unauthenticated, unusable),
  row(InvalidToken, unusable),
  row(Forbidden, unusable),
];

/** Token information says no more than that a token is no good (RFC 6750 §3.1). */
function unusable(): ErrorResponse {
  const text = 'The access token is invalid';
  return {
    status: 401,
    headers: challenge('invalid_token', text),
    body: { error: 'invalid_token', error_description: text, state: 'unauthorized' },
  };
}

/** RFC 6749 §5.2. A challenge goes with a 401 only: with a 400 strict clients would hide the error behind it. */
const tokenEndpoint: readonly Mapping[] = [
  row(OAuthError, (problem, asking) => oauthError(statuses[problem.error] ?? 400, problem, asking)),
  row(Busy, tryLater),
  row(RateLimited, tryLater),
  row(Unavailable, ({ message: text }) => ({
    status: 503,
    headers: { 'retry-after': '1' },
    body: { error: 'temporarily_unavailable', error_description: text },
  })),
  row(ParameterProblems, ({ message: text }) => invalidRequest(text)),
  row(BadRequest, ({ message: text }) => invalidRequest(text)),
  row(Unreadable, ({ status, message: text }) => ({ ...invalidRequest(text), status })),
];

/** RFC 6749 §5.2, RFC 6585 §4. */
const statuses: { readonly [error: string]: number | undefined } = {
  invalid_client: 401,
  temporarily_unavailable: 429,
};

/** RFC 7009 §2.2.1: a token of another client is refused as forbidden. */
const revocation: readonly Mapping[] = [
  row(OAuthError, (problem, asking) =>
    oauthError(problem.error === 'unauthorized_client' ? 403 : (statuses[problem.error] ?? 400), problem, asking),
  ),
  ...tokenEndpoint,
];

function oauthError(
  status: number,
  { error: code, message: text, retryAfter }: Pick<OAuthError, 'error' | 'message' | 'retryAfter'>,
  { basic }: Asking,
): ErrorResponse {
  return {
    status,
    headers: {
      // RFC 6749 §5.2: the scheme that the client used. Strict clients read the code of any other refusal in the challenge.
      ...(status === 401 && (basic ? { 'www-authenticate': 'Basic realm="Causeway"' } : challenge(code, text))),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    },
    body: { error: code, error_description: text },
  };
}

function tryLater({ message: text, retryAfter }: Busy | RateLimited, asking: Asking): ErrorResponse {
  return oauthError(429, { error: 'temporarily_unavailable', message: text, retryAfter }, asking);
}

const dialects: Record<Dialect, readonly Mapping[]> = {
  'version 4': version4,
  'making a group': [...makingAGroup, ...version4],
  'token information': [...tokenInformation, ...version4],
  'token endpoint': [...tokenEndpoint, ...version4],
  revocation: [...revocation, ...version4],
};

/** RFC 6749 §5.1: what carries tokens is kept by nobody. */
const notKept: OutgoingHttpHeaders = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** What a dialect adds to the headers of every answer. */
export const dialectHeaders: Record<Dialect, OutgoingHttpHeaders> = {
  'version 4': {},
  'making a group': {},
  'token information': notKept,
  'token endpoint': notKept,
  revocation: notKept,
};

/**
 * How a dialect tells an error; undefined for one that nobody foresaw.
 * @param words a route's own: for subjects that aren't there, and for fields
 */
export function errorResponse(
  dialect: Dialect,
  thrown: Error,
  { missing = {}, fields = {} }: Pick<AnyRoute, 'missing' | 'fields'> = {},
  asking: Asking = { basic: false },
): ErrorResponse | undefined {
  if (thrown instanceof NotFound && missing[thrown.subject] !== undefined) return message(404, missing[thrown.subject]);
  const named = thrown instanceof InvalidFields ? inWords(thrown, fields) : thrown;
  const found = dialects[dialect].find(([type]) => named instanceof type);
  return found?.[1](named as never, asking);
}

/** Texts by the fields' names on the wire. */
const inSnakeCase = (fields: InvalidFields['fields']) =>
  Object.fromEntries(Object.entries(fields).map(([field, texts]) => [snakeCase(field), texts]));

/** With a route's own names for fields. */
const inWords = ({ fields }: InvalidFields, words: Readonly<Record<string, string>>) =>
  new InvalidFields(Object.fromEntries(Object.entries(fields).map(([field, texts]) => [words[field] ?? field, texts])));

/** Routing, before any route is known. */
export const unknownPath = error(404, '404 Not Found');
export const methodOfMoved = message(405, 'Non GET methods are not allowed for moved projects');
export const wrongMethod = (allow: string) => error(405, '405 Not Allowed', { allow });
export const unsupportedFormat = (format: string) => error(406, `The requested format '${format}' is not supported.`);
export const internalError = message(500, '500 Internal Server Error');
