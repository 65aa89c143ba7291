import type { Exchange } from './exchange.ts';

/**
 * The requests under way, each in a place of its own until it leaves it. A Set would
 * do; but what it lets go of stays reachable from the tables that it has outgrown, and
 * so every request would outlive the young collections, for no use.
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

  /** @returns whether it had a place */
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
