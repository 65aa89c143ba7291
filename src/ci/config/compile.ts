import { tooLong } from '../../values/text/lengths.ts';
import type { AutoCancel, PlannedVariable } from '../plan.ts';
import { checkCircles, checkReferences } from './check-needs.ts';
import { Extender } from './extends.ts';
import { expandIncludes, type Included, type Sources } from './include.ts';
import { Fields } from './jobs/fields.ts';
import { defaultKeys, rootKeys } from './jobs/keys.ts';
import { readCommon, readJob, withDefaults, type Common, type WrittenJob } from './jobs/read.ts';
import { readVariables, type WrittenVariable } from './jobs/variables.ts';
import type { Patterns } from './patterns/patterns.ts';
import { Unreadable, unsupported, type Problem } from './problems.ts';
import { Report } from './report.ts';
import { readAutoCancel } from './rules/auto-cancel.ts';
import { readRules, type Rule } from './rules/read.ts';
import { readStages } from './stages.ts';
import { checkExtent, largest, tooBig } from './yaml/limits.ts';
import { loadYaml } from './yaml/load.ts';
import { Effort } from './yaml/merge.ts';
import { resolveReferences } from './yaml/references.ts';
import { isMapping, Mapping } from './yaml/values.ts';

/** A configuration that was read and checked: pipelines are planned with it. */
export interface Config {
  readonly stages: readonly string[];
  /** Visible jobs, `default` applied. */
  readonly jobs: readonly WrittenJob[];
  readonly variables: readonly PlannedVariable[];
  /** The same, as they are offered to people who start a pipeline. */
  readonly offered: readonly WrittenVariable[];
  readonly workflow: { readonly name?: string; readonly rules?: readonly Rule[]; readonly autoCancel?: AutoCancel };
  readonly warnings: readonly Problem[];
  /** The patterns of its rules. */
  readonly patterns: Patterns;
  /** The files that were read, in order. */
  readonly included: readonly Included[];
  /** Everything after `include`, `!reference` and `extends`. */
  readonly merged: Mapping;
}

export type Compiled =
  | { readonly config: Config }
  | { readonly errors: readonly Problem[]; readonly warnings: readonly Problem[] };

/** Most jobs in one configuration, `parallel` applied: some pipelines have fewer. */
const mostWritten = 2_500;

/** Jobs may share what they extend: so much larger may all of them be, taken one by one. */
const mostAfterExtends = 8 * largest;

const blank = 'Please provide content of .gitlab-ci.yml';

async function mergedRoot(text: string, sources: Sources, effort: Effort, report: Report) {
  const value = loadYaml(text);
  if (value === null) throw new Unreadable(blank);
  if (!isMapping(value)) throw new Unreadable('Invalid configuration format');
  const { root, included } = await expandIncludes(value, sources, effort, report, text.length);
  if (root.entries.has('spec'))
    throw new Unreadable(unsupported('spec', root.placeOf('spec'), 'files have no inputs'), root.placeOf('spec'));
  const resolved = resolveReferences(root);
  checkExtent(resolved, largest);
  return { root: resolved, included };
}

/** Puts jobs in the place of what they extend. Hidden ones that are broken stay as they are written. */
function extendAll(root: Mapping, effort: Effort, report: Report): Mapping {
  const merged = new Mapping(root.place, root.entries);
  const extender = new Extender(root, effort, report);
  for (const [name, { value, place }] of root.entries) {
    if (rootKeys.has(name) || !isMapping(value)) continue;
    if (name.startsWith('.') && !value.entries.has('extends')) continue;
    const job = extender.extend(name);
    if (job) merged.entries.set(name, { value: job, place });
  }
  checkExtent(merged, mostAfterExtends);
  return merged;
}

