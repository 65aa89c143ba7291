import type pg from 'pg';
import type { Statement } from './statement.ts';
import type { CancellablePool, Leaving } from './pool.ts';
import { runForEach } from './prepared.ts';

/** Messages of one look-up that are under way at once. More would be smaller, and save less. */
const atOnce = 2;
/** Milliseconds after which a message counts no more among them: it waits for a lock, or for a server that is gone. */
const patience = 50;
/** Most look-ups in one message. */
const most = 64;

/** Somebody who waits for their rows. */
interface Asked {
  readonly values: readonly unknown[];
  readonly leaving: Leaving | undefined;
  resolve(rows: never[]): void;
  reject(error: unknown): void;
}

/**
 * The fast lane of look-ups. Nearly every request begins with one, and at that point
 * most of what a request costs is the way to PostgreSQL and back: a message, a system
 * call and a wake-up on either side. Requests that are under way at the same time and
 * ask for the same statement share these, each with values of its own.
 *
 * It is for what only reads, and reads a row or so by an index: what is in one message
 * comes back together. Statements don't mix, so that where one waits for a lock, what
 * has nothing to do with it doesn't.
 */
export class Gathering {
  readonly #pool: CancellablePool;
  readonly #queues = new Map<Statement<unknown>, Queue>();

  constructor(pool: CancellablePool) {
    this.#pool = pool;
  }

  /** @param leaving of the one who waits for it, if they may leave: when nobody is left who waits for a message, it is cancelled */
  rows<Row>(statement: Statement<Row>, values: readonly unknown[], leaving: Leaving | undefined): Promise<Row[]> {
    let queue = this.#queues.get(statement);
    if (!queue) this.#queues.set(statement, (queue = new Queue(this.#pool, statement)));
    return new Promise<Row[]>((resolve, reject) => queue.add({ values, leaving, resolve, reject }));
  }
}

/** Those who ask for the same statement. */
class Queue {
  readonly #pool: CancellablePool;
  readonly #statement: Statement<unknown>;
  #waiting: Asked[] = [];
  #underWay = 0;
  /** Whether the next message is about to go. */
  #isDue = false;

  constructor(pool: CancellablePool, statement: Statement<unknown>) {
    this.#pool = pool;
    this.#statement = statement;
  }

  add(asked: Asked): void {
    this.#waiting.push(asked);
    this.#sendSoon();
  }

  /** After the requests that have come in the same turn of the event loop. */
  #sendSoon(): void {
    if (this.#isDue || this.#underWay === atOnce || this.#waiting.length === 0) return;
    this.#isDue = true;
    setImmediate(() => void this.#send());
  }

  async #send(): Promise<void> {
    const last = this.#waiting.at(-1)!;
    try {
      const client = await this.#pool.take();
      // Who came while there was no connection goes along.
      void this.#sendOn(client, this.#waiting.splice(0, most));
    } catch (error) {
      // Those who have waited for it: who came later waits for the next.
      for (const { reject } of this.#waiting.splice(0, this.#waiting.indexOf(last) + 1)) reject(error);
    }
    this.#isDue = false;
    this.#sendSoon();
  }

  async #sendOn(client: pg.PoolClient, sent: readonly Asked[]): Promise<void> {
    let counts = true;
    this.#underWay++;
    const countNoMore = () => {
      if (counts) this.#underWay--;
      counts = false;
      this.#sendSoon();
    };
    const slow = setTimeout(countNoMore, patience);
    try {
      const answers = await this.#pool.use(client, togetherLeaving(sent), () => runForEach(client, this.#statement, sent.map(({ values }) => values)));
      sent.forEach(({ resolve }, at) => resolve(answers[at] as never[]));
    } catch (error) {
      if (sent.length > 1 && isOfValues(error)) for (const asked of sent) this.#sendAlone(asked);
      else for (const { reject } of sent) reject(error);
    }
    clearTimeout(slow);
    countNoMore();
  }

  /** What one of them asked for is no reason to refuse the others. */
  #sendAlone({ values, leaving, resolve, reject }: Asked): void {
    this.#pool.run(this.#statement, values, leaving).then((rows) => resolve(rows as never[]), reject);
  }
}

/** Those who wait for one message, as one, which has left when the last of them has; one listener can be told. */
function togetherLeaving(asked: readonly Asked[]): Leaving | undefined {
  const all: Leaving[] = [];
  for (const { leaving } of asked) {
    if (!leaving) return undefined;
    all.push(leaving);
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

/** Whether PostgreSQL refused a value (SQLSTATE class 22, data exception). */
function isOfValues(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code.startsWith('22');
}
