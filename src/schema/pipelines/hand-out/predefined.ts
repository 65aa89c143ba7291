import { groupNameOf, slug } from '../../../ci/variables.ts';
import type { Context } from '../../../context.ts';
import type { HandedVariable } from '../../../values/ci/handed-job.ts';
import type { Commit } from '../../../git/objects/parse.ts';
import { timestampOf, variablesOfServer } from '../variables/predefined.ts';
import type { HandOutRow } from './statements.ts';
import { timeoutOf } from './timeout.ts';

/** The variables that the gateway sets, by the names that scripts know. */

/** What decides the variables of a job. */
export interface VariablesOf {
  readonly jobId: number;
  readonly token: string;
  readonly repoUrl: string;
  readonly row: HandOutRow;
  readonly commit: Commit | undefined;
  /** What the annotated tag of its pipeline says. */
  readonly tagMessage: string | undefined;
  /** The environment that it deploys to. */
  readonly environment: { readonly name: string; readonly slug: string; readonly tier: string } | null;
  /** What the jobs that it needs left in `dotenv` reports. */
  readonly left: readonly { readonly key: string; readonly value: string }[];
  /** Of the merge request that its pipeline is of. */
  readonly ofMergeRequest: Readonly<Record<string, string | number | null>>;
}

const shown = (key: string, value: string | number): HandedVariable => ({
  key,
  value: String(value),
  public: true,
  masked: false,
  file: false,
  // Names and messages aren’t looked through for references.
  raw: true,
});
const secret = (key: string, value: string, masked: boolean): HandedVariable => ({
  ...shown(key, value),
  public: false,
  masked,
});

const shownAll = (values: Readonly<Record<string, string | number | null | undefined>>): HandedVariable[] =>
  Object.entries(values).flatMap(([key, value]) => (value === null || value === undefined ? [] : [shown(key, value)]));

const noCommit = '0'.repeat(40);

/** The title of a commit, and what follows it. */
function partsOf(message: string): { title: string; description: string } {
  const end = message.indexOf('\n');
  return end < 0
    ? { title: message, description: '' }
    : { title: message.slice(0, end), description: message.slice(end).replace(/^\n+/, '') };
}

/**
 * Everything that the gateway knows of a job: weaker than the configuration, about who started it, and of its environment,
 * which is stronger than all.
 */
export function predefined(
  context: Context,
  of: VariablesOf,
): {
  readonly before: readonly HandedVariable[];
  readonly ofPerson: readonly HandedVariable[];
  readonly ofEnvironment: readonly HandedVariable[];
} {
  const { row, token, repoUrl } = of;
  return {
    before: [
      ...shownAll({ ...ofJob(context, of), ...ofPipeline(context, of), ...ofCommit(of) }),
      ...shownAll({ ...ofProject(context, of), ...variablesOfServer(context), ...ofRunner(of), ...of.ofMergeRequest }),
      secret('CI_JOB_TOKEN', token, true),
      secret('CI_REGISTRY_PASSWORD', token, true),
      secret('CI_REPOSITORY_URL', repoUrl, false),
    ],
    ofPerson: shownAll({
      GITLAB_USER_ID: row.userId,
      GITLAB_USER_LOGIN: row.username,
      GITLAB_USER_NAME: row.userName,
      GITLAB_USER_EMAIL: row.userEmail,
    }),
    ofEnvironment: ofEnvironment(of),
  };
}

const ofJob = ({ baseUrl }: Context, { jobId, row }: VariablesOf) => ({
  CI: 'true',
  GITLAB_CI: 'true',
  CI_JOB_ID: jobId,
  CI_JOB_NAME: row.name,
  CI_JOB_NAME_SLUG: slug(row.name),
  CI_JOB_GROUP_NAME: groupNameOf(row.name),
  CI_JOB_STAGE: row.stage,
  CI_JOB_TIMEOUT: timeoutOf(row),
  CI_JOB_MANUAL: row.plan?.when === 'manual' ? 'true' : undefined,
  CI_JOB_IMAGE: row.plan?.image?.name,
  CI_JOB_URL: `${baseUrl}/${row.fullPath}/-/jobs/${jobId}`,
  CI_JOB_STARTED_AT: row.startedAt.toISOString().replace(/\.\d+Z$/, 'Z'),
  CI_NODE_TOTAL: row.plan?.parallel?.total ?? 1,
  CI_NODE_INDEX: row.plan?.parallel?.index,
  CI_REGISTRY_USER: 'gitlab-ci-token',
});

