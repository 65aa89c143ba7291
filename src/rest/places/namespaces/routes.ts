import { NotFound } from '../../../errors.ts';
import { listRoute } from '../../engine/list-route.ts';
import { Namespace, PathAvailability, type PathAvailabilityData } from './record.ts';
import { namespaceFields, type NamespaceData } from '../projects/record.ts';
import { recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

const tag = 'Namespaces';

export const namespaceRoutes: readonly AnyRoute[] = [
  listRoute({
    path: '/api/v4/namespaces',
    summary: 'List your own namespace and the groups that you are a member of',
    tag,
    of: 'Namespace',
    parameters: [
      { name: 'search', type: 'string', description: 'Only those whose name or path contains every word of this.' },
      {
        name: 'owned_only',
        type: 'boolean',
        default: false,
        description: 'Only your own namespace and the groups that you own.',
      },
      { name: 'top_level_only', type: 'boolean', default: false, description: 'Only top-level ones.' },
    ],
    field: 'namespaces',
    args: { search: 'String', ownedOnly: 'Boolean', topLevelOnly: 'Boolean' },
    selection: namespaceFields,
    variables: ({ search, owned_only: ownedOnly, top_level_only: topLevelOnly }) => ({
      search,
      ownedOnly,
      topLevelOnly,
    }),
    record: Namespace,
  }),
  route<{ namespace: NamespaceData | null }>({
    method: 'GET',
    path: '/api/v4/namespaces/:id',
    summary: 'Get a group that you can see, or your own namespace',
    tag,
    parameters: [],
    operation: `query ($id: ID!) { namespace(fullPath: $id) { ${namespaceFields} } }`,
    variables: ({ id }) => ({ id }),
    record: recordOf(Namespace, ({ namespace }: { namespace: NamespaceData | null }) => {
      if (!namespace) throw new NotFound('Namespace');
      return namespace;
    }),
    dialect: 'version 4',
  }),
  route<{ pathAvailability: PathAvailabilityData }>({
    method: 'GET',
    path: '/api/v4/namespaces/:path/exists',
    summary: 'Check whether a path is taken, at the top level or in a group',
    tag,
    parameters: [{ name: 'parent_id', type: 'integer', description: 'ID of the group.' }],
    operation:
      'query ($path: String!, $parent: ID) { pathAvailability(path: $path, parent: $parent) { exists suggestions } }',
    variables: ({ path, parent_id: parent }) => ({ path, parent }),
    record: recordOf(
      PathAvailability,
      ({ pathAvailability }: { pathAvailability: PathAvailabilityData }) => pathAvailability,
    ),
    dialect: 'version 4',
  }),
];
