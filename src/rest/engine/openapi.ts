import { parametersOf, type Declaration, type Parameter } from './parameters.ts';
import { objectSchema, type JsonSchema } from './record.ts';
import type { AnyRoute } from './route.ts';
import { routes } from '../routes.ts';

/** The OpenAPI 3.1 document, made from the routes themselves. */
export function openApi(version: string): object {
  const paths: { [path: string]: { [method: string]: object } } = {};
  const schemas: { [name: string]: JsonSchema } = { ...errorSchemas };
  for (const route of routes) {
    (paths[toTemplate(route.path)] ??= {})[route.method.toLowerCase()] = toOperation(route);
    if (route.status !== 204) schemas[route.record.name] = route.record.schema;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Causeway',
      version,
      description:
        'GitLab’s API version 4 for notification settings, error tracking settings and OAuth 2.0. An administrator whose token has the scope `sudo` acts as another user, below `/api/v4`, with the header `Sudo` or the parameter `sudo`: the number or name of that user.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ personalAccessToken: [] }, { bearer: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      responses,
      securitySchemes: {
        personalAccessToken: {
          type: 'apiKey',
          in: 'header',
          name: 'PRIVATE-TOKEN',
          description: 'A personal access token.',
        },
        client: {
          type: 'http',
          scheme: 'basic',
          description: 'An OAuth application: `client_id` and `client_secret`.',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'An OAuth access token, or a personal one.' },
      },
    },
  };
}

/** What stands in a path, by its name there. */
const namedInPath: { readonly [name: string]: string } = {
  id: 'Number, or full path with `/` written as `%2F`.',
  name: 'As in the list, whatever its case.',
};

const toTemplate = (path: string) => path.replace(/:(\w+)/g, '{$1}');

function toOperation(route: AnyRoute): object {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: namedInPath[name!] ?? namedInPath.id,
    schema: { type: 'string' },
  }));
  const declared = parametersOf(route.parameters);
  const takesBody = route.method !== 'GET' && declared.length > 0;
  // Open: whatever else a client sends is ignored rather than refused.
  const { additionalProperties: _closed, ...body } = objectSchema(
    Object.fromEntries(declared.map((parameter) => [parameter.name, toSchema(parameter)])),
    declared.filter(({ required }) => !required).map(({ name }) => name),
  );
  const groups = route.parameters.flatMap(inWords).join(' ');
  return {
    operationId: `${route.method.toLowerCase()}${toTemplate(route.path)
      .replace(/[^A-Za-z0-9]+([A-Za-z0-9])/g, (_all, letter: string) => letter.toUpperCase())
      .replace(/\W/g, '')}`,
    summary: route.summary,
    tags: [route.tag],
    ...(route.auth === 'client' && { security: [{ client: [] }, {}] }),
    ...(groups && { description: groups }),
    parameters: [
      ...inPath,
      ...(route.method === 'GET' ? declared.map(inQuery) : []),
      ...(route.conditional ? [unmodifiedSince] : []),
    ],
    ...(takesBody && {
      requestBody: {
        description:
          route.auth === 'client'
            ? 'Each parameter once, and none in the query string. Unknown ones are ignored.'
            : 'Parameters may also be sent in the query string. Unknown ones are ignored.',
        content: Object.fromEntries(
          ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'].map((type) => [
            type,
            { schema: body, ...(route.example && { example: route.example }) },
          ]),
        ),
      },
    }),
    responses: {
      [route.status ?? 200]: success(route),
      ...(route.settled && { 204: { description: 'Done, all of it.' } }),
      ...(route.method === 'GET' && {
        ...(ofProject(route) && { 301: { description: 'The project has another path now: `Location` leads there.' } }),
        304: { description: 'Nothing changed since the `ETag` that was sent in `If-None-Match`.' },
      }),
      ...(route.unchanged && { 304: { description: 'It was so already.' } }),
      ...Object.fromEntries(
        errorStatuses(route).map((status) => [status, { $ref: `#/components/responses/${status}` }]),
      ),
    },
  };
}

const pageHeaderSchemas: { [name: string]: JsonSchema } = {
  'X-Page': { type: 'integer', description: 'Offset pagination only, as all of these but `Link`.' },
  'X-Per-Page': { type: 'integer' },
  'X-Next-Page': { type: 'string', description: 'Empty on the last page.' },
  'X-Prev-Page': { type: 'string', description: 'Empty on the first page.' },
  'X-Total': { type: 'integer', description: 'Left out above 10,000, as the next.' },
  'X-Total-Pages': { type: 'integer' },
  Link: { type: 'string', description: 'RFC 8288: `prev`, `next`, `first`, `last`, as far as there are such pages.' },
};

/** What a route answers when all went well. */
function success({ status, connection, record }: AnyRoute): object {
  if (status === 204) return { description: 'Done.' };
  const one = { $ref: `#/components/schemas/${record.name}` };
  return {
    description: status === 202 ? 'Begun: it goes on in the background.' : 'Done.',
    ...(connection && {
      headers: Object.fromEntries(
        Object.entries(pageHeaderSchemas).map(([name, { description, ...schema }]) => [
          name,
          { ...(description !== undefined && { description }), schema },
        ]),
      ),
    }),
    content: { 'application/json': { schema: connection ? { type: 'array', items: one } : one } },
  };
}

