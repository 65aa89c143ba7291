import { InvalidArgumentError } from 'commander';
import type { Run } from '../first-start/set-up.ts';

/** The maximum number of entries in one page of a GraphQL list. */
const pageSize = 100;

export function atMost(given: string): number {
  if (!/^[1-9]\d{0,5}$/.test(given)) throw new InvalidArgumentError('A whole number from 1 to 999999.');
  return Number(given);
}

/** Reads a GraphQL list page by page (cursor pagination), up to `limit` entries. */
export async function pages<Node>(
  run: Run,
  list: string,
  filterType: string,
  fields: string,
  filter: object,
  limit: number,
): Promise<{ nodes: Node[]; total: number }> {
  const source = `query ($first: Int!, $after: String, $filter: ${filterType}) { list: ${list}(first: $first, after: $after, filter: $filter) { total nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`;
  const nodes: Node[] = [];
  for (let after: string | null = null; ;) {
    const page: Page<Node> = (
      await run<{ list: Page<Node> }>(source, { first: Math.min(limit - nodes.length, pageSize), after, filter })
    ).list;
    nodes.push(...page.nodes);
    if (!page.pageInfo.hasNextPage || nodes.length >= limit) return { nodes, total: page.total };
    after = page.pageInfo.endCursor;
  }
}

interface Page<Node> {
  readonly total: number;
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}
