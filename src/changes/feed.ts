import { randomUUID } from 'node:crypto';
import type { PubSub } from '../database/pub-sub.ts';
import { Busy, Unavailable } from '../errors.ts';
import type { Log } from '../observability/index.ts';
import { fromMessage, keyOf, toMessages, type Change } from './change.ts';
import { Subscription } from './subscription.ts';
import { Waiters } from './waiters.ts';

/** Maximum number of subscriptions in one process: of one person, and of all together. */
export const maxSubscriptions = { person: 20, process: 1_000 } as const;

/**
 * Milliseconds for which changes are collected before they are published to other processes. At commit, NOTIFY takes a
 * lock that blocks every other NOTIFY, so many changes share one NOTIFY in its own transaction.
 */
const gathering = 50;
/** Maximum number of changes that wait while publishing fails. */
const maxPending = 10_000;

/**
 * Publish and subscribe for changes. A process delivers a change to its own subscribers directly after the write, and
 * to other processes a moment later. Delivery is at most once: when messages may have been lost, all subscriptions end,
 * and clients read the records again when they reconnect.
 */
export class ChangeFeed {
  readonly #pubSub: PubSub;
  readonly #log: Log;
  /** The name of this process, to recognise its own messages. */
  readonly #name = randomUUID();
  readonly #subscriptions = new Map<number, Set<Subscription>>();
  #count = 0;
  readonly #pending = new Map<string, Change>();
  #publishing: Promise<void> | undefined;
  #subscribed = false;
  #ended = false;
  /** Wakes the worker of this process. */
  #onJobs: (() => void) | undefined;
  /** Whether to publish to other processes that jobs wait. */
  #jobsWait = false;
  /** Runners that wait for a job. */
  readonly #ciJobs = new Waiters();
  #ciJobsWait = false;

  constructor(pubSub: PubSub, log: Log) {
    this.#pubSub = pubSub;
    this.#log = log;
  }

  /** Announces a change. Call it after the commit. */
  publish(change: Change): void {
    this.#deliver(change);
    if (this.#pending.size >= maxPending) return;
    this.#pending.set(keyOf(change), change);
    this.#publishing ??= this.#publishSoon();
  }

  /**
   * Subscribes to the changes of a person, and to those that concern every subscriber.
   * @throws Busy when the person has too many subscriptions; Unavailable when the process has too many, or can't
   * receive changes
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
    // Count before the first await, so that concurrent calls can't exceed the limit together.
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

  /**
   * Announces to other processes that jobs wait in the queue. Delivery is at most once: a worker also looks by itself.
   */
  publishJobs(): void {
    this.#jobsWait = true;
    this.#publishing ??= this.#publishSoon();
  }

  /** Calls the listener when another process announces jobs. */
  async listenForJobs(listener: () => void): Promise<void> {
    this.#onJobs = listener;
    this.#subscribe();
    // Without this connection, a worker finds jobs of other processes a few seconds later.
    await this.#pubSub.ready?.().catch(() => undefined);
  }

  /** Announces that jobs of pipelines may wait for a runner. */
  publishCiJobs(): void {
    this.#ciJobs.wake();
    this.#ciJobsWait = true;
    this.#publishing ??= this.#publishSoon();
  }

  /**
   * What runners send back with their next question: it changes whenever a job may have begun to wait, as far as this
   * process knows. Those of other processes differ.
   */
  get ciJobsSeen(): string {
    return `${this.#name}.${this.#ciJobs.count}`;
  }

  /** Whether this process stops: what waits is to end. */
  get hasEnded(): boolean {
    return this.#ended;
  }

  /**
   * Waits until a job of a pipeline may wait for a runner: at most once, so look now and then without it. Ends at once if
   * that was announced since `seen`, and when this process stops.
   */
  async waitForCiJobs(seen: string, milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    this.#subscribe();
    if (this.#ended || seen !== this.ciJobsSeen) return;
    await this.#ciJobs.wait(milliseconds, signal);
  }

  /** Ends all subscriptions and accepts no more. Changes already announced are still published. */
  endSubscriptions(): void {
    this.#ended = true;
    this.#endAll();
  }

  /** Publishes the waiting changes, then closes (graceful shutdown). */
  async close(): Promise<void> {
    this.endSubscriptions();
    await this.#publishing;
    await this.#pubSub.close();
  }

  #subscribe(): void {
    if (this.#subscribed) return;
    this.#subscribed = true;
    this.#pubSub.subscribe(
      (message) => this.#receive(message),
      () => this.#endAll(),
    );
  }

  #receive(message: string): void {
    try {
      const { from, changes, jobs, ciJobs } = fromMessage(message);
      if (from === this.#name) return;
      changes.forEach((change) => this.#deliver(change));
      if (jobs) this.#onJobs?.();
      if (ciJobs) this.#ciJobs.wake();
    } catch (error) {
      this.#log.warn({ error: (error as Error).message }, 'a message about changes can’t be read');
      this.#endAll();
    }
  }

  #deliver(change: Change): void {
    if (change.personId === null) this.#all().forEach((subscription) => subscription.push(change));
    else this.#subscriptions.get(change.personId)?.forEach((subscription) => subscription.push(change));
  }

  #endAll(): void {
    for (const subscription of this.#all()) subscription.end();
    this.#ciJobs.wake();
  }

  #all(): Subscription[] {
    return [...this.#subscriptions.values()].flatMap((own) => [...own]);
  }

  async #publishSoon(): Promise<void> {
    while (this.#pending.size > 0 || this.#jobsWait || this.#ciJobsWait) {
      if (!this.#ended) await new Promise((resolve) => setTimeout(resolve, gathering));
      const changes = [...this.#pending.values()];
      this.#pending.clear();
      const waiting = { jobs: this.#jobsWait, ciJobs: this.#ciJobsWait };
      this.#jobsWait = false;
      this.#ciJobsWait = false;
      try {
        for (const message of toMessages(this.#name, changes, waiting)) await this.#pubSub.publish(message);
      } catch (error) {
        this.#log.warn(
          { error: (error as Error).message, changes: changes.length },
          'changes could not be published to other processes',
        );
      }
    }
    this.#publishing = undefined;
  }
}
