import type { JsonSchema } from './record.ts';

/** Schemas of plain values, of which records are made. */

export const text: JsonSchema = { type: 'string' };
export const textOrNull: JsonSchema = { type: ['string', 'null'] };
export const url: JsonSchema = { type: 'string', format: 'uri' };
export const moment: JsonSchema = { type: 'string', format: 'date-time' };
export const count: JsonSchema = { type: 'integer' };
export const flag: JsonSchema = { type: 'boolean' };

/** The same, or null. */
export const orNull = (schema: JsonSchema): JsonSchema => ({ ...schema, type: [schema.type, 'null'] });
