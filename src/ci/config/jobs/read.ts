import type {
  Image,
  PlannedArtifacts,
  PlannedEnvironment,
  PlannedHooks,
  PlannedRetry,
  PlannedVariable,
} from '../../plan.ts';
import { whens, type When } from '../../start.ts';
import { writtenPattern } from '../patterns/patterns.ts';
import type { Place } from '../problems.ts';
import type { Report } from '../report.ts';
import { readPolicy, type Policy } from '../rules/only.ts';
import { readRules, type Rule } from '../rules/read.ts';
import { isMapping, type Mapping } from '../yaml/values.ts';
import { readArtifacts } from './artifacts.ts';
import { readCache, readImage, readServices, type WrittenCache } from './containers.ts';
import { readEnvironment } from './environment.ts';
import { Fields } from './fields.ts';
import { readInherit, takenOf, type Inherits } from './inherit.ts';
import { idleKeys, jobKeys, refusedKeys } from './keys.ts';
import { readNeeds, type WrittenNeed } from './needs.ts';
import { readParallel, readRetry, type Copy } from './repeats.ts';
import { readVariables } from './variables.ts';

/** What jobs take from `default` where they don't say it themselves. */
export interface Common {
  readonly beforeScript?: readonly string[];
  readonly afterScript?: readonly string[];
  readonly image?: Image;
  readonly services?: readonly Image[];
  readonly cache?: readonly WrittenCache[];
  readonly artifacts?: PlannedArtifacts;
  readonly tags?: readonly string[];
  readonly timeout?: string;
  readonly retry?: PlannedRetry;
  readonly interruptible?: boolean;
  readonly hooks?: PlannedHooks;
}

/** A job as it is written, checked by itself. */
export interface WrittenJob extends Common {
  readonly name: string;
  readonly place: Place;
  readonly fields: Fields;
  readonly stage: string;
  readonly script: readonly string[];
  readonly when?: When;
  readonly startIn?: string;
  readonly allowFailure?: boolean;
  readonly exitCodes: readonly number[];
  readonly needs?: readonly WrittenNeed[];
  readonly dependencies?: readonly string[];
  readonly variables: readonly PlannedVariable[];
  readonly rules?: readonly Rule[];
  readonly only?: Policy;
  readonly except?: Policy;
  readonly environment?: PlannedEnvironment;
  readonly parallel?: readonly Copy[];
  readonly coverage?: string;
  readonly resourceGroup?: string;
  readonly inherits: Inherits;
}

