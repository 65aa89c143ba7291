import { statement, type Statement } from './index.ts';
import { acrossOwners } from './list-across.ts';
import { inPieces, type At, type Parts } from './list-parts.ts';
import { matches } from './matching.ts';
import { stored, type StoredType } from './position.ts';

/** The order of a list: by a column, then by id. */
export interface Order {
  /** The name in cursors. */
  readonly name: string;
  readonly column: string;
  readonly type: StoredType;
  readonly direction: 'asc' | 'desc';
  /** The direction of ids where the column is equal, if it differs from `direction`. */
  readonly ties?: 'desc';
  /** How a list that is most of a big table is read in this order and direction, if no index has it as a whole. */
  readonly parts?: Parts | undefined;
}

/** The position of a row in an order (cursor pagination). A timestamp is in milliseconds since 1970. */
export interface Position {
  readonly value: string;
  readonly id: number;
}

/** How to read records of one kind, one row each, wherever they are shown. */
export interface Reading<Row> {
  /** SQL: the columns of the row, with their names. */
  readonly columns: string;
  /** SQL: the tables of these columns. */
  readonly from: string;
  /** SQL: the column that identifies a record. */
  readonly id: string;
  /** Never set: carries the row's type. */
  readonly row?: Row;
}

/**
 * SQL for an array of ids that PostgreSQL doesn't look into while it plans: it expects as many for each call, so that one
 * plan serves all. Otherwise it plans again for each array that is shorter than it expected.
 */
const idsIn = (array: string) => `array(select unnest(${array}::int[]))`;

/** Reads records by id, in no order. $1 ids. */
export const readByIds = <Row>(name: string, { columns, from, id }: Reading<Row>) =>
  statement<Row>(name, `select ${columns} from ${from} where ${id} = any(${idsIn('$1')})`);

/** Additional columns of a row in a list. */
export interface Listed {
  /** Its position in the order. */
  readonly position: string;
  /** How many rows there are in all, if they were counted with the page. */
  readonly total?: number;
}

/** SQL for the id of the record that has the list, where those of many records are read at once (`pages`). */
export const parent = 'parent.id';
export type Parent = typeof parent;

/** The record that a row's list belongs to, where those of many records are read at once. */
export interface OfParent {
  readonly parent_id: number;
}

/** The requested part of a list, as in Relay's connections, or an offset. */
export interface Slice {
  readonly after: Position | null;
  readonly before: Position | null;
  readonly offset: number;
  readonly limit: number;
  /** From the end: last rows first. */
  readonly inverted: boolean;
}

/** A statement together with its values. */
export interface Prepared<Row> {
  readonly statement: Statement<Row>;
  readonly values: readonly unknown[];
}

/** The lists of many records, of which one statement reads the same page, or counts all. */
export interface ListsOfMany<Row> {
  /** @param parents ids of the records */
  pages(parents: readonly number[], order: Order, slice: Slice): Prepared<Row & Listed & OfParent>;
  /** @param most up to which length each list is counted */
  counts(parents: readonly number[], most: number): Prepared<{ total: number } & OfParent>;
}

/** A list query, built from the filters of a request. */
export class ListQuery<Row extends { readonly id: number }> implements ListsOfMany<Row> {
  readonly #from: string;
  readonly #id: string;
  readonly #reading: Reading<Row>;
  readonly #conditions: string[] = [];
  /** SQL by the names that conditions give it. */
  readonly #common = new Map<string, string>();
  /** SQL that replaces the column of an order, by the name of the order. */
  readonly #orders = new Map<string, string>();
  readonly #values: unknown[] = [];
  /** Whether the same plan is best for all values. */
  #isSteady = true;
  #countsApart = false;
  #owners: { readonly column: string; readonly ids: string } | undefined;

  /**
   * @param from SQL of what is listed
   * @param id the column that identifies a row
   * @param reading what is read of each row
   */
  constructor(from: string, id: string, reading: Reading<Row>) {
    this.#from = from;
    this.#id = id;
    this.#reading = reading;
  }

  /**
   * Adds a value whose selectivity PostgreSQL should consider: a word, a time. The statement is planned for each call.
   * @returns its placeholder in SQL
   */
  value(value: unknown): string {
    this.#isSteady = false;
    return `$${this.#values.push(value)}`;
  }

  /**
   * Adds a value that identifies something, such as an id. All such values need the same plan, so the statement stays
   * prepared.
   */
  key(value: number | string): string {
    return `$${this.#values.push(value)}`;
  }

  /** SQL for the id of a person, such as the viewer; null for a request without one. */
  personId(id: number | null | undefined): string {
    return id == null ? 'null::int' : `${this.key(id)}::int`;
  }

  /**
   * Counts without the order, for a list that is most of a big table: the page is found along the index of its order, and
   * the count stops early, while both together would sort the table.
   */
  countApart(): this {
    this.#countsApart = true;
    return this;
  }

  /**
   * Lists only what belongs to some owners, such as the events of a thousand projects. A page then looks at the next row of each
   * owner, and reads on with those alone whose next rows come first: whatever is on the page is theirs. So it needs neither all
   * their rows nor those between them, along an index of the column and the order.
   * @param column that has the owner
   * @param ids SQL: a query for the ids of the owners
   */
  across(column: string, ids: string): this {
    this.#owners = { column, ids };
    return this;
  }

