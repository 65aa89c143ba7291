import { groupAccessLevel, groupStatement, type PlaceRow } from '../../../database/access/places.ts';
import { statement } from '../../../database/index.ts';
import { ListQuery, parent, type Parent, type Reading } from '../../../database/list.ts';
import { eventsFrom } from '../../../events/statements.ts';
import { readEpic, toSql, type Viewer } from '../../../policy/index.ts';
import { peopleNamed } from '../issues/statements/readers.ts';

export interface EpicRecord {
  readonly id: number;
  readonly iid: number;
  readonly groupId: number;
  readonly title: string;
  readonly description: string | null;
  readonly state: 'OPENED' | 'CLOSED';
  readonly authorId: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The full path of its group. */
  readonly groupPath: string;
}

const reading: Reading<EpicRecord> = {
  columns: `ep.id, ep.iid, ep.group_id as "groupId", ep.title, ep.description, ep.state, ep.author_id as "authorId",
    ep.created_at as "createdAt", ep.updated_at as "updatedAt", n.full_path as "groupPath"`,
  from: 'epics ep join namespaces n on n.id = ep.group_id',
  id: 'ep.id',
};

export const epicOrders = {
  created: { column: 'ep.created_at', type: 'timestamptz' },
  updated: { column: 'ep.updated_at', type: 'timestamptz' },
  title: { column: 'ep.title', type: 'text' },
} as const;

/** Filters of a list of epics. Omitted or null filters match everything. */
export interface EpicFilter {
  readonly iids?: readonly number[] | null | undefined;
  /** Words in the title or the description. */
  readonly search?: string | null | undefined;
}

/** The epics of a group that the viewer reads. */
export function epicList(viewer: Viewer, group: number | Parent, filter: EpicFilter): ListQuery<EpicRecord> {
  const query = new ListQuery<EpicRecord>(reading.from, 'ep.id', reading);
  const me = query.personId(viewer.person?.id);
  query.where(`ep.group_id = ${group === parent ? parent : `${query.key(group)}::int`}`);
  query.where(toSql(readEpic, viewer, { visibility: 'n.visibility', accessLevel: groupAccessLevel(me) }));
  return query
    .given(filter.iids, (iids) => `ep.iid = any(${iids}::int[])`)
    .search(filter.search, ['ep.title', 'ep.description']);
}

/** The group that a request names, with the role of the viewer. */
export const findGroupOfEpics = groupStatement<PlaceRow>('find_group_of_epics', '');

/** An epic by the number in its group. $1 group, $2 number. */
export const findEpic = statement<EpicRecord>(
  'find_epic',
  `select ${reading.columns} from ${reading.from} where ep.group_id = $1::int and ep.iid = $2::int`,
);

/** An epic by its id. $1 the id. */
export const findEpicById = statement<EpicRecord>(
  'find_epic_by_id',
  `select ${reading.columns} from ${reading.from} where ep.id = $1::int`,
);

/**
 * Creates an epic with its event. The number comes from the counter of the group, which it locks until the commit. $1 group,
 * $2 author, $3 title, $4 description, $5 names of people who are mentioned.
 */
export const insertEpic = statement<EpicRecord>(
  'insert_epic',
  `with number as (
     insert into group_counters (group_id, kind, last) values ($1::int, 'EPIC', 1)
     on conflict (group_id, kind) do update set last = group_counters.last + 1 returning last
   ), ep as (
     insert into epics (group_id, iid, title, description, author_id)
     select $1::int, number.last, $3, $4, $2::int from number returning *
   ), mentioned as (
     select distinct named.id from (${peopleNamed('$5', '$2::int', 'null::int')}) named where named.id is not null
   ), ${eventsFrom('epic.created', 'ep', {
     actor: '$2',
     group: 'group_id',
     subject: 'id',
     ids: `jsonb_build_object('mentionedIds', (select coalesce(jsonb_agg(id order by id), '[]') from mentioned))`,
   })}
   select ${reading.columns} from ep join namespaces n on n.id = ep.group_id`,
);
