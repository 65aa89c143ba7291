import { isIP } from 'node:net';

/**
 * The key of an address in rate limits: the IPv4 address, or the /64 network of an IPv6 address.
 * A household or a server usually has a whole /64.
 */
export function addressKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  // An IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2); all of them share one /64.
  const [, , , , , sixth, high = 0, low = 0] = groups;
  if (sixth === 0xff_ff && groups.slice(0, 5).every((group) => group === 0))
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

/** The eight groups of an IPv6 address, however it is written (RFC 4291 §2.2). */
function groupsOf(address: string): number[] {
  const written = address.replace(/%.*/, '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)/, (_all, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [left = [], right = []] = written
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16))));
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
}

/** Whether the host of a URL is a loopback address, `127.0.0.0/8` or `[::1]`, or the name of one. */
export function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname) || hostname === 'localhost';
}
