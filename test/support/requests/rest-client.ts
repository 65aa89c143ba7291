import { expect } from 'vitest';
import { departure } from './document.ts';

export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, otherwise the text. */
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
  readonly multipart?: Record<string, string | File>;
  readonly raw?: BodyInit;
}

/** Sends a request, and checks the answer against the OpenAPI document. */
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
    if (url.pathname.startsWith('/api/') || url.pathname.startsWith('/oauth/'))
      expect(departure(method, url.pathname, answer)).toBeUndefined();
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
