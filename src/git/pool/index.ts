/** A process that answers for one repository. */
interface Pooled {
  /** Ends it as soon as nothing is asked of it. */
  retire(): void;
}

/** Processes at a time, of one gateway. */
const most = 64;
/** Milliseconds after which an unused process ends. */
const idle = 60_000;

/** The long-lived processes of a gateway: the least recently used ends when there are too many. */
export class Pool {
  readonly #most: number;
  /** By repository and kind, the least recently used first. */
  readonly #held = new Map<string, { readonly worker: Pooled; used: number }>();
  readonly #timer: NodeJS.Timeout;

  constructor(atMost = most) {
    this.#most = atMost;
    this.#timer = setInterval(() => this.#sweep(), idle / 4).unref();
  }

  /** How many repositories and kinds are held. */
  get size(): number {
    return this.#held.size;
  }

  /** @returns the worker of a repository and kind, made if there is none */
  get<W extends Pooled>(path: string, kind: string, make: () => W): W {
    const key = `${path}\0${kind}`;
    let held = this.#held.get(key);
    if (held) this.#held.delete(key);
    else held = { worker: make(), used: 0 };
    held.used = Date.now();
    this.#held.set(key, held);
    if (this.#held.size > this.#most) this.#end(this.#held.keys().next().value!);
    return held.worker as W;
  }

  /** Ends the processes of a repository: after maintenance, or when it is gone. */
  drop(path: string): void {
    for (const key of this.#held.keys()) if (key.startsWith(`${path}\0`)) this.#end(key);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const key of this.#held.keys()) this.#end(key);
  }

  #end(key: string): void {
    this.#held.get(key)!.worker.retire();
    this.#held.delete(key);
  }

  #sweep(): void {
    const before = Date.now() - idle;
    for (const [key, { used }] of this.#held) {
      if (used > before) break;
      this.#end(key);
    }
  }
}
