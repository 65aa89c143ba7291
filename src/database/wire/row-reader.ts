import pg from 'pg';
import { momentType, readMoment } from './moments.ts';

/**
 * Rows from the texts of their columns. A row of a list has 40 columns and more, which a loop fills in by name; a function
 * made for the columns, as an object literal, takes a tenth of its time: 6 % of a page of issues. It is made once a
 * statement has read so many rows that it pays.
 */

/** PostgreSQL's description of a column. */
export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Makes a row from the texts of its columns; null stands for NULL. */
export type Reader = (texts: readonly (string | null)[]) => Record<string, unknown>;

type Parser = (text: string) => unknown;

/** Rows that the loop reads before a function is made. */
const worthwhile = 200;
/** Functions that are kept: an instance has far fewer statements. */
const most = 5_000;

/** Reads a value of a type of PostgreSQL. */
const parserOf = (type: number): Parser =>
  type === momentType ? readMoment : (pg.types.getTypeParser(type, 'text') as Parser);

/** @param from index of its first column */
export function rowReader(fields: readonly Field[], from: number): Reader {
  const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
  const empty = Object.fromEntries(columns.map(({ name }) => [name, null]));
  let left = worthwhile;
  let read: Reader = (texts) => {
    if (--left === 0) read = madeFor(fields, from) ?? read;
    const row: Record<string, unknown> = { ...empty };
    for (let at = 0; at < columns.length; at++) {
      const text = texts[from + at]!;
      if (text !== null) row[columns[at]!.name] = columns[at]!.parse(text);
    }
    return row;
  };
  return (texts) => read(texts);
}

/** The functions, by what they read: connections share them. */
const made = new Map<string, Reader>();

/** Undefined for columns that aren't named by plain words, which alone may become part of a function. */
function madeFor(fields: readonly Field[], from: number): Reader | undefined {
  if (!fields.every(({ name }) => /^[a-z]\w*$/i.test(name))) return undefined;
  const key = `${from} ${fields.map(({ name, dataTypeID }) => `${name}:${dataTypeID}`).join(' ')}`;
  let reader = made.get(key);
  if (!reader) {
    const members = fields.map(
      ({ name }, at) => `${name}: (text = texts[${from + at}]) === null ? null : parse${at}(text)`,
    );
    const make = new Function(
      ...fields.map((_field, at) => `parse${at}`),
      `return (texts) => { let text; return { ${members.join(', ')} }; };`,
    ) as (...parsers: Parser[]) => Reader;
    reader = make(...fields.map(({ dataTypeID }) => parserOf(dataTypeID)));
    if (made.size < most) made.set(key, reader);
  }
  return reader;
}
