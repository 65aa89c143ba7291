import { InvalidArgumentError } from 'commander';
import type { Run } from '../../first-start/set-up.ts';

/** The maximum number of entries in one page of a GraphQL list. */
const pageSize = 100;

export function atMost(given: string): number {
  if (!/^[1-9]\d{0,5}$/.test(given)) throw new InvalidArgumentError('A whole number from 1 to 999999.');
  return Number(given);
}

/**
 * Reads a GraphQL list page by page (cursor pagination), up to `limit` entries.
 * @param types the types of its arguments
 */
export async function pages<Node>(
  run: Run,
  list: string,
  types: Readonly<Record<string, string>>,
  fields: string,
  args: Readonly<Record<string, unknown>>,
  limit: number,
): Promise<{ nodes: Node[]; total: number }> {
  const names = ['first', 'after', ...Object.keys(types)];
  const declared = Object.entries({ first: 'Int!', after: 'String', ...types }).map(
    ([name, type]) => `$${name}: ${type}`,
  );
  const given = names.map((name) => `${name}: $${name}`);
  const source = `query (${declared.join(', ')}) { list: ${list}(${given.join(', ')}) { count nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`;
  const nodes: Node[] = [];
  for (let after: string | null = null; ;) {
    const page: Page<Node> = (
      await run<{ list: Page<Node> }>(source, { ...args, first: Math.min(limit - nodes.length, pageSize), after })
    ).list;
    nodes.push(...page.nodes);
    if (!page.pageInfo.hasNextPage || nodes.length >= limit) return { nodes, total: page.count };
    after = page.pageInfo.endCursor;
  }
}

interface Page<Node> {
  readonly count: number;
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}
