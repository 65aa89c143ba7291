import { isStorable } from '../values/text/storable.ts';
import { Unreadable } from './unreadable.ts';
import type { Exchange } from './exchange.ts';

/**
 * Whether PostgreSQL can store every string and name in a JSON value. Iterative, so that no depth overflows the stack.
 */
export function isAllStorable(root: unknown): boolean {
  const left: unknown[] = [root];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && !isStorable(value)) return false;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, child] of Object.entries(value)) {
      if (!isStorable(name)) return false;
      left.push(child);
    }
  }
  return true;
}

/**
 * Refuses a path with an encoded NUL, or escapes that aren't UTF-8, before it is used in a look-up. @throws Unreadable
 */
export function requireReadablePath({ path }: Pick<Exchange, 'path'>): void {
  if (!isReadablePath(path)) throw new Unreadable(400, 'Bad Request');
}

/** Whether the escapes in a path are UTF-8 and the decoded path can be stored. */
export function isReadablePath(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    return isStorable(decodeURIComponent(path));
  } catch {
    return false;
  }
}
