import type { When } from './start.ts';

/**
 * What a configuration makes of one event: a pipeline, its stages and its jobs, as plain data. `src/ci/config/` makes it
 * from `.gitlab-ci.yml`; it is stored with the jobs, so that a job is carried out as it was planned.
 */

/** A variable as a configuration gives it. */
export interface PlannedVariable {
  readonly key: string;
  readonly value: string;
  /** Whether `$NAME` in the value is left as it is. */
  readonly raw?: boolean;
}

/** A job that another one needs. */
export interface Need {
  /** The name of the job. */
  readonly job: string;
  /** Whether its artifacts are fetched. */
  readonly artifacts: boolean;
  /** Whether the job may be missing from the pipeline. */
  readonly optional: boolean;
}

/** A container image: for runners that use one. */
export interface Image {
  readonly name: string;
  readonly entrypoint?: readonly string[];
  readonly alias?: string;
  readonly command?: readonly string[];
  /** Of a service, besides those of the job. */
  readonly variables?: readonly PlannedVariable[];
  /** When the image is pulled: what is tried first, and next. */
  readonly pullPolicy?: readonly string[];
  /** What only some executors know, by their names: a platform, a user. */
  readonly executors?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** What is kept of a job’s folder when it ends. */
export interface PlannedArtifacts {
  readonly name?: string;
  readonly paths: readonly string[];
  readonly exclude: readonly string[];
  readonly untracked: boolean;
  readonly when: 'on_success' | 'on_failure' | 'always';
  /** As the configuration has it, for example `1 week`; undefined: the instance’s default. `never` is kept forever. */
  readonly expireIn?: string;
  readonly exposeAs?: string;
  readonly public: boolean;
  /** Reports by kind (`junit`, `dotenv` …): the paths of their files. */
  readonly reports: Readonly<Record<string, readonly string[]>>;
}

/** A cache, as the configuration has it. */
export interface PlannedCache {
  readonly key: string;
  readonly paths: readonly string[];
  readonly untracked: boolean;
  readonly policy: string;
  readonly when: string;
  readonly fallbackKeys: readonly string[];
  /** Whether protected branches share it with others. */
  readonly isUnprotected?: boolean;
}

export const environmentActions = ['start', 'stop', 'prepare', 'verify', 'access'] as const;

/** The environment that a job deploys to. Names and addresses have their variables unexpanded. */
export interface PlannedEnvironment {
  readonly name: string;
  readonly url?: string;
  readonly action: (typeof environmentActions)[number];
  /** The job that stops it. */
  readonly onStop?: string;
  readonly tier?: string;
  /** As the configuration has it, for example `2 days`. */
  readonly autoStopIn?: string;
}

/** When a failed job is tried again by itself. */
export interface PlannedRetry {
  /** How often: 0 to 2. */
  readonly max: number;
  /** For which reasons; `always` stands for all. */
  readonly when: readonly string[];
  /** And for which codes of the script, whatever the reason. */
  readonly exitCodes?: readonly number[];
}

/** Commands that the runner runs around its own work. */
export interface PlannedHooks {
  /** Before it gets the commit. */
  readonly preGetSourcesScript?: readonly string[];
}

/** A job of a plan: everything that its execution needs. */
export interface PlannedJob {
  readonly name: string;
  readonly stage: string;
  /** The place of its stage among all stages, `.pre` included. */
  readonly stageIndex: number;
  readonly when: When;
  /** In seconds, of a delayed job. */
  readonly startIn?: number;
  readonly allowFailure: boolean;
  /** Codes with which the job may exit without failing its pipeline. */
  readonly allowedExitCodes: readonly number[];
  /** Null: it waits for all earlier stages. Empty: it starts at once. Only those that are in the plan. */
  readonly needs: readonly Need[] | null;
  /** The jobs whose artifacts it fetches; null: those of all earlier stages, or of its `needs`. */
  readonly dependencies: readonly string[] | null;
  /** Of the configuration’s root, of the workflow’s rule, of the job and of its rule: later ones win. */
  readonly variables: readonly PlannedVariable[];
  /** `before_script` and `script`, one after the other. */
  readonly script: readonly string[];
  readonly afterScript: readonly string[];
  readonly hooks?: PlannedHooks;
  readonly image: Image | null;
  readonly services: readonly Image[];
  readonly cache: readonly PlannedCache[];
  readonly artifacts: PlannedArtifacts | null;
  readonly environment: PlannedEnvironment | null;
  /** Runners that carry it out have all of these. */
  readonly tags: readonly string[];
  /** In seconds; undefined: the project’s. */
  readonly timeout?: number;
  readonly retry: PlannedRetry;
  /** Whether a newer pipeline of the branch may cancel it. */
  readonly interruptible: boolean;
  /** A regular expression that finds the coverage in the log, without its slashes. */
  readonly coverage?: string;
  readonly resourceGroup?: string;
  /** Which of several equal jobs this is, from 1, of how many. */
  readonly parallel?: { readonly index: number; readonly total: number };
}

/**
 * What a newer commit of the branch cancels: everything, unless a job has started that may not be interrupted; what may be
 * interrupted; nothing.
 */
export const newCommitCancels = ['conservative', 'interruptible', 'none'] as const;
/** What a job that fails cancels: everything else in its pipeline, or nothing. */
export const jobFailureCancels = ['all', 'none'] as const;

/** What is canceled without a person; without a word, what comes first of the former and last of the latter. */
export interface AutoCancel {
  readonly onNewCommit?: (typeof newCommitCancels)[number];
  readonly onJobFailure?: (typeof jobFailureCancels)[number];
}

/** What becomes of a configuration at one event. */
export interface Plan {
  /** The name that `workflow: name` gives, variables expanded; null without one. */
  readonly name: string | null;
  readonly autoCancel: AutoCancel;
  /** All stages, in their order. */
  readonly stages: readonly string[];
  readonly jobs: readonly PlannedJob[];
  /** Sentences on what is accepted without effect. */
  readonly warnings: readonly string[];
}
