/** Who sends something: the address, and the application there, if one stands behind it. */
export interface Flow {
  readonly address: string;
  readonly client: string;
}

/**
 * A line that takes turns, in rounds (fair queueing): every address has one turn in a round, and so has every client of an
 * address in the rounds of that address. So who sends much waits behind their own, and many names or many
 * applications bring one address no further.
 */
export class FairLine<Item> {
  /** The address whose turn is next stands first, and so does the client within it. */
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

  /** Takes out what is next; undefined where nothing waits. */
  next(): Item | undefined {
    const [address] = this.#addresses.keys();
    if (address === undefined) return undefined;
    const clients = this.#addresses.get(address)!;
    const [client, items] = clients.entries().next().value!;
    const item = items.shift();
    this.#size--;
    // To the end of the round, unless nothing is left.
    clients.delete(client);
    if (items.length > 0) clients.set(client, items);
    this.#addresses.delete(address);
    if (clients.size > 0) this.#addresses.set(address, clients);
    return item;
  }

  /** Takes out what came last of the client that has the most, at the address that has the most; among equals, of the one whose turn is last. */
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
