import { lexicographicSortSchema, printSchema } from 'graphql';
import { openApi } from './rest/index.ts';
import { publicSchema } from './schema/index.ts';

/** What clients may rely on, as text: served by the gateway, and committed below `contract/`. */
export interface Contract {
  /** The part of the schema that `/graphql` serves. */
  readonly sdl: string;
  readonly openApi: object;
}

/** @param version of the gateway */
export function contract(version: string): Contract {
  return { sdl: `${printSchema(lexicographicSortSchema(publicSchema))}\n`, openApi: openApi(version) };
}

/** The committed files, by their names. */
export function contractFiles(version: string): Record<string, string> {
  const { sdl, openApi: document } = contract(version);
  return { 'schema.graphql': sdl, 'openapi.json': `${JSON.stringify(document, null, 2)}\n` };
}
