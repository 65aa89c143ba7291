import type { PlannedVariable } from '../../plan.ts';
import type { Report } from '../report.ts';
import { isMapping, type Entry, type Value } from '../yaml/values.ts';
import { Fields, textOf } from './fields.ts';

const known = {
  root: new Set(['value', 'description', 'expand', 'options']),
  inner: new Set(['value', 'expand']),
};

/** A variable with what its form shows to people who start a pipeline. */
export interface WrittenVariable extends PlannedVariable {
  readonly description?: string;
  /** The values to choose from. */
  readonly options?: readonly string[];
}

function variableOf(key: string, { value, place }: Entry, where: string, report: Report): WrittenVariable | undefined {
  const text = textOf(value);
  if (text !== undefined) return { key, value: text };
  if (value === null) return { key, value: '' };
  if (!isMapping(value)) {
    report.error(`${where}:${key} variable definition must be either a string or a hash`, place);
    return undefined;
  }
  const fields = new Fields(value, `${where}:${key}`, report);
  fields.allow(where === 'variables' ? known.root : known.inner);
  const description = fields.string('description');
  const given = fields.string('value') ?? '';
  const options = fields.strings('options');
  if (options && !options.includes(given))
    fields.report.error(`${where}:${key} config must be one of the options`, place);
  return {
    key,
    value: given,
    ...(fields.boolean('expand') === false && { raw: true }),
    ...(description !== undefined && { description }),
    ...(options && { options }),
  };
}

/**
 * Variables by name: `NAME: text`, or a mapping with `value`, `description` and `expand`.
 * @param where in messages: `variables`, `jobs:test:variables`
 */
export function readVariables(
  value: Value | undefined,
  where: string,
  report: Report,
  entry?: Entry,
): readonly WrittenVariable[] {
  if (value === undefined || value === null) return [];
  if (!isMapping(value)) {
    report.error(`${where} config should be a hash of key value pairs`, entry?.place);
    return [];
  }
  return [...value.entries].flatMap(([key, inner]) => variableOf(key, inner, where, report) ?? []);
}
