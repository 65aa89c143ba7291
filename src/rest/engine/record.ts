/** A JSON Schema (2020-12), as OpenAPI 3.1 takes it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A JSON value that isn't a list: lists are paginated, and made by `listRoute` only. */
type WireValue = { readonly [name: string]: unknown } | boolean | null;

/**
 * One shape on the wire: its name and schema for the reference, and the one function that makes it.
 * What is undefined isn't sent. Where a record goes on after another one, that is
 * `Object.assign` onto it: V8 takes more than half a microsecond for each member that follows a spread.
 */
export interface Record<Data> {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly present: (data: Data) => WireValue;
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

/** A record of part of an operation's data. */
export function recordOf<Data, Part>(record: Record<Part>, find: (data: Data) => Part): Record<Data> {
  return { ...record, present: (data) => record.present(find(data)) };
}

/** The answer to what is done later (status 202). */
export const Accepted: Record<unknown> = {
  name: 'Accepted',
  schema: objectSchema({ message: { type: 'string', const: '202 Accepted' } }),
  present: () => ({ message: '202 Accepted' }),
};

/** No body at all (status 204). */
export const NoContent: Record<unknown> = { name: 'NoContent', schema: {}, present: () => null };
