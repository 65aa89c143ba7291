/**
 * A hand-written statement: its text, and the name under which each connection
 * keeps it prepared. `Row` is what one row of its answer looks like.
 */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Whether it may share a message with others of its kind: see `gathered` and `batchedWrite`. */
  readonly isBatched?: true;
  /** Of one that writes: by what those of a message are sorted, so that everyone locks rows in the same order. */
  readonly order?: (values: readonly unknown[]) => string;
  /** Never set: carries the row's type. */
  readonly row?: Row;
}

export const statement = <Row>(name: string, text: string): Statement<Row> => ({ name, text });

/** A statement that only reads, and finds a row or so by an index: what comes at the same time goes together. */
export const batchedStatement = <Row>(name: string, text: string): Statement<Row> => ({ name, text, isBatched: true });

/**
 * A statement that writes a row or so of one person or one token, each with nothing to do
 * with the others': what comes at the same time goes together, and is committed together. One
 * that fails, or waits for a lock, is run again by itself, and so are those that came with it.
 * @param order by what they are sorted: what their first lock is on
 */
export const batchedWrite = <Row>(
  name: string,
  text: string,
  order: (values: readonly unknown[]) => string,
): Statement<Row> => ({
  name,
  text,
  isBatched: true,
  order,
});
