import type { Reading } from '../list.ts';

/** A record inside a row, as JSON: its times are texts. */
export type Inside<Row> = { readonly [Name in keyof Row]: Row[Name] extends Date ? string : Row[Name] };

/** SQL of a record as JSON; null if there is none. @param key SQL of its id */
export const inside = ({ columns, from, id }: Reading<unknown>, key: string) =>
  `(select row_to_json(shown) from (select ${columns} from ${from} where ${id} = ${key}) shown)`;
