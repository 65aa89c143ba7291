const sinceEpoch = '(extract(epoch from p.created_at) * 1000)::bigint';

/** Orders that administrators have of all projects. For others, and of parts that no one stores, the order of creation. */
export const sizeOrders = {
  storage_size: { column: sinceEpoch, type: 'bigint' },
  repository_size: { column: sinceEpoch, type: 'bigint' },
  wiki_size: { column: sinceEpoch, type: 'bigint' },
  packages_size: { column: sinceEpoch, type: 'bigint' },
} as const;

/** The orders of every list of projects, by the names that `sort` has for them. */
export const projectOrders = {
  id: { column: 'p.id', type: 'int' },
  name: { column: 'p.name', type: 'text' },
  path: { column: 'p.path', type: 'text' },
  created: { column: 'p.created_at', type: 'timestamptz' },
  updated: { column: 'p.updated_at', type: 'timestamptz' },
  latest_activity: { column: 'p.last_activity_at', type: 'timestamptz' },
  stars: { column: 'p.star_count', type: 'int' },
  /** How much a project resembles the search, which sets the column. Without one, the order of creation. */
  similarity: { column: 'p.id', type: 'int' },
} as const;
