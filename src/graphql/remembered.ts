/** The least that a value weighs: the entry itself, and what V8 adds to it. */
const overhead = 200;

interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
  /** Whether it was asked for since it was last looked at. */
  used: boolean;
}

/**
 * A cache that is bounded by the bytes that its values hold, since a count says nothing
 * where one value may weigh a thousand times another. What wasn't asked for goes first
 * (second chance), which costs a hit no more than the look-up.
 */
export class Remembered<Value> {
  readonly #most: number;
  readonly #entries = new Map<string, Entry<Value>>();
  #weight = 0;

  /** @param most bytes, of all values together */
  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes that are held at present, as the values were estimated. */
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

  /** @param bytes that the value holds, its key included */
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
        // Iterating meets it once more, at the end.
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
