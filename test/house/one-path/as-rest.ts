import { NotFound } from '../../../src/errors.ts';
import { render, type AnyRoute } from '../../../src/rest/engine/route.ts';
import { snakeCase } from '../../../src/values/text/snake-case.ts';
import type { GraphQLAnswer } from '../../support/gateway.ts';

/** What REST answers, made of what GraphQL answers: the errors of its dialects, and texts that are never twice the same. */

export type Answer = readonly [status: number, text: string];
type Extensions = Record<string, unknown>;
type ToRest = (message: string, extensions: Extensions) => readonly [status: number, body: object];

/** Refusals without a reason of their own, of queries and of mutations. */
const unreasoned = /^You are not allowed to do this\.$|^The resource that you are attempting to access does not exist/;

/** A refusal with a text of its own has nothing before it. */
const textOfRefusal = (message: string) =>
  /^(?:Couldn|403 Forbidden)/.test(message)
    ? message
    : unreasoned.test(message)
      ? '403 Forbidden'
      : `403 Forbidden - ${message}`;

/** Refusals that REST answers as if the request was anonymous. */
const notAuthorized = new Set(['This belongs to another person.', 'You are not authorized to do this.']);

/** REST's answer for each error code of GraphQL. */
const version4: Record<string, ToRest> = {
  UNAUTHENTICATED: () => [401, { message: '401 Unauthorized' }],
  INVALID_TOKEN: (message) => [401, { error: 'invalid_token', error_description: message }],
  INSUFFICIENT_SCOPE: (message, { accepted }) => [
    403,
    { error: 'insufficient_scope', error_description: message, scope: (accepted as string[]).join(' ') },
  ],
  FORBIDDEN: (message) =>
    notAuthorized.has(message) ? [401, { message: '401 Unauthorized' }] : [403, { message: textOfRefusal(message) }],
  NOT_FOUND: (_message, { subject }) => [404, { message: `404 ${String(subject)} Not Found` }],
  INVALID_INPUT: (_message, { fields }) => [
    400,
    { message: Object.fromEntries(Object.entries(fields as object).map(([name, texts]) => [snakeCase(name), texts])) },
  ],
  CONFLICT: (message) => [409, { message }],
  PRECONDITION_FAILED: () => [412, { message: '412 Precondition Failed' }],
  BAD_REQUEST: (message) => [400, { message: inPlainWords.has(message) ? message : `400 Bad request - ${message}` }],
};
/** Refusals of queries that have a text of their own. */
const inPlainWords = new Set(['The branch refname is invalid', 'Regex is invalid', 'Merge request is not mergeable']);
const unusable: ToRest = () => [
  401,
  { error: 'invalid_token', error_description: 'The access token is invalid', state: 'unauthorized' },
];
const dialects: Partial<Record<AnyRoute['dialect'], Record<string, ToRest>>> = {
  'version 4': version4,
  'making a group': {
    ...version4,
    INVALID_INPUT: (_message, { fields }) => [
      400,
      {
        message: `Failed to save group {${Object.entries(fields as object)
          .map(([name, texts]) => `:${snakeCase(name)}=>${JSON.stringify(texts)}`)
          .join(', ')}}`,
      },
    ],
  },
  // Their refusals fill `errors` of the payload.
  'saving a note': version4,
  'transferring a group': version4,
  'transferring a project': version4,
  'reasons alone': { ...version4, BAD_REQUEST: (message) => [400, { message }] },
  'writing a file': {
    ...version4,
    FORBIDDEN: (message, extensions) =>
      message === 'You are not allowed to push into this branch'
        ? [400, { message }]
        : version4.FORBIDDEN!(message, extensions),
  },
  'replaying a commit': version4,
  'sharing a group': {
    ...version4,
    FORBIDDEN: (message, extensions) =>
      unreasoned.test(message) ? [404, { message: 'Not Found' }] : version4.FORBIDDEN!(message, extensions),
  },
  'sharing a project': { ...version4, BAD_REQUEST: (message) => [400, { message }] },
  'token information': { ...version4, UNAUTHENTICATED: unusable, INVALID_TOKEN: unusable, FORBIDDEN: unusable },
};

