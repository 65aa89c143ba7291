import type { Parameter } from './parameters.ts';
import { objectSchema, type JsonSchema } from './records/record.ts';
import type { AnyRoute } from './route.ts';
import { routes } from './routes/index.ts';

/** The OpenAPI 3.1 document, made from the routes themselves. */
export function openApi(version: string): object {
  const paths: { [path: string]: { [method: string]: object } } = {};
  const schemas: { [name: string]: JsonSchema } = { ...errorSchemas };
  for (const route of routes) {
    (paths[toTemplate(route.path)] ??= {})[route.method.toLowerCase()] = toOperation(route);
    schemas[route.record.name] = route.record.schema;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Causeway',
      version,
      description: 'GitLab’s API version 4 for notification settings, error tracking settings and OAuth 2.0. An administrator whose token has the scope `sudo` acts as another user, below `/api/v4`, with the header `Sudo` or the parameter `sudo`: the number or name of that user.',
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
        personalAccessToken: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN', description: 'A personal access token.' },
        client: { type: 'http', scheme: 'basic', description: 'An OAuth application: `client_id` and `client_secret`.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'An OAuth access token, or a personal one.' },
      },
    },
  };
}

const toTemplate = (path: string) => path.replace(/:(\w+)/g, '{$1}');

function toOperation(route: AnyRoute): object {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: 'Number, or full path with `/` written as `%2F`.',
    schema: { type: 'string' },
  }));
  const takesBody = route.method !== 'GET' && route.parameters.length > 0;
  // Open: whatever else a client sends is ignored rather than refused.
  const { additionalProperties: _closed, ...body } = objectSchema(
    Object.fromEntries(route.parameters.map((parameter) => [parameter.name, toSchema(parameter)])),
    route.parameters.filter(({ required }) => !required).map(({ name }) => name),
  );
  return {
    operationId: `${route.method.toLowerCase()}${toTemplate(route.path).replace(/[^A-Za-z0-9]+([A-Za-z0-9])/g, (_all, letter: string) => letter.toUpperCase()).replace(/\W/g, '')}`,
    summary: route.summary,
    tags: [route.tag],
    ...(route.speaker === 'client' && { security: [{ client: [] }, {}] }),
    parameters: [...inPath, ...(route.method === 'GET' ? route.parameters.map(inQuery) : [])],
    ...(takesBody && {
      requestBody: {
        description:
          route.speaker === 'client'
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
      200: { description: 'Done.', content: { 'application/json': { schema: { $ref: `#/components/schemas/${route.record.name}` } } } },
      ...(route.method === 'GET' && { 304: { description: 'Nothing changed since the `ETag` that was sent in `If-None-Match`.' } }),
      ...Object.fromEntries(errorStatuses(route).map((status) => [status, { $ref: `#/components/responses/${status}` }])),
    },
  };
}

const inQuery = (parameter: Parameter) => ({
  name: parameter.name,
  in: 'query',
  required: parameter.required === true,
  schema: toSchema(parameter),
});

function toSchema({ type, description, values, notBlank }: Parameter): JsonSchema {
  // One of a list of values is never empty: the model refuses that.
  return values ? { type, description, enum: values } : { type: notBlank ? type : [type, 'null'], description };
}

function errorStatuses({ dialect, speaker }: AnyRoute): number[] {
  // 404 also where nothing is named: whoever is to be acted as may be missing.
  return [400, 401, 403, ...(dialect === 'version 4' ? [404] : []), 406, 413, 415, ...(speaker === 'client' ? [429] : []), 500, 503];
}

const text: JsonSchema = { type: 'string' };
const hint: JsonSchema = { ...text, description: 'What to call instead, where the call is one of version 3.' };

/** The bodies of errors: the two families of version 4, and OAuth's. */
const errorSchemas: { [name: string]: JsonSchema } = {
  Message: {
    ...objectSchema({
      message: {
        oneOf: [text, { type: 'object', description: 'Texts by field.', additionalProperties: { type: 'array', items: text } }],
      },
      hint,
    }, ['hint']),
    description: 'What the application says.',
  },
  Error: { ...objectSchema({ error: text, hint }, ['hint']), description: 'What reading the request says.' },
  OAuthError: {
    ...objectSchema({ error: text, error_description: text, scope: text, state: text }, ['scope', 'state']),
    description: 'What is wrong with a token.',
  },
};

const errorBody = {
  'application/json': { schema: { anyOf: Object.keys(errorSchemas).map((name) => ({ $ref: `#/components/schemas/${name}` })) } },
};

const responses = Object.fromEntries(
  Object.entries({
    400: 'A parameter is missing, can’t be read, or breaks a rule.',
    401: 'No credential, or one that no longer works.',
    403: 'The credential or the person may not do this.',
    404: 'Missing, or out of sight: the two are never told apart.',
    406: 'The client accepts no JSON.',
    413: 'The body is larger than 1 MiB.',
    415: 'The body’s media type is not supported.',
    429: 'Too many failed attempts: `Retry-After` says how long nothing more is evaluated.',
    500: 'A defect of the gateway; its log says more under the request’s id.',
    503: 'The database can’t answer just now.',
  }).map(([status, description]) => [status, { description, content: errorBody }]),
);
