import type { Need, Plan, PlannedJob, PlannedVariable } from '../plan.ts';
import { circular, firstCircle, meant, namesOf, type Names } from './check-needs.ts';
import type { Config } from './compile.ts';
import { secondsOf } from './duration.ts';
import { takenOf } from './jobs/inherit.ts';
import type { WrittenNeed } from './jobs/needs.ts';
import type { WrittenJob } from './jobs/read.ts';
import type { Copy } from './jobs/repeats.ts';
import { Matcher } from './patterns/matcher.ts';
import { Unreadable, withLine, type Problem } from './problems.ts';
import { cacheWithKey } from './rules/cache-keys.ts';
import { firstRule, policyHolds } from './rules/evaluate.ts';
import type { KnownFacts, PipelineFacts } from './rules/facts.ts';
import { knownFacts } from './rules/known.ts';
import { defaultRefs } from './rules/only.ts';
import type { Rule } from './rules/read.ts';
import { layerOf, ofJob, Scope, scopeOf, type Layer } from './rules/scope.ts';
import { tooBig } from './yaml/limits.ts';

export type Planned =
  | { readonly plan: Plan }
  | { readonly errors: readonly Problem[] }
  /** No pipeline is made, and this sentence says why. */
  | { readonly filtered: string };

const filteredByWorkflow = 'Pipeline filtered out by workflow rules.';
const filteredByRules =
  'Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.';

/** Most jobs of one pipeline. */
const mostJobs = 500;

/** Most characters of commands and variables in all jobs of a plan, which are stored job by job. */
const largestPlan = 16_777_216;

/** Most characters of a tag, as runners have them. */
const longestTag = 255;

/** Looks up what a configuration asks for, once. */
const factsOf = ({ jobs, workflow, patterns }: Config, facts: PipelineFacts): Promise<KnownFacts> =>
  knownFacts(
    {
      rules: [...(workflow.rules ?? []), ...jobs.flatMap((job) => job.rules ?? [])],
      policies: jobs.flatMap(({ only, except }) => [only ?? [], except ?? []].flat()),
      caches: jobs.flatMap((job) => job.cache ?? []),
      matcher: new Matcher(patterns),
    },
    facts,
  );

/** A job of a pipeline, before it is known which others are in it. */
interface Chosen {
  readonly name: string;
  readonly job: WrittenJob;
  readonly copy: Copy | undefined;
  /** Which copy it is. */
  readonly parallel: PlannedJob['parallel'];
  readonly rule: Rule | undefined;
}

/** Variables of which later ones win, in the order in which their names first appear. */
function joined(...lists: readonly (readonly PlannedVariable[])[]): readonly PlannedVariable[] {
  const filled = lists.filter((list) => list.length > 0);
  if (filled.length <= 1) return filled[0] ?? [];
  return [...new Map(filled.flat().map((variable) => [variable.key, variable])).values()];
}

const takesAll = ({ inherits: { variables = true } }: WrittenJob) => variables === true;

/** The variables that a job takes of those of the root and of the workflow’s rule. */
const takenBy = (job: WrittenJob, shared: readonly PlannedVariable[]) =>
  takenOf(shared, job.inherits.variables, ({ key }) => key);

/** The plan of one pipeline in the making. */
class Planner {
  private readonly config: Config;
  private readonly known: KnownFacts;
  private readonly given: Layer;
  private readonly predefined: Layer;
  private readonly stageIndexes: ReadonlyMap<string, number>;
  private readonly sizes = new Map<object, number>();
  private size = 0;

  constructor(config: Config, known: KnownFacts) {
    this.config = config;
    this.known = known;
    this.given = layerOf(known.facts.variables.given);
    this.predefined = layerOf(known.facts.variables.predefined);
    this.stageIndexes = new Map(config.stages.map((stage, index) => [stage, index]));
  }

