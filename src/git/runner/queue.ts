import { kinds, type Bounds, type Kind } from './protocol.ts';

/** A job that waits or runs. */
export interface Turn {
  readonly kind: Kind;
  readonly owner?: string;
  /** Its turn has come. */
  begin(): void;
  /** It waited too long, or too many wait. */
  refuse(): void;
}

/** Jobs that may wait at a time. */
const mayWait = 1_000;
/** Commands go first: a person waits for them. */
const order: readonly Kind[] = ['reader', 'refs', 'command', 'stream', 'transfer', 'heavy', 'upkeep'];

/**
 * Decides which job runs when: at most `share` of the shared kinds at a time, each kind within its own bound, each
 * kind in the order of arrival. Without I/O.
 */
export class Queue {
  readonly #share: number;
  readonly #running = new Set<Turn>();
  readonly #waiting = new Map<Kind, Set<Turn>>(order.map((kind) => [kind, new Set()]));
  readonly #timers = new Map<Turn, NodeJS.Timeout>();

  /** @param share jobs of the shared kinds at a time */
  constructor(share: number) {
    this.#share = share;
  }

  /** How many wait and run. */
  get size(): { waiting: number; running: number } {
    return { waiting: this.#timers.size, running: this.#running.size };
  }

  /** Queues a job; calls `begin` at once if it may run. */
  add(turn: Turn): void {
    if (this.#timers.size >= mayWait) return turn.refuse();
    const waiting = this.#waiting.get(turn.kind)!;
    waiting.add(turn);
    const expire = () => {
      waiting.delete(turn);
      this.#timers.delete(turn);
      turn.refuse();
    };
    this.#timers.set(turn, setTimeout(expire, kinds[turn.kind].patience * 1_000));
    this.#next();
  }

  /** Whether a job's turn hasn't come yet. */
  waits(turn: Turn): boolean {
    return this.#timers.has(turn);
  }

  /** A job is done, or not wanted any more. @returns whether it was still waiting */
  remove(turn: Turn): boolean {
    const waited = this.#waiting.get(turn.kind)!.delete(turn);
    clearTimeout(this.#timers.get(turn));
    this.#timers.delete(turn);
    this.#running.delete(turn);
    this.#next();
    return waited;
  }

  #next(): void {
    for (const kind of order) {
      for (const turn of this.#waiting.get(kind)!) {
        if (!this.#mayRun(turn)) {
          // Another owner's job may still run; without owners, none of this kind may.
          if (turn.owner === undefined) break;
          continue;
        }
        this.#waiting.get(kind)!.delete(turn);
        clearTimeout(this.#timers.get(turn));
        this.#timers.delete(turn);
        this.#running.add(turn);
        turn.begin();
      }
    }
  }

  #mayRun({ kind, owner }: Turn): boolean {
    const { atOnce, shared, perOwner }: Bounds = kinds[kind];
    let same = 0;
    let sameOwner = 0;
    let inShare = 0;
    for (const other of this.#running) {
      if (other.kind === kind) same++;
      if (other.kind === kind && other.owner === owner) sameOwner++;
      if (kinds[other.kind].shared) inShare++;
    }
    // Two places stay free for commands, since a push waits for the commands that its hooks need.
    const places = kind === 'command' ? this.#share : Math.max(1, this.#share - 2);
    return (
      same < (atOnce ?? places) &&
      (!shared || inShare < places) &&
      (owner === undefined || perOwner === undefined || sameOwner < perOwner)
    );
  }
}
