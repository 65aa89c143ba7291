import { isIP } from 'node:net';

/**
 * What counts as one address: an IPv4 address, or a /64 of IPv6, which is what
 * one household or server gets whole.
 */
export function addressKey(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIP(plain) !== 6) return plain;
  const [head, tail = ''] = plain.split('::') as [head: string, tail?: string];
  const left = head === '' ? [] : head.split(':');
  const right = tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
