/** The orders of every list of groups, by the names that `sort` has for them. */
export const groupOrders = {
  name: { column: 'n.name', type: 'text' },
  path: { column: 'n.path', type: 'text' },
  id: { column: 'n.id', type: 'int' },
  /** How much a group resembles the search, which sets the column. Without one, the order of creation. */
  similarity: { column: 'n.id', type: 'int' },
} as const;
