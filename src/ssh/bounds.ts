/** What one process lets clients take. Times in milliseconds. */
export interface Bounds {
  /** Connections at once. */
  readonly connections: number;
  /** Of them, those of one address. */
  readonly perAddress: number;
  /** Of one address, those that haven't proved a key yet. */
  readonly strangersPerAddress: number;
  /** From the first byte until a key is proved. */
  readonly handshake: number;
  /** Keys that a connection may try. */
  readonly attempts: number;
  /** Commands of one connection at once. */
  readonly channels: number;
  /** How long a connection stays open without a command. */
  readonly idle: number;
  /** How long no byte may pass during a fetch. */
  readonly quiet: number;
  /** The same during a push: a client says nothing while it compresses what it is about to send. */
  readonly quietPush: number;
}

export const usualBounds: Bounds = {
  connections: 1_000,
  perAddress: 200,
  strangersPerAddress: 20,
  handshake: 20_000,
  attempts: 6,
  channels: 4,
  idle: 60_000,
  quiet: 60_000,
  quietPush: 600_000,
};

/** Counts connections. */
export class Counter {
  readonly #bounds: Bounds;
  #all = 0;
  readonly #ofAddress = new Map<string, { all: number; strangers: number }>();

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /**
   * @param address its key: an IPv4 address, or the network of an IPv6 address
   * @returns undefined if there are too many; otherwise what to call once: when a key is proved, and at the end
   */
  enter(address: string): { readonly known: () => void; readonly leave: () => void } | undefined {
    const counts = this.#ofAddress.get(address) ?? { all: 0, strangers: 0 };
    const { connections, perAddress, strangersPerAddress } = this.#bounds;
    if (this.#all >= connections || counts.all >= perAddress || counts.strangers >= strangersPerAddress)
      return undefined;
    this.#ofAddress.set(address, counts);
    this.#all++;
    counts.all++;
    counts.strangers++;
    let stranger = true;
    const known = () => {
      if (stranger) counts.strangers--;
      stranger = false;
    };
    return {
      known,
      leave: () => {
        known();
        this.#all--;
        if (--counts.all === 0) this.#ofAddress.delete(address);
      },
    };
  }
}
