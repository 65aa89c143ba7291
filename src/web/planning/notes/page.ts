import { readQuery } from '../../site/forms/fields.ts';
import { neighbours, pageInfoFields, type PageInfo } from '../../site/records/paging.ts';
import type { Visit } from '../../site/visit.ts';
import { fitting, notesDeclared, notesFor, threadFields, type Thread } from './thread.ts';

/** The threads of the page of an issue, a merge request or a snippet. */

/** Threads on a page. The newest come first into view; links lead to earlier ones. */
const shownThreads = 20;

/** The threads of a page. */
export interface Threads {
  readonly nodes: readonly Thread[];
  readonly pageInfo: PageInfo;
}

/** The addresses of earlier and later comments. */
export interface AroundThreads {
  readonly earlier: string | null;
  readonly later: string | null;
}

/** What operations select for a page with threads. @param fields of a thread */
export const threadsOnPage = (fields = threadFields): string =>
  `discussions(first: $first, last: $last, before: $before, after: $after) { nodes { ${fields} } ${pageInfoFields} }`;

/** The variables of operations that select `threadsOnPage`. */
export const threadsDeclared = `$first: Int, $last: Int, $before: String, $after: String, ${notesDeclared}`;

/** Their values: the threads that the address asks for, otherwise the latest. */
export function threadsAsked({ site, exchange }: Visit) {
  const { before, after } = readQuery(exchange);
  return {
    ...notesFor(site),
    ...(after ? { first: shownThreads, after } : { last: shownThreads, ...(before && { before }) }),
  };
}

/** What was read, as the page shows it. @param path of the page */
export function threadsShown<One extends { readonly discussions: Threads }>(
  { site, exchange }: Visit,
  path: string,
  one: One,
): AroundThreads & { readonly one: One } {
  const { discussions } = one;
  const address = (cursor: Record<string, string>) => `${path}?${new URLSearchParams(cursor).toString()}#activity`;
  const around = neighbours(discussions.pageInfo, readQuery(exchange), address);
  return {
    one: { ...one, discussions: { ...discussions, nodes: fitting(discussions.nodes, site) } },
    earlier: around.before,
    later: around.after,
  };
}
