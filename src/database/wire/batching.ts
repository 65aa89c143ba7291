import type pg from 'pg';
import { statement, type Statement } from './statement.ts';
import type { CancellablePool } from './pool.ts';
import type { ClientDisconnect } from './sql.ts';
import { runForEach } from './prepared.ts';

/**
 * Maximum messages of one statement in flight at once. With more, each message would be smaller and save less, above
 * all for writes, which also share a commit.
 */
const readsAtOnce = 2;
const writesAtOnce = 1;
/**
 * Milliseconds after which a message no longer counts as in flight: it is waiting for a lock, or for a dead server.
 */
const slowAfter = 50;
/** Maximum number of statements in one message. */
const maxBatch = 64;
/** Sets the lock timeout for the rest of the transaction. */
const limitWaiting = statement('limit_waiting', `select set_config('lock_timeout', '${slowAfter}ms', true)`);

/** A statement that waits to be sent, or for its rows. */
interface PendingStatement {
  readonly values: readonly unknown[];
  readonly disconnect: ClientDisconnect | undefined;
  resolve(rows: never[]): void;
  reject(error: unknown): void;
}

/**
 * Batching: sends the same statement of concurrent requests in one message, each with its own values. A small
 * statement costs almost only the round trip: a message, a system call and a wake-up on either side, and a commit for
 * writes. Requests in a batch share these.
 * Use it only for quick statements on a single row: all results of a message arrive together. Different statements are
 * never mixed, so one that waits for a lock doesn't delay the others. Writes in one message are one transaction with a
 * short lock timeout; when it expires, each write runs again in a transaction of its own.
 */
export class StatementBatcher {
  readonly #pool: CancellablePool;
  readonly #queues = new Map<Statement<unknown>, Queue>();

  constructor(pool: CancellablePool) {
    this.#pool = pool;
  }

  /** @param disconnect of the waiting client. A message is cancelled when all its clients have disconnected */
  rows<Row>(
    statement: Statement<Row>,
    values: readonly unknown[],
    disconnect: ClientDisconnect | undefined,
  ): Promise<Row[]> {
    let queue = this.#queues.get(statement);
    if (!queue) this.#queues.set(statement, (queue = new Queue(this.#pool, statement)));
    return new Promise<Row[]>((resolve, reject) => queue.add({ values, disconnect, resolve, reject }));
  }
}

/** The waiting calls of one statement. */
class Queue {
  readonly #pool: CancellablePool;
  readonly #statement: Statement<unknown>;
  readonly #atOnce: number;
  #waiting: PendingStatement[] = [];
  #underWay = 0;
  /** Whether the next message is scheduled. */
  #isDue = false;

  constructor(pool: CancellablePool, statement: Statement<unknown>) {
    this.#pool = pool;
    this.#statement = statement;
    this.#atOnce = statement.order ? writesAtOnce : readsAtOnce;
  }

  add(asked: PendingStatement): void {
    this.#waiting.push(asked);
    this.#sendSoon();
  }

  /** Sends at the end of this turn of the event loop, so that all its requests are included. */
  #sendSoon(): void {
    if (this.#isDue || this.#underWay === this.#atOnce || this.#waiting.length === 0) return;
    this.#isDue = true;
    setImmediate(() => void this.#send());
  }

  async #send(): Promise<void> {
    const last = this.#waiting.at(-1)!;
    try {
      const client = await this.#pool.take();
      // Calls that came while there was no connection are included.
      void this.#sendOn(client, this.#inOrder(this.#waiting.splice(0, maxBatch)));
    } catch (error) {
      // Reject the calls that waited for this connection; later ones wait for the next.
      for (const { reject } of this.#waiting.splice(0, this.#waiting.indexOf(last) + 1)) reject(error);
    }
    this.#isDue = false;
    this.#sendSoon();
  }

  #inOrder(asked: readonly PendingStatement[]): readonly PendingStatement[] {
    const { order } = this.#statement;
    if (!order) return asked;
    const keyed = asked.map((one) => ({ one, key: order(one.values) }));
    return keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key))).map(({ one }) => one);
  }

  async #sendOn(client: pg.PoolClient, sent: readonly PendingStatement[]): Promise<void> {
    let counts = true;
    this.#underWay++;
    const countNoMore = () => {
      if (counts) this.#underWay--;
      counts = false;
      this.#sendSoon();
    };
    const slow = setTimeout(countNoMore, slowAfter);
    try {
      const lists = sent.map(({ values }) => values);
      const first = this.#statement.order && sent.length > 1 ? limitWaiting : undefined;
      const answers = await this.#pool.use(client, allDisconnected(sent), () =>
        runForEach(client, this.#statement, lists, first),
      );
      sent.forEach(({ resolve }, at) => resolve(answers[at] as never[]));
    } catch (error) {
      if (sent.length > 1 && isOfOne(error)) for (const asked of sent) this.#sendAlone(asked);
      else for (const { reject } of sent) reject(error);
    }
    clearTimeout(slow);
    countNoMore();
  }

  /** Runs each call alone, so that an error caused by one call doesn't affect the others. */
  #sendAlone({ values, disconnect, resolve, reject }: PendingStatement): void {
    this.#pool.run(this.#statement, values, disconnect).then((rows) => resolve(rows as never[]), reject);
  }
}

/** Combines the clients of one message: it counts as disconnected when all of them are. Supports one listener. */
function allDisconnected(asked: readonly PendingStatement[]): ClientDisconnect | undefined {
  const all: ClientDisconnect[] = [];
  for (const { disconnect } of asked) {
    if (!disconnect) return undefined;
    all.push(disconnect);
  }
  if (all.length === 1) return all[0];
  const isGone = () => all.every(({ gone }) => gone);
  let check: () => void;
  return {
    get gone() {
      return isGone();
    },
    add(listener) {
      check = () => isGone() && listener();
      for (const one of all) one.add(check);
    },
    delete() {
      for (const one of all) one.delete(check);
    },
  };
}

/**
 * Whether the message failed because of one of its calls: a value (SQLSTATE class 22), a constraint (23), the lock
 * timeout, or a deadlock.
 */
function isOfOne(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(22|23|55P03|40P01)/.test(code);
}