const ofPipeline = ({ baseUrl }: Context, { row }: VariablesOf) => ({
  CI_PIPELINE_ID: row.pipelineId,
  CI_PIPELINE_IID: row.pipelineIid,
  CI_PIPELINE_NAME: row.pipelineName,
  CI_PIPELINE_SOURCE: row.source,
  CI_PIPELINE_SCHEDULE_DESCRIPTION: row.scheduleDescription,
  CI_PIPELINE_URL: `${baseUrl}/${row.fullPath}/-/pipelines/${row.pipelineId}`,
  CI_PIPELINE_CREATED_AT: row.pipelineCreatedAt.toISOString().replace(/\.\d+Z$/, 'Z'),
  CI_PIPELINE_TRIGGERED: row.source === 'trigger' ? 'true' : undefined,
});

function ofCommit({ row, commit, tagMessage }: VariablesOf) {
  const { title, description } = partsOf(commit?.message ?? '');
  const isBranch = !row.tag && row.mergeRequestId === null;
  return {
    CI_COMMIT_SHA: row.sha,
    CI_COMMIT_SHORT_SHA: row.sha.slice(0, 8),
    CI_COMMIT_BEFORE_SHA: row.beforeSha ?? noCommit,
    CI_COMMIT_REF_NAME: row.sourceBranch ?? row.ref,
    CI_COMMIT_REF_SLUG: slug(row.sourceBranch ?? row.ref),
    CI_COMMIT_REF_PROTECTED: String(row.isProtected),
    CI_COMMIT_BRANCH: isBranch ? row.ref : undefined,
    CI_COMMIT_TAG: row.tag ? row.ref : undefined,
    CI_COMMIT_TAG_MESSAGE: tagMessage,
    CI_COMMIT_MESSAGE: commit?.message ?? '',
    CI_COMMIT_TITLE: title,
    CI_COMMIT_DESCRIPTION: description,
    CI_COMMIT_TIMESTAMP: commit && timestampOf(commit),
    CI_COMMIT_AUTHOR: commit && `${commit.author.name} <${commit.author.email}>`,
    CI_OPEN_MERGE_REQUESTS: row.openMergeRequests,
  };
}

function ofProject({ baseUrl }: Context, { row }: VariablesOf) {
  const namespace = row.fullPath.slice(0, row.fullPath.lastIndexOf('/'));
  return {
    CI_PROJECT_ID: row.projectId,
    CI_PROJECT_NAME: row.projectPath,
    CI_PROJECT_TITLE: row.projectName,
    CI_PROJECT_PATH: row.fullPath,
    CI_PROJECT_PATH_SLUG: slug(row.fullPath),
    CI_PROJECT_DESCRIPTION: row.projectDescription,
    CI_PROJECT_NAMESPACE: namespace,
    CI_PROJECT_NAMESPACE_ID: row.namespaceId,
    CI_PROJECT_NAMESPACE_SLUG: slug(namespace),
    CI_PROJECT_ROOT_NAMESPACE: namespace.split('/')[0],
    CI_PROJECT_URL: `${baseUrl}/${row.fullPath}`,
    CI_PROJECT_VISIBILITY: row.visibility,
    CI_DEFAULT_BRANCH: row.defaultBranch,
    CI_DEFAULT_BRANCH_SLUG: slug(row.defaultBranch ?? ''),
    CI_CONFIG_PATH: text(row.attributes.ciConfigPath) ?? '.gitlab-ci.yml',
  };
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

const ofRunner = ({ row }: VariablesOf) => ({
  CI_RUNNER_ID: row.runnerId,
  CI_RUNNER_DESCRIPTION: row.runnerDescription,
  CI_RUNNER_TAGS: JSON.stringify(row.runnerTags),
});

function ofEnvironment({ row, environment }: VariablesOf): HandedVariable[] {
  if (!environment) return [];
  return [
    ...shownAll({
      CI_ENVIRONMENT_NAME: environment.name,
      CI_ENVIRONMENT_SLUG: environment.slug,
      CI_ENVIRONMENT_TIER: environment.tier,
      CI_ENVIRONMENT_ACTION: row.plan?.environment?.action,
    }),
    // The configuration may name other variables in it.
    ...shownAll({ CI_ENVIRONMENT_URL: row.plan?.environment?.url }).map((one) => ({ ...one, raw: false })),
  ];
}
