import { groupAccessLevel, liveGroup, liveProject, projectAccessLevel } from '../../../../database/access/places.ts';
import { milestoneReading, type MilestoneRecord } from '../../../../database/access/planning.ts';
import { statement } from '../../../../database/index.ts';
import { ListQuery, parent, readByIds, type Parent } from '../../../../database/list.ts';

/** Today in UTC. */
const today = `(now() at time zone 'utc')::date`;

/** Milestones by id. $1 ids. */
export const readMilestones = readByIds('read_milestones', milestoneReading);

/** A milestone of a place. $1 id, $2 the project or null, $3 the group or null. */
export const findMilestone = statement<MilestoneRecord>(
  'find_milestone',
  `select ${milestoneReading.columns} from ${milestoneReading.from}
    where ms.id = $1::int and (ms.project_id = $2::int or ms.group_id = $3::int)`,
);

/** Days since 1970, so that milestones without a due date have a place in the order. */
const due = `m.due_date - '1970-01-01'::date`;

/** Orders by the due date have milestones without one last. Those that begin with `expired_last` have past ones last. */
export const milestoneOrders = {
  due: { column: `coalesce(${due}, 2147483647)`, type: 'int' },
  due_latest: { column: `coalesce(${due}, -2147483648)`, type: 'int' },
  expired_last_due: {
    column: `case when m.due_date < ${today} then 20000000 + (${due}) else coalesce(${due}, 10000000) end`,
    type: 'int',
  },
  expired_last_due_latest: {
    column: `case when m.due_date < ${today} then (${due}) - 20000000 else coalesce(${due}, -10000000) end`,
    type: 'int',
  },
  created: { column: 'm.created_at', type: 'timestamptz' },
  updated: { column: 'm.updated_at', type: 'timestamptz' },
} as const;

/** Filters of a list of milestones. Omitted or null filters match everything. */
export interface MilestoneFilter {
  /** Whether those of the groups above are included. */
  readonly ancestors: boolean;
  /** For a group: whether those of everything below it are included. */
  readonly descendants: boolean;
  readonly ids?: readonly number[] | null | undefined;
  readonly iids?: readonly number[] | null | undefined;
  readonly state?: MilestoneRecord['state'] | null | undefined;
  readonly title?: string | null | undefined;
  /** Words in the title or the description. */
  readonly search?: string | null | undefined;
  readonly searchTitle?: string | null | undefined;
  readonly updatedBefore?: Date | null | undefined;
  readonly updatedAfter?: Date | null | undefined;
  /** Only those of which a part lies between these days. */
  readonly from?: string | null | undefined;
  readonly until?: string | null | undefined;
}

/** Whose milestones: those of a place, or all that the viewer sees. */
export type MilestonesOf = { readonly scope: 'project' | 'group'; readonly id: number | Parent } | 'everywhere';

/** SQL condition: the viewer sees a project or a group. */
type Visible = (columns: { visibility: string; accessLevel: string }) => string;

/**
 * A page of milestones.
 * @param viewer the person's id; null if anonymous
 * @param visible SQL condition: the viewer sees a place below the group
 */
export function milestoneList(
  viewer: number | null,
  of: MilestonesOf,
  visible: Visible,
  filter: MilestoneFilter,
): ListQuery<MilestoneRecord> {
  const query = new ListQuery<MilestoneRecord>('milestones m', 'm.id', milestoneReading);
  const me = () => query.personId(viewer);
  query.where(of === 'everywhere' ? ofSeenPlace(me(), visible) : ofPlace(query, of, me, visible, filter));
  if (filter.state != null) query.where(`m.state = '${filter.state}'`);
  return query
    .given(filter.ids, (ids) => `m.id = any(${ids}::int[])`)
    .given(filter.iids, (iids) => `m.iid = any(${iids}::int[])`)
    .given(filter.title, (title) => `m.title = ${title}::text`)
    .given(filter.updatedBefore, (moment) => `m.updated_at < ${moment}::timestamptz`)
    .given(filter.updatedAfter, (moment) => `m.updated_at > ${moment}::timestamptz`)
    .given(filter.from, (day) => `(m.due_date >= ${day}::date or (m.due_date is null and m.start_date is not null))`)
    .given(filter.until, (day) => `(m.start_date <= ${day}::date or (m.start_date is null and m.due_date is not null))`)
    .search(filter.search, ['m.title', 'm.description'])
    .search(filter.searchTitle, ['m.title']);
}

/** SQL: the viewer sees the place of the milestone. Looked up for each: a search finds few. */
function ofSeenPlace(me: string, visible: Visible): string {
  return `(exists (select from projects p join namespaces n on n.id = p.namespace_id where p.id = m.project_id and ${liveProject}
      and ${visible({ visibility: 'p.visibility', accessLevel: projectAccessLevel(me) })})
    or exists (select from namespaces n where n.id = m.group_id and ${liveGroup}
      and ${visible({ visibility: 'n.visibility', accessLevel: groupAccessLevel(me) })}))`;
}

/** SQL: the milestone belongs to the place, or to what is asked for above and below it. */
function ofPlace(
  query: ListQuery<MilestoneRecord>,
  { scope, id }: Exclude<MilestonesOf, string>,
  viewer: () => string,
  visible: Visible,
  { ancestors, descendants }: MilestoneFilter,
): string {
  const place = id === parent ? parent : `${query.key(id)}::int`;
  const namespace = scope === 'project' ? `(select p.namespace_id from projects p where p.id = ${place})` : place;
  const parts = [scope === 'project' ? `m.project_id = ${place}` : `m.group_id = ${place}`];
  // Arrays, so that both unique indexes of milestones are used.
  if (ancestors) parts.push(`m.group_id = any((select n.ancestry from namespaces n where n.id = ${namespace})::int[])`);
  if (descendants && scope === 'group') {
    const me = viewer();
    parts.push(
      `m.group_id = any(array(select n.id from namespaces n where n.ancestry @> array[${place}] and ${liveGroup}
         and ${visible({ visibility: 'n.visibility', accessLevel: groupAccessLevel(me) })}))`,
      `m.project_id = any(array(select p.id from projects p join namespaces n on n.id = p.namespace_id
         where n.ancestry @> array[${place}] and ${liveProject}
           and ${visible({ visibility: 'p.visibility', accessLevel: projectAccessLevel(me) })}))`,
    );
  }
  return `(${parts.join(' or ')})`;
}
