import type { OutgoingHttpHeaders } from 'node:http';
import { TwoCredentials } from '../context.ts';
import {
  BadRequest,
  Conflict,
  Forbidden,
  InsufficientScope,
  InvalidFields,
  InvalidToken,
  NotFound,
  Unauthenticated,
  Unavailable,
  type DomainError,
} from '../errors.ts';
import { Unreadable } from '../http/index.ts';
import type { Dialect } from './route.ts';

/** How an error is told on the wire. */
export interface Told {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body: object;
}

/** Parameters that can't be read as declared: `{"error"}`, all of them joined. */
export class ParameterProblems extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join(', '));
  }
}

/** A value that reads well and that the model refuses: `{"message"}` with just this text. */
export class ModelProblem extends Error {}

/** An error the door itself raises, or one of the domain. */
export type Tellable = DomainError | Unreadable | ParameterProblems | ModelProblem;

type Mapping = readonly [type: abstract new (...parameters: never[]) => Error, tell: (error: never) => Told];

const row = <E extends Error>(type: abstract new (...parameters: never[]) => E, tell: (error: E) => Told): Mapping => [type, tell];

const message = (status: number, text: unknown, headers?: OutgoingHttpHeaders): Told => ({
  status,
  body: { message: text },
  ...(headers && { headers }),
});
const error = (status: number, text: string, headers?: OutgoingHttpHeaders): Told => ({
  status,
  body: { error: text },
  ...(headers && { headers }),
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
  row(Unreadable, ({ status, message: text }) =>
    status === 413 ? message(413, '413 Request Entity Too Large') : error(status, text)),
  row(TwoCredentials, ({ message: text }) => ({
    status: 400,
    body: { error: 'invalid_request', error_description: text },
  })),
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
  row(InvalidFields, ({ fields }) =>
    message(400, Object.fromEntries(Object.entries(fields).map(([field, texts]) => [snakeCase(field), texts])))),
  row(BadRequest, ({ message: text }) => message(400, because('400 Bad request', text))),
  row(Conflict, ({ message: text }) => message(409, text)),
  row(Unavailable, () => message(503, '503 Service Unavailable', { 'retry-after': '1' })),
];

/** As the OAuth endpoints tell it; what isn't here is told as version 4 does. */
const oauth: readonly Mapping[] = [row(Unauthenticated, unusable), row(InvalidToken, unusable), row(Forbidden, unusable)];

/** Token information says no more than that a token is no good (RFC 6750 §3.1). */
function unusable(): Told {
  const text = 'The access token is invalid';
  return {
    status: 401,
    headers: challenge('invalid_token', text),
    body: { error: 'invalid_token', error_description: text, state: 'unauthorized' },
  };
}

const dialects: Record<Dialect, readonly Mapping[]> = { 'version 4': version4, oauth: [...oauth, ...version4] };

/** How a dialect tells an error; undefined for one that nobody foresaw. */
export function tell(dialect: Dialect, thrown: Error): Told | undefined {
  const found = dialects[dialect].find(([type]) => thrown instanceof type);
  return found?.[1](thrown as never);
}

/** Routing, before any route is known. */
export const unknownPath = error(404, '404 Not Found');
export const wrongMethod = (allow: string) => error(405, '405 Not Allowed', { allow });
export const unsupportedFormat = (format: string) => error(406, `The requested format '${format}' is not supported.`);
export const internalError = message(500, '500 Internal Server Error');

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
