/** The sender of an item: an address, and the application that sent the request, if any. */
export interface Flow {
  readonly address: string;
  readonly client: string;
}

/**
 * A queue with fair queueing (round robin): every address has one turn in a round, and so does every client
 * within its address. A sender of many items waits behind its own items. Many names or applications at one address
 * bring no advantage.
 */
export class FairLine<Item> {
  /** The queues by address and client, in order of turns: the first client of the first address is next. */
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

  /** Takes out the next item; undefined if the queue is empty. */
  next(): Item | undefined {
    const [address] = this.#addresses.keys();
    if (address === undefined) return undefined;
    const clients = this.#addresses.get(address)!;
    const [client, items] = clients.entries().next().value!;
    const item = items.shift();
    this.#size--;
    // The client and the address move to the end of the round, unless they have no more items.
    clients.delete(client);
    if (items.length > 0) clients.set(client, items);
    this.#addresses.delete(address);
    if (clients.size > 0) this.#addresses.set(address, clients);
    return item;
  }

  /**
   * Drops the newest item of the client with the most items at the address with the most; on a tie, of the one later
   * in the round.
   */
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
