import { statement } from '../../../../database/index.ts';
import { ListQuery, parent, type Parent, type Reading } from '../../../../database/list.ts';
import {
  featureLevel,
  hasProjectRole,
  namespaceOfEach,
  projectAccessLevel,
} from '../../../../database/access/places.ts';
import type { Feature } from '../../../../values/attributes/project-features.ts';
import { seePlace, toSql, type Columns, type Condition, type Facts, type Viewer } from '../../../../policy/index.ts';

/** What lists of issues and of merge requests have in common. Both tables have the alias `i`. */

/** What is left out of a list, or all that is in it. */
export type Presence = 'NONE' | 'ANY';

/** The conditions that a filter and its negation share. */
export interface Shared {
  readonly iids?: readonly number[] | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly milestones?: readonly string[] | undefined;
  readonly milestonePresence?: Presence | 'UPCOMING' | 'STARTED' | undefined;
  readonly authorId?: number | Parent | undefined;
  /** In lower case. */
  readonly authors?: readonly string[] | undefined;
  readonly assigneeId?: number | Parent | undefined;
  /** In lower case. */
  readonly assignees?: readonly string[] | undefined;
  readonly reaction?: string | undefined;
}

/** Filters of both. Omitted ones match everything. */
export interface ItemFilter extends Shared {
  readonly not?: Shared | undefined;
  readonly labelPresence?: Presence | undefined;
  readonly assigneePresence?: Presence | undefined;
  readonly reactionPresence?: Presence | undefined;
  readonly search?: string | undefined;
  readonly searchIn?: readonly ('title' | 'description')[] | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedAfter?: Date | undefined;
  readonly updatedBefore?: Date | undefined;
  /** The ids of labels by the titles of `labels` that few have. Only for the list of everything. */
  readonly rareLabels?: ReadonlyMap<string, readonly number[]> | undefined;
  /** The id of a milestone. */
  readonly milestone?: number | Parent | undefined;
  /** Whether to include those of archived projects. */
  readonly archived?: boolean | undefined;
}

/** Where they are listed: in a project, a group and, if asked, the groups below it, or everywhere. */
export type ItemPlace =
  | { readonly project: number | Parent }
  | { readonly group: number | Parent; readonly descendants: boolean }
  | 'everywhere';

interface Listed {
  readonly id: number;
}
type AwardColumn = 'issue_id' | 'merge_request_id';

/** What differs between both. */
export interface ItemKind<Row extends Listed, Negatable extends Shared> {
  readonly table: 'issues' | 'merge_requests';
  /** @param person SQL for the viewer's id, or null */
  readonly reading: (person: string) => Reading<Row>;
  /** The column of awards that names one. */
  readonly awards: AwardColumn;
  /** Who reads one. */
  readonly rule: Condition;
  /** SQL for the facts that the rule reads of one. @param viewerId SQL */
  readonly facts: (viewerId: string) => Partial<Columns>;
  /** Further conditions that can be negated. */
  readonly more: (query: ListQuery<Row>, filter: Negatable) => readonly string[];
  /** Whether a filter selects those of one person, besides author and assignee. */
  readonly isOfPerson?: (filter: Negatable) => boolean;
}

export const today = `(now() at time zone 'utc')::date`;

// Conditions on the milestone of one of them: the sets of such milestones grow with the instance, and a list would read them.

/** SQL for whether the milestone of it has begun and isn't over; null without one. */
const started = `(select ms.state = 'ACTIVE' and ms.start_date <= ${today} and (ms.due_date is null or ms.due_date >= ${today})
  from milestones ms where ms.id = i.milestone_id)`;

/** SQL for whether the milestone of it is the next one that is due of its project or group; null without one. */
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

export const present = (presence: Presence | undefined, none: string, any: string): string =>
  presence === undefined ? 'true' : presence === 'NONE' ? none : any;

/** SQL for the ids of people with some usernames. */
export const people = (names: string) =>
  `array(select n.owner_id from routes r join namespaces n on n.id = r.namespace_id where r.path = any(${names}::text[]) and n.owner_id is not null)`;

