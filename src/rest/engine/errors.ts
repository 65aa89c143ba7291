import type { OutgoingHttpHeaders } from 'node:http';
import { TokenInQuery, TwoCredentials } from '../../credential.ts';
import {
  AlreadyOpen,
  BadRequest,
  BranchRefused,
  Busy,
  Conflict,
  EndpointRateLimited,
  Forbidden,
  ForbiddenPlainly,
  InsufficientScope,
  InvalidFields,
  InvalidToken,
  JobNotRunning,
  NotAuthorized,
  NotFound,
  NotMergeable,
  OAuthError,
  PlainBadRequest,
  PlainForbidden,
  PlainUnprocessable,
  PreconditionFailed,
  RateLimited,
  ReplayRefused,
  RepositoryOff,
  TooLarge,
  TransferRefused,
  SharingRefused,
  Unauthenticated,
  Unavailable,
  Unprocessable,
} from '../../errors.ts';
import { Unreadable } from '../../http/index.ts';
import { PageRefused } from './pages.ts';
import type { AnyRoute, Dialect } from './route.ts';
import { snakeCase } from '../../values/text/snake-case.ts';

/** An error as sent on the wire. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  /** JSON, or a plain text. */
  readonly body: object | string;
}

/** Parameters that don't fit their declaration. The answer is `{"error"}` with all problems joined. */
export class ParameterProblems extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join(', '));
  }
}

/** A value of the right type that the model refuses. The answer is `{"message"}` with this text only. */
export class ModelProblem extends Error {}

/** The facts about a request that change how its errors look. */
interface RequestFacts {
  /** Whether the client authenticated by HTTP Basic. */
  readonly basic: boolean;
}

type Mapping = readonly [
  type: abstract new (...parameters: never[]) => Error,
  errorResponse: (error: never, facts: RequestFacts) => ErrorResponse,
];

