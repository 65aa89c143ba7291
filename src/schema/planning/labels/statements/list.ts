import { labelReading, type LabelRecord } from '../../../../database/access/planning.ts';
import { groupAccessLevel, liveGroup, liveProject, projectAccessLevel } from '../../../../database/access/places.ts';
import { ListQuery, parent, type Parent, type Reading } from '../../../../database/list.ts';
import { statement } from '../../../../database/index.ts';

/** A label as it is shown in a place. */
export interface LabelRow extends LabelRecord {
  /** In the project where it is shown. */
  readonly priority: number | null;
  /** Whether the viewer is subscribed to it where it is shown. */
  readonly subscribed: boolean;
}

/**
 * @param viewer SQL for the person
 * @param project SQL for the project in which labels are shown; null in a group
 */
const reading = (viewer: string, project: string): Reading<LabelRow> => ({
  columns: `${labelReading.columns},
    (select one.priority from label_priorities one where one.project_id = ${project} and one.label_id = l.id) as priority,
    exists(select from subscriptions s where s.label_id = l.id and s.user_id = ${viewer} and s.subscribed
      and s.project_id is not distinct from case when l.project_id is null then ${project} end) as subscribed`,
  from: labelReading.from,
  id: labelReading.id,
});

const shownReading = reading('$2::int', '$3::int');

/** Labels by id. $1 ids, $2 the viewer, $3 the project in which they are shown, or null. */
export const readLabels = statement<LabelRow>(
  'read_labels',
  `select ${shownReading.columns} from ${shownReading.from} where l.id = any($1::int[])`,
);

/** Whose labels are listed. */
export interface LabelsOf {
  readonly scope: 'project' | 'group';
  readonly id: number | Parent;
}

/** Filters of a list of labels. Omitted or null filters match everything. */
export interface LabelFilter {
  /** Whether those of all groups above are included. False: of a project, its own and those of its group. */
  readonly ancestors: boolean;
  /** For a group: whether those of subgroups are included. */
  readonly descendants: boolean;
  /** For a group: whether those of its projects are included. */
  readonly projects: boolean;
  readonly search?: string | null | undefined;
  readonly title?: string | null | undefined;
  /** Labels with this id or this title. */
  readonly named?: { readonly id: number; readonly title: string } | undefined;
  readonly archived?: boolean | null | undefined;
}

/** SQL for the visibility of places below a group. */
export type Visible = (columns: { visibility: string; accessLevel: string }) => string;

/**
 * A page of labels.
 * @param viewer the person's id; null if anonymous
 * @param visible SQL condition: the viewer sees a place below the group
 */
export function labelList(viewer: number | null, of: LabelsOf, visible: Visible, filter: LabelFilter) {
  const inProject = of.scope === 'project';
  const isParent = of.id === parent;
  const query = new ListQuery<LabelRow>(
    'labels l',
    'l.id',
    reading('$1::int', !inProject ? 'null::int' : isParent ? 'page.parent_id' : '$2::int'),
  );
  const me = `${query.key(viewer ?? 0)}::int`;
  // Statements that only count have the value, too, and PostgreSQL wants to know its type.
  query.where(`${me} is not null`);
  const place = of.id === parent ? parent : `${query.key(of.id)}::int`;
  query.where(inProject ? inProjectOf(place, filter) : inGroupOf(place, filter, me, visible));
  if (filter.archived != null) query.where(`l.archived = ${filter.archived ? 'true' : 'false'}`);
  const { named } = filter;
  if (named) query.where(`(l.id = ${query.key(named.id)}::int or l.title = ${query.key(named.title)}::text)`);
  return query
    .given(filter.title, (title) => `l.title = ${title}::text`)
    .search(filter.search, ['l.title', 'l.description']);
}

// Arrays, so that both unique indexes of labels are used.

const inProjectOf = (project: string, { ancestors }: LabelFilter) =>
  `(l.project_id = ${project} or l.group_id = any((
     select ${ancestors ? 'n.ancestry' : 'array[n.id]'} from projects p join namespaces n on n.id = p.namespace_id where p.id = ${project}
   )::int[]))`;

function inGroupOf(group: string, filter: LabelFilter, me: string, visible: Visible): string {
  const { ancestors, descendants, projects } = filter;
  const parts = [
    ancestors
      ? `l.group_id = any((select n.ancestry from namespaces n where n.id = ${group})::int[])`
      : `l.group_id = ${group}`,
  ];
  if (descendants)
    parts.push(`l.group_id = any(array(
      select n.id from namespaces n where n.ancestry @> array[${group}] and ${liveGroup}
         and ${visible({ visibility: 'n.visibility', accessLevel: groupAccessLevel(me) })}))`);
  if (projects)
    parts.push(`l.project_id = any(array(
      select p.id from projects p join namespaces n on n.id = p.namespace_id
       where ${descendants ? `n.ancestry @> array[${group}]` : `n.id = ${group}`} and ${liveProject}
         and ${visible({ visibility: 'p.visibility', accessLevel: projectAccessLevel(me) })}))`);
  return `(${parts.join(' or ')})`;
}