/** The entries of an object that have a value. */
function given<T extends object>(values: { [Key in keyof T]: T[Key] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}

/** Reads what `default` and jobs have in common. A key that is there and null counts as empty, not as absent. */
export function readCommon(fields: Fields): Common {
  const cleared = (key: string) => (fields.has(key) && fields.get(key) === undefined ? [] : undefined);
  return given<Common>({
    beforeScript: fields.script('before_script') ?? cleared('before_script'),
    afterScript: fields.script('after_script') ?? cleared('after_script'),
    image: readImage(fields),
    services: readServices(fields) ?? cleared('services'),
    cache: readCache(fields) ?? cleared('cache'),
    artifacts: readArtifacts(fields),
    tags: fields.has('tags') ? (readTags(fields) ?? cleared('tags')) : undefined,
    timeout: fields.duration('timeout'),
    retry: readRetry(fields),
    interruptible: fields.boolean('interruptible'),
    hooks: readHooks(fields),
  });
}

/** Commands that the runner runs around its own work. */
function readHooks(job: Fields): PlannedHooks | undefined {
  const fields = job.inner('hooks');
  if (!fields) return undefined;
  fields.allow(new Set(['pre_get_sources_script']));
  const preGetSourcesScript = fields.script('pre_get_sources_script');
  return { ...(preGetSourcesScript && { preGetSourcesScript }) };
}

/** The name that configurations have for an entry of `Common`. */
const keyOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A job with what it takes from `default` where it doesn’t say it itself. */
export function withDefaults(job: WrittenJob, common: Common): WrittenJob {
  const taken = takenOf(Object.entries(common), job.inherits.defaults, ([name]) => keyOf(name));
  return { ...(Object.fromEntries(taken) as Common), ...job };
}

const mostTags = 50;

function readTags(fields: Fields): readonly string[] | undefined {
  const tags = fields.get('tags');
  if (tags === undefined) return undefined;
  if (!Array.isArray(tags) || !tags.flat(10).every((tag) => typeof tag === 'string'))
    return fields.refuseEntry('tags', 'should be an array of strings');
  const texts = tags.flat(10) as string[];
  return texts.length > mostTags
    ? fields.refuseEntry('tags', `must be less than the limit of ${mostTags} tags`)
    : [...new Set(texts)];
}

function readAllowFailure(fields: Fields): { readonly allowFailure?: boolean; readonly exitCodes: readonly number[] } {
  const value = fields.get('allow_failure');
  if (value === undefined) return { exitCodes: [] };
  if (typeof value === 'boolean') return { allowFailure: value, exitCodes: [] };
  if (!isMapping(value)) {
    fields.refuseEntry('allow_failure', 'should be a hash or a boolean value');
    return { exitCodes: [] };
  }
  const inner = new Fields(value, `${fields.where}:allow_failure`, fields.report);
  inner.allow(new Set(['exit_codes']));
  if (inner.get('exit_codes') === undefined) inner.refuse('exit_codes', 'should be an array of integers or an integer');
  const exitCodes = inner.integers('exit_codes');
  return exitCodes ? { allowFailure: false, exitCodes } : { exitCodes: [] };
}

function readCoverage(fields: Fields): string | undefined {
  const value = fields.get('coverage');
  if (value === undefined) return undefined;
  const written = typeof value === 'string' ? writtenPattern(value) : null;
  if (!written || !fields.report.patterns.regexp(written.pattern, written.flags))
    return fields.refuseEntry('coverage', 'must be a regular expression');
  return written.flags === '' ? written.pattern : `(?${written.flags})${written.pattern}`;
}

function readWhen(fields: Fields): { readonly when?: When; readonly startIn?: string } {
  const when = fields.oneOf('when', whens);
  const startIn = fields.duration('start_in');
  if (when === 'delayed') {
    if (!fields.has('start_in')) fields.refuse('start_in', 'should be a duration');
  } else if (fields.has('start_in') && !fields.has('rules')) fields.refuse('start_in', 'must be blank');
  return given({ when, startIn });
}

/** Keys that have a message of their own, if any. */
const namedKeys = new Set([...jobKeys, ...refusedKeys.keys()]);

function checkKeys(fields: Fields): void {
  for (const [key, why] of refusedKeys) if (fields.has(key)) fields.unsupported(key, why);
  fields.allow(namedKeys);
  for (const key of idleKeys)
    if (fields.has(key)) fields.report.warn(`${fields.where}:${key} has no effect here`, fields.placeOf(key));
  if (!fields.has('rules')) return;
  const beside = ['only', 'except'].filter((key) => fields.has(key));
  if (beside.length > 0)
    fields.report.error(
      `${fields.where} config key may not be used with \`rules\`: ${beside.join(', ')}`,
      fields.placeOf(beside[0]!),
    );
}

const longestName = 255;

/** Reads one visible job, after `extends`. */
export function readJob(name: string, mapping: Mapping, place: Place, report: Report): WrittenJob {
  const fields = new Fields(mapping, `jobs:${name}`, report);
  if (name.length > longestName) report.error(`${fields.where} name is too long (maximum is 255 characters)`, place);
  checkKeys(fields);
  const script = fields.script('script');
  if (!fields.has('script') && !fields.has('trigger') && !fields.has('run'))
    report.error(`${fields.where} config should implement a script: or a trigger: keyword`, place);
  else if (fields.has('script') && (fields.get('script') === undefined || script?.length === 0))
    report.error(`${fields.where} script can't be blank`, fields.placeOf('script'));
  const stage = fields.get('stage');
  if (stage !== undefined && typeof stage !== 'string') fields.refuseEntry('stage', 'should be a string');
  const dependencies = fields.strings('dependencies');
  return {
    name,
    place,
    fields,
    stage: typeof stage === 'string' ? stage : 'test',
    script: script ?? [],
    ...readCommon(fields),
    ...readWhen(fields),
    ...readAllowFailure(fields),
    inherits: readInherit(fields),
    variables: readVariables(
      mapping.get('variables'),
      `${fields.where}:variables`,
      report,
      mapping.entries.get('variables'),
    ),
    ...given<Partial<WrittenJob>>({
      needs: readNeeds(fields),
      dependencies,
      rules: readRules(fields.get('rules'), `${fields.where}:rules`, fields.placeOf('rules'), report),
      only: readPolicy(fields, 'only'),
      except: readPolicy(fields, 'except'),
      environment: readEnvironment(fields),
      parallel: readParallel(fields),
      coverage: readCoverage(fields),
      resourceGroup: fields.string('resource_group'),
    }),
  };
}
