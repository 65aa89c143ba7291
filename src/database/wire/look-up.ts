import { batchedStatement, type Statement } from './statement.ts';

/** Stands in the values of a statement for the id of the person whom a credential is found to belong to. */
export const viewerId = Symbol('the viewer’s id');

/** What a request is going to read first, known before anybody knows who asks. */
export interface Prefetch {
  /** One row at most. */
  readonly statement: Statement<unknown>;
  readonly values: readonly unknown[];
}

/** What is looked up and what is read along with it, as one row; null where there is nothing to read. */
export type Together<Row> = Row & { readonly prefetch?: object | null };

/** Finds who is behind a credential, by itself or along with what they ask for first. It only reads, and finds one row at most. */
export class LookUp<Row extends object> {
  /** The look-up by itself. */
  readonly alone: Statement<Row>;
  /** The column of the person's id. */
  readonly viewer: keyof Row & string;
  readonly #along = new Map<Statement<unknown>, Statement<Together<Row>>>();

  constructor(name: string, viewer: keyof Row & string, text: string) {
    this.alone = batchedStatement(name, text);
    this.viewer = viewer;
  }

  /**
   * Both in one statement. The columns of what is read prefetch come after the one called
   * `prefetch`, which is null where there is no such row.
   * @param taken how many parameters the look-up has itself
   */
  with({ statement, values }: Prefetch, taken: number): Statement<Together<Row>> {
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
