import { objectSchema, recordOf, type JsonSchema, type Record } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import type { Parameter } from '../../engine/parameters.ts';
import { text } from '../../engine/schemas.ts';
import { writersOnly } from '../../repository/commits/writing.ts';

/** Checks of `.gitlab-ci.yml`. What is wrong with it is an answer, never an error. */

const tag = 'CI lint';

interface LintedJobData {
  readonly name: string;
  readonly stage: string;
  readonly beforeScript: readonly string[];
  readonly script: readonly string[];
  readonly afterScript: readonly string[];
  readonly tags: readonly string[];
  readonly only: { readonly refs: readonly string[] } | null;
  readonly except: { readonly refs: readonly string[] } | null;
  readonly environment: string | null;
  readonly when: string;
  readonly allowFailure: boolean;
  readonly needs: { readonly nodes: readonly { readonly name: string }[] } | null;
}

interface ConfigData {
  readonly status: 'VALID' | 'INVALID';
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly mergedYaml?: string | null;
  readonly includes: readonly {
    readonly type: string;
    readonly location: string;
    readonly blob: string;
    readonly raw: string;
    readonly contextProject: string;
    readonly contextSha: string;
  }[];
  readonly jobs?: readonly LintedJobData[];
}

const configFields = `status errors warnings mergedYaml includes { type location blob raw contextProject contextSha }
  jobs @include(if: $jobs) { name stage beforeScript script afterScript tags only { refs } except { refs } environment when
    allowFailure needs { nodes { name } } }`;

const texts: JsonSchema = { type: 'array', items: text };
const list: JsonSchema = { type: 'array', items: { type: 'object' } };

const jobOf = (job: LintedJobData) => ({
  name: job.name,
  stage: job.stage,
  before_script: job.beforeScript,
  script: job.script,
  after_script: job.afterScript,
  tag_list: job.tags,
  only: job.only,
  except: job.except,
  environment: job.environment,
  when: job.when,
  allow_failure: job.allowFailure,
  needs: job.needs?.nodes.map(({ name }) => ({ name })) ?? null,
});

const includesOf = ({ includes }: ConfigData) =>
  includes.map(({ contextProject, contextSha, ...include }) => ({
    ...include,
    extra: {},
    context_project: contextProject,
    context_sha: contextSha,
  }));

/** A check with the files of a project. */
const LintResult: Record<ConfigData> = {
  name: 'LintResult',
  schema: objectSchema(
    {
      valid: { type: 'boolean' },
      errors: texts,
      warnings: texts,
      merged_yaml: { type: ['string', 'null'] },
      includes: list,
      jobs: list,
    },
    ['jobs'],
  ),
  present: (config) => ({
    valid: config.status === 'VALID',
    errors: config.errors,
    warnings: config.warnings,
    merged_yaml: config.mergedYaml ?? null,
    includes: includesOf(config),
    ...(config.jobs && { jobs: config.jobs.map(jobOf) }),
  }),
};

/** A check without a project, as it was answered before version 16. */
const LintStatus: Record<ConfigData> = {
  name: 'LintStatus',
  schema: objectSchema(
    {
      status: { type: 'string', enum: ['valid', 'invalid'] },
      errors: texts,
      warnings: texts,
      valid: { type: 'boolean' },
      merged_yaml: { type: ['string', 'null'] },
      includes: list,
      jobs: list,
    },
    ['merged_yaml', 'jobs'],
  ),
  present: (config) => ({
    status: config.status.toLowerCase(),
    errors: config.errors,
    warnings: config.warnings,
    valid: config.status === 'VALID',
    ...(config.mergedYaml !== undefined && { merged_yaml: config.mergedYaml }),
    includes: includesOf(config),
    ...(config.jobs && { jobs: config.jobs.map(jobOf) }),
  }),
};

const content: Parameter = { name: 'content', type: 'string', required: true, description: 'The text to check.' };
const dryRun: Parameter = {
  name: 'dry_run',
  type: 'boolean',
  description: 'Whether to check also what becomes of it in a pipeline of `ref`. From Developer up.',
};
const includeJobs: Parameter = { name: 'include_jobs', type: 'boolean', description: 'Whether to list the jobs.' };
const ref: Parameter = {
  name: 'ref',
  type: 'string',
  description: 'The branch or tag of the dry run; the default branch if omitted.',
};
const sha: Parameter = {
  name: 'sha',
  type: 'string',
  description: 'The commit with the configuration; the default branch if omitted.',
};

const path = '/api/v4/projects/:id/ci/lint';

export const lintRoutes: readonly AnyRoute[] = [
  route<{ ciLint: { config: ConfigData } }>({
    method: 'POST',
    path: '/api/v4/ci/lint',
    summary: 'Check a configuration of pipelines',
    tag,
    parameters: [
      content,
      { name: 'include_merged_yaml', type: 'boolean', description: 'Whether to show it with what jobs extend.' },
      includeJobs,
    ],
    example: { content: 'test: { script: make test }' },
    operation: `mutation ($input: CiLintInput!, $merged: Boolean!, $jobs: Boolean!) {
      ciLint(input: $input) { config { ${configFields.replace('mergedYaml', 'mergedYaml @include(if: $merged)')} } }
    }`,
    variables: ({ content: given, include_merged_yaml: merged, include_jobs: jobs }) => ({
      input: { content: given ?? '' },
      merged: merged === true,
      jobs: jobs === true,
    }),
    record: recordOf(LintStatus, ({ ciLint }) => ciLint.config),
    dialect: 'version 4',
  }),
  route<{ ciConfig: ConfigData }>({
    method: 'GET',
    path,
    summary: 'Check the configuration of a project',
    tag,
    parameters: [
      dryRun,
      includeJobs,
      sha,
      ref,
      { ...sha, name: 'content_ref', description: 'The same as `sha`; also a branch or tag.' },
      { ...ref, name: 'dry_run_ref', description: 'The same as `ref`.' },
    ],
    operation: `query ($project: ID!, $sha: String, $dryRun: Boolean, $ref: String, $jobs: Boolean!) {
      ciConfig(projectPath: $project, sha: $sha, dryRun: $dryRun, ref: $ref) { ${configFields} }
    }`,
    variables: ({ id, sha: commit, ref: branch, dry_run: dry, include_jobs: jobs, ...values }) => ({
      project: id,
      sha: values['content_ref'] ?? commit,
      dryRun: dry === true,
      ref: values['dry_run_ref'] ?? branch,
      jobs: jobs === true,
    }),
    record: recordOf(LintResult, ({ ciConfig }) => ciConfig),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ ciLint: { config: ConfigData } }>({
    method: 'POST',
    path,
    summary: 'Check a configuration with the files of a project',
    tag,
    parameters: [content, dryRun, includeJobs, ref],
    example: { content: 'test: { script: make test }' },
    operation: `mutation ($input: CiLintInput!, $jobs: Boolean!) {
      ciLint(input: $input) { config { ${configFields} } }
    }`,
    variables: ({ id, content: given, dry_run: dry, ref: branch, include_jobs: jobs }) => ({
      input: { projectPath: id, content: given ?? '', dryRun: dry === true, ref: branch },
      jobs: jobs === true,
    }),
    guard: writersOnly,
    record: recordOf(LintResult, ({ ciLint }) => ciLint.config),
    refusals: [404],
    dialect: 'version 4',
  }),
];
