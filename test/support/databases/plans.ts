import { query } from './database.ts';
import type { Sent } from './statements.ts';

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Node[];
}

const withAllBelow = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(withAllBelow)];

/** The query plan of a statement. */
export interface Plan {
  /** Tables with a sequential scan that was run. */
  readonly reads: readonly string[];
  /** Pages of tables and indexes that it reads, from memory or disk. */
  readonly buffers: number;
  /** The pages that it reads to find the ids of a page, before it reads the records. */
  readonly toFind: number;
}

/** Runs a read-only statement again, with EXPLAIN ANALYZE. */
export async function planOf(url: string, { text, values }: Sent): Promise<Plan> {
  const [row] = await query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
    url,
    `explain (analyze, buffers, format json) ${text}`,
    [...values],
  );
  const [{ Plan: root }] = row!['QUERY PLAN'];
  const nodes = withAllBelow(root);
  const pages = (node: Node) => node['Shared Hit Blocks'] + node['Shared Read Blocks'];
  return {
    reads: nodes.flatMap((node) =>
      node['Node Type'] === 'Seq Scan' && node['Actual Loops'] > 0 ? (node['Relation Name'] ?? []) : [],
    ),
    buffers: pages(root),
    toFind: pages(nodes.find((node) => node['Node Type'] === 'Limit') ?? root),
  };
}
