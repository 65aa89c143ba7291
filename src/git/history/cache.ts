/** What history asks git for is about commits, which never change: answers are kept, the least recently used go. */

/** Bytes that are kept, roughly. */
const most = 32 * 2 ** 20;

interface Kept {
  readonly value: unknown;
  readonly weight: number;
}

/** A bounded memory of answers about immutable things. */
export class AnswerCache {
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
