/** The sender of an item: an address, and the application that asks from there, if any. */
export interface Flow {
  readonly address: string;
  readonly client: string;
}

/**
 * A queue with fair queueing (round robin): every address has one turn in a round, and so has every client within
 * its address. A sender of many items waits behind its own items, and many names or applications at one address bring
 * no advantage.
 */
export class FairLine<Item> {
  /** In order of turns: the first address is next, and in it the first client. */
  readonly #addresses = new Map<string, Map<string, Item[]>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add({ address, client }: Flow, item: Item): void {
    const clients = this.#addresses.get(address) ?? new Map<string, Item[]>();
    this.#addresses.set(address, clients);
    const items = clients.get(client);
    if (items) items.push(item);
    else clients.set(client, [item]);
    this.#size++;
  }

  /** Takes out the next item; undefined where nothing waits. */
  next(): Item | undefined {
    const [address] = this.#addresses.keys();
    if (address === undefined) return undefined;
    const clients = this.#addresses.get(address)!;
    const [client, items] = clients.entries().next().value!;
    const item = items.shift();
    this.#size--;
    // Both move to the end of the round, unless nothing is left of them.
    clients.delete(client);
    if (items.length > 0) clients.set(client, items);
    this.#addresses.delete(address);
    if (clients.size > 0) this.#addresses.set(address, clients);
    return item;
  }

  /** Drops the newest item of the busiest client at the busiest address; on a tie, the one later in the round. */
  dropLast(): Item | undefined {
    const [address, clients] = longest(this.#addresses, (waiting) => sum(waiting.values())) ?? [];
    if (!clients) return undefined;
    const [client, items] = longest(clients, ({ length }) => length)!;
    const item = items.pop();
    this.#size--;
    if (items.length === 0) clients.delete(client);
    if (clients.size === 0) this.#addresses.delete(address!);
    return item;
  }
}

const sum = (lists: Iterable<readonly unknown[]>) => [...lists].reduce((before, { length }) => before + length, 0);

function longest<Value>(
  all: ReadonlyMap<string, Value>,
  lengthOf: (value: Value) => number,
): [string, Value] | undefined {
  return [...all].reduce<[string, Value] | undefined>(
    (before, one) => (before && lengthOf(before[1]) > lengthOf(one[1]) ? before : one),
    undefined,
  );
}