/** The labels with some titles, for titles that no more than $2 have. $1 titles. */
export const rareLabels = statement<{ title: string; ids: readonly number[] }>(
  'rare_labels',
  `select wanted.title, found.ids from unnest($1::text[]) wanted(title), lateral (
     select coalesce(array_agg(one.id), '{}') as ids from (select l.id from labels l where l.title = wanted.title limit $2::int + 1) one
   ) found where cardinality(found.ids) <= $2::int`,
);

/** What a viewer reads, by a filter. */
export function itemList<Row extends Listed, Negatable extends Shared>(
  { table, reading, awards, rule, facts, more, isOfPerson: isOfOther }: ItemKind<Row, Negatable>,
  viewer: Viewer,
  place: ItemPlace,
  filter: ItemFilter & Negatable & { readonly not?: Negatable | undefined },
  known: Facts | undefined,
): ListQuery<Row> {
  // Those of one person are few: the role is looked up in the project of each, instead of all projects that have one.
  const isOfPerson =
    place === 'everywhere' &&
    (filter.authorId !== undefined || filter.assigneeId !== undefined || isOfOther?.(filter) === true);
  const query = new ListQuery<Row>(
    place !== 'everywhere' && 'project' in place
      ? `${table} i`
      : `${table} i join projects p on p.id = i.project_id${isOfPerson ? ` ${namespaceOfEach}` : ''}`,
    'i.id',
    reading(viewer.person ? '$1::int' : 'null::int'),
  );
  const me = query.personId(viewer.person?.id);
  const columns: Columns = {
    visibility: 'p.visibility',
    accessLevel: viewer.person ? (isOfPerson ? projectAccessLevel(me) : hasProjectRole(query, me)) : () => 'false',
    level: featureLevel,
    ...facts(me),
  };
  const project = inPlace(query, viewer, place, rule, columns, known);
  const isMost = place === 'everywhere' && !isOfPerson && filter.milestone === undefined;
  if (isMost) query.countApart();
  if (filter.archived === false) query.where('not p.archived');
  if (filter.milestone !== undefined) query.where(`i.milestone_id = ${keyOf(query, filter.milestone)}`);
  const { not } = filter;
  const labelled = labelledIn(query, project, isMost, filter.rareLabels);
  const conditionsOf = (one: Negatable) => [...shared(query, awards, one, me, labelled), ...more(query, one)];
  for (const condition of conditionsOf(filter)) query.where(condition);
  // A condition that is null for one doesn't hold for it, so that its negation does.
  if (not) for (const condition of conditionsOf(not)) query.where(`(${condition}) is not true`);
  if (not?.milestones) query.where('i.milestone_id is not null');
  if (viewer.person && filter.reactionPresence)
    query.where(`i.id ${filter.reactionPresence === 'NONE' ? '<> all' : '= any'}(${reactions(awards, me)})`);
  return query
    .where(present(filter.labelPresence, `i.label_ids = '{}'`, `i.label_ids <> '{}'`))
    .where(present(filter.assigneePresence, 'i.assignee_id is null', 'i.assignee_id is not null'))
    .given(filter.createdAfter, (moment) => `i.created_at >= ${moment}::timestamptz`)
    .given(filter.createdBefore, (moment) => `i.created_at <= ${moment}::timestamptz`)
    .given(filter.updatedAfter, (moment) => `i.updated_at >= ${moment}::timestamptz`)
    .given(filter.updatedBefore, (moment) => `i.updated_at <= ${moment}::timestamptz`)
    .search(
      filter.search,
      (filter.searchIn ?? ['title', 'description']).map((name) => `i.${name}`),
    );
}

/** SQL for an id, or for that of the record that has the list. */
export const keyOf = (query: ListQuery<Listed>, id: number | Parent): string =>
  id === parent ? parent : `${query.key(id)}::int`;

/**
 * Adds the conditions for the place and for what the viewer reads in it.
 * @returns SQL for the project, if there is only one
 */
