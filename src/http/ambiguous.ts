import type { IncomingMessage } from 'node:http';

/**
 * Headers of which a request has one at most. Node would take the first and drop the others,
 * where a proxy in front may have looked at the last.
 */
const single = ['authorization', 'content-type', 'host', 'private-token', 'sudo'];

/** Whether a request can be read in two ways (RFC 9110 §5.3, RFC 9112 §3.2). */
export function isAmbiguous({ rawHeaders }: IncomingMessage): boolean {
  const names = rawHeaders.filter((_text, index) => index % 2 === 0).map((name) => name.toLowerCase());
  return single.some((name) => names.indexOf(name) !== names.lastIndexOf(name));
}
