import { addressKey } from '../values/address.ts';

/** How many bodies may be on their way at once. */
export interface ArrivalBounds {
  readonly bodies: number;
  readonly bodiesPerAddress: number;
}

/** Most bytes that bodies on their way hold together: 64 MiB. */
const maxBytes = 67_108_864;

/** A body on its way. */
export interface Arrival {
  /** Counts bytes that came. */
  grow(bytes: number): void;
  /** Stops counting it: the body is complete, or the client disconnected. */
  end(): void;
}

interface Sender {
  readonly address: string;
  /** The oldest first. */
  readonly bodies: Set<Coming>;
  bytes: number;
}

interface Coming {
  bytes: number;
  readonly turnAway: () => void;
}

/**
 * The bodies that are on their way. A client may take its time with one, so they have bounds of their own and take no place
 * among the requests under way. Over a bound, the oldest body of the address with the most is dropped. A client that sends at normal speed has finished by then.
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

  /** How many had to make room so far. */
  get turnedAway(): number {
    return this.#turnedAway;
  }

  /** @param turnAway is called if it has to make room */
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

  /** Turns away the oldest body of a sender. */
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

  /** The sender that has the most; among equals the one that began first. */
  #most(amountOf: (sender: Sender) => number): Sender {
    return [...this.#senders.values()].reduce((before, one) => (amountOf(one) > amountOf(before) ? one : before));
  }
}
