import type { PipelineSource } from '../../../values/ci/pipeline-sources.ts';
import type { PlannedVariable } from '../../plan.ts';
import type { Matcher } from '../patterns/matcher.ts';

/** What a pipeline is made of besides its configuration: the event, and what is looked up for rules. */
export interface PipelineFacts {
  /** The name of the branch or tag; of a merge request, its source branch. */
  readonly ref: string;
  readonly tag: boolean;
  readonly source: PipelineSource;
  /** Whether the pipeline is of a merge request. */
  readonly mergeRequest?: boolean;
  /** The full path of the project, for `ref@group/project`. */
  readonly projectPath: string;
  readonly variables: {
    /** Weaker than those of the configuration: `CI_…`, `GITLAB_…`. */
    readonly predefined: readonly PlannedVariable[];
    /** Stronger than those of the configuration: of the instance, groups, the project, and the event; later ones win. */
    readonly given: readonly PlannedVariable[];
  };
  /**
   * Paths that the event changed, or that differ from a ref. Null: there is nothing to compare with, then `changes`
   * holds.
   */
  readonly changedPaths: (compareTo?: string) => Promise<readonly string[] | null>;
  /** All paths of the commit. */
  readonly paths: () => Promise<readonly string[]>;
  /** What stands for the contents of a file of the commit: others have another one. Null without such a file. */
  readonly contents: (path: string) => Promise<string | null>;
}

/** Facts with what the rules ask for at hand. */
export interface KnownFacts {
  readonly facts: PipelineFacts;
  /** Changed paths by the ref that they are compared to; by '' without one. */
  readonly changed: ReadonlyMap<string, readonly string[] | null>;
  readonly paths: readonly string[];
  /** What stands for the contents of files, by their paths. */
  readonly contents: ReadonlyMap<string, string | null>;
  readonly matcher: Matcher;
}