function inPlace(
  query: ListQuery<Listed>,
  viewer: Viewer,
  place: ItemPlace,
  rule: Condition,
  columns: Columns,
  known: Facts | undefined,
): string | undefined {
  if (place !== 'everywhere' && 'project' in place) {
    const id = keyOf(query, place.project);
    query.where(`i.project_id = ${id}`);
    // In one project, the role and the level are known, and constants.
    const there = known
      ? {
          visibility: `'${known.visibility}'`,
          accessLevel: (role: number) => String(known.accessLevel >= role),
          level: levelsIn(known),
        }
      : {
          visibility: `(select p.visibility from projects p where p.id = ${id})`,
          accessLevel: roleIn(id, columns),
          level: levelIn(id),
        };
    query.where(toSql(rule, viewer, { ...columns, ...there }));
    return id;
  }
  query
    .where('p.deleting_since is null')
    .where('p.namespace_id not in (select id from namespaces where deleting_since is not null)')
    .where(toSql(seePlace, viewer, columns))
    .where(toSql(rule, viewer, columns));
  if (place !== 'everywhere') {
    const id = keyOf(query, place.group);
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

/** SQL for what a person gave an award. @param more a further condition on the award */
const reactions = (awards: AwardColumn, me: string, more = 'true') =>
  `array(select a.${awards} from awards a where a.user_id = ${me} and a.${awards} is not null and ${more})`;

/**
 * SQL for whether it has a label with some title.
 * @param project SQL for the project, if there is only one
 * @param isMost whether the list is most of the table
 */
const labelledIn =
  (query: ListQuery<Listed>, project: string | undefined, isMost: boolean, rare: ItemFilter['rareLabels']) =>
  (title: string): string => {
    const ids = rare?.get(title);
    if (ids) return `i.label_ids && ${query.value(ids)}::int[]`;
    const named = `l.title = ${query.value(title)}::text`;
    // Labels of the project and of the groups above it: no other can be on what is in it.
    if (project !== undefined)
      return `i.label_ids && array(select l.id from labels l where ${named} and (l.project_id = ${project} or l.group_id = any((
        select n.ancestry from projects p join namespaces n on n.id = p.namespace_id where p.id = ${project})::int[])))`;
    // `is true` keeps PostgreSQL from joining: it reads the labels with the title once, instead of those of each.
    return isMost
      ? `exists (select from unnest(i.label_ids) has(id) where (has.id in (select l.id from labels l where ${named})) is true)`
      : `exists (select from labels l where l.id = any(i.label_ids) and ${named})`;
  };

/** The conditions that a negation can have, too. In a negation, any of several labels counts. */
function shared(
  query: ListQuery<Listed>,
  awards: AwardColumn,
  filter: Shared,
  me: string,
  labelled: (title: string) => string,
): string[] {
  const conditions: string[] = [];
  const add = <T>(value: T | undefined, condition: (placeholder: string) => string) => {
    if (value !== undefined) conditions.push(condition(query.value(value)));
  };
  for (const title of new Set(filter.labels)) conditions.push(labelled(title));
  add(filter.iids, (iids) => `i.iid = any(${iids}::int[])`);
  // A milestone of a group stays on what is in a project that left the group.
  add(
    filter.milestones,
    (titles) => `i.milestone_id in (select m.id from milestones m where m.title = any(${titles}::text[]))`,
  );
  if (filter.milestonePresence) conditions.push(milestonePresences[filter.milestonePresence]);
  if (filter.authorId !== undefined) conditions.push(`i.author_id = ${keyOf(query, filter.authorId)}`);
  add(filter.authors, (names) => `i.author_id = any(${people(names)})`);
  if (filter.assigneeId !== undefined) conditions.push(`i.assignee_id = ${keyOf(query, filter.assigneeId)}`);
  add(filter.assignees, (names) => `i.assignee_id = any(${people(names)})`);
  if (me !== 'null::int') add(filter.reaction, (name) => `i.id = any(${reactions(awards, me, `a.name = ${name}`)})`);
  return conditions;
}
