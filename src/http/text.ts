import { Unreadable } from './unreadable.ts';
import type { Exchange } from './exchange.ts';

/** Whether PostgreSQL can store a text as it is: without NUL and without half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Whether every text and every name in what was sent as JSON can be stored. One by one, so that no depth overflows the stack. */
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

/** Refuses a path with an encoded NUL, or with escapes that are no UTF-8, before a door looks anything up by it. @throws Unreadable */
export function requireReadablePath({ path }: Pick<Exchange, 'path'>): void {
  if (!isReadablePath(path)) throw new Unreadable(400, 'Bad Request');
}

/** Whether the escapes in a path are UTF-8, and text that can be stored. */
export function isReadablePath(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    return isStorable(decodeURIComponent(path));
  } catch {
    return false;
  }
}
