import { compileConfig, type Config } from './compile.ts';
import type { Sources } from './include.ts';
import type { WrittenJob } from './jobs/read.ts';
import { planPipeline } from './plan-pipeline.ts';
import type { Problem } from './problems.ts';
import { defaultRefs } from './rules/only.ts';
import { checkExtent, largest } from './yaml/limits.ts';
import { writeYaml } from './yaml/write.ts';

/** A job as a check of a configuration shows it. */
export interface LintedJob {
  readonly name: string;
  /** The name without what `parallel` adds. */
  readonly groupName: string;
  readonly stage: string;
  readonly script: readonly string[];
  readonly beforeScript: readonly string[];
  readonly afterScript: readonly string[];
  readonly tags: readonly string[];
  readonly environment: string | null;
  readonly when: string;
  readonly allowFailure: boolean;
  readonly only: readonly string[] | null;
  readonly except: readonly string[] | null;
  readonly needs: readonly string[] | null;
}

/** What a check of a configuration finds. */
export interface Linted {
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** After `include`, `!reference` and `extends`; null if the configuration is wrong, or too large like that. */
  readonly mergedYaml: string | null;
  /** Paths of the files that it includes. */
  readonly includes: readonly string[];
  /** Stages that have jobs. */
  readonly stages: readonly string[];
  readonly jobs: readonly LintedJob[];
}

function lintedJobs(job: WrittenJob, { workflow }: Config): LintedJob[] {
  const when = job.when ?? 'on_success';
  const common = {
    groupName: job.name,
    stage: job.stage,
    script: job.script,
    beforeScript: job.beforeScript ?? [],
    afterScript: job.afterScript ?? [],
    tags: job.tags ?? [],
    environment: job.environment?.name ?? null,
    when,
    allowFailure: job.allowFailure ?? (when === 'manual' && !job.rules),
    only: job.rules ? null : (job.only?.refs ?? (workflow.rules ? null : defaultRefs)),
    except: job.except?.refs ?? null,
    needs: job.needs?.map((need) => need.job) ?? null,
  };
  const copies = job.parallel ?? [{ suffix: '' }];
  return copies.map(({ suffix }) => ({ name: `${job.name}${suffix}`, ...common }));
}

/** Jobs share what they extend: largest size of a merged configuration that is written out. */
const largestMerged = 2 * largest;

function mergedYaml({ merged }: Config): string | null {
  try {
    checkExtent(merged, largestMerged);
  } catch {
    return null;
  }
  return writeYaml(merged);
}

/**
 * Checks a configuration.
 * @param sources of included files; with the facts of an event, it is also checked what becomes of it there
 */
export async function lintConfig(text: string, sources: Sources): Promise<Linted> {
  const { facts } = sources;
  const nothing = { mergedYaml: null, includes: [], stages: [], jobs: [] };
  const compiled = await compileConfig(text, sources);
  if ('errors' in compiled) return { ...compiled, ...nothing };
  const { config } = compiled;
  const { warnings } = config;
  const jobs = config.jobs.flatMap((job) => lintedJobs(job, config));
  const used = new Set(jobs.map(({ stage }) => stage));
  const found = {
    mergedYaml: mergedYaml(config),
    includes: config.included.map(({ path }) => path),
    stages: config.stages.filter((stage) => used.has(stage)),
  };
  if (!facts) return { errors: [], warnings, ...found, jobs };
  const planned = await planPipeline(config, facts);
  if (!('plan' in planned)) {
    const errors = 'errors' in planned ? planned.errors : [{ message: planned.filtered }];
    return { errors, warnings, ...found, jobs: [] };
  }
  const names = new Set(planned.plan.jobs.map(({ name }) => name));
  return { errors: [], warnings, ...found, jobs: jobs.filter(({ name }) => names.has(name)) };
}
