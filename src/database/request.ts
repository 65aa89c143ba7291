import type { Trace } from '../observability/index.ts';
import type { Database, OpenDatabase, Sql, Statement } from './index.ts';
import { attached, isAttached, type CancellablePool, type Leaving } from './pool.ts';
import { onlyReads } from './replica.ts';
import type { PrismaClient } from './client/client.ts';

/** What one request has cost the database so far: for its line in the log. */
export interface Ledger {
  statements: number;
  /** Spent waiting for answers. Of statements that ran at the same time each counts. */
  milliseconds: number;
  /** Where its statements are told, if it is traced. */
  readonly trace?: Trace;
}

/** Stands in the values of a statement for the id of the person whom a token is found to belong to. */
export const viewerId = Symbol('the viewer’s id');

/** What a request is going to read first, known before anybody knows who asks. */
export interface Ahead {
  /** One row at most. */
  readonly statement: Statement<unknown>;
  readonly values: readonly unknown[];
}

/** A look-up that something else can be read along with. */
export interface LookUp<Row> {
  readonly name: string;
  /** SQL: common table expressions, of which `found` has the row that is looked for. */
  readonly common: string;
  /** SQL: the columns of `found`. */
  readonly columns: readonly (keyof Row & string)[];
  /** Which of them is the person's id. */
  readonly viewer: keyof Row & string;
}

/**
 * The database as one request sees it: counts what it asks for, stops the reads of a
 * client that has left, and remembers what was read ahead.
 */
export class RequestDatabase implements Database {
  readonly #database: OpenDatabase;
  readonly ledger: Ledger;
  readonly leaving: Leaving | undefined;
  /** Whether a replica has all that this operation may see; asked when it first reads. Undefined: it may not answer. */
  #caughtUp: (() => Promise<boolean>) | undefined;
  #readAhead: { statement: Statement<unknown>; values: readonly unknown[]; rows: unknown[] } | undefined;
  readonly #trace: Trace | undefined;

  /** @param trace where its statements are told, if not right below the request */
  constructor(database: OpenDatabase, ledger: Ledger, leaving?: Leaving, trace = ledger.trace) {
    this.#database = database;
    this.ledger = ledger;
    this.leaving = leaving;
    this.#trace = trace;
  }

  get isTraced(): boolean {
    return this.#trace !== undefined;
  }

