import type { IncomingMessage } from 'node:http';

/**
 * Headers of which a request has one at most. Node would take the first and drop the others,
 * where a proxy in front may have looked at the last.
 */
const single = ['authorization', 'content-type', 'host', 'private-token', 'sudo'];

/** Whether a request can be read in two ways (RFC 9110 §5.3, RFC 9112 §3.2). */
export function isAmbiguous({ rawHeaders }: IncomingMessage): boolean {
  // One bit for each of them: every request comes by here.
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const which = single.indexOf(rawHeaders[at]!.toLowerCase());
    if (which < 0) continue;
    if (seen & (1 << which)) return true;
    seen |= 1 << which;
  }
  return false;
}
