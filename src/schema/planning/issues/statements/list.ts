import { statement } from '../../../../database/index.ts';
import { ListQuery, parent, type Parent } from '../../../../database/list.ts';
import {
  featureLevel,
  hasProjectRole,
  namespaceOfEach,
  projectAccessLevel,
} from '../../../../database/access/places.ts';
import type { Feature } from '../../../../values/project-features.ts';
import { readIssue, seePlace, toSql, type Columns, type Facts, type Viewer } from '../../../../policy/index.ts';
import { issueReading, type IssueRecord } from './reading.ts';

/** What is left out of a list, or all that is in it. */
type Presence = 'NONE' | 'ANY';

/** The conditions that a filter and its negation share. */
interface Shared {
  readonly iids?: readonly number[] | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly milestones?: readonly string[] | undefined;
  readonly milestonePresence?: Presence | 'UPCOMING' | 'STARTED' | undefined;
  readonly authorId?: number | undefined;
  /** In lower case. */
  readonly authors?: readonly string[] | undefined;
  readonly assigneeId?: number | undefined;
  /** In lower case. */
  readonly assignees?: readonly string[] | undefined;
  readonly reaction?: string | undefined;
  readonly types?: readonly string[] | undefined;
}

/** Filters of a list of issues. Omitted ones match everything. */
export interface IssueFilter extends Shared {
  readonly not?: Shared | undefined;
  readonly labelPresence?: Presence | undefined;
  readonly assigneePresence?: Presence | undefined;
  readonly reactionPresence?: Presence | undefined;
  readonly state?: 'OPENED' | 'CLOSED' | undefined;
  readonly search?: string | undefined;
  readonly searchIn?: readonly ('title' | 'description')[] | undefined;
  readonly confidential?: boolean | undefined;
  readonly due?: keyof typeof dueDates | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedAfter?: Date | undefined;
  readonly updatedBefore?: Date | undefined;
  readonly closedAfter?: Date | undefined;
  readonly closedBefore?: Date | undefined;
  readonly dueAfter?: Date | undefined;
  readonly dueBefore?: Date | undefined;
  /** The ids of labels by the titles of `labels` that few have. Only for the list of everything. */
  readonly rareLabels?: ReadonlyMap<string, readonly number[]> | undefined;
  /** The id of a milestone. */
  readonly milestone?: number | Parent | undefined;
  /** The id of a merge request that closes them. */
  readonly closedBy?: Parent | undefined;
  /** Whether to include issues of archived projects. */
  readonly archived?: boolean | undefined;
}

/** Where issues are listed: in a project, a group and, if asked, the groups below it, or everywhere. */
type IssuePlace =
  | { readonly project: number | Parent }
  | { readonly group: number | Parent; readonly descendants: boolean }
  | 'everywhere';

const today = `(now() at time zone 'utc')::date`;
const between = (from: string, to: string) => `i.due_date between (${from})::date and (${to})::date`;
const period = (unit: 'week' | 'month') =>
  between(`date_trunc('${unit}', ${today})`, `date_trunc('${unit}', ${today}) + interval '1 ${unit} - 1 day'`);

/** SQL conditions on the due date. Weeks begin on Monday. */
const dueDates = {
  NONE: 'i.due_date is null',
  ANY: 'i.due_date is not null',
  OVERDUE: `i.due_date < ${today}`,
  TODAY: `i.due_date = ${today}`,
  TOMORROW: `i.due_date = ${today} + 1`,
  WEEK: period('week'),
  MONTH: period('month'),
  NEXT_MONTH_AND_PREVIOUS_TWO_WEEKS: between(
    `${today} - 14`,
    `date_trunc('month', ${today}) + interval '2 months - 1 day'`,
  ),
} as const;

// Conditions on the milestone of one issue: the sets of such milestones grow with the instance, and a list would read them.

/** SQL for whether the milestone of the issue has begun and isn't over; null without one. */
const started = `(select ms.state = 'ACTIVE' and ms.start_date <= ${today} and (ms.due_date is null or ms.due_date >= ${today})
  from milestones ms where ms.id = i.milestone_id)`;

/** SQL for whether the milestone of the issue is the next one that is due of its project or group; null without one. */
const upcoming = `(select ms.state = 'ACTIVE' and ms.due_date > ${today} and not exists (
    select from milestones sooner where (sooner.project_id = ms.project_id or sooner.group_id = ms.group_id)
       and sooner.state = 'ACTIVE' and sooner.due_date > ${today} and (sooner.due_date, sooner.id) < (ms.due_date, ms.id))
  from milestones ms where ms.id = i.milestone_id)`;

