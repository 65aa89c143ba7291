/** The largest number of PostgreSQL’s `int` and of GraphQL’s `Int`. */
export const largestInteger = 2_147_483_647;

/** The number of a record that a text gives; 0, which no record has, if it gives none. */
export const recordNumber = (text: string): number =>
  /^\d{1,10}$/.test(text) && Number(text) <= largestInteger ? Number(text) : 0;
