import { lexicographicSortSchema, printSchema } from 'graphql';
import { migrations, migrationSubjects, openApi, type Migration } from './rest/index.ts';
import { publicSchema } from './schema/public.ts';

/** What clients may rely on: served by the gateway, and its texts committed below `contract/`. */
export interface Contract {
  /** The part of the schema that `/graphql` serves. */
  readonly sdl: string;
  readonly openApi: object;
  /** What changed between version 3 and version 4 of the REST API, by these subjects. */
  readonly migrations: readonly Migration[];
  readonly migrationSubjects: readonly string[];
}

/** @param version of the gateway */
export function contract(version: string): Contract {
  return {
    sdl: `${printSchema(lexicographicSortSchema(publicSchema))}\n`,
    openApi: openApi(version),
    migrations,
    migrationSubjects,
  };
}

/** The committed files, by their names. */
export function contractFiles(version: string): Record<string, string> {
  const { sdl, openApi: document } = contract(version);
  return { 'schema.graphql': sdl, 'openapi.json': `${JSON.stringify(document, null, 2)}\n` };
}