const milestonePresences = {
  NONE: 'i.milestone_id is null',
  ANY: 'i.milestone_id is not null',
  STARTED: started,
  UPCOMING: upcoming,
} as const;

const present = (presence: Presence | undefined, none: string, any: string): string =>
  presence === undefined ? 'true' : presence === 'NONE' ? none : any;

/** SQL for the ids of people with some usernames. */
const people = (names: string) =>
  `array(select n.owner_id from routes r join namespaces n on n.id = r.namespace_id where r.path = any(${names}::text[]) and n.owner_id is not null)`;

/** The labels with some titles, for titles that no more than $2 have. $1 titles. */
export const rareLabels = statement<{ title: string; ids: readonly number[] }>(
  'rare_labels',
  `select wanted.title, found.ids from unnest($1::text[]) wanted(title), lateral (
     select coalesce(array_agg(one.id), '{}') as ids from (select l.id from labels l where l.title = wanted.title limit $2::int + 1) one
   ) found where cardinality(found.ids) <= $2::int`,
);

/** The issues that a viewer reads, by a filter. */
export function issueList(
  viewer: Viewer,
  place: IssuePlace,
  filter: IssueFilter,
  known?: Facts,
): ListQuery<IssueRecord> {
  // Issues of one person are few: the role is looked up in the project of each, instead of all projects that have one.
  const isOfPerson = place === 'everywhere' && (filter.authorId !== undefined || filter.assigneeId !== undefined);
  const query = new ListQuery<IssueRecord>(
    place !== 'everywhere' && 'project' in place
      ? 'issues i'
      : `issues i join projects p on p.id = i.project_id${isOfPerson ? ` ${namespaceOfEach}` : ''}`,
    'i.id',
    issueReading(viewer.person ? '$1::int' : 'null::int'),
  );
  const me = viewer.person ? `${query.key(viewer.person.id)}::int` : 'null::int';
  const columns: Columns = {
    visibility: 'p.visibility',
    accessLevel: viewer.person ? (isOfPerson ? projectAccessLevel(me) : hasProjectRole(me)) : () => 'false',
    level: featureLevel,
    issue: { authorId: 'i.author_id', assigneeId: 'i.assignee_id', confidential: 'i.confidential', viewerId: me },
  };
  const project = inPlace(query, viewer, place, columns, known);
  if (place === 'everywhere' && !isOfPerson && filter.milestone === undefined && !filter.closedBy) query.countApart();
  if (filter.archived === false) query.where('not p.archived');
  if (filter.milestone !== undefined)
    query.where(`i.milestone_id = ${filter.milestone === parent ? parent : `${query.key(filter.milestone)}::int`}`);
  if (filter.closedBy !== undefined)
    query.where(
      `i.id in (select closing.issue_id from merge_request_issues closing where closing.merge_request_id = ${filter.closedBy} and closing.closes)`,
    );
  const { not = {}, due } = filter;
  const { rareLabels } = filter;
  for (const condition of shared(query, filter, me, project, rareLabels)) query.where(condition);
  // A condition that is null for an issue doesn't hold for it, so that its negation does.
  for (const condition of shared(query, not, me, project, rareLabels)) query.where(`(${condition}) is not true`);
  if (not.milestones) query.where('i.milestone_id is not null');
  if (filter.state) query.where(`i.state = '${filter.state}'`);
  if (filter.confidential !== undefined) query.where(`i.confidential = ${filter.confidential}`);
  if (due) query.where(dueDates[due]);
  if (viewer.person && filter.reactionPresence)
    query.where(`i.id ${filter.reactionPresence === 'NONE' ? '<> all' : '= any'}(${reactions(me)})`);
  return query
    .where(present(filter.labelPresence, `i.label_ids = '{}'`, `i.label_ids <> '{}'`))
    .where(present(filter.assigneePresence, 'i.assignee_id is null', 'i.assignee_id is not null'))
    .given(filter.createdAfter, (moment) => `i.created_at >= ${moment}::timestamptz`)
    .given(filter.createdBefore, (moment) => `i.created_at <= ${moment}::timestamptz`)
    .given(filter.updatedAfter, (moment) => `i.updated_at >= ${moment}::timestamptz`)
    .given(filter.updatedBefore, (moment) => `i.updated_at <= ${moment}::timestamptz`)
    .given(filter.closedAfter, (moment) => `i.closed_at >= ${moment}::timestamptz`)
    .given(filter.closedBefore, (moment) => `i.closed_at <= ${moment}::timestamptz`)
    .given(filter.dueAfter, (moment) => `i.due_date >= (${moment}::timestamptz at time zone 'utc')::date`)
    .given(filter.dueBefore, (moment) => `i.due_date <= (${moment}::timestamptz at time zone 'utc')::date`)
    .search(
      filter.search,
      (filter.searchIn ?? ['title', 'description']).map((name) => `i.${name}`),
    );
}

