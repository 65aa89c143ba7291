import type { Exchange } from './exchange.ts';

/**
 * The set of requests under way, as an array of slots. A `Set` keeps removed entries reachable from its outgrown
 * tables, so every request would survive young-generation garbage collection.
 */
export class Slots {
  readonly #slots: (Exchange | undefined)[] = [];
  readonly #free: number[] = [];
  #taken = 0;

  get size(): number {
    return this.#taken;
  }

  add(exchange: Exchange): void {
    const slot = this.#free.pop() ?? this.#slots.length;
    this.#slots[slot] = exchange;
    exchange.slot = slot;
    this.#taken++;
  }

  /** @returns whether the exchange had a slot */
  delete(exchange: Exchange): boolean {
    const { slot } = exchange;
    if (slot === undefined) return false;
    this.#slots[slot] = undefined;
    this.#free.push(slot);
    exchange.slot = undefined;
    this.#taken--;
    return true;
  }

  *[Symbol.iterator](): Generator<Exchange> {
    for (const exchange of this.#slots) if (exchange) yield exchange;
  }
}
