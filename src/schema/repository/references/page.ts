import { PlainUnprocessable } from '../../../errors.ts';
import { resolveArrayPage, type PageArgs } from '../../engine/page.ts';

interface Paged<Item, Record> {
  /** The whole list, in its order. */
  readonly items: readonly Item[];
  /** `refs/heads/` or `refs/tags/`. */
  readonly folder: string;
  /** Whether they are in the order of their names, so that a page may also continue after one that is gone. */
  readonly byName: boolean;
  /** Makes the records of a page. */
  readonly toRecords: (page: readonly Item[]) => readonly Record[];
}

/**
 * A page of branches or tags. Its cursors are names.
 * @throws PlainUnprocessable for a cursor of none, BadRequest
 */
export async function pageOfNames<Item extends { readonly name: string }, Record>(
  args: PageArgs,
  { items, folder, byName, toRecords }: Paged<Item, Record>,
) {
  const after = args.after == null ? undefined : Buffer.from(args.after, 'base64url').toString();
  const isThere = after === undefined || items.some(({ name }) => name === after);
  if (!isThere && !byName) throw new PlainUnprocessable(`Invalid page token: ${folder}${after}`);
  const page = await resolveArrayPage(
    isThere ? args : { ...args, after: null },
    isThere ? items : items.filter(({ name }) => name > after!),
    ({ name }) => name,
  );
  const records = toRecords(page.edges.flatMap((edge) => (edge ? [edge.node] : [])));
  return { ...page, edges: page.edges.map((edge, index) => edge && { ...edge, node: records[index]! }) };
}

/** Names in the order of their characters. */
export const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  one.name < other.name ? -1 : one.name > other.name ? 1 : 0;
