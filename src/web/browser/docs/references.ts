import type { SwaggerPlugin } from 'swagger-ui-dist/swagger-ui-es-bundle.js';

/**
 * Puts in the place of references what they lead to. All references of our document lead into itself. Swagger UI's own
 * resolver, which can do more, models the whole document for each call that is opened: that took ten seconds.
 */
export const localReferences: SwaggerPlugin = () => ({
  fn: {
    resolveSubtree: (document, path) =>
      Promise.resolve({ spec: resolved(document, partAt(document, path), []), errors: [] }),
  },
});

type Json = unknown;

const partAt = (document: Json, path: readonly string[]): Json =>
  path.reduce<Json>((part, name) => (part as Record<string, Json> | undefined)?.[name], document);

const isReference = (value: object): value is { readonly $ref: string } =>
  '$ref' in value && typeof value.$ref === 'string' && value.$ref.startsWith('#/');

/** @param within the references that lead here: one that leads into itself stays */
function resolved(document: Json, value: Json, within: readonly string[]): Json {
  if (Array.isArray(value)) return value.map((one) => resolved(document, one, within));
  if (typeof value !== 'object' || value === null) return value;
  if (isReference(value)) {
    const { $ref } = value;
    if (within.includes($ref)) return value;
    const path = $ref
      .slice(2)
      .split('/')
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    // Swagger UI reads the name of a schema there.
    return { ...(resolved(document, partAt(document, path), [...within, $ref]) as object), $$ref: $ref };
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(document, one, within)]));
}
