import { withQuery, type Fields } from '../forms/fields.ts';

/** Cursor pagination: Relay's `pageInfo`, as pages select it. */
export interface PageInfo {
  readonly hasPreviousPage: boolean;
  readonly hasNextPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** A part of a list, as a page shows it. */
export interface Paged<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: PageInfo;
}

export const pageInfoFields = 'pageInfo { hasPreviousPage hasNextPage startCursor endCursor }';

/** The parameters of the cursor of a list. A page with two lists has others for the second. */
interface CursorNames {
  readonly before: string;
  readonly after: string;
}

const usual: CursorNames = { before: 'before', after: 'after' };

/** The addresses of the pages before and after one; null if there is none. */
export interface PagesAround {
  readonly before: string | null;
  readonly after: string | null;
}

/** The cursor of a further list of a page: its variables in the operation, and its parameters in the address. */
export interface FurtherCursor {
  readonly names: CursorNames;
  /** The variables that the operation declares, and the arguments that it gives the list. */
  readonly declared: string;
  readonly given: string;
  /** The values of these variables. @param size records on a page */
  variables(query: Fields, size: number): Record<string, string | number>;
}

/** @param list the name of the list, as in the parameters: `shared_groups` */
export function furtherCursor(list: string): FurtherCursor {
  const names = { before: `${list}_before`, after: `${list}_after` };
  return {
    names,
    declared: `$${list}_first: Int, $${list}_last: Int, $${list}_before: String, $${list}_after: String`,
    given: `first: $${list}_first, last: $${list}_last, before: $${list}_before, after: $${list}_after`,
    variables: (query, size) =>
      Object.fromEntries(
        Object.entries(pageArguments(query, size, names)).map(([name, value]) => [`${list}_${name}`, value]),
      ),
  };
}

/** The arguments of a connection for the cursor in an address. @param size records on a page */
export function pageArguments(query: Fields, size: number, names = usual): Record<string, string | number> {
  const { [names.before]: before, [names.after]: after } = query;
  if (before) return { last: size, before };
  return { first: size, ...(after && { after }) };
}

type Cursor = { before: string } | { after: string };

/** The addresses of the pages before and after the one at a cursor; null where there is none. */
export function neighbours(
  info: PageInfo,
  { before, after }: { readonly before?: string | undefined; readonly after?: string | undefined },
  address: (cursor: Cursor) => string,
): { before: string | null; after: string | null } {
  // With `last` and `before`, Relay may leave `hasNextPage` false: there is a next page, since the visitor came from it.
  return {
    before: (info.hasPreviousPage || after) && info.startCursor ? address({ before: info.startCursor }) : null,
    after: (info.hasNextPage || before) && info.endCursor ? address({ after: info.endCursor }) : null,
  };
}

/**
 * The addresses of the pages before and after this one.
 * @param query the parameters of this page, which the addresses keep
 */
export function pagesAround(path: string, query: Fields, info: PageInfo, names = usual): PagesAround {
  const { [names.before]: before, [names.after]: after, ...kept } = query;
  return neighbours(info, { before, after }, (cursor) =>
    withQuery(path, {
      ...kept,
      ...('before' in cursor ? { [names.before]: cursor.before } : { [names.after]: cursor.after }),
    }),
  );
}

/**
 * The part of a list without cursors that an address names by its number: `?page=2`.
 * @param size records on a page. One more is read: then another page follows.
 */
export function partArguments({ page: given }: Fields, size: number): { page: number; limit: number; offset: number } {
  const page = given !== undefined && /^[1-9]\d{0,2}$/.test(given) ? Number(given) : 1;
  return { page, limit: size + 1, offset: (page - 1) * size };
}

/** The records of a numbered page, and the addresses of the pages before and after it. @param read one more than `size` if others follow */
export function partOf<Node>(
  path: string,
  page: number,
  read: readonly Node[],
  size: number,
): { nodes: readonly Node[]; pages: PagesAround } {
  const address = (number: number) => (number === 1 ? path : `${path}?page=${number}`);
  return {
    nodes: read.slice(0, size),
    pages: { before: page > 1 ? address(page - 1) : null, after: read.length > size ? address(page + 1) : null },
  };
}
