import type { WrittenJob } from './jobs/read.ts';
import { mostNeeds, type WrittenNeed } from './jobs/needs.ts';
import type { Place } from './problems.ts';
import type { Report } from './report.ts';

/** Names of jobs after `parallel`, by the names that configurations use: of the entry, or of one of its jobs. */
export type Names = ReadonlyMap<string, readonly string[]>;

export function namesOf(jobs: readonly WrittenJob[]): Names {
  const names = new Map<string, readonly string[]>();
  for (const { name, parallel } of jobs) {
    const copies = parallel?.map(({ suffix }) => `${name}${suffix}`) ?? [name];
    for (const copy of copies) names.set(copy, [copy]);
    names.set(name, copies);
  }
  return names;
}

/** The jobs that a need means; undefined if there are none. */
export function meant(need: WrittenNeed, names: Names): readonly string[] | undefined {
  const { job, suffixes } = need;
  if (!suffixes) return names.get(job);
  const chosen = suffixes.map((suffix) => `${job}${suffix}`);
  return chosen.every((name) => names.has(name)) ? chosen : undefined;
}

/** Most stages that a message lists. */
const mostListed = 200;

/** Checks stages, `needs`, `dependencies` and `on_stop` of all jobs. */
export function checkReferences(jobs: readonly WrittenJob[], stages: readonly string[], report: Report): void {
  const names = namesOf(jobs);
  const stageIndexes = new Map(stages.map((stage, index) => [stage, index]));
  const indexes = new Map<string, number>();
  for (const { name, stage, parallel } of jobs) {
    const index = stageIndexes.get(stage) ?? 0;
    indexes.set(name, index);
    for (const { suffix } of parallel ?? []) indexes.set(`${name}${suffix}`, index);
  }
  const listed = stages.slice(0, mostListed).join(', ');
  const byName = new Map(jobs.map((job) => [job.name, job]));
  for (const job of jobs) {
    if (report.isFull) return;
    checkStop(job, byName, report);
    if (stageIndexes.has(job.stage)) checkOne(job, names, indexes, report);
    else
      report.error(
        `${job.name} job: chosen stage ${job.stage} does not exist; available stages are ${listed}`,
        job.fields.placeOf('stage'),
      );
  }
}

function checkOne(job: WrittenJob, names: Names, indexes: ReadonlyMap<string, number>, report: Report): void {
  const { name, fields, needs = [], rules = [], dependencies = [] } = job;
  const own = indexes.get(name)!;
  const seen = checkNeeds(job, needs, fields.placeOf('needs'), names, indexes, report);
  for (const rule of rules)
    if (rule.needs) checkNeeds(job, rule.needs, fields.placeOf('rules'), names, indexes, report);
  const needed = new Set([needs, ...rules.map((rule) => rule.needs ?? [])].flat().map((need) => need.job));
  const place = fields.placeOf('dependencies');
  for (const dependency of dependencies) {
    const jobs = names.get(dependency);
    if (!jobs) report.error(`${name} job: undefined dependency: ${dependency}`, place);
    else if (indexes.get(jobs[0]!)! >= own && !needed.has(dependency))
      report.error(`${name} job: dependency ${dependency} is not defined in current or prior stages`, place);
  }
  if (job.needs && dependencies.some((dependency) => !names.get(dependency)?.every((one) => seen.has(one))))
    report.error(`jobs:${name} dependencies the ${dependencies.join(', ')} should be part of needs`, place);
}

/** Checks that the job that stops an environment does. */
function checkStop({ name, fields, environment }: WrittenJob, jobs: ReadonlyMap<string, WrittenJob>, report: Report) {
  const stop = environment?.onStop;
  if (environment === undefined || stop === undefined) return;
  const job = jobs.get(stop);
  const refuse = (why: string) =>
    report.error(`${name} job: on_stop job ${stop} ${why}`, fields.placeOf('environment'));
  if (!job) refuse('is not defined');
  else if (!job.environment) refuse('does not have environment defined');
  else if (job.environment.name !== environment.name) refuse('have different environment name');
  else if (job.environment.action !== 'stop') refuse('needs to have action stop defined');
}

/** Checks what a job, or one of its rules, needs. @returns the names of these jobs */
function checkNeeds(
  { name }: WrittenJob,
  needs: readonly WrittenNeed[],
  at: Place,
  names: Names,
  indexes: ReadonlyMap<string, number>,
  report: Report,
): ReadonlySet<string> {
  const own = indexes.get(name)!;
  const seen = new Set<string>();
  const twice = new Set<string>();
  let count = 0;
  for (const need of needs) {
    const jobs = meant(need, names);
    if (!jobs) {
      if (!need.optional) report.error(`${name} job: undefined need: ${need.job}`, at);
      continue;
    }
    count += jobs.length;
    if (indexes.get(jobs[0]!)! > own)
      report.error(`${name} job: need ${need.job} is not defined in current or prior stages`, at);
    for (const one of jobs) {
      if (seen.has(one)) twice.add(need.job);
      seen.add(one);
    }
  }
  if (twice.size > 0) report.error(`${name} has the following needs duplicated: ${[...twice].join(', ')}.`, at);
  if (count > mostNeeds)
    report.error(
      `${name}: one job can only need ${mostNeeds} others, but you have listed ${count}. See needs keyword documentation for more details`,
      at,
    );
  return seen;
}

/** Reports jobs that, in the end, need themselves. */
export function checkCircles(jobs: readonly WrittenJob[], report: Report): void {
  const names = namesOf(jobs);
  const owner = new Map<string, string>();
  for (const { name, parallel } of jobs) {
    for (const { suffix } of parallel ?? []) owner.set(`${name}${suffix}`, name);
    owner.set(name, name);
  }
  const needed = new Map(
    jobs.map(({ name, needs = [] }) => [
      name,
      [...new Set(needs.flatMap((need) => meant(need, names) ?? []).map((one) => owner.get(one)!))],
    ]),
  );
  const circle = firstCircle(needed);
  if (circle) report.error(circular(circle));
}

/** The sentence for jobs of which each needs the next, and the last the first. */
export const circular = (circle: readonly string[]): string =>
  `The pipeline has circular dependencies: topological sort failed: [${circle.map((one) => JSON.stringify(one)).join(', ')}]`;

/** The first circle among jobs. @param needed the jobs that each needs, by names */
export function firstCircle(needed: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  for (const name of needed.keys()) {
    const circle = circleFrom(name, needed, done);
    if (circle) return circle;
  }
  return undefined;
}

/** A circle that a job leads to; what was found to lead to none is remembered. Iterative: chains may be long. */
function circleFrom(
  start: string,
  needed: ReadonlyMap<string, readonly string[]>,
  done: Set<string>,
): readonly string[] | undefined {
  const path: { readonly name: string; next: number }[] = [];
  const onPath = new Set<string>();
  const enter = (name: string) => {
    path.push({ name, next: 0 });
    onPath.add(name);
  };
  if (!done.has(start)) enter(start);
  while (path.length > 0) {
    const top = path.at(-1)!;
    const next = needed.get(top.name)?.[top.next];
    top.next += 1;
    if (next === undefined) {
      path.pop();
      onPath.delete(top.name);
      done.add(top.name);
    } else if (onPath.has(next)) {
      const names = path.map(({ name }) => name);
      return names.slice(names.indexOf(next));
    } else if (!done.has(next)) enter(next);
  }
  return undefined;
}