  /** All conditions, for what isn't read owner by owner. */
  get #all(): readonly string[] {
    return this.#owners
      ? [...this.#conditions, `${this.#owners.column} = any(array(${this.#owners.ids}))`]
      : this.#conditions;
  }

  /**
   * Names a query that several conditions read. It runs at most once for a statement, and only if its result decides something.
   * @param columns of its rows
   */
  common(name: string, columns: string, select: string): this {
    this.#common.set(`${name}(${columns})`, select);
    return this;
  }

  where(condition: string): this {
    this.#conditions.push(condition);
    return this;
  }

  /** Adds a condition for a filter; null or omitted filters match every row. */
  given<T>(filter: T | null | undefined, condition: (value: string) => string): this {
    return filter == null ? this : this.where(condition(this.value(filter)));
  }

  /** Orders by what a value of the request decides, such as a search, in the order with this name. */
  orderBy(name: string, column: string): this {
    this.#orders.set(name, column);
    return this;
  }

  /** Adds a search, if there is one: only rows where one of the columns contains every word of it. */
  search(text: string | null | undefined, columns: readonly string[]): this {
    return text?.trim() ? this.where(matches(text, columns, (value) => this.value(value))) : this;
  }

  /**
   * One page of the list (cursor pagination).
   * @param counted count up to this many rows together with the page, which must lie within them; omitted: don't count
   */
  page(order: Order, slice: Slice, counted?: number): Prepared<Row & Listed> {
    const { columns, from, id } = this.#reading;
    const { all, part, listed, way, idWay, values } = this.#slice(order, slice, {
      across: counted === undefined,
      inParts: this.#countsApart,
    });
    // Counts by scanning further in the same order, instead of filtering a second time.
    const page =
      counted === undefined
        ? listed
        : this.#countsApart
          ? `select listed.*, (select count(*)::int from (select 1 from ${this.#from} ${where(this.#all)} limit ${counted}) counted) as total from (${listed}) listed`
          : `select listed.*, count(*) over ()::int as total from (${all} limit ${counted}) listed order by sort_value ${way}, id ${idWay} ${part}`;
    return {
      statement: this.#statement(
        `select ${columns}, ${stored[order.type].write('page.sort_value')} as position${counted === undefined ? '' : ', page.total'}
           from ${from} join (${page}) page on page.id = ${id} order by page.sort_value ${way}, page.id ${idWay}`,
      ),
      values,
    };
  }

  /**
   * SQL for the ids of a page, with their positions in the order.
   * @param across whether rows of several owners are read along an index for each
   * @param inParts whether the order is read in its parts
   */
  #slice(
    order: Order,
    { after, before, offset, limit, inverted }: Slice,
    { across = true, inParts = false }: { readonly across?: boolean; readonly inParts?: boolean } = {},
  ) {
    const { name, column: usual, type, direction, ties, parts } = order;
    const column = this.#orders.get(name) ?? usual;
    const values = [...this.#values];
    const value = (one: unknown) => `$${values.push(one)}`;
    const isMixed = ties !== undefined && ties !== direction;
    const owners = across ? this.#owners : undefined;
    const own = owners ? this.#conditions : this.#all;
    const at = (position: Position | null) =>
      position && { value: stored[type].read(value(position.value)), id: `${value(position.id)}::int` };
    const [forward, backward] = direction === 'asc' ? (['>', '<'] as const) : (['<', '>'] as const);
    const way = (direction === 'asc') === inverted ? 'desc' : 'asc';
    const idWay = isMixed ? (way === 'asc' ? 'desc' : 'asc') : way;
    const [start, end] = [at(after), at(before)];
    const within = (of: string, position: At | null, sign: '<' | '>') => {
      if (!position) return [];
      if (!isMixed) return [`(${of}, ${this.#id}) ${sign} (${position.value}, ${position.id})`];
      const opposite = sign === '<' ? '>' : '<';
      return [
        `${of} ${sign}= ${position.value} and (${of} ${sign} ${position.value} or ${this.#id} ${opposite} ${position.id})`,
      ];
    };
    const rows = (of: string, by: readonly string[], join: string, more: readonly string[]) => {
      const conditions = [...own, ...more, ...within(of, start, forward), ...within(of, end, backward)];
      const sorted = [...by.map((one) => `${one} ${way}`), `${this.#id} ${idWay}`].join(', ');
      return `select ${this.#id} as id, ${of} as sort_value from ${this.#from} ${join} ${where(conditions)} order by ${sorted}`;
    };
    const [most, skipped] = [value(limit), value(offset)];
    const wanted = `(${most}::int + ${skipped}::int)`;
    const all = owners
      ? acrossOwners(rows(column, [column], '', [`${owners.column} = owner.id`]), owners.ids, {
          order: `sort_value ${way}, id ${idWay}`,
          wanted,
        })
      : rows(column, [column], '', []);
    const part = `limit ${most} offset ${skipped}`;
    const ends = { all, part, way, idWay, values };
    if (!inParts || !parts) return { ...ends, listed: `${all} ${part}` };
    const pieces = inPieces(parts, {
      rows,
      wanted,
      table: this.#from.split(' ', 1)[0]!,
      id: this.#id,
      idWay,
      inverted,
      bounds: [...(start ? [{ ...start, sign: forward }] : []), ...(end ? [{ ...end, sign: backward }] : [])],
      from: inverted ? end : start,
    });
    const listed = `select * from (${pieces}) pieces order by sort_value ${way}, id ${idWay} ${part}`;
    return { ...ends, listed };
  }

  /**
   * The same page of the lists of many records, whose id is `parent` in the conditions.
   * @param parents ids of the records
   */
  pages(parents: readonly number[], order: Order, slice: Slice): Prepared<Row & Listed & OfParent> {
    const { columns, from, id } = this.#reading;
    const { listed, way, idWay, values } = this.#slice(order, slice);
    const ids = `$${values.push(parents)}`;
    return {
      statement: this.#statement(
        `select ${columns}, page.parent_id, ${stored[order.type].write('page.sort_value')} as position
           from ${from} join (
             select parent.id as parent_id, listed.* from unnest(${ids}::int[]) parent(id) cross join lateral (${listed}) listed
           ) page on page.id = ${id} order by page.parent_id, page.sort_value ${way}, page.id ${idWay}`,
      ),
      values,
    };
  }

  /** Counts the rows of the lists of many records, up to `most` for each. */
  counts(parents: readonly number[], most: number): Prepared<{ total: number } & OfParent> {
    const values = [...this.#values];
    const ids = `$${values.push(parents)}`;
    return {
      statement: this.#statement(
        `select parent.id as parent_id, counted.total from unnest(${ids}::int[]) parent(id) cross join lateral (
           select count(*)::int as total from (select 1 from ${this.#from} ${where(this.#all)} limit ${most}) rows
         ) counted`,
      ),
      values,
    };
  }

  /** Counts all rows of the lists of many records by the value of a column. */
  countsBy(parents: readonly number[], column: string): Prepared<{ value: string; total: number } & OfParent> {
    const values = [...this.#values];
    const ids = `$${values.push(parents)}`;
    return {
      statement: this.#statement(
        `select parent.id as parent_id, counted.* from unnest(${ids}::int[]) parent(id) cross join lateral (
           select ${column}::text as value, count(*)::int as total from ${this.#from} ${where(this.#all)} group by ${column}
         ) counted`,
      ),
      values,
    };
  }

  /** Sums a column over all rows of the lists of many records. */
  sums(parents: readonly number[], column: string): Prepared<{ total: string } & OfParent> {
    const values = [...this.#values];
    const ids = `$${values.push(parents)}`;
    return {
      statement: this.#statement(
        `select parent.id as parent_id, summed.total from unnest(${ids}::int[]) parent(id) cross join lateral (
           ${this.#sum(column)}
         ) summed`,
      ),
      values,
    };
  }

  /** Sums a column over all rows. */
  sum(column: string): Prepared<{ total: string }> {
    return { statement: this.#statement(this.#sum(column)), values: this.#values };
  }

  #sum(column: string): string {
    return `select coalesce(sum(${column}), 0)::text as total from ${this.#from} ${where(this.#all)}`;
  }

  /** Counts all rows by the value of a column. */
  countBy(column: string): Prepared<{ value: string; total: number }> {
    return {
      statement: this.#statement(
        `select ${column}::text as value, count(*)::int as total from ${this.#from} ${where(this.#all)} group by ${column}`,
      ),
      values: this.#values,
    };
  }

  /** Counts rows, up to `most`. Ordered, so that it scans an index and can stop; see `countApart`. */
  count(most: number): Prepared<{ total: number }> {
    return {
      statement: this.#statement(
        `select count(*)::int as total
           from (select 1 from ${this.#from} ${where(this.#all)} ${this.#countsApart ? '' : `order by ${this.#id}`} limit ${most}) counted`,
      ),
      values: this.#values,
    };
  }

  #statement<R>(select: string): Statement<R> {
    const common = [...this.#common].map(([name, query]) => `${name} as materialized (${query})`);
    const text = common.length > 0 ? `with ${common.join(', ')} ${select}` : select;
    return this.#isSteady ? kept<R>(this.#from, text) : statement('', text);
  }
}

/** Statements of lists that connections keep prepared, by their text. */
const statements = new Map<string, Statement<never>>();

/** Maximum number of them: each costs memory in every connection. */
const maxKept = 100;

/**
 * Returns the kept statement of a text, or a new one. @param from starts with the table, which becomes part of the
 * name for traces
 */
function kept<Row>(from: string, text: string): Statement<Row> {
  const known = statements.get(text);
  if (known) return known;
  if (statements.size >= maxKept) return statement('', text);
  const made = statement<never>(`list_${from.split(' ', 1)[0]}_${statements.size}`, text);
  statements.set(text, made);
  return made;
}

const where = (conditions: readonly string[]) => (conditions.length > 0 ? `where ${conditions.join(' and ')}` : '');
