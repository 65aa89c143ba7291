import type { Fields } from './fields.ts';

/** Cursor pagination: Relay's `pageInfo`, as pages select it. */
export interface PageInfo {
  readonly hasPreviousPage: boolean;
  readonly hasNextPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

export const pageInfoFields = 'pageInfo { hasPreviousPage hasNextPage startCursor endCursor }';

/**
 * The arguments of a connection for the cursor in an address. @param size records on a page
 * @param prefix of the parameters, where a page has several lists
 */
export function pageArguments(query: Fields, size: number, prefix = ''): Record<string, string | number> {
  const { before, after } = cursorsIn(query, prefix);
  if (before) return { last: size, before };
  return { first: size, ...(after && { after }) };
}

const cursorsIn = (query: Fields, prefix: string) => ({
  before: query[`${prefix}before`],
  after: query[`${prefix}after`],
});

/**
 * The addresses of the pages before and after this one.
 * @param query the parameters of this page, which the addresses keep
 * @param prefix as of `pageArguments`
 */
export function pagesAround(
  path: string,
  query: Fields,
  info: PageInfo,
  prefix = '',
): { before: string | null; after: string | null } {
  const here = cursorsIn(query, prefix);
  const address = (cursor: 'before' | 'after', value: string) => {
    const set = { ...query, [`${prefix}before`]: '', [`${prefix}after`]: '', [`${prefix}${cursor}`]: value };
    const kept = Object.entries(set).filter(([, one]) => one) as [string, string][];
    return `${path}?${new URLSearchParams(kept).toString()}`;
  };
  // With `last` and `before`, Relay may leave `hasNextPage` false: there is a next page, since the visitor came from it.
  return {
    before: (info.hasPreviousPage || here.after) && info.startCursor ? address('before', info.startCursor) : null,
    after: (info.hasNextPage || here.before) && info.endCursor ? address('after', info.endCursor) : null,
  };
}
