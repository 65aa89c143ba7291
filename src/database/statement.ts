/**
 * A hand-written statement: its text, and the name under which each connection
 * keeps it prepared. `Row` is what one row of its answer looks like.
 */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Whether it may share a message with others of its kind: see `gathered`. */
  readonly isGathered?: true;
  /** Never set: carries the row's type. */
  readonly row?: Row;
}

export const statement = <Row>(name: string, text: string): Statement<Row> => ({ name, text });

/** A statement that only reads, and finds a row or so by an index: what comes at the same time goes together. */
export const gathered = <Row>(name: string, text: string): Statement<Row> => ({ name, text, isGathered: true });
