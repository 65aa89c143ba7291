/** A job as a runner gets it, before the wire’s names. The gateway makes it; the runner’s API writes it. */

/** A variable of a job, in clear. Never log it. */
export interface HandedVariable {
  readonly key: string;
  readonly value: string;
  /** Whether the runner may show its value. */
  readonly public: boolean;
  readonly masked: boolean;
  readonly file: boolean;
  /** Whether references in the value stay as they are. */
  readonly raw: boolean;
}

interface HandedStep {
  readonly name: 'script' | 'after_script';
  readonly script: readonly string[];
  /** In seconds. */
  readonly timeout: number;
  readonly when: 'on_success' | 'always';
  readonly allowFailure: boolean;
}

/** Commands that the runner runs around its own work. */
interface HandedHook {
  readonly name: 'pre_get_sources_script';
  readonly script: readonly string[];
}

interface HandedImage {
  readonly name: string;
  readonly alias?: string | undefined;
  readonly entrypoint?: readonly string[] | undefined;
  readonly command?: readonly string[] | undefined;
  readonly variables?: readonly { readonly key: string; readonly value: string }[] | undefined;
  readonly pullPolicy?: readonly string[] | undefined;
  readonly executors?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
}

export interface HandedArtifacts {
  readonly name: string | null;
  readonly untracked: boolean;
  readonly paths: readonly string[];
  readonly exclude: readonly string[];
  readonly when: string;
  readonly expireIn: string | null;
  readonly type: string;
  readonly format: 'zip' | 'gzip' | 'raw';
}

interface HandedCache {
  readonly key: string;
  readonly untracked: boolean;
  readonly paths: readonly string[];
  readonly policy: string;
  readonly when: string;
  readonly fallbackKeys: readonly string[];
}

/** A job whose artifacts are fetched. */
export interface HandedDependency {
  readonly id: number;
  readonly name: string;
  readonly token: string;
  readonly artifactsFile: { readonly filename: string; readonly size: number } | null;
}

export interface HandedJob {
  readonly id: number;
  readonly token: string;
  readonly allowGitFetch: boolean;
  readonly name: string;
  readonly stage: string;
  readonly projectId: number;
  readonly projectName: string;
  readonly queuedSeconds: number;
  /** For runners of the instance; null for others. */
  readonly runningInProject: number | null;
  readonly git: {
    readonly repoUrl: string;
    readonly ref: string;
    readonly sha: string;
    readonly beforeSha: string;
    readonly refType: 'branch' | 'tag';
    readonly refspecs: readonly string[];
    /** 0: all commits. */
    readonly depth: number;
    readonly isProtected: boolean;
  };
  /** In seconds. */
  readonly timeout: number;
  readonly variables: readonly HandedVariable[];
  readonly steps: readonly HandedStep[];
  readonly hooks: readonly HandedHook[];
  readonly image: HandedImage | null;
  readonly services: readonly HandedImage[];
  readonly artifacts: readonly HandedArtifacts[];
  readonly cache: readonly HandedCache[];
  readonly dependencies: readonly HandedDependency[];
}