function version4Text(code: string, message: string, extensions: Extensions): Answer {
  const [status, body] = version4[code]!(message, extensions);
  return [status, JSON.stringify(body)];
}

/**
 * The text with timestamps and ids of threads replaced: two requests aren't sent in the same millisecond. What each of them
 * cancels has run until then.
 */
export const timeless = (text: string, { path }: AnyRoute) =>
  (path.endsWith('/cancel') ? text.replace(/"duration":[\d.]+/g, '"duration":"a while"') : text)
    .replace(/"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)"/g, '"a moment"')
    .replace(/\b[0-9a-f]{40}\b/g, 'a thread or a commit')
    .replace(/"short_id":"[0-9a-f]{8}"/g, '"short_id":"a commit"')
    .replace(/"queued_duration":[\d.]+/g, '"queued_duration":"a while"')
    .replace(/"(?:glrt-|cwrr_)[^"]+"/g, '"a new secret"');

/** An answer of GraphQL, translated into an answer of REST. */
export function asRestAnswer(route: AnyRoute, { data, errors }: GraphQLAnswer<Record<string, unknown>>): Answer {
  if (!errors) {
    try {
      const { status, body } = render(route, data!);
      return [status, timeless(String(body ?? ''), route)];
    } catch (absent) {
      const { subject } = absent as NotFound;
      const missing = route.missing?.[subject];
      if (missing !== undefined) return [404, JSON.stringify({ message: missing })];
      return version4Text('NOT_FOUND', '', { subject });
    }
  }
  const { message, extensions = {} } = errors[0]!;
  if (extensions.code === 'NOT_FOUND' && route.missing?.[String(extensions.subject)] !== undefined) {
    return [404, JSON.stringify({ message: route.missing[String(extensions.subject)] })];
  }
  const toRest = (dialects[route.dialect] ?? version4)[String(extensions.code)];
  if (!toRest) throw new Error(`No REST answer is known for ${JSON.stringify(errors)}.`);
  const [status, body] = toRest(message, extensions);
  return [status, JSON.stringify(body)];
}

/** What the payload of a mutation says is wrong with its input. */
export const inputProblems = ({ data, errors }: GraphQLAnswer<Record<string, unknown>>): readonly string[] =>
  errors
    ? []
    : Object.entries(data!).flatMap(([field, payload]) =>
        // The errors of a configuration are what was asked.
        field === 'ciConfig' ? [] : ((payload as { errors?: string[] } | null)?.errors ?? []),
      );

/**
 * An answer of REST about a wrong input, as the problems that a payload has. The status differs by their kind, and the
 * name of a field stands before its texts.
 */
export function asProblems([status, text]: Answer, problems: readonly string[]): Answer {
  // A merge that the state or a rule forbids has no reason over REST.
  if (status === 405 && problems[0] === 'The merge request is not mergeable.') return [400, JSON.stringify(problems)];
  if (![400, 404, 409, 422].includes(status)) return [status, text];
  const said = JSON.parse(text) as { message?: unknown; error?: unknown };
  const texts = JSON.stringify(said.message ?? said.error).replaceAll('\\', '');
  const isSaid = (problem: string) =>
    problem
      .replace(/[0-9a-f]{40}/, 'a thread or a commit')
      .split(' ')
      .some((_word, index, words) => index < 4 && texts.includes(words.slice(index).join(' ')));
  return problems.every(isSaid) ? [400, JSON.stringify(problems)] : [status, text];
}

/** What REST says where GraphQL answers null to a request without a person. */
export const withoutPerson: Record<401 | 403, Answer> = {
  401: [401, JSON.stringify({ message: '401 Unauthorized' })],
  403: [403, JSON.stringify({ message: '403 Forbidden - Not authorized!' })],
};
