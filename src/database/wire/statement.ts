/**
 * A hand-written statement: its text, and the name under which each connection prepares it. `Row` is the type of a row.
 */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Whether it may share a message with others of its kind (batching): see `batchedStatement` and `batchedWrite`. */
  readonly isBatched?: true;
  /** For writes: the sort key inside a message, so that all processes lock rows in the same order. */
  readonly order?: (values: readonly unknown[]) => string;
  /** Whether it puts jobs into the queue: its commit wakes the workers. */
  readonly enqueues?: true;
  /** Whether it may have jobs of pipelines wait for a runner: its commit wakes runners that wait for one. */
  readonly queuesCiJobs?: true;
  /** Whether it changes the pipeline whose id is its first value: its commit reaches those who watch that. */
  readonly changesPipeline?: true;
  /** Never set: carries the row's type. */
  readonly row?: Row;
}

/** Statements that give jobs of pipelines the status `pending`. */
const queuesCiJobs = /update ci_jobs\b.*?\bset\b.*?'pending'/s;

/** The texts by their names. */
const texts = new Map<string, string>();

/** Characters of a name that PostgreSQL distinguishes. */
const longestName = 63;

/**
 * A statement with a name of its own; without a name, it is prepared for each run.
 * @throws Error if another statement has the name: a connection would run the one that it prepared first
 */
export function statement<Row>(name: string, text: string): Statement<Row> {
  if (name !== '') {
    if (name.length > longestName) throw new Error(`The name of a statement is too long: ${name}.`);
    if ((texts.get(name) ?? text) !== text) throw new Error(`Two statements are called ${name}.`);
    texts.set(name, text);
  }
  return {
    name,
    text,
    ...(text.includes('insert into jobs ') && { enqueues: true }),
    ...(queuesCiJobs.test(text) && { queuesCiJobs: true }),
  };
}

/** A read of one row (or a few) by an index: concurrent calls are batched. */
export const batchedStatement = <Row>(name: string, text: string): Statement<Row> => ({
  ...statement<Row>(name, text),
  isBatched: true,
});

/** The order of batched writes whose first value is the number of the row that they lock first. */
export const byNumber = ([number]: readonly unknown[]): string => String(number).padStart(20, '0');

/**
 * A statement that writes one row (or a few) of one person or token, independent of others: concurrent calls are
 * batched and committed together. If one fails or waits for a lock, each is run again alone.
 * @param order the sort key: the row that the statement locks first
 */
export const batchedWrite = <Row>(
  name: string,
  text: string,
  order: (values: readonly unknown[]) => string,
): Statement<Row> => ({
  ...statement<Row>(name, text),
  isBatched: true,
  order,
});
