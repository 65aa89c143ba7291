/**
 * Orders in parts: a long list is read part by part, each along an index of its own, instead of being sorted as a whole.
 */

/** Some rows of a list that follow each other in its order. */
export interface Part {
  /** SQL that joins what it needs besides the tables of the list, without adding or repeating rows. */
  readonly join?: string;
  /** SQL for which rows are in it. */
  readonly where: string;
  /** SQL for the place of a row in the order. */
  readonly value: string;
  /** SQL of what the rows are sorted by before their ids, most significant first, if it isn't `value`. */
  readonly by?: readonly string[];
  /** SQL that narrows the rows by an index, for a position. It holds for every row at the position or behind it. */
  readonly reach?: (position: string, sign: '<' | '>') => string;
}

/**
 * Rows with the value that comes first, looked for among the newest only: if they fill the page, no part is read; otherwise
 * they are dropped.
 */
interface Attempt {
  /** SQL for the first value of the whole list. */
  readonly first: string;
  /** SQL for the value of a row. */
  readonly value: string;
}

/** The parts of an order in their sequence. */
export interface Parts {
  readonly attempt?: Attempt;
  readonly parts: readonly Part[];
}

/** SQL for a condition of which PostgreSQL expects that it often holds. It takes `is null` for rare, and would sort instead. */
export const often = (condition: string): string => `coalesce(${condition}, false)`;

/** SQL for a position. */
export interface At {
  readonly value: string;
  readonly id: string;
}

/** A page that is read in parts. */
interface Page {
  /** SQL that selects rows by a place in the order, sorted, with more joins and conditions. */
  readonly rows: (value: string, by: readonly string[], join: string, conditions: readonly string[]) => string;
  /** SQL for how many rows are wanted. */
  readonly wanted: string;
  readonly table: string;
  /** SQL for the id of a row. */
  readonly id: string;
  readonly idWay: 'asc' | 'desc';
  /** From the end: the last part first. */
  readonly inverted: boolean;
  /** Positions that the rows are behind or before. */
  readonly bounds: readonly (At & { readonly sign: '<' | '>' })[];
  /** The position where the page begins, as it is read. */
  readonly from: At | null;
}

/**
 * SQL for the beginning of a list, each part of which is only read if those before it don't fill it: PostgreSQL evaluates
 * such a condition, which no row decides, before it reads any row.
 */
export function inPieces({ attempt, parts }: Parts, page: Page): string {
  const { rows, wanted, inverted, bounds, from } = page;
  const queries: string[] = [];
  const names: string[] = [];
  // Backwards from the end, the first value is of no use.
  if (attempt && (from || !inverted)) {
    const isFirst = often(`${attempt.value} = ${from?.value ?? attempt.first}`);
    queries.push(
      `tried as materialized (${rows(attempt.value, [], '', [isFirst, nearby(page)])} limit ${wanted})`,
      `enough as materialized (select * from tried where (select count(*) from tried) >= ${wanted})`,
    );
    names.push('enough');
  }
  for (const { value, by = [value], join = '', where, reach } of inverted ? parts.toReversed() : parts) {
    const found = names.map((name) => `(select count(*) from ${name})`).join(' + ') || '0';
    const reached = reach ? bounds.map((bound) => reach(bound.value, bound.sign)) : [];
    const name = `part_${names.length}`;
    queries.push(
      `${name} as materialized (${rows(value, by, join, [`${found} < ${wanted}`, where, ...reached])} limit ${wanted})`,
    );
    names.push(name);
  }
  return `with ${queries.join(', ')} ${names.map((name) => `select * from ${name}`).join(' union all ')}`;
}

/** How many rows an attempt looks at: they cost about as much as finding out what one may see. */
const most = 10_000;

/** SQL for whether a row is among those next to where the page begins. */
function nearby({ table, id, idWay, from }: Page): string {
  const [sign, beyond, whole] = idWay === 'desc' ? ['>=', '<', '0'] : ['<=', '>', '2147483647'];
  const nth = `select near.id from ${table} near ${from ? `where near.id ${beyond} ${from.id}` : ''} order by near.id ${idWay} offset ${most} limit 1`;
  return `${id} ${sign} coalesce((${nth}), ${whole})${from ? ` and ${id} ${beyond} ${from.id}` : ''}`;
}
