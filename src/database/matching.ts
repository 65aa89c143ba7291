/** SQL that finds records by what people type. */

/**
 * SQL for whether one of the columns contains every word of a search. Words of fewer than three letters have no trigram for
 * the index: they are ignored beside longer ones, and a search without longer ones must equal the whole text.
 * @param value adds a value and returns its placeholder
 */
export function matches(search: string, columns: readonly string[], value: (one: unknown) => string): string {
  const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&');
  const words = search.split(/\s+/).filter((word) => word.length >= 3);
  const wanted =
    words.length > 0 ? words.slice(0, maxWords).map((word) => `%${literal(word)}%`) : [literal(search.trim())];
  const patterns = wanted.map((pattern) => value(pattern));
  return `(${columns.map((column) => patterns.map((pattern) => `${column} ilike ${pattern}`).join(' and ')).join(' or ')})`;
}

/**
 * SQL for how much a record with a name and a path resembles a text in small letters, from 0 to 3.
 * @param of the table's name in the statement
 */
export const resemblance = (of: string, text: string) =>
  `case when ${text} in (lower(${of}.name), lower(${of}.path)) then 3
        when starts_with(lower(${of}.name), ${text}) or starts_with(lower(${of}.path), ${text}) then 2
        when position(${text} in lower(${of}.name)) > 0 or position(${text} in lower(${of}.path)) > 0 then 1
        else 0 end`;

/** Maximum number of words of a search; the rest is ignored. */
const maxWords = 10;
