import { Metadata } from './record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

/** Two routes for the same record: its old path and its new one. */
export const metadataRoutes: AnyRoute[] = (['version', 'metadata'] as const).map((name) =>
  route<{ metadata: { version: string; revision: string } }>({
    method: 'GET',
    path: `/api/v4/${name}`,
    summary: 'Get the version of this server',
    tag: 'Metadata',
    parameters: [],
    operation: 'query { metadata { version revision } }',
    variables: () => ({}),
    person: 401,
    record: { ...Metadata, present: ({ metadata }) => Metadata.present(metadata) },
    dialect: 'version 4',
  }),
);
