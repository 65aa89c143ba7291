import type { Exchange } from './exchange.ts';

/**
 * The set of requests under way, as an array of slots. A `Set` keeps removed entries reachable from its outgrown
 * tables, so every request would survive young-generation garbage collection.
 */
export class Places {
  readonly #places: (Exchange | undefined)[] = [];
  readonly #free: number[] = [];
  #taken = 0;

  get size(): number {
    return this.#taken;
  }

  add(exchange: Exchange): void {
    const place = this.#free.pop() ?? this.#places.length;
    this.#places[place] = exchange;
    exchange.place = place;
    this.#taken++;
  }

  /** @returns whether the exchange had a slot */
  delete(exchange: Exchange): boolean {
    const { place } = exchange;
    if (place === undefined) return false;
    this.#places[place] = undefined;
    this.#free.push(place);
    exchange.place = undefined;
    this.#taken--;
    return true;
  }

  *[Symbol.iterator](): Generator<Exchange> {
    for (const exchange of this.#places) if (exchange) yield exchange;
  }
}
