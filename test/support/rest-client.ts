import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import document from '../../contract/openapi.json' with { type: 'json' };

export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON, else the text. */
  // biome-ignore lint: a test looks into whatever comes back
  // eslint-disable-next-line
  readonly body: any;
  readonly text: string;
}

export interface RestRequest {
  readonly token?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly json?: unknown;
  readonly form?: Record<string, string> | [string, string][];
  readonly multipart?: Record<string, string>;
  readonly raw?: BodyInit;
}

/** Sends a request to a path; every answer is checked against the OpenAPI document. */
export type RestClient = (method: string, path: string, request?: RestRequest) => Promise<RestAnswer>;

export function restClient(baseUrl: string): RestClient {
  return async (method, path, { token, headers, query, json, form, multipart, raw } = {}) => {
    const url = new URL(path, baseUrl);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.append(name, value);
    const [body, contentType] = encode({ json, form, multipart, raw });
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        ...(token !== undefined && { 'private-token': token }),
        ...(contentType !== undefined && { 'content-type': contentType }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
    const answer = { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : text };
    if (url.pathname.startsWith('/api/') || url.pathname.startsWith('/oauth/')) checkAgainstDocument(method, url.pathname, answer);
    return answer;
  };
}

function encode({ json, form, multipart, raw }: RestRequest): [body?: BodyInit, contentType?: string] {
  if (json !== undefined) return [JSON.stringify(json), 'application/json'];
  if (form) return [new URLSearchParams(form).toString(), 'application/x-www-form-urlencoded'];
  if (multipart) {
    const data = new FormData();
    for (const [name, value] of Object.entries(multipart)) data.append(name, value);
    return [data];
  }
  return raw === undefined ? [] : [raw];
}

interface Operation {
  readonly responses: { readonly [status: string]: { readonly $ref?: string; readonly content?: Content } };
}
interface Content {
  readonly 'application/json'?: { readonly schema: object };
  readonly 'text/plain'?: { readonly schema: object };
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi');

const paths = Object.entries(document.paths as unknown as Record<string, Record<string, Operation>>).map(([template, operations]) => ({
  pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`),
  template,
  operations,
}));

const validators = new Map<object, ValidateFunction>();

/** Compiled once each: it takes longer than the request. */
function validator(schema: object): ValidateFunction {
  let known = validators.get(schema);
  if (!known) {
    known = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')) as object);
    validators.set(schema, known);
  }
  return known;
}

/** A documented route answers with a documented status and a body of the documented shape. */
export function checkAgainstDocument(method: string, path: string, { status, body }: Pick<RestAnswer, 'status' | 'body'>): void {
  const found = paths.find(({ pattern }) => pattern.test(path));
  const operation = found?.operations[method.toLowerCase()];
  if (!found || !operation) return;
  const documented = operation.responses[status];
  expect(documented, `${method} ${path} answered ${status}, which the OpenAPI document doesn't know`).toBeDefined();
  const name = documented!.$ref?.split('/').at(-1);
  const responses = document.components.responses as unknown as Record<string, { content?: Content }>;
  const { content } = name === undefined ? documented! : responses[name]!;
  const schema = ((typeof body === 'string' && content?.['text/plain']) || content?.['application/json'])?.schema;
  if (!schema) return;
  const validate = validator(schema);
  expect(validate(body), `${method} ${path} answered ${JSON.stringify(body)}: ${ajv.errorsText(validate.errors)}`).toBe(true);
}
