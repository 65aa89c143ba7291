import { collectFields, collectSubFields } from '@graphql-tools/utils';
import {
  getNamedType,
  getNullableType,
  getOperationAST,
  getVariableValues,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  validate,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';
import type { RawAnswer } from '../support/requests/raw-client.ts';
import { departure } from '../support/requests/document.ts';
import { publishedSchema } from './graphql.ts';
import type { FuzzRequest } from './request.ts';

/** The problem of an answer; undefined if there is none. */
export function problemWith({ request, asked, mayBeCut }: FuzzRequest, answer: RawAnswer): string | undefined {
  const { status, text, headers } = answer;
  if (mayBeCut && status === 0) return undefined;
  if (status < 200 || status >= 500) return `It answered ${status}: ${text.slice(0, 500)}`;
  // The request wasn't valid HTTP, so the parser refused it before the gateway saw it.
  if (headers['x-request-id'] === undefined)
    return [400, 431].includes(status) && text === '' ? undefined : `It answered ${status} without an id: ${text}`;
  const type = headers['content-type'] ?? '';
  const isPage = type.startsWith('text/html');
  const unsafe = isPage ? pageProblem(answer) : undefined;
  if (unsafe !== undefined) return unsafe;
  const isJson = /^application\/(json|graphql-response\+json)/.test(type) && text !== '';
  const body = isJson ? parsed(text) : text;
  if (body === undefined) return `It isn't JSON: ${text.slice(0, 500)}`;
  // The path without query and fragment (RFC 9110 §4.2.5).
  const [path] = request.path.split(/[?#]/) as [string];
  if (!/^\/(api\/)?graphql\/?$/.test(path)) return departure(request.method ?? 'GET', path, { status, body });
  // An event stream begins with a comment.
  if (type.startsWith('text/event-stream'))
    return text.startsWith(':') ? undefined : `It begins with ${text.slice(0, 500)}`;
  if (!isJson) return text === '' || isPage ? undefined : `It is ${type}: ${text.slice(0, 500)}`;
  return graphqlProblem(asked, body);
}

/** The problem of a page that reflects sent markup (XSS), or whose content security policy is too wide. */
function pageProblem({ text, headers }: RawAnswer): string | undefined {
  const at = text.indexOf('<i fuzzed');
  if (at >= 0) return `It holds markup that was sent: ${text.slice(Math.max(0, at - 200), at + 200)}`;
  const policy = String(headers['content-security-policy'] ?? '');
  return /default-src 'none'/.test(policy) && !/unsafe-|\*/.test(policy)
    ? undefined
    : `It is a page with the policy “${policy}”`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

interface Result {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message?: unknown; readonly extensions?: { readonly code?: unknown } }[];
}

function graphqlProblem(asked: unknown, body: unknown): string | undefined {
  const results = [body].flat() as Result[];
  if (asked !== undefined && Array.isArray(body) && (!Array.isArray(asked) || asked.length !== body.length))
    return `One was asked, ${body.length} were answered`;
  const each = results.map((result, index) => resultProblem([asked].flat()[index], result));
  return each.find((problem) => problem !== undefined);
}

function resultProblem(asked: unknown, result: Result): string | undefined {
  if (typeof result !== 'object' || result === null) return `It answered ${JSON.stringify(result)}`;
  const { data, errors, ...rest } = result;
  if (Object.keys(rest).length > 0) return `It answered also ${Object.keys(rest).join(', ')}`;
  if (errors === undefined && (data === undefined || data === null)) return 'It answered neither data nor errors';
  for (const error of errors ?? []) {
    if (typeof error.message !== 'string' || error.message === '')
      return `It answered an error without a message: ${JSON.stringify(error)}`;
    if (
      ['INTERNAL_SERVER_ERROR', 'UNAVAILABLE'].includes(String(error.extensions?.code)) ||
      error.message === 'Unexpected error.'
    )
      return `It failed: ${JSON.stringify(error)}`;
  }
  return data && asked !== undefined ? dataProblem(asked, data) : undefined;
}

/** The problem of data that doesn't match the selection, or whose values don't match their types. */
function dataProblem(asked: unknown, data: NonNullable<Result['data']>): string | undefined {
  const { query, variables, operationName } = asked as { query: string; variables?: unknown; operationName?: unknown };
  let document: DocumentNode;
  try {
    document = parse(query);
  } catch (error) {
    return `It answered what doesn't even parse: ${String(error)}`;
  }
  const [invalid] = validate(publishedSchema, document);
  if (invalid) return `It answered what isn't valid: ${invalid.message}`;
  const operation = getOperationAST(
    document,
    typeof operationName === 'string' && operationName !== '' ? operationName : undefined,
  );
  if (!operation) return 'It answered an operation that is not there';
  const { coerced, errors } = getVariableValues(
    publishedSchema,
    operation.variableDefinitions ?? [],
    (variables ?? {}) as Record<string, unknown>,
  );
  if (errors) return `It took variables that don't fit: ${errors[0]!.message}`;

  const fragments = Object.fromEntries(
    document.definitions
      .filter((one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION)
      .map((one) => [one.name.value, one]),
  );
  const root = publishedSchema.getRootType(operation.operation)!;
  // These options fit graphql 16; the types are those of graphql 17.
  const values = coerced as never;
  const { fields } = collectFields(publishedSchema, fragments, values, root, operation.selectionSet);
  return objectProblem(root, fields, data, '');

  function objectProblem(
    type: GraphQLObjectType,
    wanted: ReadonlyMap<string, readonly FieldNode[]>,
    value: Readonly<Record<string, unknown>>,
    at: string,
  ): string | undefined {
    const [selected, answered] = [[...wanted.keys()], Object.keys(value)];
    if (selected.join() !== answered.join())
      return `${at || 'data'} has ${answered.join()} instead of the selected ${selected.join()}`;
    for (const [name, nodes] of wanted) {
      const field = nodes[0]!.name.value;
      // Introspection fields have types of their own.
      if (['__schema', '__type'].includes(field)) continue;
      const problem =
        field === '__typename'
          ? value[name] === type.name
            ? undefined
            : `${at}.${name} is ${String(value[name])}`
          : valueProblem(type.getFields()[field]!.type, nodes, value[name], `${at}.${name}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  function valueProblem(
    type: GraphQLOutputType,
    nodes: readonly FieldNode[],
    value: unknown,
    at: string,
  ): string | undefined {
    if (value === null) return isNonNullType(type) ? `${at} is null` : undefined;
    const given = getNullableType(type);
    if (isListType(given)) {
      if (!Array.isArray(value)) return `${at} is no list`;
      return value
        .map((one, index) => valueProblem(given.ofType, nodes, one, `${at}[${index}]`))
        .find((problem) => problem !== undefined);
    }
    if (isCompositeType(given)) {
      if (typeof value !== 'object' || Array.isArray(value)) return `${at} is no object`;
      const answered = value as Record<string, unknown>;
      // Every selection has `__typename`.
      const type = isObjectType(given) ? given : publishedSchema.getType(String(answered.__typename));
      if (!isObjectType(type) || (isAbstractType(given) && !publishedSchema.isSubType(given, type)))
        return `${at} is ${String(answered.__typename)}, which is no ${given.name}`;
      const selected = collectSubFields(publishedSchema, fragments, values, type, [...nodes]).fields;
      return objectProblem(type, selected, answered, at);
    }
    const named = getNamedType(given);
    const fits = isEnumType(named)
      ? named.getValues().some(({ name }) => name === value)
      : (scalars[named.name] ?? isText)(value);
    return fits ? undefined : `${at} is ${JSON.stringify(value)}, which is no ${named.name}`;
  }
}

const isText = (value: unknown) => typeof value === 'string';
const matches = (pattern: RegExp) => (value: unknown) => isText(value) && pattern.test(value as string);
const scalars: Readonly<Record<string, (value: unknown) => boolean>> = {
  Boolean: (value) => typeof value === 'boolean',
  Int: (value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31,
  Float: (value) => typeof value === 'number',
  Time: matches(/^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
  Date: matches(/^\d{4,6}-\d\d-\d\d$/),
  JSON: () => true,
};
