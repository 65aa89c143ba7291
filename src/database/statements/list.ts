import { statement, type Statement } from '../index.ts';

/** How a list is ordered: by a column, and by id where that is the same. */
export interface Order {
  /** As cursors know it. */
  readonly name: string;
  readonly column: string;
  readonly type: 'int' | 'text' | 'timestamptz';
  readonly direction: 'asc' | 'desc';
}

/** Where in an order a row stands. A moment is in milliseconds since 1970. */
export interface Position {
  readonly value: string;
  readonly id: number;
}

export interface PositionedRow {
  readonly id: number;
  readonly position: string;
}

/** Which part of a list is wanted, as Relay's connections say it, or an offset. */
export interface Slice {
  readonly after: Position | null;
  readonly before: Position | null;
  readonly offset: number;
  readonly limit: number;
  /** From the end: the last ones first. */
  readonly inverted: boolean;
}

/** A statement together with its values. */
export interface Prepared<Row> {
  readonly statement: Statement<Row>;
  readonly values: readonly unknown[];
}

/** SQL from the stored text of a position, and to it: exact, and with no text that PostgreSQL could refuse. */
const stored = {
  int: { read: (value: string) => `${value}::int`, write: (column: string) => `${column}::text` },
  text: { read: (value: string) => `${value}::text`, write: (column: string) => column },
  timestamptz: {
    read: (value: string) => `('epoch'::timestamptz + ${value}::bigint * interval '1 millisecond')`,
    write: (column: string) => `(extract(epoch from ${column}) * 1000)::bigint::text`,
  },
} as const;

/**
 * A list that is put together out of the filters that were asked for. Its
 * statements aren't kept prepared: each is planned for the values that it has.
 */
export class ListQuery {
  readonly #from: string;
  readonly #id: string;
  readonly #conditions: string[] = [];
  readonly #values: unknown[] = [];

  /**
   * @param from what is listed, and from where, as SQL
   * @param id the column that tells the rows apart
   */
  constructor(from: string, id: string) {
    this.#from = from;
    this.#id = id;
  }

  /** @returns how SQL names a value */
  value(value: unknown): string {
    return `$${this.#values.push(value)}`;
  }

  where(condition: string): this {
    this.#conditions.push(condition);
    return this;
  }

  /** A part of the list, with the place of each row in the order. */
  slice({ column, type, direction }: Order, { after, before, offset, limit, inverted }: Slice): Prepared<PositionedRow> {
    const values = [...this.#values];
    const value = (one: unknown) => `$${values.push(one)}`;
    const within = (position: Position | null, sign: '<' | '>') =>
      position && `(${column}, ${this.#id}) ${sign} (${stored[type].read(value(position.value))}, ${value(position.id)}::int)`;
    const onward = direction === 'asc' ? '>' : '<';
    const back = direction === 'asc' ? '<' : '>';
    const conditions = [...this.#conditions, within(after, onward), within(before, back)].filter((one) => one !== null);
    const way = (direction === 'asc') === inverted ? 'desc' : 'asc';
    return {
      statement: statement(
        '',
        `select ${this.#id} as id, ${stored[type].write(column)} as position from ${this.#from}
          ${where(conditions)} order by ${column} ${way}, ${this.#id} ${way}
          limit ${value(limit)} offset ${value(offset)}`,
      ),
      values,
    };
  }

  /** How many there are, counted up to `most`. In an order, so that it walks along an index and stops. */
  count(most: number): Prepared<{ total: number }> {
    return {
      statement: statement(
        '',
        `select count(*)::int as total
           from (select 1 from ${this.#from} ${where(this.#conditions)} order by ${this.#id} limit ${most}) counted`,
      ),
      values: this.#values,
    };
  }
}

const where = (conditions: readonly string[]) => (conditions.length > 0 ? `where ${conditions.join(' and ')}` : '');

/**
 * SQL for whether one of some columns holds every word of a search. A word below
 * three letters must be the whole text: it has no trigram to be found by.
 * @param value names a value
 */
export function matches(search: string, columns: readonly string[], value: (one: unknown) => string): string {
  const words = search.trim().split(/\s+/).slice(0, mostWords);
  const patterns = words.map((word) => {
    const literal = word.replace(/[\\%_]/g, '\\$&');
    return value(word.length < 3 ? literal : `%${literal}%`);
  });
  return `(${columns.map((column) => patterns.map((pattern) => `${column} ilike ${pattern}`).join(' and ')).join(' or ')})`;
}

/** Words of a search that count. */
const mostWords = 10;