function readDefaults(root: Mapping, report: Report): Common {
  const value = root.get('default') ?? undefined;
  let common: Common = {};
  if (isMapping(value)) {
    const fields = new Fields(value, 'default', report);
    fields.allow(defaultKeys);
    common = readCommon(fields);
    for (const key of defaultKeys)
      if (fields.has(key) && root.entries.has(key))
        report.error(`${key} is defined in top-level and \`default:\` entry`, root.placeOf(key));
  } else if (value !== undefined) report.error('default config should be a hash', root.placeOf('default'));
  const globals = new Mapping(root.place);
  for (const key of ['before_script', 'after_script', 'image', 'services', 'cache']) {
    const entry = root.entries.get(key);
    if (entry) globals.entries.set(key, entry);
  }
  return globals.entries.size === 0 ? common : { ...common, ...readCommon(new Fields(globals, 'root', report)) };
}

function readWorkflow(root: Mapping, report: Report): Config['workflow'] {
  const value = root.get('workflow') ?? undefined;
  if (value === undefined) return {};
  if (!isMapping(value)) return report.error('workflow config should be a hash', root.placeOf('workflow')) ?? {};
  const fields = new Fields(value, 'workflow', report);
  fields.allow(new Set(['rules', 'name', 'auto_cancel']));
  const autoCancel = readAutoCancel(fields);
  const name = fields.string('name');
  if (name !== undefined && name.length > 255) fields.refuse('name', tooLong(255));
  const rules = readRules(fields.get('rules'), 'workflow:rules', fields.placeOf('rules'), report);
  return { ...(name !== undefined && { name }), ...(rules && { rules }), ...(autoCancel && { autoCancel }) };
}

function readJobs(root: Mapping, common: Common, report: Report): WrittenJob[] {
  const jobs: WrittenJob[] = [];
  let count = 0;
  let visible = 0;
  for (const [name, { value, place }] of root.entries) {
    if (rootKeys.has(name) || name.startsWith('.')) continue;
    visible += 1;
    if (!isMapping(value)) {
      report.error(`jobs:${name} config should implement a script: or a trigger: keyword`, place);
      continue;
    }
    if (name === '') {
      report.error("jobs name can't be blank", place);
      continue;
    }
    const job = readJob(name, value, place, report);
    count += job.parallel?.length ?? 1;
    if (count > mostWritten)
      throw new Unreadable(`The number of jobs has exceeded the limit of ${mostWritten}.`, place);
    jobs.push(withDefaults(job, common));
  }
  if (visible === 0) report.error('jobs config should contain at least one visible job');
  return jobs;
}

/** Everything about a configuration that doesn't depend on an event. */
function readConfig(merged: Mapping, included: readonly Included[], report: Report): Config | undefined {
  const stages = readStages(merged, report);
  const common = readDefaults(merged, report);
  const offered = readVariables(merged.get('variables'), 'variables', report, merged.entries.get('variables'));
  // Jobs are stored with their variables, but not with the words about them.
  const variables = offered.map(({ key, value, raw }) => (raw ? { key, value, raw } : { key, value }));
  const workflow = readWorkflow(merged, report);
  const jobs = readJobs(merged, common, report);
  if (report.errors.length === 0) checkReferences(jobs, stages, report);
  if (report.errors.length === 0) checkCircles(jobs, report);
  if (report.errors.length > 0) return undefined;
  const { warnings, patterns } = report;
  return { stages, jobs, variables, offered, workflow, warnings, patterns, included, merged };
}

/**
 * Reads and checks a configuration: all of its jobs, whatever their rules say.
 * @param text of `.gitlab-ci.yml`; empty without one
 * @param sources of included files
 */
export async function compileConfig(text: string, sources: Sources): Promise<Compiled> {
  const report = new Report();
  try {
    if (text.trim() === '') throw new Unreadable(blank);
    const effort = new Effort();
    const { root, included } = await mergedRoot(text, sources, effort, report);
    const merged = extendAll(root, effort, report);
    const config = report.errors.length === 0 ? readConfig(merged, included, report) : undefined;
    if (config) return { config };
  } catch (error) {
    if (error instanceof RangeError) report.error(tooBig);
    else if (error instanceof Unreadable) report.error(error.message, error.place);
    else throw error;
  }
  return { errors: report.errors, warnings: report.warnings };
}