  plan(): Planned {
    const { workflow, stages, warnings } = this.config;
    const root = layerOf(this.config.variables);
    const rule =
      workflow.rules && firstRule(workflow.rules, this.known, new Scope([this.given, root, this.predefined]));
    if (workflow.rules && (!rule || rule.when === 'never')) return { filtered: filteredByWorkflow };
    const shared = joined(this.config.variables, rule?.variables ?? []);
    const below = [layerOf(shared), this.predefined];
    const chosen = this.config.jobs.flatMap((job) =>
      this.choose(job, takesAll(job) ? below : [layerOf(takenBy(job, shared)), this.predefined]),
    );
    if (!chosen.some(({ job }) => job.stage !== '.pre' && job.stage !== '.post')) return { filtered: filteredByRules };
    if (chosen.length > mostJobs)
      return { errors: [{ message: `The number of jobs has exceeded the limit of ${mostJobs}.` }] };
    const names = namesOf(this.config.jobs);
    const present = new Set(chosen.map(({ name }) => name));
    const errors = chosen.flatMap((one) => missingNeeds(one, names, present));
    if (errors.length > 0) return { errors };
    const jobs = chosen.map((one) => this.planned(one, shared, names, present));
    // Only now is it known which rules decide together.
    const circle = chosen.some(({ rule }) => rule?.needs) ? circleOf(jobs) : undefined;
    if (circle) return { errors: [{ message: circular(circle) }] };
    const name = workflow.name && new Scope([this.given, ...below]).expand(workflow.name).trim().slice(0, 255);
    return {
      plan: {
        name: name || null,
        autoCancel: { ...workflow.autoCancel, ...rule?.autoCancel },
        stages,
        jobs: jobs.toSorted((one, other) => one.stageIndex - other.stageIndex),
        warnings: warnings.map(withLine),
      },
    };
  }

  /** The jobs that an entry becomes: none, if its rules leave it out. */
  private choose(job: WrittenJob, below: readonly Layer[]): Chosen[] {
    const own = layerOf(job.variables);
    const [first, ...others] = job.parallel ?? [undefined];
    const total = job.parallel?.length ?? 0;
    const chosen: Chosen[] = [];
    for (const [at, copy] of [first, ...others].entries()) {
      const name = `${job.name}${copy?.suffix ?? ''}`;
      const parallel = copy && { index: at + 1, total };
      const known = layerOf([...ofJob({ name, stage: job.stage, parallel }), ...(copy?.variables ?? [])]);
      const rule = this.admits(job, new Scope([this.given, known, own, ...below]));
      if (rule !== null) chosen.push({ name, job, copy, parallel, rule });
    }
    return chosen;
  }

  /**
   * The rule that lets a job in; undefined if it has none; null if it is left out. Where the workflow has rules, these say
   * for what there are pipelines, and jobs without rules are in all of them.
   */
  private admits({ rules, only, except }: WrittenJob, scope: Scope): Rule | undefined | null {
    if (!rules) {
      const usual = this.config.workflow.rules ? {} : { refs: defaultRefs };
      return policyHolds(only ?? usual, except, this.known, scope) ? undefined : null;
    }
    const rule = firstRule(rules, this.known, scope);
    return !rule || rule.when === 'never' ? null : rule;
  }

