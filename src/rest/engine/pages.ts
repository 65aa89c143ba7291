import type { OutgoingHttpHeaders } from 'node:http';
import type { Parameter, Value, Values } from './parameters.ts';

/**
 * The pages of every list of version 4: which parameters choose one, what they
 * mean for the operation, and the headers that lead on.
 */

/** A page of a connection, as a list's operation selects it. */
export interface Connection<Item> {
  readonly nodes: readonly Item[];
  readonly pageInfo: { readonly hasNextPage: boolean };
  /** How many there are in all; null when more than are counted, undefined where nobody asked. */
  readonly total?: number | null;
}

const defaultSize = 20;
const largestSize = 100;
/** Rows that can be skipped. */
const maxSkipped = 50_000;

const offsetParameters: readonly Parameter[] = [
  { name: 'page', type: 'integer', default: 1, description: 'Which page, from 1.' },
  {
    name: 'per_page',
    type: 'integer',
    default: defaultSize,
    forbidden: [0],
    description: `Records on a page, at most ${largestSize}.`,
  },
];
const pagination: Parameter = {
  name: 'pagination',
  type: 'string',
  values: ['keyset'],
  description: '`keyset`: pages that cost the same however far one goes.',
};

/** The arguments of a connection that choose a page, by their types. */
export const pageArguments = { first: 'Int', offset: 'Int' } as const;

/** How a list can be paged. */
export interface Paging {
  /** What it holds, as errors name it. */
  readonly of: string;
  /** Whether it can go on after an id, as it is ordered now. Takes `id_after` and `id_before` then. */
  readonly keyset?: (values: Values) => boolean;
}

/** A page that this list doesn't have: 405, in the words of version 4. */
export class PageRefused extends Error {}

export const pageParameters = ({ keyset }: Paging): readonly Parameter[] => [
  ...(keyset ? [pagination] : []),
  ...offsetParameters,
];

const isKeyset = (values: Values) => values.pagination === 'keyset';

/** The page asked for, as far as it makes sense: what is too small is the first, what is too large the largest. */
function asked({ page: number, per_page: size }: Values): { number: number; size: number } {
  const positive = (value: Value, otherwise: number) => (typeof value === 'number' && value > 0 ? value : otherwise);
  return { number: positive(number, 1), size: Math.min(positive(size, defaultSize), largestSize) };
}

/**
 * The variables of a list's operation that choose the page.
 * @throws PageRefused
 */
export function pageVariables(
  { of, keyset }: Paging,
  values: Values,
): Record<keyof typeof pageArguments | 'counted', number | boolean> {
  const { number, size } = asked(values);
  if (isKeyset(values)) {
    if (!keyset?.(values)) throw new PageRefused('Keyset pagination is not yet available for this type of request');
    return { first: size, offset: 0, counted: false };
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
 * The headers that lead from this page to others.
 * @param address of the list, without a query
 * @param values all that count, with those of the path and the defaults
 */
export function pageHeaders(address: string, values: Values, connection: Connection<unknown>): OutgoingHttpHeaders {
  return isKeyset(values) ? keysetHeaders(address, values, connection) : offsetHeaders(address, values, connection);
}

function offsetHeaders(
  address: string,
  values: Values,
  { nodes, pageInfo, total }: Connection<unknown>,
): OutgoingHttpHeaders {
  const { number, size } = asked(values);
  const pages = total == null ? undefined : Math.max(1, Math.ceil(total / size));
  const isBeyond = pages === undefined ? nodes.length === 0 && number > 1 : number > pages;
  const next = pageInfo.hasNextPage ? number + 1 : undefined;
  const previous = number > 1 && !isBeyond ? number - 1 : undefined;
  const targets = [
    ['prev', previous],
    ['next', next],
    ['first', 1],
    ['last', pages],
  ] as const;
  const links = targets.flatMap(([rel, target]) =>
    target === undefined ? [] : [link(address, { ...values, page: target, per_page: size }, rel)],
  );
  return {
    link: links.join(', '),
    'x-page': number,
    'x-per-page': size,
    'x-next-page': next ?? '',
    'x-prev-page': previous ?? '',
    ...(pages !== undefined && { 'x-total': total!, 'x-total-pages': pages }),
  };
}

function keysetHeaders(
  address: string,
  { page: _unused, ...values }: Values,
  { nodes, pageInfo }: Connection<unknown>,
): OutgoingHttpHeaders {
  if (!pageInfo.hasNextPage) return {};
  const { size } = asked(values);
  const last = Number((nodes.at(-1) as { id: string }).id);
  const onward = values.sort === 'asc' ? { id_after: last } : { id_before: last };
  return { link: link(address, { ...values, ...onward, per_page: size }, 'next') };
}

/** RFC 8288. The quotes aren't needed there, but clients look for them. */
const link = (address: string, values: Values, rel: string) => `<${address}?${query(values)}>; rel="${rel}"`;

/** Parameters in the order of the alphabet, as a query string. */
function query(values: Values): string {
  const result = new URLSearchParams();
  for (const name of Object.keys(values).sort()) {
    const value = values[name];
    if (Array.isArray(value)) for (const item of value) result.append(`${name}[]`, String(item));
    else if (value != null) result.append(name, String(value));
  }
  return result.toString();
}
