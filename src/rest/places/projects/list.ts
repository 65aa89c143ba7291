import { largestInteger } from '../../../values/integers.ts';
import { flag, moment } from '../../engine/declared.ts';
import { customAttributes, matchingNothing } from '../../engine/custom-attributes.ts';
import { listRoute, ordering } from '../../engine/list-route.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import { ListedProject, projectFieldsUnlessSimple, type ProjectData } from './record.ts';
import type { Record as WireRecord } from '../../engine/record.ts';
import type { AnyRoute } from '../../engine/route.ts';
import { accessLevels } from '../members/record.ts';

const flagOff = (name: string, description: string): Parameter => ({ ...flag(name, description), default: false });

const order = ordering(
  {
    id: 'id',
    name: 'name',
    path: 'path',
    created_at: 'created',
    updated_at: 'updated',
    star_count: 'stars',
    last_activity_at: 'latest_activity',
    similarity: 'similarity',
    storage_size: 'storage_size',
    repository_size: 'repository_size',
    wiki_size: 'wiki_size',
    packages_size: 'packages_size',
  },
  'created_at',
  'desc',
  {
    description:
      'Field to sort by. `similarity` needs a search and sizes are for administrators; otherwise they mean `created_at`.',
  },
);

/** The schema's names of the least roles. No role is exactly 0 or 5: the next higher one counts. */
const leastRoles: { readonly [level: number]: string | undefined } = {
  0: 'GUEST',
  5: 'GUEST',
  ...accessLevels,
};

/** The parameters of every list of projects. */
export const projectListParameters: readonly Parameter[] = [
  ...order.parameters,
  flag('archived', '`true`: only archived projects; `false`: only others.'),
  flag('active', '`true`: without archived projects; `false`: only these.'),
  {
    name: 'visibility',
    type: 'string',
    allowed: ['private', 'internal', 'public'],
    description: 'Only projects with this visibility.',
  },
  {
    name: 'search',
    type: 'string',
    description: 'Only projects whose name, path or description contains every word of this.',
  },
  flag('search_namespaces', 'Search the full path too, as a search with a slash does.'),
  flagOff('owned', 'Only projects that you own.'),
  flagOff('starred', 'Only projects that you starred.'),
  flagOff('membership', 'Only projects that you are a member of.'),
  {
    name: 'min_access_level',
    type: 'integer',
    allowed: Object.keys(leastRoles),
    description: 'Only projects in which you have at least this role.',
  },
  { name: 'topic', type: 'strings', description: 'Only projects with all of these topics.' },
  {
    name: 'topic_id',
    type: 'integer',
    description: 'Only projects with this topic. Topics have no IDs: none matches.',
  },
  {
    name: 'with_programming_language',
    type: 'string',
    description: 'Only projects whose default branch has files in this programming language.',
  },
  flag('with_issues_enabled', 'Only projects whose issues you may see.'),
  flag('with_merge_requests_enabled', 'Only projects whose merge requests you may see.'),
  flag('imported', 'Only projects that you made by importing them from another instance.'),
  {
    name: 'repository_storage',
    type: 'string',
    description: 'Only projects whose repository is in this storage (administrators only; others: ignored).',
  },
  flag('include_pending_delete', 'Include projects that are being removed (administrators only; others: ignored).'),
  customAttributes,
  { name: 'id_after', type: 'integer', description: 'Only projects with a greater ID.' },
  { name: 'id_before', type: 'integer', description: 'Only projects with a smaller ID.' },
  moment('last_activity_after', 'Only projects with activity after this time.'),
  moment('last_activity_before', 'Only projects whose last activity was before this time.'),
  moment('updated_after', 'Only projects changed after this time. Requires `order_by=updated_at`.'),
  moment('updated_before', 'Only projects last changed before this time. Requires `order_by=updated_at`.'),
  flagOff('simple', 'Return only the basic fields of each project.'),
  flagOff('statistics', 'Return the sizes of each project, for reporters and above.'),
];

