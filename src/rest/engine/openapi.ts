import { parametersOf, type Declaration, type Parameter } from './parameters.ts';
import { objectSchema, type JsonSchema } from './record.ts';
import type { AnyRoute } from './route.ts';
import { routes } from '../routes.ts';

/** The OpenAPI 3.1 document, generated from the routes. */
export function openApi(version: string): object {
  const paths: { [path: string]: { [method: string]: object } } = {};
  const schemas: { [name: string]: JsonSchema } = { ...errorSchemas };
  for (const route of routes) {
    (paths[toTemplate(route.path)] ??= {})[route.method.toLowerCase()] = toOperation(route);
    if (route.status !== 204 && !route.file && !route.stream) schemas[route.record.name] = route.record.schema;
    if (route.instead) schemas[route.instead.record.name] = route.instead.record.schema;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Causeway',
      version,
      description:
        'GitLab’s API version 4 for notification settings, error tracking settings and OAuth 2.0. Below `/api/v4`, an administrator whose token has the scope `sudo` can act as another user: send that user’s ID or username in the header `Sudo` or the parameter `sudo`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ personalAccessToken: [] }, { bearer: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].sort().map((name) => ({ name })),
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

/** Descriptions of path parameters, by name. */
const namedInPath: { readonly [name: string]: string } = {
  id: 'ID, or full path; in an address with `%2F` for each `/`.',
  name: 'Name as in the list; case doesn’t matter.',
};

const toTemplate = (path: string) => path.replace(/:(\w+)\*?/g, '{$1}');

function toOperation(route: AnyRoute): object {
  const named = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const typed = parametersOf(route.parameters).filter(({ name }) => named.includes(name));
  const inPath = named.map((name) => {
    const parameter = typed.find((one) => one.name === name);
    return {
      name,
      in: 'path',
      required: true,
      description: parameter?.description ?? namedInPath[name] ?? namedInPath.id,
      schema: parameter ? toSchema(parameter) : { type: 'string' },
    };
  });
  const declared = parametersOf(route.parameters).filter((parameter) => !typed.includes(parameter));
  const takesBody = route.method !== 'GET' && declared.length > 0;
  // No `additionalProperties: false`: unknown parameters are ignored.
  const { additionalProperties: _closed, ...body } = objectSchema(
    Object.fromEntries(declared.map((parameter) => [parameter.name, toSchema(parameter)])),
    declared.filter(({ required }) => !required).map(({ name }) => name),
  );
  const groups = route.parameters.flatMap(inWords).join(' ');
  return {
    // `/-/` too: two addresses of one route differ by it.
    operationId: `${route.method.toLowerCase()}${toTemplate(route.path)
      .replace('/-/', '/dash/')
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
            ? 'Send each parameter at most once, and none in the query string. Unknown parameters are ignored.'
            : 'Parameters may also be sent in the query string. Unknown parameters are ignored.',
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
      ...(route.instead && {
        [route.instead.status ?? 202]: success({ ...route, status: 202, record: route.instead.record }),
      }),
      ...(route.settled && { 204: { description: 'Completed.' } }),
      ...(route.method === 'GET' && {
        ...(ofPlace(route) && { 301: { description: 'The path is a former one: `Location` has the new address.' } }),
        304: { description: 'Not modified: the `ETag` still matches `If-None-Match`.' },
      }),
      ...(route.unchanged && { 304: { description: 'No change: it was already in this state.' } }),
      ...Object.fromEntries(
        errorStatuses(route).map((status) => [status, { $ref: `#/components/responses/${status}` }]),
      ),
    },
  };
}

const pageHeaderSchemas: { [name: string]: JsonSchema } = {
  'X-Page': { type: 'integer', description: 'Offset pagination only, like all of these headers except `Link`.' },
  'X-Per-Page': { type: 'integer' },
  'X-Next-Page': { type: 'string', description: 'Empty on the last page.' },
  'X-Prev-Page': { type: 'string', description: 'Empty on the first page.' },
  'X-Total': { type: 'integer', description: 'Omitted above 10,000 records, like `X-Total-Pages`.' },
  'X-Total-Pages': { type: 'integer' },
  Link: { type: 'string', description: 'RFC 8288 links to the pages `prev`, `next`, `first` and `last` that exist.' },
};

const cursorHeaderSchemas: { [name: string]: JsonSchema } = {
  'X-Next-Cursor': {
    type: 'string',
    description: 'Keyset pagination only: the `cursor` of the next page, if there is one.',
  },
  'X-Prev-Cursor': { type: 'string', description: 'The same of the page before.' },
};

/** The successful answer of a route. */
function success({ status, connection, cursor, record, file, stream, instead, silent }: AnyRoute): object {
  if (file ?? stream) return { description: 'The file.', content: { '*/*': { schema: {} } } };
  if (status === 204) return { description: 'Completed.' };
  const one = { $ref: `#/components/schemas/${record.name}` };
  return {
    description: status === 202 && !instead ? 'Accepted: it continues in the background.' : 'Completed.',
    ...(connection && {
      headers: Object.fromEntries(
        Object.entries({ ...pageHeaderSchemas, ...(cursor && cursorHeaderSchemas) }).map(
          ([name, { description, ...schema }]) => [name, { ...(description !== undefined && { description }), schema }],
        ),
      ),
    }),
    content: {
      'application/json': { schema: connection ? { type: 'array', items: one } : one },
      ...(silent && { 'text/plain': { schema: { type: 'string', maxLength: 0, description: 'Nothing was sent.' } } }),
    },
  };
}

