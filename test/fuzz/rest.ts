import fc from 'fast-check';
import document from '../../contract/openapi.json' with { type: 'json' };
import { credential, furtherHeaders, type FuzzRequest } from './request.ts';
import {
  anyText,
  escaped,
  inHeader,
  inRequestLine,
  likelyDay,
  likelyMoment,
  likelyNumber,
  likelyText,
  pieces,
  places,
  usually,
  word,
} from './values.ts';

/** Generated requests to every route of the OpenAPI document, with documented and other parameters. */

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: { readonly 'application/json'?: { readonly schema: Schema } } };
}
interface Route {
  readonly method: string;
  readonly template: string;
  readonly query: Readonly<Record<string, Schema>>;
  readonly body: Readonly<Record<string, Schema>>;
}

const routes: readonly Route[] = Object.entries(
  document.paths as unknown as Record<string, Record<string, Operation>>,
).flatMap(([template, operations]) =>
  Object.entries(operations).map(([method, { parameters = [], requestBody }]) => ({
    method: method.toUpperCase(),
    template,
    query: Object.fromEntries(parameters.filter((one) => one.in === 'query').map((one) => [one.name, one.schema])),
    body: requestBody?.content['application/json']?.schema.properties ?? {},
  })),
);

type Values = Readonly<Record<string, unknown>>;

/** Usually a value that fits the documented schema, sometimes another one. */
function fitting({ type, enum: names, format, items }: Schema): fc.Arbitrary<unknown> {
  const types = [type ?? []].flat();
  const documented = (): fc.Arbitrary<unknown> => {
    if (names) return fc.constantFrom(...names);
    if (types.includes('array')) return fc.array(fitting(items!), { maxLength: 3 });
    if (types.includes('boolean')) return fc.boolean();
    if (types.includes('integer')) return likelyNumber;
    return { date: likelyDay, 'date-time': likelyMoment }[format!] ?? likelyText;
  };
  return fc.oneof({ weight: 10, arbitrary: documented() }, anyText, fc.jsonValue(), fc.constant(null));
}

const anyOf = (schemas: Readonly<Record<string, Schema>>): fc.Arbitrary<Values> =>
  fc.record(Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, fitting(schema)])), {
    requiredKeys: [],
    noNullPrototype: true,
  });

const names = [...new Set(routes.flatMap(({ query, body }) => [...Object.keys(query), ...Object.keys(body)]))];
/** Names of parameters: those that routes take, and some that no route takes. */
export const parameterName = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...names) },
  fc.constantFrom('id', 'access_token', 'private_token', 'sudo'),
  word,
);
const strays = fc
  .array(fc.tuple(parameterName, fc.oneof(anyText, fc.jsonValue(), fc.boolean())))
  .map((entries) => Object.fromEntries(entries) as Values);

const boundary = 'the-boundary';
const pairsOf = (values: Values): [string, string][] =>
  Object.entries(values).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.map((one): [string, string] => [`${name.replace(/\[\]$/, '')}[]`, textOf(one)])
      : [[name, textOf(value)] as [string, string]],
  );
const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
const asForm = (values: Values) =>
  pairsOf(values)
    .map((pair) => pair.map(escaped).join('='))
    .join('&');
const asMultipart = (values: Values) =>
  [
    ...pairsOf(values).flatMap(([name, value]) => [
      `--${boundary}`,
      `content-disposition: form-data; name="${name}"${value.length % 7 === 1 ? '; filename="x"' : ''}`,
      '',
      value,
    ]),
    `--${boundary}--`,
    '',
  ].join('\r\n');

/** The encodings of a body, each with its content type. */
const encodings: readonly (readonly [type: string, encode: (values: Values) => string])[] = [
  ['application/json', (values) => JSON.stringify(values)],
  ['application/json; charset=utf-8', (values) => JSON.stringify(values)],
  ['application/x-www-form-urlencoded', asForm],
  [`multipart/form-data; boundary=${boundary}`, asMultipart],
];
const encoding = fc.constantFrom(...encodings);

interface Body {
  readonly body: string | Buffer;
  readonly headers: Record<string, string>;
}

const claims = fc.constantFrom(
  ...encodings.map(([type]) => type),
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'text/plain',
  'application/json; charset=utf-16',
  'application/graphql',
);
/** A body with headers that may be false. */
export const hostileBody: fc.Arbitrary<Body | undefined> = fc.oneof(
  fc.constant(undefined),
  fc
    .tuple(strays, encoding)
    .map(([values, [type, encode]]) => ({ body: encode(values), headers: { 'content-type': type } })),
  fc
    .tuple(
      fc.oneof(
        pieces,
        fc.json(),
        strays.map(asForm),
        strays.map(asMultipart),
        fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      ),
      fc.oneof(claims, anyText.map(inHeader)),
    )
    .map(([body, type]) => ({ body, headers: { 'content-type': type } })),
);

const pathText = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...places).map(escaped) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 60 }).map(String) },
  anyText.map(escaped),
  anyText.map(inRequestLine),
);
const fill = (template: string, parts: readonly string[]) => {
  let next = 0;
  return template.replace(/\{\w+\}/g, () => parts[next++ % parts.length]!);
};
const parts = fc.array(pathText, { minLength: 1, maxLength: 2 });

interface Call {
  readonly method: string;
  readonly path: string;
  readonly given?: Body | undefined;
}

/** Requests with the documented parameters, in the place and the encoding that the document says. */
const calls = routes.map(({ method, template, query, body }): fc.Arbitrary<Call> =>
  fc
    .tuple(parts, anyOf(query), anyOf(body), encoding, usually(false, fc.boolean()))
    .map(([filled, asked, sent, [type, encode], inQuery]) => {
      const search = asForm(inQuery ? { ...asked, ...sent } : asked);
      const path = fill(template, filled) + (search && `?${search}`);
      const takesBody = Object.keys(body).length > 0 && !inQuery;
      return { method, path, ...(takesBody && { given: { body: encode(sent), headers: { 'content-type': type } } }) };
    }),
);

/** Requests to routes with an unexpected method, query or body. */
const hostileCall: fc.Arbitrary<Call> = fc
  .tuple(
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc
          .tuple(fc.constantFrom(...routes), parts)
          .map(([{ method, template }, filled]) => ({ method, path: fill(template, filled) })),
      },
      fc
        .tuple(
          fc.constantFrom(
            '/api/v4/',
            '/api/v3/',
            '/',
            '/users/',
            '/groups/',
            '/oauth/authorize?',
            '/profile/',
            '/admin/',
          ),
          pathText,
        )
        .map(([start, text]) => ({
          method: 'GET',
          path: start + text,
        })),
    ),
    usually(
      undefined,
      fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'),
    ),
    fc.oneof(
      fc.constant(''),
      strays.map((values) => `?${asForm(values)}`),
      pieces.map((text) => `?${inRequestLine(text)}`),
    ),
    hostileBody,
  )
  .map(([{ method, path }, other, query, given]) => ({ method: other ?? method, path: path + query, given }));

/** REST requests: two of three fit the documented schemas. */
export const restRequests: fc.Arbitrary<FuzzRequest> = fc
  .tuple(fc.oneof({ weight: 2, arbitrary: fc.oneof(...calls) }, hostileCall), furtherHeaders, credential)
  .map(([{ method, path, given }, headers, as]) => ({
    request: { method, path, body: given?.body, headers: { ...headers, ...given?.headers } },
    as,
  }));
