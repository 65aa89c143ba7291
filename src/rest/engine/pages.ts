import type { OutgoingHttpHeaders } from 'node:http';
import { isObject } from '../../http/index.ts';
import { maxCounted, maxSkipped } from '../../values/page-size.ts';
import type { Parameter, Value, Values } from './parameters.ts';

/**
 * Offset and keyset pagination for every list of version 4: the parameters, the operation's variables, and the headers
 * with links to other pages.
 */

/** A page of a connection, as a list's operation selects it. */
export interface Connection<Item> {
  readonly nodes: readonly Item[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    /** These three only of a list with `Paging.cursor`. */
    readonly hasPreviousPage?: boolean;
    readonly startCursor?: string | null;
    readonly endCursor?: string | null;
  };
  /** How many items there are, counted up to one more than `maxCounted`; undefined if not requested. */
  readonly count?: number;
}

const defaultSize = 20;
const largestSize = 100;

const offsetParameters = (size: number): readonly Parameter[] => [
  { name: 'page', type: 'integer', default: 1, description: 'Page number, from 1.' },
  {
    name: 'per_page',
    type: 'integer',
    default: size,
    forbidden: [0],
    description: `Records per page, at most ${largestSize}.`,
  },
];
const pagination: Parameter = {
  name: 'pagination',
  type: 'string',
  values: ['keyset'],
  description: '`keyset`: keyset pagination, where late pages are as fast as the first.',
};
const anyPagination: Parameter = {
  name: 'pagination',
  type: 'string',
  allowed: ['legacy', 'keyset', 'none'],
  default: 'legacy',
  description: '`keyset`: pages continue after an item; `none`: all in one answer.',
};

/** A connection's paging arguments and their GraphQL types. */
export const pageArguments = ({ cursor, token }: Paging): Readonly<Record<string, string>> => ({
  first: 'Int',
  offset: 'Int',
  ...((cursor || token) && { after: 'String' }),
  ...(cursor && { last: 'Int', before: 'String' }),
});

/** What an operation selects of a page besides its items. */
export const pageSelection = ({ cursor }: Paging): string =>
  `pageInfo { hasNextPage ${cursor ? 'hasPreviousPage startCursor endCursor' : ''} }`;

/** How a list can be paged. */
export interface Paging {
  /** The type of its items, as errors name it. */
  readonly of: string;
  /** Whether keyset pagination works in the requested order. The list then takes `id_after` and `id_before`. */
  readonly keyset?: (values: Values) => boolean;
  /** Set if keyset pagination goes by a `cursor` in any order, and also back, instead of by ids. */
  readonly cursor?: true;
  /** Set if keyset pagination takes a `page_token` instead of ids: the name or path of the last item seen, its cursor. */
  readonly token?: 'name' | 'path';
  /** Set if `pagination=none` asks for all in one answer. */
  readonly unpaged?: true;
  /** Records per page unless the client chooses, if a page usually has the whole list. */
  readonly size?: number;
}

/** A page that this list can't serve: version 4 answers 405. */
export class PageRefused extends Error {}

const pageToken: Parameter = {
  name: 'page_token',
  type: 'string',
  description: 'With `pagination=keyset`: where the page before ended, as its link says.',
};

const cursorParameter: Parameter = {
  name: 'cursor',
  type: 'string',
  description:
    'With `pagination=keyset`: where the page begins, as `X-Next-Cursor` or `X-Prev-Cursor` of another says.',
};

/** Begins a cursor that leads back. */
const back = '~';

/** The arguments that stand for a cursor. */
function atCursor(cursor: string, size: number): Record<string, number | string | null> {
  return cursor.startsWith(back)
    ? { first: null, last: size, before: cursor.slice(back.length) }
    : { after: cursor || null };
}

/** The cursor that stands for a token. */
const cursorOf = (name: Value) => (name ? Buffer.from(String(name)).toString('base64url') : null);

export const pageParameters = ({
  keyset,
  cursor,
  token,
  unpaged,
  size = defaultSize,
}: Paging): readonly Parameter[] => [
  ...(keyset ? [unpaged ? anyPagination : pagination] : []),
  ...(cursor ? [cursorParameter] : []),
  ...(token ? [pageToken] : []),
  ...offsetParameters(size),
];

const isKeyset = (values: Values) => values.pagination === 'keyset';
/** Whether a list that can be had in one answer is asked for so. */
export const isUnpaged = (values: Values): boolean => values.pagination === 'none';

/** The requested page, clamped to valid values. */
function requestedPage({ page: number, per_page: size }: Values): { number: number; size: number } {
  const positive = (value: Value, otherwise: number) => (typeof value === 'number' && value > 0 ? value : otherwise);
  return { number: positive(number, 1), size: Math.min(positive(size, defaultSize), largestSize) };
}

/**
 * The variables of a list's operation that choose the page.
 * @throws PageRefused
 */