const ofPlace = ({ path }: AnyRoute) => /^\/api\/v4\/(projects|groups)\/:id/.test(path);

/** The rule of a parameter group, as a sentence. */
function inWords(declaration: Declaration): string[] {
  if (!('rule' in declaration)) return [];
  if (declaration.rule === 'needed with') return [`With \`${declaration.with}\`: \`${declaration.needed}\`.`];
  const { rule, of } = declaration;
  return [`Of ${of.map((name) => `\`${name}\``).join(', ')}: ${rule}.`];
}

const unmodifiedSince = {
  name: 'If-Unmodified-Since',
  in: 'header',
  required: false,
  description: 'Fails with 412 if it was changed after this time.',
  schema: { type: 'string' },
};

const isList = ({ type }: Parameter) => type === 'strings' || type === 'integers';

const inQuery = (parameter: Parameter) => ({
  // The route also accepts `a,b`.
  name: isList(parameter) ? `${parameter.name}[]` : parameter.name,
  in: 'query',
  required: parameter.required === true,
  schema: toSchema(parameter),
});

const scalars: Record<Parameter['type'], JsonSchema> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  integer: { type: 'integer' },
  float: { type: 'number' },
  date: { type: 'string', format: 'date' },
  'date-time': { type: 'string', format: 'date-time' },
  file: { type: 'string', format: 'binary' },
  object: { type: 'object' },
  objects: { type: 'array' },
  'file-path': { type: 'string' },
  'repository-path': { type: 'string' },
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
  // An enum parameter can't be empty.
  const listed = allowed ?? values;
  const named = scalars[type].type === 'integer' ? listed?.map(Number) : listed;
  const one = named ? { ...scalars[type], enum: named } : scalars[type];
  if (parameter.of && type === 'object') return { ...objectOf(parameter.of), description };
  if (parameter.of) return { type: 'array', items: objectOf(parameter.of), description };
  if (isList(parameter)) return { type: 'array', items: one, ...more };
  return listed || notBlank ? { ...one, ...more } : { ...one, type: [scalars[type].type, 'null'], ...more };
}

/** The objects of a list. */
const objectOf = (members: readonly Parameter[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(members.map((member) => [member.name, toSchema(member)])),
  required: members.filter(({ required }) => required).map(({ name }) => name),
});

function errorStatuses(route: AnyRoute): number[] {
  const { method, dialect, connection, conditional, token, refusals = [] } = route;
  const wrongMethod = connection !== undefined || (ofPlace(route) && method !== 'GET');
  return [
    400,
    401,
    403,
    // Any route may answer 404: the user given in `sudo` may not exist.
    ...(dialect === 'version 4' || refusals.includes(404) ? [404] : []),
    ...(wrongMethod ? [405] : []),
    406,
    ...refusals.filter((status) => status === 409 || status === 422),
    ...(conditional ? [412] : []),
    413,
    415,
    // A page token that names nothing.
    ...(token ? [422] : []),
    429,
    500,
    503,
  ];
}

const text: JsonSchema = { type: 'string' };
const hint: JsonSchema = { ...text, description: 'What to call instead, if the call is one of version 3.' };

/** The bodies of errors: the two families of version 4, and OAuth's. */
const errorSchemas: { [name: string]: JsonSchema } = {
  Message: {
    ...objectSchema(
      {
        message: {
          oneOf: [
            text,
            { type: 'object', description: 'Errors by field.', additionalProperties: { type: 'array', items: text } },
            { type: 'array', description: 'Sentences about a record.', items: text },
            { ...objectSchema({ error: text }), description: 'Of a route with its own rate limit.' },
          ],
        },
        hint,
        error_code: { ...text, description: 'Why a commit can’t be done again on a branch: `empty` or `conflict`.' },
        dry_run: text,
      },
      ['hint', 'error_code', 'dry_run'],
    ),
    description: 'An error from the application.',
  },
  Error: { ...objectSchema({ error: text, hint }, ['hint']), description: 'An error from reading the request.' },
  OAuthError: {
    ...objectSchema({ error: text, error_description: text, scope: text, state: text, hint }, [
      'scope',
      'state',
      'hint',
    ]),
    description: 'An error of OAuth, such as an invalid token.',
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
    401: 'The credential is missing, invalid, expired or revoked.',
    403: 'The token or the user isn’t allowed to do this.',
    404: 'Not found, or not visible to you: the answer is the same.',
    405: 'The list can’t serve this page, or a group or project was addressed by a former path in a request other than GET.',
    406: 'The client doesn’t accept JSON.',
    409: 'It already exists.',
    412: 'It was changed after the time in `If-Unmodified-Since`.',
    413: 'The body is larger than 1 MiB, or than 32 MiB where files are sent to a repository; or a file is too large to be sent.',
    415: 'The body’s media type is not supported.',
    422: 'It can’t be carried out.',
    429: 'Rate limit exceeded: too many requests or failed attempts. Retry after the seconds in `Retry-After`.',
    500: 'Internal error; the gateway’s log has details under the request’s ID.',
    503: 'Temporarily unavailable: the gateway is overloaded or can’t reach the database.',
  }).map(([status, description]) => [
    status,
    { description, content: status === '429' ? { ...errorBody, 'text/plain': { schema: text } } : errorBody },
  ]),
);
