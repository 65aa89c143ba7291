/** Values by a key, of which those that were set last are kept. */
export class Recent<Key, Value> {
  readonly #most: number;
  /** The one that was set last comes last. */
  readonly #values = new Map<Key, Value>();

  /** @param most how many are kept */
  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  set(key: Key, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.#most) this.#values.delete(this.#values.keys().next().value!);
  }
}