export function pageVariables(
  { of, keyset, cursor, token, unpaged }: Paging,
  values: Values,
): Record<string, number | boolean | string | null> {
  const { number, size } = requestedPage(values);
  if (unpaged && isUnpaged(values)) return { first: size, offset: 0, counted: false };
  if (isKeyset(values)) {
    if (!keyset?.(values)) throw new PageRefused('Keyset pagination is not yet available for this type of request');
    return {
      first: size,
      offset: 0,
      counted: false,
      ...(token && { after: cursorOf(values.page_token) }),
      ...(cursor && atCursor(String(values.cursor ?? ''), size)),
    };
  }
  const offset = (number - 1) * size;
  if (offset > maxSkipped) {
    const otherwise = keyset ? ' Remaining records can be retrieved using keyset pagination.' : '';
    throw new PageRefused(
      `Offset pagination has a maximum allowed offset of ${maxSkipped} for requests that return objects of type ${of}.${otherwise}`,
    );
  }
  return { first: size, offset, counted: true };
}

/**
 * The headers with links and numbers of other pages.
 * @param address the address of the list, without a query
 * @param values all parameters, including path parameters and defaults
 */
export function pageHeaders(
  address: string,
  values: Values,
  connection: Connection<unknown>,
  { cursor, token, unpaged }: Pick<Paging, 'cursor' | 'token' | 'unpaged'> = {},
): OutgoingHttpHeaders {
  if (unpaged && isUnpaged(values)) return {};
  if (!isKeyset(values)) return offsetHeaders(address, values, connection);
  return cursor ? cursorHeaders(address, values, connection) : keysetHeaders(address, values, connection, token);
}

function offsetHeaders(
  address: string,
  values: Values,
  { nodes, pageInfo, count }: Connection<unknown>,
): OutgoingHttpHeaders {
  const { number, size } = requestedPage(values);
  const pages = count === undefined || count > maxCounted ? undefined : Math.max(1, Math.ceil(count / size));
  const isBeyond = pages === undefined ? nodes.length === 0 && number > 1 : number > pages;
  const next = pageInfo.hasNextPage ? number + 1 : undefined;
  const previous = number > 1 && !isBeyond ? number - 1 : undefined;
  // The links differ in one number: the rest is written once. No other parameter holds an unescaped `=`.
  const around = query({ ...values, page: 0, per_page: size }).split(/(?<=(?:^|&)page=)0(?=&|$)/);
  const linkTo = (rel: string, target: number | undefined) =>
    target === undefined ? '' : `, <${address}?${around.join(String(target))}>; rel="${rel}"`;
  const links = linkTo('prev', previous) + linkTo('next', next) + linkTo('first', 1) + linkTo('last', pages);
  return {
    link: links.slice(2),
    'x-page': number,
    'x-per-page': size,
    'x-next-page': next ?? '',
    'x-prev-page': previous ?? '',
    ...(pages !== undefined && { 'x-total': count, 'x-total-pages': pages }),
  };
}

function keysetHeaders(
  address: string,
  { page: _unused, ...values }: Values,
  { nodes, pageInfo }: Connection<unknown>,
  token: Paging['token'],
): OutgoingHttpHeaders {
  if (!pageInfo.hasNextPage) return {};
  const { size } = requestedPage(values);
  const last = nodes.at(-1) as { id: number; name: string; path: string };
  const position = token
    ? { page_token: last[token] }
    : values.sort === 'asc'
      ? { id_after: last.id }
      : { id_before: last.id };
  return { link: link(address, { ...values, ...position, per_page: size }, 'next') };
}

function cursorHeaders(
  address: string,
  { page: _unused, ...values }: Values,
  { pageInfo: { hasNextPage, hasPreviousPage, startCursor, endCursor } }: Connection<unknown>,
): OutgoingHttpHeaders {
  const { size } = requestedPage(values);
  return {
    ...(hasNextPage &&
      endCursor && {
        link: link(address, { ...values, cursor: endCursor, per_page: size }, 'next'),
        'x-next-cursor': endCursor,
      }),
    ...(hasPreviousPage && startCursor && { 'x-prev-cursor': `${back}${startCursor}` }),
  };
}

/** A link of RFC 8288. The RFC doesn't require the quotes, but clients expect them. */
const link = (address: string, values: Values, rel: string) => `<${address}?${query(values)}>; rel="${rel}"`;

/** A query string with the parameters in alphabetical order. */
function query(values: Values): string {
  const result = new URLSearchParams();
  for (const name of Object.keys(values).sort()) add(result, name, values[name]);
  return result.toString();
}

/** Adds a parameter as clients send it: `x=1`, `x[]=1` of a list, `x[y]=1` of an object. */
function add(query: URLSearchParams, name: string, value: unknown): void {
  if (Array.isArray(value)) for (const item of value) query.append(`${name}[]`, String(item));
  else if (isObject(value)) for (const [inner, one] of Object.entries(value)) add(query, `${name}[${inner}]`, one);
  else if (value != null) query.append(name, String(value));
}
