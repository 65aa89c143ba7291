import { statement, type Statement } from './index.ts';

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

/** How records of a kind are read, each as one row, wherever they are shown. */
export interface Reading<Row> {
  /** SQL: the columns of the row, under the names that it has them by. */
  readonly columns: string;
  /** SQL: what these are columns of. */
  readonly from: string;
  /** SQL: the column that tells the records apart. */
  readonly id: string;
  /** Never set: carries the row's type. */
  readonly row?: Row;
}

/** Some records, in no order. $1 ids. */
export const readByIds = <Row>(name: string, { columns, from, id }: Reading<Row>) =>
  statement<Row>(name, `select ${columns} from ${from} where ${id} = any($1::int[])`);

/** What is known of a row besides, as part of a list. */
export interface Listed {
  /** Where in the order it stands. */
  readonly position: string;
  /** How many there are in all, if they were counted along with the page. */
  readonly total?: number;
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

/** A list that is put together out of the filters that were asked for. */
export class ListQuery<Row extends { readonly id: number }> {
  readonly #from: string;
  readonly #id: string;
  readonly #reading: Reading<Row>;
  readonly #conditions: string[] = [];
  readonly #values: unknown[] = [];
  /** Whether the best plan is the same for all values. */
  #isSteady = true;

  /**
   * @param from what is listed, and from where, as SQL
   * @param id the column that tells the rows apart
   * @param reading what is read of each
   */
  constructor(from: string, id: string, reading: Reading<Row>) {
    this.#from = from;
    this.#id = id;
    this.#reading = reading;
  }

  /**
   * A value by which PostgreSQL can tell how much it will find: a word, a moment. The
   * statement is planned anew for each.
   * @returns how SQL names it
   */
  value(value: unknown): string {
    this.#isSteady = false;
    return `$${this.#values.push(value)}`;
  }

  /** One that names something, whose plan is as good for any other: the statement is kept prepared. */
  key(value: number | string): string {
    return `$${this.#values.push(value)}`;
  }

  where(condition: string): this {
    this.#conditions.push(condition);
    return this;
  }

  /** A condition for a filter that was given; one that is null or left out holds for every row. */
  given<T>(filter: T | null | undefined, condition: (value: string) => string): this {
    return filter == null ? this : this.where(condition(this.value(filter)));
  }

  /** Only rows in which one of some columns holds every word of a search, if there is one. */
  search(text: string | null | undefined, columns: readonly string[]): this {
    return text?.trim() ? this.where(matches(text, columns, (value) => this.value(value))) : this;
  }

  /**
   * A part of the list.
   * @param counted up to how many rows are counted along with it, if they are. The part must lie within them.
   */
  page(
    { column, type, direction }: Order,
    { after, before, offset, limit, inverted }: Slice,
    counted?: number,
  ): Prepared<Row & Listed> {
    const { columns, from, id } = this.#reading;
    const values = [...this.#values];
    const value = (one: unknown) => `$${values.push(one)}`;
    const within = (position: Position | null, sign: '<' | '>') =>
      position &&
      `(${column}, ${this.#id}) ${sign} (${stored[type].read(value(position.value))}, ${value(position.id)}::int)`;
    const onward = direction === 'asc' ? '>' : '<';
    const back = direction === 'asc' ? '<' : '>';
    const conditions = [...this.#conditions, within(after, onward), within(before, back)].filter((one) => one !== null);
    const way = (direction === 'asc') === inverted ? 'desc' : 'asc';
    const part = `limit ${value(limit)} offset ${value(offset)}`;
    const listed = `select ${this.#id} as id, ${column} as place from ${this.#from} ${where(conditions)} order by ${column} ${way}, ${this.#id} ${way}`;
    // Counted by going on along the same way, rather than by filtering once more.
    const page =
      counted === undefined
        ? `${listed} ${part}`
        : `select listed.*, count(*) over ()::int as total from (${listed} limit ${counted}) listed order by place ${way}, id ${way} ${part}`;
    return {
      statement: this.#statement(
        `select ${columns}, ${stored[type].write('page.place')} as position${counted === undefined ? '' : ', page.total'}
           from ${from} join (${page}) page on page.id = ${id} order by page.place ${way}, page.id ${way}`,
      ),
      values,
    };
  }

  /** How many there are, counted up to `most`. In an order, so that it walks along an index and stops. */
  count(most: number): Prepared<{ total: number }> {
    return {
      statement: this.#statement(
        `select count(*)::int as total
           from (select 1 from ${this.#from} ${where(this.#conditions)} order by ${this.#id} limit ${most}) counted`,
      ),
      values: this.#values,
    };
  }

  #statement<R>(text: string): Statement<R> {
    return this.#isSteady ? kept<R>(this.#from, text) : statement('', text);
  }
}

/** Statements of lists that connections keep prepared, by their text. */
const statements = new Map<string, Statement<never>>();

/** Each costs every connection some memory. */
const maxKept = 100;

/** @param from begins with the table, which the name tells traces of */
function kept<Row>(from: string, text: string): Statement<Row> {
  const known = statements.get(text);
  if (known) return known;
  if (statements.size >= maxKept) return statement('', text);
  const made = statement<never>(`list_${from.split(' ', 1)[0]}_${statements.size}`, text);
  statements.set(text, made);
  return made;
}

const where = (conditions: readonly string[]) => (conditions.length > 0 ? `where ${conditions.join(' and ')}` : '');

/**
 * SQL for whether one of some columns holds every word of a search. A word below
 * three letters must be the whole text: it has no trigram to be found by.
 * @param value names a value
 */
export function matches(search: string, columns: readonly string[], value: (one: unknown) => string): string {
  const words = search.trim().split(/\s+/).slice(0, maxWords);
  const patterns = words.map((word) => {
    const literal = word.replace(/[\\%_]/g, '\\$&');
    return value(word.length < 3 ? literal : `%${literal}%`);
  });
  return `(${columns.map((column) => patterns.map((pattern) => `${column} ilike ${pattern}`).join(' and ')).join(' or ')})`;
}

/** Words of a search that count. */
const maxWords = 10;
