import { addressKey } from '../values/address.ts';

/** How many request bodies may be received at once. */
export interface ArrivalBounds {
  readonly bodies: number;
  readonly bodiesPerAddress: number;
}

/** Most bytes of all bodies being received together: 64 MiB. */
const maxBytes = 67_108_864;

/** A body that is being received. */
export interface Arrival {
  /** Counts received bytes. */
  grow(bytes: number): void;
  /** Stops counting it: the body is complete, or the client disconnected. */
  end(): void;
}

interface Sender {
  readonly address: string;
  /** Oldest first. */
  readonly bodies: Set<Coming>;
  bytes: number;
}

interface Coming {
  bytes: number;
  readonly turnAway: () => void;
}

/**
 * The request bodies that are being received. A client may send slowly, so bodies have limits of their own and don't
 * count as requests under way. When a limit is exceeded, the oldest body of the address with the most is dropped:
 * clients that send at normal speed have finished by then.
 */
export class Arrivals {
  readonly #bounds: ArrivalBounds;
  readonly #senders = new Map<string, Sender>();
  #count = 0;
  #bytes = 0;
  #turnedAway = 0;

  constructor(bounds: ArrivalBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#count;
  }

  /** How many bodies were dropped so far. */
  get turnedAway(): number {
    return this.#turnedAway;
  }

  /** @param turnAway called if the body is dropped to make room */
  begin(clientAddress: string, turnAway: () => void): Arrival {
    const address = addressKey(clientAddress);
    const sender = this.#senders.get(address) ?? { address, bodies: new Set<Coming>(), bytes: 0 };
    this.#senders.set(address, sender);
    const coming: Coming = { bytes: 0, turnAway };
    sender.bodies.add(coming);
    this.#count++;
    if (sender.bodies.size > this.#bounds.bodiesPerAddress) this.#makeRoom(sender);
    else if (this.#count > this.#bounds.bodies) this.#makeRoom(this.#most(({ bodies }) => bodies.size));
    return {
      grow: (bytes) => {
        if (!sender.bodies.has(coming)) return;
        coming.bytes += bytes;
        sender.bytes += bytes;
        this.#bytes += bytes;
        if (this.#bytes > maxBytes) this.#makeRoom(this.#most((one) => one.bytes));
      },
      end: () => void this.#remove(sender, coming),
    };
  }

  /** Drops the oldest body of a sender. */
  #makeRoom(sender: Sender): void {
    const [oldest] = sender.bodies;
    this.#remove(sender, oldest!);
    this.#turnedAway++;
    oldest!.turnAway();
  }

  #remove(sender: Sender, coming: Coming): void {
    if (!sender.bodies.delete(coming)) return;
    sender.bytes -= coming.bytes;
    this.#bytes -= coming.bytes;
    this.#count--;
    if (sender.bodies.size === 0) this.#senders.delete(sender.address);
  }

  /** The sender with the largest amount; of equals, the one that began first. */
  #most(amountOf: (sender: Sender) => number): Sender {
    return [...this.#senders.values()].reduce((before, one) => (amountOf(one) > amountOf(before) ? one : before));
  }
}
