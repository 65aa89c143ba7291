import type pg from 'pg';
import { statement, type Statement } from './statement.ts';
import type { CancellablePool } from './pool.ts';
import type { ClientDisconnect } from './sql.ts';
import { runForEach } from './prepared.ts';

/**
 * Messages of one statement that are under way at once. More would be smaller, and save less: of writes most of
 * all, which share a commit too.
 */
const readsAtOnce = 2;
const writesAtOnce = 1;
/** Milliseconds after which a message counts no more among them: it waits for a lock, or for a server that is gone. */
const slowAfter = 50;
/** Most of them in one message. */
const most = 64;
/** For the rest of its transaction, nothing waits longer for a lock. */
const limitWaiting = statement('limit_waiting', `select set_config('lock_timeout', '${slowAfter}ms', true)`);

/** Somebody who waits for their rows. */
interface PendingStatement {
  readonly values: readonly unknown[];
  readonly disconnect: ClientDisconnect | undefined;
  resolve(rows: never[]): void;
  reject(error: unknown): void;
}

/**
 * The fast lane of statements that most requests consist of. Nearly all that these cost is
 * the way to PostgreSQL and back: a message, a system call and a wake-up on either side,
 * and a commit, where something is written. Requests that are under way at the same time
 * and ask for the same statement share these, each with values of its own.
 *
 * It is for what reads or writes a row or so by an index: what is in one message comes back
 * together. Statements don't mix, so that where one waits for a lock, what has nothing to
 * do with it doesn't. Writes that share a message are one transaction: they wait for a
 * lock only for so long, and then each has one of its own.
 */
export class StatementBatcher {
  readonly #pool: CancellablePool;
  readonly #queues = new Map<Statement<unknown>, Queue>();

  constructor(pool: CancellablePool) {
    this.#pool = pool;
  }

  /** @param disconnect of the one who waits for it, if they may leave: when nobody is left who waits for a message, it is cancelled */
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

/** Those who ask for the same statement. */
class Queue {
  readonly #pool: CancellablePool;
  readonly #statement: Statement<unknown>;
  readonly #atOnce: number;
  #waiting: PendingStatement[] = [];
  #underWay = 0;
  /** Whether the next message is about to go. */
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

  /** After the requests that have come in the same turn of the event loop. */
  #sendSoon(): void {
    if (this.#isDue || this.#underWay === this.#atOnce || this.#waiting.length === 0) return;
    this.#isDue = true;
    setImmediate(() => void this.#send());
  }

  async #send(): Promise<void> {
    const last = this.#waiting.at(-1)!;
    try {
      const client = await this.#pool.take();
      // Who came while there was no connection goes along.
      void this.#sendOn(client, this.#inOrder(this.#waiting.splice(0, most)));
    } catch (error) {
      // Those who have waited for it: who came later waits for the next.
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

  /** What one of them asked for is no reason to refuse the others. */
  #sendAlone({ values, disconnect, resolve, reject }: PendingStatement): void {
    this.#pool.run(this.#statement, values, disconnect).then((rows) => resolve(rows as never[]), reject);
  }
}

/** Those who wait for one message, as one, which has left when the last of them has; one listener can be told. */
function allDisconnected(asked: readonly PendingStatement[]): ClientDisconnect | undefined {
  const all: ClientDisconnect[] = [];
  for (const { disconnect } of asked) {
    if (!disconnect) return undefined;
    all.push(disconnect);
  }
  if (all.length === 1) return all[0];
  const isGone = () => all.every(({ gone }) => gone);
  let tell: () => void;
  return {
    get gone() {
      return isGone();
    },
    add(listener) {
      tell = () => isGone() && listener();
      for (const one of all) one.add(tell);
    },
    delete() {
      for (const one of all) one.delete(tell);
    },
  };
}

/**
 * Whether PostgreSQL failed the message for something of one of them: a value (SQLSTATE
 * class 22), a constraint (23), a lock that it would have waited for, or a deadlock.
 */
function isOfOne(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(22|23|55P03|40P01)/.test(code);
}
