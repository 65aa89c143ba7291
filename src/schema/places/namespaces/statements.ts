import { statement } from '../../../database/index.ts';
import { ListQuery } from '../../../database/list.ts';
import { directGroupsOf, hasGroupRole, liveGroup } from '../../../database/access/places.ts';
import { namespaceReading, type NamespaceRecord } from '../../../database/access/records.ts';

/** Omitted or null filters match everything. */
interface NamespaceFilter {
  readonly search?: string | null | undefined;
  /** Only the person's own namespace, and groups that they own directly. */
  readonly owned?: boolean | null | undefined;
  readonly topLevelOnly?: boolean | null | undefined;
}

/** The namespaces of a person: their own, and groups of which they are a member. `everything`: all namespaces. */
export function namespaceList(
  viewer: number,
  everything: boolean,
  filter: NamespaceFilter,
): ListQuery<NamespaceRecord> {
  const query = new ListQuery('namespaces n', 'n.id', namespaceReading);
  const me = `${query.key(viewer)}::int`;
  query.where(liveGroup);
  if (filter.owned) query.where(`(n.owner_id = ${me} or n.id = any(${directGroupsOf(me, 50)}))`);
  else query.where(everything ? `${me} is not null` : `(n.owner_id = ${me} or ${hasGroupRole(me)(10)})`);
  if (filter.topLevelOnly) query.where('n.parent_id is null');
  return query.search(filter.search, ['n.name', 'n.path', 'n.full_path']);
}

/** Those of the paths $1 (lower case) that are taken. */
export const takenPaths = statement<{ path: string }>(
  'taken_paths',
  'select r.path from routes r where r.path = any($1::text[])',
);