const row = <E extends Error>(
  type: abstract new (...parameters: never[]) => E,
  errorResponse: (error: E, facts: RequestFacts) => ErrorResponse,
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

/** `WWW-Authenticate` of RFC 6750 §3: the expected scheme, and the problem with the credential. */
function challenge(code: string, description: string, scope?: string): OutgoingHttpHeaders {
  const parts = [`realm="Causeway"`, `error="${code}"`, `error_description="${description}"`];
  if (scope) parts.push(`scope="${scope}"`);
  return { 'www-authenticate': `Bearer ${parts.join(', ')}` };
}

/** Version 4's form of each error. The first matching row wins. */
const version4: readonly Mapping[] = [
  row(ParameterProblems, ({ message: text }) => error(400, text)),
  row(ModelProblem, ({ message: text }) => message(400, text)),
  row(PageRefused, ({ message: text }) => error(405, text)),
  row(Unreadable, ({ status, message: text }) =>
    status === 413 ? message(413, '413 Request Entity Too Large') : error(status, text),
  ),
  row(TwoCredentials, ({ message: text }) => invalidRequest(text)),
  row(TokenInQuery, ({ message: text }) => invalidRequest(text)),
  row(JobNotRunning, ({ message: text }) => message(401, text)),
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
  row(NotAuthorized, () => message(401, '401 Unauthorized')),
  row(ForbiddenPlainly, ({ reason }) => message(403, reason)),
  row(PlainForbidden, ({ message: text }) => message(403, text)),
  row(PlainBadRequest, ({ message: text }) => message(400, text)),
  row(NotMergeable, () => message(405, '405 Method Not Allowed')),
  row(PlainUnprocessable, ({ texts }) => message(422, texts)),
  row(Unprocessable, ({ message: text }) => message(422, { error: text })),
  row(Forbidden, ({ reason }) => message(403, because('403 Forbidden', reason))),
  row(NotFound, ({ subject }) => message(404, `404 ${subject} Not Found`)),
  row(InvalidFields, ({ fields }) => message(400, inSnakeCase(fields))),
  row(BadRequest, ({ message: text }) => message(400, because('400 Bad request', text))),
  row(AlreadyOpen, ({ message: text }) => message(409, [text])),
  row(Conflict, ({ message: text }) => message(409, text)),
  row(PreconditionFailed, () => message(412, '412 Precondition Failed')),
  row(EndpointRateLimited, ({ message: text, retryAfter }) =>
    message(429, { error: text }, { 'retry-after': String(retryAfter) }),
  ),
  // GitLab sends this one as plain text, and clients expect it.
  row(RateLimited, ({ message: text, retryAfter }) => ({
    status: 429,
    headers: { 'content-type': 'text/plain', 'retry-after': String(retryAfter) },
    body: text,
  })),
  row(TooLarge, ({ message: text }) => message(413, text)),
  row(Busy, ({ message: text, retryAfter }) => message(503, text, { 'retry-after': String(retryAfter) })),
  row(Unavailable, () => message(503, '503 Service Unavailable', { 'retry-after': '1' })),
];

/** GitLab reports the errors of some records as one text; clients expect this form. */
const asOneText = (heading: string): readonly Mapping[] => [
  row(InvalidFields, ({ fields }) => {
    const texts = Object.entries(fields).map(
      ([field, problems]) => `:${snakeCase(field)}=>[${problems.map((problem) => JSON.stringify(problem)).join(', ')}]`,
    );
    return message(400, `${heading} {${texts.join(', ')}}`);
  }),
];

/** GitLab reports the problems of a snippet in sentences. */
const inSentences: readonly Mapping[] = [
  row(InvalidFields, ({ fields }) => {
    const texts = Object.entries(fields).flatMap(([field, problems]) =>
      problems.map((problem) => `${field[0]!.toUpperCase()}${field.slice(1)} ${problem}`),
    );
    return message(400, { error: texts.join(' and ') });
  }),
  row(BadRequest, ({ message: text }) => message(400, { error: text })),
];

/** The refusals of transfers, in the forms that clients expect. */
const transferringAGroup: readonly Mapping[] = [
  row(TransferRefused, ({ message: text }) => message(400, `Transfer failed: ${text}`)),
];
const transferringAProject: readonly Mapping[] = [
  row(TransferRefused, ({ message: text }) =>
    message(400, `Failed to transfer project {:new_namespace=>${JSON.stringify([text])}}`),
  ),
];
/** GitLab answers someone who may not share a group as if something was missing. */
const sharingAGroup: readonly Mapping[] = [row(SharingRefused, () => message(404, 'Not Found'))];

const sharingAProject: readonly Mapping[] = [
  row(SharingRefused, () => message(403, 'Forbidden')),
  row(BadRequest, ({ message: text }) => message(400, text)),
];
/** Reasons without the heading `400 Bad request`. */
const reasonsAlone: readonly Mapping[] = [row(BadRequest, ({ message: text }) => message(400, text))];

/** A branch that is closed to the writer is a wrong parameter here. */
const writingAFile: readonly Mapping[] = [row(BranchRefused, ({ message: text }) => message(400, text))];

/** Why a commit can't be done again, or taken back: with a code beside the text. */
const replayingACommit: readonly Mapping[] = [
  row(ReplayRefused, ({ message: text, reason, isTrial }) => ({
    status: 400,
    body: { message: text, error_code: reason, ...(isTrial && { dry_run: 'error' }) },
  })),
];

/** An emoji that can't be given is answered as if it was missing. */
const awarding: readonly Mapping[] = [
  row(InvalidFields, ({ fields }) => {
    const [[field, [text]]] = Object.entries(fields) as [[string, [string]]];
    return message(404, `404 Award Emoji ${field[0]!.toUpperCase()}${field.slice(1)} ${text} Not Found`);
  }),
];

/**
 * A runner takes 403 for the end of a job, and its header for how it ended. It takes 404 for a fault of a proxy, and goes
 * on (contract §9.4).
 */
const refusedToRunner = () => message(403, '403 Forbidden');
const runners: readonly Mapping[] = [
  row(JobNotRunning, ({ message: text, status }) =>
    message(403, because('403 Forbidden', text), { 'job-status': status }),
  ),
  row(Unauthenticated, refusedToRunner),
  row(Forbidden, refusedToRunner),
  row(NotFound, refusedToRunner),
];

/** The dialect of token information. All other errors have the form of version 4. */
const tokenInformation: readonly Mapping[] = [
  row(Unauthenticated, unusable),
  row(InvalidToken, unusable),
  row(Forbidden, unusable),
];

/** Token information gives no reason why a token is invalid (RFC 6750 §3.1). */
function unusable(): ErrorResponse {
  const text = 'The access token is invalid';
  return {
    status: 401,
    headers: challenge('invalid_token', text),
    body: { error: 'invalid_token', error_description: text, state: 'unauthorized' },
  };
}

/** Errors of RFC 6749 §5.2. Only a 401 has a challenge: on a 400, strict clients read it instead of the error. */
const tokenEndpoint: readonly Mapping[] = [
  row(OAuthError, (problem, facts) => oauthError(statuses[problem.error] ?? 400, problem, facts)),
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

/** Errors of RFC 7009 §2.2.1: a client must not revoke another client's token. */
const revocation: readonly Mapping[] = [
  row(OAuthError, (problem, facts) =>
    oauthError(problem.error === 'unauthorized_client' ? 403 : (statuses[problem.error] ?? 400), problem, facts),
  ),
  ...tokenEndpoint,
];

function oauthError(
  status: number,
  { error: code, message: text, retryAfter }: Pick<OAuthError, 'error' | 'message' | 'retryAfter'>,
  { basic }: RequestFacts,
): ErrorResponse {
  return {
    status,
    headers: {
      // RFC 6749 §5.2: the challenge names the scheme that the client used; for others it carries the error code.
      ...(status === 401 && (basic ? { 'www-authenticate': 'Basic realm="Causeway"' } : challenge(code, text))),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    },
    body: { error: code, error_description: text },
  };
}

function tryLater({ message: text, retryAfter }: Busy | RateLimited, facts: RequestFacts): ErrorResponse {
  return oauthError(429, { error: 'temporarily_unavailable', message: text, retryAfter }, facts);
}

const dialects: Record<Dialect, readonly Mapping[]> = {
  'version 4': version4,
  'making a group': [...asOneText('Failed to save group'), ...version4],
  'saving a snippet': [...inSentences, ...version4],
  'creating a milestone': [...asOneText('Failed to create milestone'), ...version4],
  'updating a milestone': [...asOneText('Failed to update milestone'), ...version4],
  'saving a note': [...asOneText('400 Bad request - Note'), ...version4],
  'awarding an emoji': [...awarding, ...version4],
  'reasons alone': [...reasonsAlone, ...version4],
  'writing a file': [...writingAFile, ...version4],
  'replaying a commit': [...replayingACommit, ...version4],
  'transferring a group': [...transferringAGroup, ...version4],
  'transferring a project': [...transferringAProject, ...version4],
  'sharing a group': [...sharingAGroup, ...version4],
  'sharing a project': [...sharingAProject, ...version4],
  runners: [...runners, ...version4],
  'token information': [...tokenInformation, ...version4],
  'token endpoint': [...tokenEndpoint, ...version4],
  revocation: [...revocation, ...version4],
};

/** RFC 6749 §5.1: responses with tokens must not be cached. */
const noStore: OutgoingHttpHeaders = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** The headers that a dialect adds to every answer. */
export const dialectHeaders: Record<Dialect, OutgoingHttpHeaders> = {
  'version 4': {},
  'making a group': {},
  'transferring a group': {},
  'transferring a project': {},
  'sharing a group': {},
  'sharing a project': {},
  'saving a snippet': {},
  'creating a milestone': {},
  'updating a milestone': {},
  'saving a note': {},
  'awarding an emoji': {},
  'reasons alone': {},
  'writing a file': {},
  'replaying a commit': {},
  runners: noStore,
  'token information': noStore,
  'token endpoint': noStore,
  revocation: noStore,
};

/**
 * An error in its dialect; undefined for an unexpected one.
 * @param route the route's own texts for 404 (`missing`), its wire names of fields (`fields`), and what it answers where
 *   the repository is switched off
 */
export function errorResponse(
  dialect: Dialect,
  thrown: Error,
  { missing = {}, fields = {}, withoutRepository }: Pick<AnyRoute, 'missing' | 'fields' | 'withoutRepository'> = {},
  facts: RequestFacts = { basic: false },
): ErrorResponse | undefined {
  if (thrown instanceof NotFound && missing[thrown.subject] !== undefined) return message(404, missing[thrown.subject]);
  if (thrown instanceof RepositoryOff && withoutRepository === 404) return message(404, '404 Repository Not Found');
  const named = thrown instanceof InvalidFields ? inWords(thrown, fields) : thrown;
  const found = dialects[dialect].find(([type]) => named instanceof type);
  return found?.[1](named as never, facts);
}

/** Renames fields to snake case, their names on the wire. */
const inSnakeCase = (fields: InvalidFields['fields']) =>
  Object.fromEntries(Object.entries(fields).map(([field, texts]) => [snakeCase(field), texts]));

/** Renames fields to the wire names that the route declares. */
const inWords = ({ fields }: InvalidFields, words: Readonly<Record<string, string>>) =>
  new InvalidFields(Object.fromEntries(Object.entries(fields).map(([field, texts]) => [words[field] ?? field, texts])));

/** Errors that occur outside a route. */
export const unknownPath = error(404, '404 Not Found');
export const unreadablePath = error(400, 'Bad Request');
export const methodOfMoved = message(405, 'Non GET methods are not allowed for moved projects');
export const wrongMethod = (allow: string) => error(405, '405 Not Allowed', { allow });
export const unsupportedFormat = (format: string) => error(406, `The requested format '${format}' is not supported.`);
export const internalError = message(500, '500 Internal Server Error');
