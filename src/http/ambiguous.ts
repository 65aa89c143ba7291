import type { IncomingMessage } from 'node:http';

/**
 * Headers that a request may have only once. Node would use the first and drop the others, while a proxy in front may
 * have checked the last.
 */
const single = ['authorization', 'content-type', 'host', 'private-token', 'sudo'];

/** Whether a request is ambiguous: two servers could read it differently (RFC 9110 §5.3, RFC 9112 §3.2). */
export function isAmbiguous({ rawHeaders }: IncomingMessage): boolean {
  // A bit set, one bit for each header: this runs for every request.
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const which = single.indexOf(rawHeaders[at]!.toLowerCase());
    if (which < 0) continue;
    if (seen & (1 << which)) return true;
    seen |= 1 << which;
  }
  return false;
}
