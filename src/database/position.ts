/** Positions of rows in an order, as cursors have them. */

/** SQL that converts a position to text and back: exact, and never text that PostgreSQL refuses. */
export const stored = {
  int: { read: (value: string) => `${value}::int`, write: (column: string) => `${column}::text` },
  bigint: { read: (value: string) => `${value}::bigint`, write: (column: string) => `(${column})::text` },
  text: { read: (value: string) => `${value}::text`, write: (column: string) => column },
  timestamptz: {
    read: (value: string) => `('epoch'::timestamptz + ${value}::bigint * interval '1 millisecond')`,
    write: (column: string) => `(extract(epoch from ${column}) * 1000)::bigint::text`,
  },
} as const;

/** A type of SQL whose values can be positions. */
export type StoredType = keyof typeof stored;
