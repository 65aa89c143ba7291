import { Metadata } from './record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

/** The same record under the name it had first and the name it has now. */
export const metadataRoutes: AnyRoute[] = (['version', 'metadata'] as const).map((name) =>
  route<{ metadata: { version: string; revision: string } }>({
    method: 'GET',
    path: `/api/v4/${name}`,
    summary: 'What is running here',
    tag: 'Metadata',
    parameters: [],
    operation: 'query { metadata { version revision } }',
    variables: () => ({}),
    record: { ...Metadata, present: ({ metadata }) => Metadata.present(metadata) },
    dialect: 'version 4',
  }),
);
