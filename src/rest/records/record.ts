/** A JSON Schema (2020-12), as OpenAPI 3.1 takes it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** One shape on the wire: its name and schema for the reference, and the one function that makes it. */
export interface Record<Data> {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly present: (data: Data) => object;
}

/** An object schema whose properties are all there, except those named. */
export function objectSchema(
  properties: { readonly [name: string]: JsonSchema },
  optional: readonly string[] = [],
): JsonSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  };
}
