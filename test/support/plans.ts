import { query } from './database.ts';
import type { Sent } from './statements.ts';

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Node[];
}

const withAllBelow = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(withAllBelow)];

/** How PostgreSQL answers a statement. */
export interface Plan {
  /** Tables that it reads from end to end. */
  readonly reads: readonly string[];
  /** Pages of tables and indexes that it looks at, whether they are in memory or not. */
  readonly buffers: number;
  /** As many of these as it takes to find a page, before anything of its records is read. */
  readonly toFind: number;
}

/** Sends a statement that changes nothing once more, and sees how it is answered. */
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
    reads: nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? (node['Relation Name'] ?? []) : [])),
    buffers: pages(root),
    toFind: pages(nodes.find((node) => node['Node Type'] === 'Limit') ?? root),
  };
}