/** The parameters of the projects of a group: some of the others mean nothing there, and are ignored. */
export const groupProjectParameters: readonly Parameter[] = [
  flagOff('include_subgroups', 'Include projects of subgroups.'),
  flagOff('include_ancestor_groups', 'Include projects of the groups above.'),
  { name: 'with_shared', type: 'boolean', default: true, description: 'Include projects that are shared with it.' },
  ...parametersNamed(
    'order_by',
    'sort',
    'archived',
    'active',
    'visibility',
    'search',
    'owned',
    'starred',
    'min_access_level',
    'topic',
    'with_issues_enabled',
    'with_merge_requests_enabled',
    'simple',
  ),
];

/** The parameters of the projects to which a person contributed. */
export const contributedParameters = parametersNamed('order_by', 'sort', 'simple', 'statistics');

function parametersNamed(...names: readonly string[]): readonly Parameter[] {
  return projectListParameters.filter(({ name }) => names.includes(name));
}

/** An id; a larger value than there can be is clamped. */
const id = (value: Values[string]) =>
  typeof value === 'number' ? Math.max(-largestInteger, Math.min(value, largestInteger)) : undefined;

/** The operation's variables for the parameters of a list. */
function projectListVariables(values: Values, more: Record<string, unknown> = {}): Record<string, unknown> {
  const { topic } = values;
  return {
    simple: values.simple === true,
    statistics: values.statistics === true,
    ...order.variables(
      values.order_by === 'similarity' && !values.search ? { ...values, order_by: 'created_at' } : values,
    ),
    archived: typeof values.archived === 'boolean' ? (values.archived ? 'ONLY' : 'EXCLUDE') : undefined,
    visibilityLevel: values.visibility,
    search: values.search,
    searchNamespaces: values.search_namespaces,
    owned: values.owned,
    starred: values.starred,
    membership: values.membership,
    minAccessLevel: leastRoles[values.min_access_level as number],
    topics: Array.isArray(topic) && topic.length > 0 ? topic : undefined,
    ids: typeof values.topic_id === 'number' ? [] : undefined,
    imported: values.imported,
    repositoryStorage: values.repository_storage,
    includePendingDelete: values.include_pending_delete,
    active: values.active,
    withIssuesEnabled: values.with_issues_enabled,
    withMergeRequestsEnabled: values.with_merge_requests_enabled,
    programmingLanguageName: values.with_programming_language,
    idAfter: id(values.id_after),
    idBefore: id(values.id_before),
    lastActivityAfter: values.last_activity_after,
    lastActivityBefore: values.last_activity_before,
    updatedAfter: values.updated_after,
    updatedBefore: values.updated_before,
    ...more,
  };
}

/** The types of the arguments that every list of projects takes. */
const projectListArguments = {
  ids: '[ID!]',
  active: 'Boolean',
  withIssuesEnabled: 'Boolean',
  withMergeRequestsEnabled: 'Boolean',
  programmingLanguageName: 'String',
  imported: 'Boolean',
  repositoryStorage: 'String',
  includePendingDelete: 'Boolean',
  archived: 'ProjectArchived',
  visibilityLevel: 'VisibilityLevelsEnum',
  search: 'String',
  searchNamespaces: 'Boolean',
  owned: 'Boolean',
  starred: 'Boolean',
  membership: 'Boolean',
  minAccessLevel: 'AccessLevelEnum',
  topics: '[String!]',
  idAfter: 'Int',
  idBefore: 'Int',
  lastActivityAfter: 'Time',
  lastActivityBefore: 'Time',
  updatedAfter: 'Time',
  updatedBefore: 'Time',
  sort: 'String',
} as const;

/**
 * A list of projects.
 * @param narrowing the types of the arguments that the path sets
 * @param narrowed their values
 * @param record that of one project
 */
export function projectListRoute(
  path: string,
  summary: string,
  narrowing: Readonly<Record<string, string>> = {},
  narrowed: (values: Values) => Record<string, unknown> = () => ({}),
  parameters: readonly Parameter[] = projectListParameters,
  record: WireRecord<ProjectData> = ListedProject,
): AnyRoute {
  return listRoute({
    path,
    summary,
    tag: 'Projects',
    of: 'Project',
    keyset: (values) => values.order_by === 'id',
    parameters,
    field: 'projects',
    args: { ...projectListArguments, ...narrowing },
    selection: projectFieldsUnlessSimple,
    selects: { simple: 'Boolean!', statistics: 'Boolean!' },
    variables: (values) => projectListVariables(values, narrowed(values)),
    ofViewer: matchingNothing,
    record,
  });
}