/**
 * Adds the conditions for the place and for what the viewer reads in it.
 * @returns SQL for the project, if there is only one
 */
function inPlace(
  query: ListQuery<IssueRecord>,
  viewer: Viewer,
  place: IssuePlace,
  columns: Columns,
  known: Facts | undefined,
): string | undefined {
  const keyOf = (id: number | Parent) => (id === parent ? parent : `${query.key(id)}::int`);
  if (place !== 'everywhere' && 'project' in place) {
    const id = keyOf(place.project);
    query.where(`i.project_id = ${id}`);
    // In one project, the role and the level are known, and constants.
    const there = known
      ? { accessLevel: (role: number) => String(known.accessLevel >= role), level: levelsIn(known) }
      : { accessLevel: roleIn(id, columns), level: levelIn(id) };
    query.where(toSql(readIssue, viewer, { ...columns, ...there }));
    return id;
  }
  query
    .where('p.deleting_since is null')
    .where('p.namespace_id not in (select id from namespaces where deleting_since is not null)')
    .where(toSql(seePlace, viewer, columns))
    .where(toSql(readIssue, viewer, columns));
  if (place !== 'everywhere') {
    const id = keyOf(place.group);
    query.where(
      place.descendants
        ? `p.namespace_id = any(array(select id from namespaces where ancestry @> array[${id}]))`
        : `p.namespace_id = ${id}`,
    );
  }
  return undefined;
}

/** SQL for whether the viewer has a role in the project of a list that many records have. */
const roleIn =
  (project: string, { accessLevel }: Columns) =>
  (role: number) =>
    `${project} in (select p.id from projects p where p.id = ${project} and ${(accessLevel as (atLeast: number) => string)(role)})`;

/** The same for the levels of its features. */
const levelIn = (project: string) => (feature: Feature) =>
  `(select ${featureLevel(feature)} from projects p where p.id = ${project})`;

/** SQL for the known levels of the features of one project. */
const levelsIn =
  ({ levels }: Facts) =>
  (feature: Feature) =>
    `'${levels![feature]!}'`;

/** SQL for the issues to which a person gave an award. @param more a further condition on the award */
const reactions = (me: string, more = 'true') =>
  `array(select a.issue_id from awards a where a.user_id = ${me} and a.issue_id is not null and ${more})`;

/** The conditions that a negation can have, too. In a negation, any of several labels counts. */
function shared(
  query: ListQuery<IssueRecord>,
  filter: Shared,
  me: string,
  project: string | undefined,
  rareLabels: IssueFilter['rareLabels'],
): string[] {
  const conditions: string[] = [];
  const add = <T>(value: T | undefined, condition: (placeholder: string) => string) => {
    if (value !== undefined) conditions.push(condition(query.value(value)));
  };
  // Labels of the project and of the groups above it: no other can be on its issues.
  const here = `(l.project_id = ${project} or l.group_id = any((
    select n.ancestry from projects p join namespaces n on n.id = p.namespace_id where p.id = ${project})::int[]))`;
  for (const title of new Set(filter.labels)) {
    const ids = rareLabels?.get(title);
    if (ids) add(ids, (array) => `i.label_ids && ${array}::int[]`);
    else if (project === undefined)
      add(title, (one) => `exists (select from labels l where l.id = any(i.label_ids) and l.title = ${one}::text)`);
    else
      add(title, (one) => `i.label_ids && array(select l.id from labels l where l.title = ${one}::text and ${here})`);
  }
  add(filter.iids, (iids) => `i.iid = any(${iids}::int[])`);
  // A milestone of a group stays on the issues of a project that left the group.
  add(
    filter.milestones,
    (titles) => `i.milestone_id in (select m.id from milestones m where m.title = any(${titles}::text[]))`,
  );
  if (filter.milestonePresence) conditions.push(milestonePresences[filter.milestonePresence]);
  if (filter.authorId !== undefined) conditions.push(`i.author_id = ${query.key(filter.authorId)}::int`);
  add(filter.authors, (names) => `i.author_id = any(${people(names)})`);
  if (filter.assigneeId !== undefined) conditions.push(`i.assignee_id = ${query.key(filter.assigneeId)}::int`);
  add(filter.assignees, (names) => `i.assignee_id = any(${people(names)})`);
  if (me !== 'null::int') add(filter.reaction, (name) => `i.id = any(${reactions(me, `a.name = ${name}`)})`);
  add(filter.types, (types) => `i.type = any(${types}::"IssueType"[])`);
  return conditions;
}
