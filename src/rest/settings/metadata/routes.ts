import { Metadata, Version, type MetadataData, type VersionData } from './record.ts';
import { recordOf, type Record } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

const metadataRoute = <Data>(name: string, summary: string, fields: string, record: Record<Data>): AnyRoute =>
  route<{ metadata: Data }>({
    method: 'GET',
    path: `/api/v4/${name}`,
    summary,
    tag: 'Metadata',
    parameters: [],
    operation: `query { metadata { ${fields} } }`,
    variables: () => ({}),
    person: 401,
    record: recordOf(record, ({ metadata }) => metadata),
    dialect: 'version 4',
  });

export const metadataRoutes: readonly AnyRoute[] = [
  metadataRoute<VersionData>('version', 'Get the version of this server', 'version revision', Version),
  metadataRoute<MetadataData>(
    'metadata',
    'Get the version of this server, and what else it is',
    'version revision enterprise kas { enabled externalUrl version }',
    Metadata,
  ),
];
