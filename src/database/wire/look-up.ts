import { batchedStatement, type Statement } from './statement.ts';

/** Placeholder in a statement's values: the id of the person that the credential belongs to. */
export const viewerId = Symbol('the viewer’s id');

/** A prefetch: the first read of a request, known before its viewer is. */
export interface Prefetch {
  /** Returns at most one row. */
  readonly statement: Statement<unknown>;
  readonly values: readonly unknown[];
}

/** The row of the look-up with the prefetched columns; `prefetch` is null if the prefetched row doesn't exist. */
export type WithPrefetch<Row> = Row & { readonly prefetch?: object | null };

/** The look-up of a credential, alone or together with a prefetch. It only reads, and returns at most one row. */
export class LookUp<Row extends object> {
  /** The look-up without a prefetch. */
  readonly alone: Statement<Row>;
  /** The column of the person's id. */
  readonly viewer: keyof Row & string;
  readonly #along = new Map<Statement<unknown>, Statement<WithPrefetch<Row>>>();

  constructor(name: string, viewer: keyof Row & string, text: string) {
    this.alone = batchedStatement(name, text);
    this.viewer = viewer;
  }

  /**
   * Combines the look-up with a prefetch in one statement. The prefetched columns follow the column `prefetch`, which
   * is null if there is no prefetched row.
   * @param taken number of parameters of the look-up itself
   */
  with({ statement, values }: Prefetch, taken: number): Statement<WithPrefetch<Row>> {
    let both = this.#along.get(statement);
    if (!both) {
      let next = taken;
      const names = values.map((value) => (value === viewerId ? `found.${this.viewer}` : `$${++next}`));
      const text = statement.text.replaceAll(/\$(\d+)/g, (_parameter, number: string) => names[Number(number) - 1]!);
      both = batchedStatement(
        `${this.alone.name[0]!}:${statement.name}`,
        `with found as (${this.alone.text})
         select found.*, prefetch.* from found left join lateral (select true as prefetch, read.* from (${text}) read) prefetch on true`,
      );
      this.#along.set(statement, both);
    }
    return both;
  }
}
