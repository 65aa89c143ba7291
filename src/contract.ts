import { lexicographicSortSchema, printSchema } from 'graphql';
import { migrations, migrationSubjects, openApi, type Migration } from './rest/index.ts';
import { publicSchema } from './schema/public.ts';

/** What clients may rely on: served by the gateway, and committed below `contract/`. */
export interface Contract {
  /** The schema of `/graphql`. */
  readonly sdl: string;
  readonly openApi: object;
  /** Changes between version 3 and version 4 of the REST API, by these subjects. */
  readonly migrations: readonly Migration[];
  readonly migrationSubjects: readonly string[];
}

/** The contract. @param version of the gateway */
export function contract(version: string): Contract {
  return {
    sdl: `${printSchema(lexicographicSortSchema(publicSchema))}\n`,
    openApi: openApi(version),
    migrations,
    migrationSubjects,
  };
}

/** The committed files, by name. */
export function contractFiles(version: string): Record<string, string> {
  const { sdl, openApi: document } = contract(version);
  return { 'schema.graphql': sdl, 'openapi.json': `${JSON.stringify(document, null, 2)}\n` };
}
