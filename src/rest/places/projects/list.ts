import { listRoute, ordering } from '../../engine/list-route.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import { Project, projectFieldsUnlessSimple } from './record.ts';
import type { AnyRoute } from '../../engine/route.ts';
import { accessLevels } from '../members/record.ts';

const flag = (name: string, description: string): Parameter => ({ name, type: 'boolean', description });
const moment = (name: string, description: string): Parameter => ({ name, type: 'date-time', description });

const order = ordering(
  {
    id: 'id',
    name: 'name',
    path: 'path',
    created_at: 'created',
    updated_at: 'updated',
    star_count: 'stars',
    last_activity_at: 'latest_activity',
  },
  'created_at',
  'desc',
);

/** The parameters of every list of projects. */
const projectListParameters: readonly Parameter[] = [
  ...order.parameters,
  flag('archived', '`true`: only archived projects; `false`: only others.'),
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
  flag('search_namespaces', 'Search the full path too.'),
  { ...flag('owned', 'Only projects that you own.'), default: false },
  { ...flag('starred', 'Only projects that you starred.'), default: false },
  { ...flag('membership', 'Only projects that you are a member of.'), default: false },
  {
    name: 'min_access_level',
    type: 'integer',
    allowed: ['10', '20', '30', '40', '50'],
    description: 'Only projects in which you have at least this role.',
  },
  { name: 'topic', type: 'strings', description: 'Only projects with all of these topics.' },
  { name: 'id_after', type: 'integer', description: 'Only projects with a greater ID.' },
  { name: 'id_before', type: 'integer', description: 'Only projects with a smaller ID.' },
  moment('last_activity_after', 'Only projects with activity after this time.'),
  moment('last_activity_before', 'Only projects whose last activity was before this time.'),
  moment('updated_after', 'Only projects changed after this time. Requires `order_by=updated_at`.'),
  moment('updated_before', 'Only projects last changed before this time. Requires `order_by=updated_at`.'),
  { ...flag('simple', 'Return only the basic fields of each project.'), default: false },
];

/** Upper bound for ids; larger values are clamped. */
const largestId = 2_147_483_647;
const id = (value: Values[string]) =>
  typeof value === 'number' ? Math.max(-largestId, Math.min(value, largestId)) : undefined;

/** The operation's variables for the parameters of a list. */
function projectListVariables(values: Values, more: Record<string, unknown> = {}): Record<string, unknown> {
  const { topic } = values;
  return {
    simple: values.simple === true,
    ...order.variables(values),
    archived: typeof values.archived === 'boolean' ? (values.archived ? 'ONLY' : 'EXCLUDE') : undefined,
    visibilityLevel: values.visibility,
    search: values.search,
    searchNamespaces: values.search_namespaces,
    owned: values.owned,
    starred: values.starred,
    membership: values.membership,
    minAccessLevel: accessLevels[values.min_access_level as number],
    topics: Array.isArray(topic) && topic.length > 0 ? topic : undefined,
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
 */
export function projectListRoute(
  path: string,
  summary: string,
  narrowing: Readonly<Record<string, string>> = {},
  narrowed: (values: Values) => Record<string, unknown> = () => ({}),
): AnyRoute {
  return listRoute({
    path,
    summary,
    tag: 'Projects',
    of: 'Project',
    keyset: (values) => values.order_by === 'id',
    parameters: projectListParameters,
    field: 'projects',
    args: { ...projectListArguments, ...narrowing },
    selection: projectFieldsUnlessSimple,
    selects: { simple: 'Boolean!' },
    variables: (values) => projectListVariables(values, narrowed(values)),
    record: Project,
  });
}