  private planned(
    { name, job, copy, parallel, rule }: Chosen,
    shared: readonly PlannedVariable[],
    names: Names,
    present: ReadonlySet<string>,
  ): PlannedJob {
    const when = rule?.when && rule.when !== 'never' ? rule.when : (job.when ?? 'on_success');
    const startIn = when === 'delayed' ? (rule?.startIn ?? job.startIn) : undefined;
    const lists = [takenBy(job, shared), job.variables, copy?.variables ?? [], rule?.variables ?? []];
    this.weigh(
      ...lists,
      job.beforeScript ?? [],
      job.script,
      job.afterScript ?? [],
      job.hooks?.preGetSourcesScript ?? [],
    );
    const variables = joined(...lists);
    const script = job.beforeScript?.length ? [...job.beforeScript, ...job.script] : job.script;
    return {
      name,
      stage: job.stage,
      stageIndex: this.stageIndexes.get(job.stage)!,
      when,
      ...(startIn !== undefined && { startIn: secondsOf(startIn)! }),
      allowFailure: rule?.allowFailure ?? job.allowFailure ?? (when === 'manual' && !job.rules),
      allowedExitCodes: rule?.allowFailure === undefined ? job.exitCodes : [],
      needs: plannedNeeds(rule?.needs ?? job.needs, names, present),
      dependencies: job.dependencies?.flatMap((one) => names.get(one) ?? []).filter((one) => present.has(one)) ?? null,
      variables,
      script,
      afterScript: job.afterScript ?? [],
      ...(job.hooks && { hooks: job.hooks }),
      image: job.image ?? null,
      services: job.services ?? [],
      cache: (job.cache ?? []).map((cache) => cacheWithKey(cache, this.known.contents)),
      artifacts: job.artifacts ?? null,
      environment: job.environment ?? null,
      tags: this.tagsOf(job.tags ?? [], { name, stage: job.stage, variables, parallel }),
      ...(job.timeout !== undefined && { timeout: secondsOf(job.timeout)! }),
      retry: job.retry ?? { max: 0, when: [] },
      interruptible: rule?.interruptible ?? job.interruptible ?? false,
      ...(job.coverage !== undefined && { coverage: job.coverage }),
      ...(job.resourceGroup !== undefined && { resourceGroup: job.resourceGroup }),
      ...(parallel && { parallel }),
    };
  }

  /** Tags, with values in place of variables: by them, a configuration chooses runners. */
  private tagsOf(tags: readonly string[], job: Parameters<typeof scopeOf>[1]): readonly string[] {
    if (!tags.some((tag) => tag.includes('$'))) return tags;
    const scope = scopeOf(this.known.facts, job);
    return [...new Set(tags.map((tag) => scope.expand(tag).slice(0, longestTag)))];
  }

  /** Counts what is stored with a job, before it is copied; lists that jobs share are measured once. */
  private weigh(...lists: readonly (readonly (string | PlannedVariable)[])[]): void {
    for (const list of lists) {
      let size = this.sizes.get(list);
      if (size === undefined) {
        size = 0;
        for (const one of list)
          size += typeof one === 'string' ? one.length + 1 : one.key.length + one.value.length + 2;
        this.sizes.set(list, size);
      }
      this.size += size;
    }
    if (this.size > largestPlan) throw new Unreadable(tooBig);
  }
}

function missingNeeds({ name, job, rule }: Chosen, names: Names, present: ReadonlySet<string>): Problem[] {
  return (rule?.needs ?? job.needs ?? []).flatMap((need) => {
    if (need.optional) return [];
    const missing = meant(need, names)?.find((one) => !present.has(one));
    if (missing === undefined) return [];
    const message = `'${name}' job needs '${missing}' job, but '${missing}' does not exist in the pipeline. This might be because of the \`only\`, \`except\`, or \`rules\` keywords. To need a job that sometimes does not exist in the pipeline, use \`needs:optional\`.`;
    return [{ message, place: job.fields.placeOf(rule?.needs ? 'rules' : 'needs') }];
  });
}

const plannedNeeds = (
  needs: readonly WrittenNeed[] | undefined,
  names: Names,
  present: ReadonlySet<string>,
): Need[] | null =>
  needs?.flatMap((need) =>
    (meant(need, names) ?? [])
      .filter((one) => present.has(one))
      .map((one) => ({ job: one, artifacts: need.artifacts, optional: need.optional })),
  ) ?? null;

/** Jobs of a plan of which each needs the next, and the last the first; undefined if there are none. */
const circleOf = (jobs: readonly PlannedJob[]) =>
  firstCircle(new Map(jobs.map(({ name, needs }) => [name, needs?.map(({ job }) => job) ?? []])));

/**
 * Plans the pipeline of one event: its name, and the jobs that the rules let in.
 * @param config that `compileConfig` read
 */
export async function planPipeline(config: Config, facts: PipelineFacts): Promise<Planned> {
  const known = await factsOf(config, facts);
  try {
    return new Planner(config, known).plan();
  } catch (error) {
    if (error instanceof Unreadable) return { errors: [{ message: error.message, place: error.place }] };
    throw error;
  }
}
