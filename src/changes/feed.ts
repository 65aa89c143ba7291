import { randomUUID } from 'node:crypto';
import type { PubSub } from '../database/pub-sub.ts';
import { Busy, Unavailable } from '../errors.ts';
import type { Log } from '../observability/index.ts';
import { fromMessage, keyOf, toMessages, type Change } from './change.ts';
import { Subscription } from './subscription.ts';

/** Most subscriptions of one person, and of all people together, in one process. */
export const maxSubscriptions = { person: 20, process: 1_000 } as const;

/**
 * Milliseconds for which changes are gathered before other processes are told. A
 * NOTIFY takes a lock that all others wait for while it commits, so there is one
 * for many changes, in a transaction of its own.
 */
const gathering = 50;
/** Most changes that wait while the others can't be told. */
const maxPending = 10_000;

/**
 * Who hears of which change. A process tells its own subscribers at once, after
 * the write, and the other processes a moment later. Each is told at most once:
 * whoever may have missed something is sent away, and reads anew on coming back.
 */
export class ChangeFeed {
  readonly #pubSub: PubSub;
  readonly #log: Log;
  /** Tells this process's own messages from those of others. */
  readonly #name = randomUUID();
  readonly #subscriptions = new Map<number, Set<Subscription>>();
  #count = 0;
  readonly #pending = new Map<string, Change>();
  #telling: Promise<void> | undefined;
  #subscribed = false;
  #ended = false;

  constructor(pubSub: PubSub, log: Log) {
    this.#pubSub = pubSub;
    this.#log = log;
  }

  /** Says that something changed, once that is committed. */
  publish(change: Change): void {
    this.#deliver(change);
    if (this.#pending.size >= maxPending) return;
    this.#pending.set(keyOf(change), change);
    this.#telling ??= this.#tellSoon();
  }

  /**
   * The changes of a person from now on.
   * @throws Busy where the person has enough of them, Unavailable where the process has, or can't know of changes
   */
  async subscribe(personId: number, wants: (change: Change) => boolean): Promise<Subscription> {
    const own = this.#subscriptions.get(personId) ?? new Set();
    if (own.size >= maxSubscriptions.person)
      throw new Busy(`At most ${maxSubscriptions.person} subscriptions can be open at once.`, 60);
    if (this.#ended || this.#count >= maxSubscriptions.process) throw new Unavailable();
    const subscription = new Subscription(wants, () => {
      this.#count--;
      own.delete(subscription);
      if (own.size === 0) this.#subscriptions.delete(personId);
    });
    // Counted before anything is waited for, so that many at once can't pass together.
    this.#count++;
    this.#subscriptions.set(personId, own.add(subscription));
    try {
      this.#subscribe();
      await this.#pubSub.ready?.();
      return subscription;
    } catch (error) {
      subscription.end();
      throw error;
    }
  }

  /** Sends every subscriber away, and takes no more. What is announced is still told. */
  endFollowings(): void {
    this.#ended = true;
    this.#endAll();
  }

  /** Tells what is still to be told, and nothing more. */
  async close(): Promise<void> {
    this.endFollowings();
    await this.#telling;
    await this.#pubSub.close();
  }

  #subscribe(): void {
    if (this.#subscribed) return;
    this.#subscribed = true;
    this.#pubSub.subscribe(
      (message) => this.#hear(message),
      () => this.#endAll(),
    );
  }

  #hear(message: string): void {
    try {
      const { from, changes } = fromMessage(message);
      if (from !== this.#name) changes.forEach((change) => this.#deliver(change));
    } catch (error) {
      this.#log.warn({ error: (error as Error).message }, 'a message about changes can’t be read');
      this.#endAll();
    }
  }

  #deliver(change: Change): void {
    for (const subscription of this.#subscriptions.get(change.personId) ?? []) subscription.push(change);
  }

  #endAll(): void {
    for (const subscription of [...this.#subscriptions.values()].flatMap((own) => [...own])) subscription.end();
  }

  async #tellSoon(): Promise<void> {
    while (this.#pending.size > 0) {
      if (!this.#ended) await new Promise((resolve) => setTimeout(resolve, gathering));
      const changes = [...this.#pending.values()];
      this.#pending.clear();
      try {
        for (const message of toMessages(this.#name, changes)) await this.#pubSub.publish(message);
      } catch (error) {
        this.#log.warn(
          { error: (error as Error).message, changes: changes.length },
          'other processes weren’t told of changes',
        );
      }
    }
    this.#telling = undefined;
  }
}