  /** Resolves a field of a traced request on a database of its own, whose statements are told below the field. */
  field<T>(name: string, resolve: (database: RequestDatabase) => T): T {
    return this.#trace!.step('field', name, (trace) => {
      const below = new RequestDatabase(this.#database, this.ledger, this.leaving, trace);
      below.#caughtUp = this.#caughtUp;
      below.#readAhead = this.#readAhead;
      this.#readAhead = undefined;
      return isAttached() ? below.attach(() => resolve(below)) : resolve(below);
    });
  }

  get prisma(): PrismaClient {
    return this.#database.prisma;
  }

  rows<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
    const ahead = this.#readAhead;
    if (ahead?.statement === statement && ahead.values.every((value, at) => value === values[at])) {
      // Whoever asks again wants to see what has changed meanwhile.
      this.#readAhead = undefined;
      return Promise.resolve(ahead.rows as Row[]);
    }
    return this.counted(statement.name, () =>
      this.reading(
        statement.text,
        () => this.#database.rows(statement, values, this.leaving),
        (pool) => pool.run(statement, values, this.leaving),
      ),
    );
  }

  /** Says that an operation begins. Only what reads may be answered by a replica. */
  begin(reads: boolean): void {
    const { replica } = this.#database;
    let asked: Promise<boolean> | undefined;
    this.#caughtUp = reads && replica ? () => (asked ??= replica.caughtUp()) : undefined;
  }

  /** Reads from the replica, where there is one that may answer and can, and otherwise from the primary. */
  reading<T>(text: string, fromPrimary: () => Promise<T>, fromReplica: (pool: CancellablePool) => Promise<T>): Promise<T> {
    // What follows a write may have to see it.
    if (this.#caughtUp && !onlyReads(text)) this.#caughtUp = undefined;
    return this.#caughtUp ? this.#readingFrom(this.#caughtUp, fromPrimary, fromReplica) : fromPrimary();
  }

  async #readingFrom<T>(caughtUp: () => Promise<boolean>, fromPrimary: () => Promise<T>, fromReplica: (pool: CancellablePool) => Promise<T>): Promise<T> {
    if (!(await caughtUp())) return await fromPrimary();
    const replica = this.#database.replica!;
    try {
      return await fromReplica(replica.pool);
    } catch (error) {
      if (this.leaving?.gone || !replica.gaveUp(error)) throw error;
      return await fromPrimary();
    }
  }

  /**
   * Looks somebody up and reads in the same statement what they are going to ask for
   * next. `rows` answers that once, if it is asked exactly that; otherwise nothing is lost
   * but the reading. Whether they may see it is still the asker's to judge.
   */
  async lookUp<Row extends object>(lookUp: LookUp<Row>, values: readonly unknown[], ahead?: Ahead): Promise<Row | undefined> {
    if (!ahead) return (await this.rows(alone(lookUp), values))[0];
    const placed = ahead.values.filter((value) => value !== viewerId);
    const both = together(lookUp, ahead, values.length);
    const [row] = await this.counted(both.name, () => this.#database.rows(both, [...values, ...placed], this.leaving));
    if (row) {
      const person = row[lookUp.viewer as keyof Row];
      this.#readAhead = {
        statement: ahead.statement,
        values: ahead.values.map((value) => (value === viewerId ? person : value)),
        rows: row.ahead ? [row.ahead] : [],
      };
    }
    return row;
  }

  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    this.#caughtUp = undefined;
    return this.#database.transaction((sql) => work({ rows: (statement, values) => this.counted(statement.name, () => sql.rows(statement, values)) }));
  }

  exclusively<T>(key: number, work: () => Promise<T>): Promise<T> {
    return this.#database.exclusively(key, work);
  }

  /** Runs work whose statements by Prisma count, and stop, with this request. */
  attach<T>(work: () => T): T {
    return attached(this, work);
  }

  /** Runs a statement, counts it, and tells of it where the request is traced. */
  async counted<T>(name: string, work: () => Promise<T>): Promise<T> {
    const begin = performance.now();
    this.ledger.statements++;
    try {
      return await (this.#trace ? this.#trace.step('statement', name, work) : work());
    } finally {
      this.ledger.milliseconds += performance.now() - begin;
    }
  }
}

/** A look-up and what is read along with it, as one row. */
type Together<Row> = Row & { readonly ahead: object | null };

const lone = new WeakMap<LookUp<never>, Statement<never>>();

/** The look-up by itself. */
function alone<Row>(lookUp: LookUp<Row>): Statement<Row> {
  let made = lone.get(lookUp as LookUp<never>) as Statement<Row> | undefined;
  if (!made) {
    made = { name: lookUp.name, text: `with ${lookUp.common} select ${lookUp.columns.join(', ')} from found` };
    lone.set(lookUp as LookUp<never>, made as Statement<never>);
  }
  return made;
}

const pairs = new WeakMap<LookUp<never>, WeakMap<Statement<unknown>, Statement<never>>>();

/**
 * Both in one statement. The columns of what is read ahead come after the one called
 * `ahead`, which is null where there is no such row.
 * @param taken how many parameters the look-up has itself
 */
function together<Row>(lookUp: LookUp<Row>, { statement, values }: Ahead, taken: number): Statement<Together<Row>> {
  let made = pairs.get(lookUp as LookUp<never>);
  if (!made) pairs.set(lookUp as LookUp<never>, (made = new WeakMap()));
  let both = made.get(statement) as Statement<Together<Row>> | undefined;
  if (!both) {
    let next = taken;
    const names = values.map((value) => (value === viewerId ? `found.${lookUp.viewer}` : `$${++next}`));
    const text = statement.text.replaceAll(/\$(\d+)/g, (_parameter, number: string) => names[Number(number) - 1]!);
    both = {
      name: `${lookUp.name[0]!}:${statement.name}`,
      text: `with ${lookUp.common}
        select ${lookUp.columns.map((column) => `found.${column}`).join(', ')}, ahead.*
          from found left join lateral (select true as ahead, read.* from (${text}) read) ahead on true`,
    };
    made.set(statement, both as Statement<never>);
  }
  return both;
}
