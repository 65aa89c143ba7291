import { listRoute, ordering } from '../../engine/list-route.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import { Project, projectFieldsUnlessSimple } from './record.ts';
import type { AnyRoute } from '../../engine/route.ts';

const flag = (name: string, description: string): Parameter => ({ name, type: 'boolean', description });
const moment = (name: string, description: string): Parameter => ({ name, type: 'date-time', description });

const order = ordering(
  ['id', 'name', 'path', 'created_at', 'updated_at', 'star_count', 'last_activity_at'],
  'created_at',
  'desc',
);

/** The parameters of every list of projects. */
const projectListParameters: readonly Parameter[] = [
  ...order.parameters,
  flag('archived', 'Only archived ones, or only others.'),
  {
    name: 'visibility',
    type: 'string',
    allowed: ['private', 'internal', 'public'],
    description: 'Only those of this visibility.',
  },
  {
    name: 'search',
    type: 'string',
    description: 'Only those in whose name, path or description every word of this is.',
  },
  flag('search_namespaces', 'Searches the full path too.'),
  { ...flag('owned', 'Only those of which you are the owner.'), default: false },
  { ...flag('starred', 'Only those that you starred.'), default: false },
  { ...flag('membership', 'Only those of which you are a member.'), default: false },
  {
    name: 'min_access_level',
    type: 'integer',
    allowed: ['10', '20', '30', '40', '50'],
    description: 'Only those in which your role is at least this.',
  },
  { name: 'topic', type: 'strings', description: 'Only those with all of these topics.' },
  { name: 'id_after', type: 'integer', description: 'Only those with a greater id.' },
  { name: 'id_before', type: 'integer', description: 'Only those with a smaller id.' },
  moment('last_activity_after', 'Only those in which something happened since.'),
  moment('last_activity_before', 'Only those in which nothing happened since.'),
  moment('updated_after', 'Only those changed since. Together with `order_by=updated_at`.'),
  moment('updated_before', 'Only those not changed since. Together with `order_by=updated_at`.'),
  { ...flag('simple', 'Only the most important members of each record.'), default: false },
];

/** Larger than any id; ids beyond it are those beside it. */
const largestId = 2_147_483_647;
const id = (value: Values[string]) =>
  typeof value === 'number' ? Math.max(-largestId, Math.min(value, largestId)) : undefined;

/** The variables of a list's operation that the parameters stand for. */
function projectListVariables(values: Values, more: Record<string, unknown> = {}): Record<string, unknown> {
  const { topic } = values;
  return {
    simple: values.simple === true,
    ...order.variables(values),
    filter: {
      archived: values.archived,
      visibility: typeof values.visibility === 'string' ? values.visibility.toUpperCase() : undefined,
      search: values.search,
      searchNamespaces: values.search_namespaces,
      owned: values.owned,
      starred: values.starred,
      membership: values.membership,
      minAccessLevel: values.min_access_level,
      topics: Array.isArray(topic) && topic.length > 0 ? topic : undefined,
      idAfter: id(values.id_after),
      idBefore: id(values.id_before),
      lastActivityAfter: values.last_activity_after,
      lastActivityBefore: values.last_activity_before,
      updatedAfter: values.updated_after,
      updatedBefore: values.updated_before,
      ...more,
    },
  };
}

/** A list of projects. @param narrowed what its path says of the filter */
export function projectListRoute(
  path: string,
  summary: string,
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
    args: { filter: 'ProjectFilter', orderBy: 'ProjectOrder', direction: 'SortDirection' },
    selection: projectFieldsUnlessSimple,
    selects: { simple: 'Boolean!' },
    variables: (values) => projectListVariables(values, narrowed(values)),
    record: Project,
  });
}
