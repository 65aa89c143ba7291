import { GraphQLError } from 'graphql';
import { domainError } from '../context.ts';
import {
  Busy,
  Forbidden,
  InvalidToken,
  RateLimited,
  Unauthenticated,
  Unavailable,
  type DomainError,
} from '../errors.ts';

/** A domain error as a GraphQL error: its message, its code, and its subject or field. */
export function toGraphQLError(error: DomainError, at?: GraphQLError): GraphQLError {
  return new GraphQLError(error.message, {
    ...(at?.nodes && { nodes: at.nodes }),
    ...(at?.source && { source: at.source }),
    ...(at?.path && { path: at.path }),
    extensions: { code: error.code, ...error.details },
  });
}

/**
 * The error as a client sees it. Errors in the document stay as they are; programming errors are masked.
 * @param onDefect is called with a programming error
 */
export function maskError(thrown: unknown, onDefect: (error: unknown) => void): GraphQLError {
  const at = thrown instanceof GraphQLError ? thrown : undefined;
  const cause = at ? at.originalError : thrown;
  if (at && !cause) return at;
  // graphql wraps errors of scalars and its own once more.
  if (cause instanceof GraphQLError && !cause.originalError) return at ?? cause;
  const domain = domainError(cause);
  if (domain) return toGraphQLError(domain, at);
  onDefect(cause);
  return new GraphQLError('Internal server error', {
    ...(at?.path && { path: at.path }),
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  });
}

/** A refusal of the whole request, before anything is executed, with its HTTP status. */
export function refusal(error: DomainError): GraphQLError {
  const { status, message } = refusalStatus(error);
  return new GraphQLError(message ?? error.message, {
    extensions: {
      code: error.code,
      ...error.details,
      http: {
        status,
        ...(status === 401 && { headers: { 'www-authenticate': 'Bearer realm="Causeway", error="invalid_token"' } }),
        ...(status === 503 && { headers: { 'retry-after': '1' } }),
        ...((error instanceof RateLimited || error instanceof Busy) && {
          headers: { 'retry-after': String(error.retryAfter) },
        }),
      },
    },
  });
}

function refusalStatus(error: DomainError): { status: number; message?: string } {
  if (error instanceof Unauthenticated) return { status: 401, message: 'Invalid token' };
  if (error instanceof InvalidToken) return { status: 401 };
  if (error instanceof Forbidden) return { status: 403 };
  if (error instanceof RateLimited) return { status: 429 };
  if (error instanceof Unavailable) return { status: 503 };
  if (error instanceof Busy) return { status: 429 };
  return { status: 400 };
}

/** Names that the schema lacks, as graphql says it, and as GitLab does. */
const lacking: readonly (readonly [
  said: RegExp,
  words: (name: string, owner: string) => readonly [message: string, extensions: { readonly code: string }],
])[] = [
  [
    /^Cannot query field "(\w+)" on type "(\w+)"\./,
    (fieldName, typeName) => [
      `Field '${fieldName}' doesn't exist on type '${typeName}'`,
      { code: 'undefinedField', typeName, fieldName } as const,
    ],
  ],
  [
    /^Unknown argument "(\w+)" on field "\w+\.(\w+)"\./,
    (argumentName, name) => [
      `Field '${name}' doesn't accept argument '${argumentName}'`,
      { code: 'argumentNotAccepted', name, typeName: 'Field', argumentName } as const,
    ],
  ],
];

/** An error in GitLab's words, if it is about a missing name: clients recognise these, and ask again without the name. */
export function inGitLabsWords(error: GraphQLError): GraphQLError {
  for (const [said, words] of lacking) {
    const [all, name, owner] = said.exec(error.message) ?? [];
    if (all === undefined) continue;
    const [message, extensions] = words(name!, owner!);
    return reworded(error, message + error.message.slice(all.length), extensions);
  }
  return error;
}

/** Removes suggestions ("Did you mean …?") from an error: they reveal the schema. */
export function withoutSuggestions(error: GraphQLError): GraphQLError {
  const message = error.message.replaceAll(/ Did you mean [^?]*\?/g, '');
  return message === error.message ? error : reworded(error, message);
}

function reworded(error: GraphQLError, message: string, more: object = {}): GraphQLError {
  const { nodes, source, positions, path, extensions } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions: { ...extensions, ...more } });
}
