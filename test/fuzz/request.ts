import fc from 'fast-check';
import type { RawRequest } from '../support/requests/raw-client.ts';
import { anyText, inHeader, usually } from './values.ts';

/** The users in whose name requests are sent. The sender looks up the token. */
export const callers = ['root', 'maintainer', 'developer', 'guest'] as const;
export type Caller = (typeof callers)[number];

/** A way to send a personal access token. */
type Carrier = (token: string) => Record<string, string>;
const carriers: readonly Carrier[] = [
  (token) => ({ 'private-token': token }),
  (token) => ({ authorization: `Bearer ${token}` }),
];

/** A request as it goes on the wire, without its token. */
export interface FuzzRequest {
  readonly request: RawRequest;
  readonly as: { readonly caller: Caller; readonly carry: Carrier } | { readonly headers: Record<string, string> };
  /** The GraphQL operation or batch of operations; undefined for other requests. */
  readonly asked?: unknown;
  /** Whether the connection may end in the middle of an answer, as it does when git finds a body broken. */
  readonly mayBeCut?: boolean;
}

export const credential: fc.Arbitrary<FuzzRequest['as']> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ caller: fc.constantFrom(...callers), carry: fc.constantFrom(...carriers) }) },
  fc
    .tuple(fc.constantFrom('private-token', 'authorization'), anyText)
    .map(([name, value]) => ({ headers: { [name]: inHeader(value) } })),
  fc.constant({ headers: {} }),
);

export const furtherHeaders = usually(
  {},
  fc.dictionary(
    fc.constantFrom(
      'accept',
      'if-none-match',
      'if-unmodified-since',
      'x-request-id',
      'x-forwarded-for',
      'origin',
      'cookie',
      'access-control-request-method',
      'access-control-request-headers',
      'x-http-method-override',
      'content-encoding',
      'sudo',
    ),
    fc.oneof(
      anyText.map(inHeader),
      fc.constantFrom('*/*', 'application/json', '*', 'gzip', 'guest', 'Sat, 01 Jan 2000 00:00:00 GMT'),
    ),
    { maxKeys: 3, noNullPrototype: true },
  ),
);

/** The request with the token of its caller. */
export function signed({ request, as }: FuzzRequest, tokens: Readonly<Record<Caller, string>>): RawRequest {
  const own = 'headers' in as ? as.headers : as.carry(tokens[as.caller]);
  return { ...request, headers: { ...request.headers, ...own } };
}

/** The request as a curl command, with a shell variable for the token. */
export function curlLine({ request, as }: FuzzRequest, origin: string): string {
  const quote = (text: string) =>
    /^[\w./:@%-]+$/.test(text) ? text : `$'${[...Buffer.from(text)].map(shellByte).join('')}'`;
  const own = 'headers' in as ? as.headers : as.carry(`\${${as.caller.toUpperCase()}_TOKEN}`);
  const headers = Object.entries({ ...(request.headers as Record<string, string>), ...own }).map(([name, value]) => {
    const text = value === '' ? `${name};` : `${name}: ${value}`;
    return text.includes('_TOKEN}') ? `-H "${text}"` : `-H ${quote(text)}`;
  });
  const body = request.body === undefined ? [] : ['--data-binary', quote(String(request.body))];
  return [
    'curl',
    '-i',
    '--globoff',
    '--path-as-is',
    '-X',
    request.method ?? 'GET',
    ...headers,
    ...body,
    quote(origin + request.path),
  ].join(' ');
}

const shellByte = (byte: number) => {
  if (byte === 0x27 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
};
