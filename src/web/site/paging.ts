import { withQuery, type Fields } from './fields.ts';

/** Cursor pagination: Relay's `pageInfo`, as pages select it. */
export interface PageInfo {
  readonly hasPreviousPage: boolean;
  readonly hasNextPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

export const pageInfoFields = 'pageInfo { hasPreviousPage hasNextPage startCursor endCursor }';

/** The parameters of the cursor of a list. A page with two lists has others for the second. */
interface CursorNames {
  readonly before: string;
  readonly after: string;
}

const usual: CursorNames = { before: 'before', after: 'after' };

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
export function pagesAround(
  path: string,
  query: Fields,
  info: PageInfo,
  names = usual,
): { before: string | null; after: string | null } {
  const { [names.before]: before, [names.after]: after, ...kept } = query;
  return neighbours(info, { before, after }, (cursor) =>
    withQuery(path, {
      ...kept,
      ...('before' in cursor ? { [names.before]: cursor.before } : { [names.after]: cursor.after }),
    }),
  );
}
