import type { Repository } from '../repository.ts';

/** What history asks git for is about commits, which never change: answers are kept, the least recently used go. */

/** Bytes that are kept, roughly. */
const most = 32 * 2 ** 20;

interface Kept {
  readonly value: unknown;
  readonly weight: number;
}

/** A bounded memory of answers about immutable things. */
class AnswerCache {
  readonly #kept = new Map<string, Kept>();
  #weight = 0;

  get(key: string): unknown {
    const found = this.#kept.get(key);
    if (!found) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found.value;
  }

  /** @param weight bytes, roughly */
  set(key: string, value: unknown, weight: number): void {
    this.#weight += weight + key.length - (this.#kept.get(key)?.weight ?? 0);
    this.#kept.delete(key);
    this.#kept.set(key, { value, weight: weight + key.length });
    for (const [oldest, { weight: freed }] of this.#kept) {
      if (this.#weight <= most) break;
      this.#kept.delete(oldest);
      this.#weight -= freed;
    }
  }
}

export const answers = new AnswerCache();

/** The answer to a question about commits: found once, since it never changes. */
export async function kept<T>({ path }: Repository, question: readonly string[], find: () => Promise<T>): Promise<T> {
  const key = `${path}\0${question.join('\0')}`;
  const found = answers.get(key) as { value: T } | undefined;
  if (found) return found.value;
  const value = await find();
  answers.set(key, { value }, Array.isArray(value) ? 100 * value.length : 100);
  return value;
}
