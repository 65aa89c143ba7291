/** Bytes of an entry besides its value: the entry itself and V8's overhead. */
const overhead = 200;

interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
  /** Whether it was read since the last eviction passed it. */
  used: boolean;
}

/**
 * A cache bounded by the total bytes of its values, since one value may be a thousand times larger than another. It
 * evicts by second chance: the oldest entries that weren't read go first, and a hit costs only the look-up.
 */
export class Remembered<Value> {
  readonly #most: number;
  readonly #entries = new Map<string, Entry<Value>>();
  #weight = 0;

  /** @param most bytes of all values together */
  constructor(most: number) {
    this.#most = most;
  }

  /** The estimated bytes of all values now. */
  get weight(): number {
    return this.#weight;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    entry.used = true;
    return entry.value;
  }

  /** @param bytes estimated size of the value and its key */
  set(key: string, value: Value, bytes: number): void {
    this.#delete(key);
    const weight = bytes + overhead;
    if (weight > this.#most) return;
    this.#makeRoom(this.#most - weight);
    this.#entries.set(key, { value, weight, used: false });
    this.#weight += weight;
  }

  #makeRoom(most: number): void {
    for (const [oldest, entry] of this.#entries) {
      if (this.#weight <= most) return;
      if (entry.used) {
        // Moved to the end, where the loop meets it again.
        entry.used = false;
        this.#entries.delete(oldest);
        this.#entries.set(oldest, entry);
      } else this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }
}
