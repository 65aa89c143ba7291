import type { AutoCancel, PlannedVariable } from '../../plan.ts';
import { whens, type When } from '../../start.ts';
import type { Expression } from '../expressions/parser.ts';
import { Fields } from '../jobs/fields.ts';
import { readNeeds, type WrittenNeed } from '../jobs/needs.ts';
import { readVariables } from '../jobs/variables.ts';
import type { Report } from '../report.ts';
import type { Place } from '../problems.ts';
import { isList, isMapping, type Mapping, type Value } from '../yaml/values.ts';
import { readAutoCancel } from './auto-cancel.ts';

/** Paths that a rule looks for among those that changed. */
export interface Changes {
  readonly paths: readonly string[];
  /** The ref to which the commit is compared; undefined: what the event brought. */
  readonly compareTo?: string;
}

/** One rule of a job, or of the workflow. All its conditions must hold. */
export interface Rule {
  readonly if?: Expression;
  readonly changes?: Changes;
  readonly exists?: readonly string[];
  readonly when?: When | 'never';
  readonly startIn?: string;
  readonly allowFailure?: boolean;
  readonly interruptible?: boolean;
  /** In place of those of the job. */
  readonly needs?: readonly WrittenNeed[];
  /** Of a rule of the workflow. */
  readonly autoCancel?: AutoCancel;
  readonly variables: readonly PlannedVariable[];
}

const mostPatterns = 50;

function readIf(fields: Fields): Expression | undefined {
  const value = fields.get('if');
  if (value === undefined) return undefined;
  const expression = typeof value === 'string' ? fields.report.expression(value) : null;
  return expression ?? fields.refuse('if', 'invalid expression syntax');
}

function patterns(fields: Fields, key: string): readonly string[] | undefined {
  const paths = fields.strings(key);
  return paths && paths.length > mostPatterns ? fields.refuse(key, `is too long (maximum is ${mostPatterns})`) : paths;
}

function readChanges(rule: Fields): Changes | undefined {
  const value = rule.get('changes');
  if (value === undefined) return undefined;
  if (!isMapping(value)) {
    const paths = patterns(rule, 'changes');
    return paths && { paths };
  }
  const fields = new Fields(value, `${rule.where}:changes`, rule.report);
  fields.allow(new Set(['paths', 'compare_to']));
  const paths = patterns(fields, 'paths');
  const compareTo = fields.string('compare_to');
  return paths && { paths, ...(compareTo !== undefined && { compareTo }) };
}

function readExists(rule: Fields): readonly string[] | undefined {
  const value = rule.get('exists');
  if (value === undefined) return undefined;
  if (!isMapping(value)) return patterns(rule, 'exists');
  const fields = new Fields(value, `${rule.where}:exists`, rule.report);
  fields.allow(new Set(['paths']));
  return patterns(fields, 'paths');
}

const jobKeys = new Set([
  'if',
  'changes',
  'exists',
  'when',
  'start_in',
  'allow_failure',
  'interruptible',
  'needs',
  'variables',
]);
const workflowKeys = new Set(['if', 'changes', 'exists', 'when', 'variables', 'auto_cancel']);
const jobWhens = [...whens, 'never'] as const;
const workflowWhens = ['always', 'never'] as const;

function ruleOf(mapping: Mapping, where: string, report: Report, ofWorkflow: boolean): Rule {
  const fields = new Fields(mapping, `${where}:rule`, report);
  fields.allow(ofWorkflow ? workflowKeys : jobKeys);
  const condition = readIf(fields);
  const changes = readChanges(fields);
  const exists = readExists(fields);
  const when = fields.oneOf('when', ofWorkflow ? workflowWhens : jobWhens);
  const startIn = fields.duration('start_in');
  if (when === 'delayed' && !fields.has('start_in')) fields.refuse('start_in', "can't be blank");
  if (when !== 'delayed' && fields.has('start_in')) fields.refuse('start_in', 'must be blank');
  const allowFailure = fields.boolean('allow_failure');
  const interruptible = fields.boolean('interruptible');
  const needs = ofWorkflow ? undefined : readNeeds(fields);
  const autoCancel = readAutoCancel(fields);
  return {
    ...(condition && { if: condition }),
    ...(changes && { changes }),
    ...(exists && { exists }),
    ...(when && { when }),
    ...(startIn !== undefined && { startIn }),
    ...(allowFailure !== undefined && { allowFailure }),
    ...(interruptible !== undefined && { interruptible }),
    ...(needs && { needs }),
    ...(autoCancel && { autoCancel }),
    variables: readVariables(
      mapping.get('variables'),
      `${fields.where}:variables`,
      report,
      mapping.entries.get('variables'),
    ),
  };
}

/** Rules by the list that they were read from: jobs that share a list share its rules. */
const known = new WeakMap<object, { readonly rules: readonly Rule[] }>();

/**
 * Rules, in order. Lists inside the list are read as one.
 * @param where in messages: `jobs:test:rules`, `workflow:rules`
 */
export function readRules(
  value: Value | undefined,
  where: string,
  place: Place,
  report: Report,
): readonly Rule[] | undefined {
  if (value === undefined || value === null) return undefined;
  const shared = isList(value) ? known.get(value) : undefined;
  if (shared) return shared.rules;
  const items: readonly Value[] | undefined = isList(value) ? value.flat(10) : undefined;
  if (!items?.every(isMapping)) return report.error(`${where} config should be an array of hashes`, place);
  const before = report.errors.length;
  const rules = items.map((item) => ruleOf(item, where, report, where.startsWith('workflow')));
  if (report.errors.length === before) known.set(value as object, { rules });
  return rules;
}
