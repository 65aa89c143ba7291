import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  buildSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type OperationTypeNode,
} from 'graphql';
import { credential, furtherHeaders, type FuzzRequest } from './request.ts';
import { hostileBody } from './rest.ts';
import {
  anyText,
  escaped,
  inRequestLine,
  likelyDay,
  likelyMoment,
  likelyNumber,
  likelyText,
  pieces,
  usually,
} from './values.ts';

/** Generated requests to every field of the published schema, with fitting arguments and others. */

export const publishedSchema = buildSchema(readFileSync('contract/schema.graphql', 'utf8'));

type Field = GraphQLField<unknown, unknown>;
const rootFields = (['query', 'mutation', 'subscription'] as OperationTypeNode[]).flatMap((kind) =>
  Object.values(publishedSchema.getRootType(kind)!.getFields()).map((field) => ({ kind, field })),
);

const globalId = fc
  .tuple(
    fc.constantFrom('User', 'Project', 'Group', 'Namespace', 'Namespaces::UserNamespace', 'Email', 'Nothing', ''),
    fc.oneof(likelyNumber, likelyText),
  )
  .map(([type, id]) => `gid://gitlab/${type}/${String(id)}`);
const anyId = fc.oneof(likelyText, likelyNumber, globalId);
const scalars: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  Boolean: fc.boolean(),
  Int: likelyNumber,
  ID: anyId,
  ...Object.fromEntries(['UserID', 'ProjectID', 'GroupID', 'NamespaceID'].map((name) => [name, anyId])),
  Time: likelyMoment,
  Date: likelyDay,
  JSON: fc.jsonValue(),
};

/** Usually a value that fits an input type, sometimes another one. */
function fitting(type: GraphQLInputType): fc.Arbitrary<unknown> {
  const given = getNullableType(type);
  const valid = (): fc.Arbitrary<unknown> => {
    if (isListType(given)) return fc.array(fitting(given.ofType), { maxLength: 3 });
    if (isEnumType(given)) return fc.constantFrom(...given.getValues().map(({ name }) => name));
    if (!isInputObjectType(given)) return scalars[String(given)] ?? likelyText;
    const fields = Object.values(given.getFields());
    return fc.record(Object.fromEntries(fields.map((field) => [field.name, fitting(field.type)])), {
      requiredKeys: fields.filter((field) => isNonNullType(field.type)).map((field) => field.name),
      noNullPrototype: true,
    });
  };
  const odd: fc.Arbitrary<unknown>[] = isNonNullType(type)
    ? [anyText, fc.jsonValue()]
    : [anyText, fc.jsonValue(), fc.constant(null)];
  return fc.oneof({ weight: isInputObjectType(given) ? 40 : 20, arbitrary: valid() }, ...odd);
}

/** Turns a list of numbers into choices while a document is generated. After the last number, each choice is the shortest. */
type Choices = (below: number) => number;
function choosing(numbers: readonly number[]): Choices {
  let next = 0;
  return (below) => (next < numbers.length ? numbers[next++]! % below : 0);
}

/** A selection of some fields of a type, with some of their arguments. */
function selection(type: GraphQLOutputType, choose: Choices, depth: number): string {
  const named = getNamedType(type);
  if (!isCompositeType(named)) return '';
  const fields = 'getFields' in named ? Object.values(named.getFields()) : [];
  const wanted = fields.filter((field) => choose(3) > 0 && (depth < 5 || !isCompositeType(getNamedType(field.type))));
  const parts = wanted.map((field) => selected(field, choose, depth));
  const text = ['__typename', ...parts].join(' ');
  const possible = isAbstractType(named) ? publishedSchema.getPossibleTypes(named) : [];
  const ofOne = possible[choose(possible.length + 1)];
  if (ofOne) return `{ ${text} ... on ${ofOne.name} ${selection(ofOne, choose, depth + 1)} }`;
  return choose(8) === 7 ? `{ ... on ${named.name} { ${text} } }` : `{ ${text} }`;
}

function selected(field: Field, choose: Choices, depth: number): string {
  const given = field.args
    .filter(({ type }) => isNonNullType(type) || choose(2) === 1)
    .map(({ name, type }) => `${name}: ${literal(type, choose)}`);
  const alias = choose(12) === 11 ? `a${choose(3)}_${field.name}: ` : '';
  const directive = ['', '', '', '', '', ' @include(if: true)', ' @skip(if: true)'][choose(7)]!;
  return `${alias}${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''}${directive} ${selection(field.type, choose, depth + 1)}`.trim();
}

