import type { Fields } from './fields.ts';

/** Cursor pagination: Relay's `pageInfo`, as pages select it. */
export interface PageInfo {
  readonly hasPreviousPage: boolean;
  readonly hasNextPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

export const pageInfoFields = 'pageInfo { hasPreviousPage hasNextPage startCursor endCursor }';

/** The arguments of a connection for the cursor in an address. @param size records on a page */
export function pageArguments({ before, after }: Fields, size: number): Record<string, string | number> {
  if (before) return { last: size, before };
  return { first: size, ...(after && { after }) };
}

/**
 * The addresses of the pages before and after this one.
 * @param query the parameters of this page, which the addresses keep
 */
export function pagesAround(
  path: string,
  query: Fields,
  info: PageInfo,
): { before: string | null; after: string | null } {
  const { before: _before, after: _after, ...kept } = query;
  const address = (cursor: Fields) => {
    const set = Object.entries({ ...kept, ...cursor }).filter(([, value]) => value);
    return `${path}?${new URLSearchParams(set as [string, string][]).toString()}`;
  };
  // With `last` and `before`, Relay may leave `hasNextPage` false: there is a next page, since the visitor came from it.
  return {
    before: (info.hasPreviousPage || query.after) && info.startCursor ? address({ before: info.startCursor }) : null,
    after: (info.hasNextPage || query.before) && info.endCursor ? address({ after: info.endCursor }) : null,
  };
}
