import type { OutgoingHttpHeaders } from 'node:http';

/** Headers of files that a door sends as they are. */

/** `inline; filename="a.rb"; filename*=UTF-8''a.rb` (RFC 6266). */
export const disposition = (kind: 'inline' | 'attachment', name: string): string =>
  `${kind}; filename="${name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '?')}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, (one) => `%${one.codePointAt(0)!.toString(16).toUpperCase()}`)}`;

/** Headers that keep a file out of caches, as clients know them. */
export const uncached: OutgoingHttpHeaders = {
  'cache-control': 'max-age=0, private, must-revalidate, no-store, no-cache',
  pragma: 'no-cache',
  expires: 'Fri, 01 Jan 1990 00:00:00 GMT',
};

/** The policy of what people stored: a browser that opens it runs nothing of it, since it is in a sandbox. */
export const filePolicy: OutgoingHttpHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/** Never a type that a browser runs (contract S24). */
export const contentTypeOf = (bytes: Buffer): string =>
  bytes.subarray(0, 8_000).includes(0) ? 'application/octet-stream' : 'text/plain; charset=utf-8';