function literal(type: GraphQLInputType, choose: Choices): string {
  const given = getNullableType(type);
  if (isListType(given)) return `[${literal(given.ofType, choose)}]`;
  if (isEnumType(given)) return given.getValues()[choose(given.getValues().length)]!.name;
  if (isInputObjectType(given)) return '{}';
  return (
    { Int: String([1, 2, 100, 0, -1, 101][choose(6)]), Boolean: String(choose(2) === 1) }[String(given)] ??
    ['"demo"', '"1"', '""', '"x"', '"gid://gitlab/Project/1"'][choose(5)]!
  );
}

interface Asked {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: unknown;
  readonly extensions?: unknown;
}

const numbers = fc.array(fc.nat(839), { maxLength: 60 });

/** Valid operations: each root field, with fitting arguments and a selection. */
const validOperations: fc.Arbitrary<Asked> = fc.oneof(
  ...rootFields.map(({ kind, field }) => {
    const variables = fc.record(Object.fromEntries(field.args.map(({ name, type }) => [name, fitting(type)])), {
      requiredKeys: field.args.filter(({ type }) => isNonNullType(type)).map(({ name }) => name),
      noNullPrototype: true,
    });
    const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
    const passed = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
    const inBrackets = (text: string) => text && `(${text})`;
    return fc.tuple(variables, numbers).map(([given, chosen]) => ({
      query: `${kind} ${inBrackets(declared)} { ${field.name}${inBrackets(passed)} ${selection(field.type, choosing(chosen), 0)} }`,
      variables: given,
    }));
  }),
);

const syntax = fc.constantFrom(
  '{',
  '}',
  '(',
  ')',
  '...',
  '@skip(if: true)',
  '$input',
  'a: b',
  '"""',
  '#',
  'fragment F on Query { ...F }',
);
/** Operations in which one part of the document is replaced. */
const corrupted: fc.Arbitrary<Asked> = fc
  .tuple(validOperations, fc.nat(), fc.nat({ max: 30 }), fc.oneof(anyText, syntax))
  .map(([{ query, variables }, at, length, text]) => {
    const start = at % query.length;
    return { query: query.slice(0, start) + text + query.slice(start + length), variables };
  });
const odd: fc.Arbitrary<Asked> = fc.record({
  query: fc.oneof(
    validOperations.map(({ query }) => query),
    pieces,
    fc.constant('{ __schema { types { name fields { name args { name } } } } }'),
  ),
  variables: fc.oneof(fc.jsonValue(), fc.dictionary(anyText, fc.jsonValue(), { noNullPrototype: true })),
  operationName: fc.oneof(anyText, fc.jsonValue()),
  extensions: fc.oneof(fc.constant(undefined), fc.jsonValue()),
});
const asked = fc.oneof({ weight: 10, arbitrary: validOperations }, { weight: 2, arbitrary: corrupted }, odd);

const path = fc.constantFrom('/graphql', '/graphql', '/graphql', '/api/graphql', '/api/graphql/');

type Sent = Pick<FuzzRequest, 'request' | 'asked'>;
const asJson = (endpoint: string, value: unknown): Sent => ({
  request: {
    method: 'POST',
    path: endpoint,
    body: JSON.stringify(value),
    headers: { 'content-type': 'application/json' },
  },
  asked: value,
});
const inAddress = (value: Asked) =>
  Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(([name, one]) => `${name}=${escaped(typeof one === 'string' ? one : JSON.stringify(one))}`)
    .join('&');

const sent: fc.Arbitrary<Sent> = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(path, asked).map(([endpoint, one]) => asJson(endpoint, one)) },
  {
    weight: 3,
    arbitrary: fc.tuple(path, fc.array(asked, { maxLength: 4 })).map(([endpoint, all]) => asJson(endpoint, all)),
  },
  fc.tuple(path, fc.array(odd, { minLength: 9, maxLength: 12 })).map(([endpoint, all]) => asJson(endpoint, all)),
  fc
    .tuple(path, asked, fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'PUT'))
    .map(([endpoint, one, method]) => ({
      request: { method, path: `${endpoint}?${inAddress(one)}` },
      ...(method === 'GET' && { asked: one }),
    })),
  fc.tuple(path, asked, fc.boolean()).map(([endpoint, { query }, isForm]) => ({
    request: {
      method: 'POST',
      path: endpoint,
      body: isForm ? `query=${escaped(query)}` : query,
      headers: { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/graphql' },
    },
    asked: { query },
  })),
  fc.tuple(path, pieces, hostileBody, fc.json()).map(([endpoint, search, given, json]) => ({
    request: {
      method: 'POST',
      path: `${endpoint}?${inRequestLine(search)}`,
      body: given?.body ?? json,
      headers: given?.headers ?? { 'content-type': 'application/json' },
    },
  })),
);

export const graphqlRequests: fc.Arbitrary<FuzzRequest> = fc
  .tuple(sent, usually({}, furtherHeaders), credential)
  .map(([{ request, ...rest }, headers, as]) => ({
    request: { ...request, headers: { ...headers, ...request.headers } },
    ...rest,
    as,
  }));
