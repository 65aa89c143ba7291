import { getOperationAST, parse } from 'graphql';

/**
 * Documents that come with a link: the part of the address after `#`, which no server sees, has `query` and
 * `variables`. They are filled in and never run by themselves.
 */

interface Document {
  readonly query: string;
  readonly variables: string;
}

/** The document of this page's link, if it has one. */
export const sharedDocument: Document | undefined = (() => {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const query = parameters.get('query');
  return query ? { query, variables: parameters.get('variables') ?? '' } : undefined;
})();

/** GraphiQL keeps documents beyond the page; so it is kept that one came with a link and wasn't agreed to. */
const kept = 'causeway:document-of-a-link';
if (sharedDocument) localStorage.setItem(kept, 'unread');

/** Whether the person said that mutations of the link are to run. */
let isTrusted = localStorage.getItem(kept) === null;

// Another link, opened in the same tab, loads nothing by itself.
addEventListener('hashchange', () => {
  if (new URLSearchParams(location.hash.slice(1)).has('query')) location.reload();
});

/** The address that opens GraphiQL with a document. */
export function linkTo({ query, variables }: Document): string {
  const parameters = new URLSearchParams({ query, ...(variables.trim() !== '' && { variables }) });
  return `${location.origin}${location.pathname}#${parameters.toString()}`;
}

/** Asks once more before a mutation runs on a page that came with a document of someone else. */
export function isWanted({
  query,
  operationName,
}: {
  query: string;
  operationName?: string | null | undefined;
}): boolean {
  if (isTrusted || !isMutation(query, operationName)) return true;
  isTrusted = confirm('A link brought a document here that changes something. Have you read it, and shall it run?');
  if (isTrusted) localStorage.removeItem(kept);
  return isTrusted;
}

function isMutation(query: string, operationName: string | null | undefined): boolean {
  try {
    return getOperationAST(parse(query), operationName)?.operation === 'mutation';
  } catch {
    // The gateway reports the syntax error.
    return false;
  }
}
