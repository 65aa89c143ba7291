import DataLoader from 'dataloader';
import type { Context } from '../context.ts';
import { BadRequest } from '../errors.ts';

/** How a client asks for a page of a connection. */
export interface PageArgs {
  readonly first?: number | null | undefined;
  readonly last?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly before?: string | null | undefined;
}

/** @throws BadRequest for a size that makes no sense */
export function refuseSize({ first, last }: PageArgs): void {
  if (first != null && last != null) throw new BadRequest('Ask for the first or for the last ones, not for both.');
  if ((first ?? last ?? 0) < 0) throw new BadRequest('A page can’t be smaller than nothing.');
}

/** What a list is sorted by, as a client keeps it: a page goes on at the same place after inserts. */
export const toCursor = (...values: readonly (string | number)[]): string => Buffer.from(JSON.stringify(values)).toString('base64url');

/**
 * The values in a cursor; undefined without one.
 * @param form `typeof` each of them
 * @throws BadRequest for one that no page gave
 */
export function fromCursor(cursor: string | undefined, ...form: readonly ('string' | 'number')[]): (string | number)[] | undefined {
  if (cursor === undefined) return undefined;
  let values: unknown;
  try {
    values = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    values = undefined;
  }
  const fits = (value: unknown, index: number) => typeof value === form[index] && (typeof value !== 'number' || isId(value));
  if (Array.isArray(values) && values.length === form.length && values.every(fits)) return values as (string | number)[];
  throw new BadRequest('A cursor is one that a page gave you.');
}

const isId = (value: number) => Number.isInteger(value) && value >= 0 && value <= 2_147_483_647;

/** What `like` takes as that text anywhere; null for none. */
export function containing(text: string | null | undefined): string | null {
  const wanted = text?.trim() ?? '';
  if (wanted.length > 255) throw new BadRequest('Search for no more than 255 characters.');
  return wanted === '' ? null : `%${wanted.replace(/[\\%_]/g, '\\$&')}%`;
}

/**
 * Lists of many parents at once: what each of them is asked alike costs one
 * statement a request, however many there are.
 * @param load all rows of all parents
 */
export function listsOf<Question, Row>(
  load: (context: Context, parents: readonly number[], question: Question) => Promise<Row[]>,
  parentOf: (row: Row) => number,
): (context: Context, parent: number, question: Question) => Promise<Row[]> {
  const requests = new WeakMap<Context, Map<string, DataLoader<number, Row[]>>>();
  return (context, parent, question) => {
    const loaders = requests.get(context) ?? new Map<string, DataLoader<number, Row[]>>();
    requests.set(context, loaders);
    const key = JSON.stringify(question);
    let loader = loaders.get(key);
    if (!loader) {
      loader = new DataLoader(
        async (parents) => {
          const rows = new Map(parents.map((one): [number, Row[]] => [one, []]));
          for (const row of await load(context, [...rows.keys()], question)) rows.get(parentOf(row))!.push(row);
          return parents.map((one) => rows.get(one)!);
        },
        // A mutation followed by another in one document must not see the first one's answer.
        { cache: false },
      );
      loaders.set(key, loader);
    }
    return loader.load(parent);
  };
}