const ofProject = ({ path }: AnyRoute) => path.startsWith('/api/v4/projects/:id');

/** What a group of parameters asks, in words. */
function inWords(declaration: Declaration): string[] {
  if (!('rule' in declaration)) return [];
  const { rule, of } = declaration;
  return [`Of ${of.map((name) => `\`${name}\``).join(', ')}: ${rule}.`];
}

const unmodifiedSince = {
  name: 'If-Unmodified-Since',
  in: 'header',
  required: false,
  description: 'Refused with 412 where it was changed later.',
  schema: { type: 'string' },
};

const isList = ({ type }: Parameter) => type === 'strings' || type === 'integers';

const inQuery = (parameter: Parameter) => ({
  // `a,b` is understood too.
  name: isList(parameter) ? `${parameter.name}[]` : parameter.name,
  in: 'query',
  required: parameter.required === true,
  schema: toSchema(parameter),
});

const scalars: Record<Parameter['type'], JsonSchema> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  integer: { type: 'integer' },
  date: { type: 'string', format: 'date' },
  'date-time': { type: 'string', format: 'date-time' },
  strings: { type: 'string' },
  integers: { type: 'integer' },
};

function toSchema(parameter: Parameter): JsonSchema {
  const { type, description, values, allowed, forbidden, notBlank, deprecated, default: usual } = parameter;
  const more = {
    description,
    ...(deprecated !== undefined && { deprecated: true }),
    ...(usual !== undefined && { default: usual }),
    ...(forbidden && { not: { enum: forbidden } }),
  };
  // One of a list of values is never empty: it is refused.
  const listed = allowed ?? values;
  const named = scalars[type].type === 'integer' ? listed?.map(Number) : listed;
  const one = named ? { ...scalars[type], enum: named } : scalars[type];
  if (isList(parameter)) return { type: 'array', items: one, ...more };
  return listed || notBlank ? { ...one, ...more } : { ...one, type: [scalars[type].type, 'null'], ...more };
}

function errorStatuses(route: AnyRoute): number[] {
  const { method, dialect, connection, conditional, refusals = [] } = route;
  const wrongMethod = connection !== undefined || (ofProject(route) && method !== 'GET');
  return [
    400,
    401,
    403,
    // Also where nothing is named: whoever is to be acted as may be missing.
    ...(dialect === 'version 4' || refusals.includes(404) ? [404] : []),
    ...(wrongMethod ? [405] : []),
    406,
    ...refusals.filter((status) => status === 409),
    ...(conditional ? [412] : []),
    413,
    415,
    429,
    500,
    503,
  ];
}

const text: JsonSchema = { type: 'string' };
const hint: JsonSchema = { ...text, description: 'What to call instead, where the call is one of version 3.' };

/** The bodies of errors: the two families of version 4, and OAuth's. */
const errorSchemas: { [name: string]: JsonSchema } = {
  Message: {
    ...objectSchema(
      {
        message: {
          oneOf: [
            text,
            { type: 'object', description: 'Texts by field.', additionalProperties: { type: 'array', items: text } },
            { ...objectSchema({ error: text }), description: 'Of a route with a limit of its own.' },
          ],
        },
        hint,
      },
      ['hint'],
    ),
    description: 'What the application says.',
  },
  Error: { ...objectSchema({ error: text, hint }, ['hint']), description: 'What reading the request says.' },
  OAuthError: {
    ...objectSchema({ error: text, error_description: text, scope: text, state: text }, ['scope', 'state']),
    description: 'What is wrong with a token.',
  },
};

const errorBody = {
  'application/json': {
    schema: { anyOf: Object.keys(errorSchemas).map((name) => ({ $ref: `#/components/schemas/${name}` })) },
  },
};

const responses = Object.fromEntries(
  Object.entries({
    400: 'A parameter is missing, can’t be read, or breaks a rule.',
    401: 'No credential, or one that no longer works.',
    403: 'The credential or the person may not do this.',
    404: 'Missing, or out of sight: the two are never told apart.',
    405: 'A page that this list doesn’t have, or a change of a project by a former path.',
    406: 'The client accepts no JSON.',
    409: 'It is there already.',
    412: 'It was changed after the moment in `If-Unmodified-Since`.',
    413: 'The body is larger than 1 MiB.',
    415: 'The body’s media type is not supported.',
    429: 'Too many requests or failed attempts: `Retry-After` says for how many seconds nothing more is looked at.',
    500: 'A defect of the gateway; its log says more under the request’s id.',
    503: 'The database can’t answer just now.',
  }).map(([status, description]) => [
    status,
    { description, content: status === '429' ? { ...errorBody, 'text/plain': { schema: text } } : errorBody },
  ]),
);
