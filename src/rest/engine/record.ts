/** A JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A JSON value. Lists of what is stored are those of `listRoute`, with pages; a list here is what a request itself named. */
type WireValue =
  | { readonly [name: string]: unknown }
  | readonly { readonly [name: string]: unknown }[]
  | boolean
  | null;

/**
 * One shape on the wire: its name and schema for the reference, and the function that makes it. Undefined members aren't
 * sent. Extend a record by up to a dozen members with `Object.assign`, not a spread: V8 takes over half a microsecond for
 * each member after a spread. Write a larger record as one literal, or fill a blank one (`values/blank.ts`).
 */
export interface Record<Data> {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly present: (data: Data) => WireValue;
}

/** An object schema whose properties are required, except `optional`. */
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

/** Applies a record to a part of the operation's data. */
export function recordOf<Data, Part>(record: Record<Part>, find: (data: Data) => Part): Record<Data> {
  return { ...record, present: (data) => record.present(find(data)) };
}

/** The answer to an operation that goes on in the background (status 202). */
export const Accepted: Record<unknown> = {
  name: 'Accepted',
  schema: objectSchema({ message: { type: 'string', const: '202 Accepted' } }),
  present: () => ({ message: '202 Accepted' }),
};

/** The answer to an operation whose record isn't shown (status 201). */
export const Created: Record<unknown> = {
  name: 'Created',
  schema: objectSchema({ message: { type: 'string', const: '201 Created' } }),
  present: () => ({ message: '201 Created' }),
};

/** A file (`Route.file`). */
export const File: Record<unknown> = { name: 'File', schema: {}, present: () => null };

/** An empty body (status 204). */
export const NoContent: Record<unknown> = { name: 'NoContent', schema: {}, present: () => null };
