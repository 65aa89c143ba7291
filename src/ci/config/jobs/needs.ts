import { isList, isMapping, type Mapping } from '../yaml/values.ts';
import { Fields } from './fields.ts';
import { readMatrix } from './repeats.ts';

const needKeys = new Set(['job', 'artifacts', 'optional', 'parallel']);

/** Most jobs that a job may need. */
export const mostNeeds = 50;

/** A job that an entry needs, before `parallel` is applied. */
export interface WrittenNeed {
  readonly job: string;
  readonly artifacts: boolean;
  readonly optional: boolean;
  /** What follows the names of those jobs of a matrix that are needed; undefined: all. */
  readonly suffixes?: readonly string[];
}

function needOf(mapping: Mapping, job: Fields): WrittenNeed | undefined {
  const fields = new Fields(mapping, `${job.where}:needs`, job.report);
  for (const key of ['pipeline', 'project', 'ref'])
    if (fields.has(key)) return fields.unsupported(key, 'a job needs jobs of its own pipeline');
  fields.allow(needKeys);
  const name = fields.string('job');
  if (!name) return fields.refuse('job', "can't be blank");
  const parallel = fields.inner('parallel');
  const copies = parallel && readMatrix(parallel);
  return {
    job: name,
    artifacts: fields.boolean('artifacts') ?? true,
    optional: fields.boolean('optional') ?? false,
    ...(copies && { suffixes: copies.map(({ suffix }) => suffix) }),
  };
}

/** The jobs that an entry, or one of its rules, needs; undefined if it waits for all earlier stages. */
export function readNeeds(job: Fields): readonly WrittenNeed[] | undefined {
  const value = job.get('needs');
  if (value === undefined) return undefined;
  const items = isList(value) ? value.flat(10) : [value];
  const needs: WrittenNeed[] = [];
  for (const item of items) {
    if (typeof item === 'string') needs.push({ job: item, artifacts: true, optional: false });
    else if (isMapping(item)) {
      const need = needOf(item, job);
      if (need) needs.push(need);
    } else return job.refuseEntry('needs', 'can only be a hash or an array');
  }
  return needs;
}
