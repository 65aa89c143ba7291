import { PlainBadRequest } from '../../../errors.ts';

/** Which names of branches or tags a list has. */
export interface NameFilter {
  /** A part of the name; `^x` for names that begin with it, `x$` for those that end with it. Case doesn't matter. */
  readonly search?: string | null | undefined;
  /** A regular expression in the syntax of RE2, found anywhere in the name. */
  readonly regex?: string | null | undefined;
}

/** Steps that matching may take in all: an expression's size times the characters of all names. */
const mostSteps = 50_000_000;
const longestRegex = 1_000;

/**
 * The items whose names match. A name that a search without `^` and `$` hits as a whole comes first.
 * @throws PlainBadRequest for a regular expression that is none, or that would take too long
 */
export async function matching<Item extends { readonly name: string }>(
  items: readonly Item[],
  { search, regex }: NameFilter,
): Promise<readonly Item[]> {
  const searched = search ? searchedBy(items, search) : items;
  return regex ? await matchedBy(searched, regex) : searched;
}

function searchedBy<Item extends { readonly name: string }>(items: readonly Item[], search: string): readonly Item[] {
  const [, start, given, end] = /^(\^?)(.*?)(\$?)$/s.exec(search)!;
  const text = given!.toLowerCase();
  const fits = (name: string) =>
    start || end ? (!start || name.startsWith(text)) && (!end || name.endsWith(text)) : name.includes(text);
  const found = items.filter(({ name }) => fits(name.toLowerCase()));
  if (start && end) return found.filter(({ name }) => name.length === text.length);
  const exact = start || end ? -1 : found.findIndex(({ name }) => name === search);
  return exact > 0 ? [found[exact]!, ...found.toSpliced(exact, 1)] : found;
}

async function matchedBy<Item extends { readonly name: string }>(
  items: readonly Item[],
  regex: string,
): Promise<readonly Item[]> {
  // Linear in the length of a name, which a regular expression of JavaScript isn't. Loaded by the first who asks.
  const { RE2JS } = await import('re2js');
  let pattern: InstanceType<typeof RE2JS>;
  try {
    if (regex.length > longestRegex) throw new Error('It is too long.');
    pattern = RE2JS.compile(regex);
  } catch {
    throw new PlainBadRequest('Regex is invalid');
  }
  const characters = items.reduce((sum, { name }) => sum + name.length, 0);
  if (pattern.programSize() * characters > mostSteps) throw new PlainBadRequest('Regex is too large');
  return items.filter(({ name }) => pattern.test(name));
}
