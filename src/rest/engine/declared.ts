import type { Parameter } from './parameters.ts';

/** Declares a parameter that has a type and a description, and nothing else. */
const ofType =
  (type: Parameter['type']) =>
  (name: string, description: string): Parameter => ({ name, type, description });

export const text = ofType('string');
export const texts = ofType('strings');
export const flag = ofType('boolean');
export const moment = ofType('date-time');

/** A value of an enum, as the schema names it. */
export const upper = (value: unknown): unknown => (typeof value === 'string' ? value.toUpperCase() : value);
