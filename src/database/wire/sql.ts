import type { Statement } from './statement.ts';

/** Runs statements: on the pool, or inside a transaction. */
export interface Sql {
  /** @throws Unavailable when the database can't be reached */
  rows<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
}

/** Whether the client of a request disconnected before it was answered. */
export interface ClientDisconnect {
  readonly gone: boolean;
  add(listener: () => void): void;
  delete(listener: () => void): void;
}
