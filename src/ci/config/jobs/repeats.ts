import { retriedReasons } from '../../../values/ci/failure-reasons.ts';
import type { PlannedRetry, PlannedVariable } from '../../plan.ts';
import { isList, isMapping, type Mapping, type Value } from '../yaml/values.ts';
import { Fields, textOf } from './fields.ts';

const mostRetries = 2;
const retryReasons = new Set<string>(['always', ...retriedReasons]);

export function readRetry(job: Fields): PlannedRetry | undefined {
  const value = job.get('retry');
  if (value === undefined) return undefined;
  const checked = (max: Value | undefined, refuse: (message: string) => undefined): number => {
    if (max === undefined) return mostRetries;
    if (!Number.isInteger(max)) refuse('must be an integer');
    else if ((max as number) > mostRetries) refuse(`must be less than or equal to ${mostRetries}`);
    else if ((max as number) < 0) refuse('must be greater than or equal to 0');
    else return max as number;
    return 0;
  };
  if (typeof value === 'number')
    return { max: checked(value, (message) => job.refuseEntry('retry', message)), when: ['always'] };
  if (!isMapping(value)) return job.refuseEntry('retry', 'has to be either an integer or a hash');
  const fields = new Fields(value, `${job.where}:retry`, job.report);
  fields.allow(new Set(['max', 'when', 'exit_codes']));
  const exitCodes = fields.integers('exit_codes');
  const given = fields.get('when');
  // Who names codes and no reasons means these codes alone.
  const when = typeof given === 'string' ? [given] : (fields.strings('when') ?? (exitCodes ? [] : ['always']));
  const unknown = when.filter((reason) => !retryReasons.has(reason));
  if (unknown.length > 0) fields.refuse('when', `contains unknown values: ${unknown.join(', ')}`);
  const max = checked(fields.get('max'), (message) => fields.refuse('max', message));
  return { max, when, ...(exitCodes && { exitCodes }) };
}

/** Most jobs that one entry becomes. */
const mostParallel = 200;

/** One of the jobs that an entry becomes. */
export interface Copy {
  /** What follows the name of the entry, for example ` 1/5` or `: [linux, amd64]`. */
  readonly suffix: string;
  readonly variables: readonly PlannedVariable[];
}

/** One row of a matrix: values by name. */
type Row = readonly (readonly [name: string, values: readonly string[]])[];

function rowOf(mapping: Mapping): Row | undefined {
  const row: [string, readonly string[]][] = [];
  for (const [name, { value }] of mapping.entries) {
    const values = (isList(value) ? value : [value]).map((item) => textOf(item));
    if (values.length === 0 || !values.every((text) => text !== undefined)) return undefined;
    row.push([name, values]);
  }
  return row;
}

/** All combinations of a row, the last name changing first. */
function combine(row: Row): Copy[] {
  let combinations: PlannedVariable[][] = [[]];
  for (const [key, values] of row)
    combinations = combinations.flatMap((chosen) => values.map((value) => [...chosen, { key, value }]));
  return combinations.map((variables) => ({
    suffix: `: [${variables.map(({ value }) => value).join(', ')}]`,
    variables,
  }));
}

/** The combinations of a matrix, counted before they are made. */
export function readMatrix(fields: Fields): readonly Copy[] | undefined {
  const value = fields.get('matrix');
  if (!isList(value) || value.length === 0 || !value.every(isMapping))
    return fields.refuseEntry('matrix', 'should be an array of hashes');
  const rows = value.map(rowOf);
  if (!rows.every((row): row is Row => row !== undefined && row.length > 0))
    return fields.refuseEntry('matrix', 'should be an array of hashes of strings or arrays of strings');
  let total = 0;
  for (const row of rows) {
    let count = 1;
    for (const [, values] of row) count = Math.min(count * values.length, mostParallel + 1);
    total = Math.min(total + count, mostParallel + 1);
  }
  if (total > mostParallel) return fields.refuseEntry('matrix', `generates too many jobs (maximum is ${mostParallel})`);
  return rows.flatMap(combine);
}

/** The jobs that `parallel` makes of an entry; undefined without it. */
export function readParallel(job: Fields): readonly Copy[] | undefined {
  const value = job.get('parallel');
  if (value === undefined) return undefined;
  if (isMapping(value)) {
    const fields = new Fields(value, `${job.where}:parallel`, job.report);
    fields.allow(new Set(['matrix']));
    return readMatrix(fields);
  }
  if (typeof value !== 'number' || !Number.isInteger(value))
    return job.refuseEntry('parallel', 'should be an integer or a hash');
  if (value < 1) return job.refuseEntry('parallel', 'must be greater than or equal to 1');
  if (value > mostParallel) return job.refuseEntry('parallel', `must be less than or equal to ${mostParallel}`);
  return Array.from({ length: value }, (_, index) => ({ suffix: ` ${index + 1}/${value}`, variables: [] }));
}
