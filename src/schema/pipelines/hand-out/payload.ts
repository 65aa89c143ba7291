import type { PlannedArtifacts, PlannedJob } from '../../../ci/plan.ts';
import type { Context } from '../../../context.ts';
import { readRef } from '../../../git/objects/index.ts';
import type { HandedArtifacts, HandedJob, HandedVariable } from '../../../values/ci/handed-job.ts';
import { formatOfReport } from '../artifacts/kinds.ts';
import { variablesOfNeeded } from '../artifacts/reports.ts';
import { rememberMasks } from '../traces/masks.ts';
import { dependenciesOf, neededJobs } from './artifacts.ts';
import { environmentOf, noteDeploying } from './deploying.ts';
import type { ClaimedRow, HandOutRow } from './statements.ts';
import { timeoutOf } from './timeout.ts';
import { allVariables } from './variables.ts';

/** How many commits a job gets in a project without a choice. */
const usualDepth = 20;

/**
 * What a runner gets to carry out a job that it claimed.
 * @throws MissingDependency, Error, if something of it isn’t there any more
 */
export async function payloadOf(context: Context, row: ClaimedRow, token: string): Promise<HandedJob> {
  const { id: jobId, plan } = row;
  if (!plan) throw new Error(`Job ${jobId} has no plan.`);
  const url = new URL(`${context.baseUrl}/${row.fullPath}.git`);
  Object.assign(url, { username: 'gitlab-ci-token', password: token });
  const repoUrl = url.href;
  const needed = await neededJobs(context, row, plan);
  const dependencies = await dependenciesOf(context, needed, token);
  const left = await variablesOfNeeded(
    context,
    needed.map(({ id }) => id),
  );
  const environment = await environmentOf(context, jobId, row);
  const timeout = timeoutOf(row);
  const [variables, isNamed] = await Promise.all([
    allVariables(context, { jobId, token, repoUrl, row, left, environment }),
    hasNamedRef(context, row),
  ]);
  if (environment) await noteDeploying(context, jobId, row);
  // So that they stay secret in the log when a variable changes later.
  const secrets = variables.flatMap(({ masked, value }) => (masked && value !== '' ? [value] : []));
  await rememberMasks(context.database, context, jobId, secrets);
  return {
    id: jobId,
    token,
    allowGitFetch: row.attributes.buildGitStrategy !== 'clone',
    name: row.name,
    stage: row.stage,
    projectId: row.projectId,
    projectName: row.projectPath,
    queuedSeconds: row.queuedSeconds,
    runningInProject: row.runningInProject,
    git: sourceOf(row, repoUrl, variables, isNamed),
    timeout,
    variables,
    steps: stepsOf(plan, timeout),
    hooks: hooksOf(plan),
    image: plan.image,
    services: plan.services,
    artifacts: plan.artifacts === null ? [] : artifactsOf(plan.artifacts),
    cache: cachesOf(plan, row),
    dependencies,
  };
}

/** The caches of a job: those of protected branches and tags are apart from others, unless the project says otherwise. */
function cachesOf({ cache }: PlannedJob, { isProtected, attributes }: HandOutRow): HandedJob['cache'] {
  return cache.map(({ isUnprotected, key, fallbackKeys, ...rest }) => {
    const suffix = isProtected && !isUnprotected ? '-protected' : '-non_protected';
    const named = (name: string) => (attributes.ciSeparatedCaches === false ? name : `${name}${suffix}`);
    return { ...rest, key: named(key), fallbackKeys: fallbackKeys.map(named) };
  });
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);

const noCommit = '0'.repeat(40);

/** The reference that a pipeline is of, by its full name. */
const fullRef = ({ ref, tag }: HandOutRow) => `refs/${tag ? 'tags' : 'heads'}/${ref}`;

/**
 * Whether a runner fetches the branch or tag of a pipeline by its name. A branch that is gone can’t be fetched: the job that
 * takes its environment down runs then.
 */
async function hasNamedRef({ git }: Pick<Context, 'git'>, row: HandOutRow): Promise<boolean> {
  if (row.mergeRequestId !== null || row.ref.startsWith('refs/')) return false;
  return (await readRef(git.repository(row.projectId), fullRef(row))) !== undefined;
}

/** Where the runner gets the commit: always from the reference of the pipeline, which no one moves. */
function sourceOf(
  row: HandOutRow,
  repoUrl: string,
  variables: readonly HandedVariable[],
  isNamed: boolean,
): HandedJob['git'] {
  const { ref, sha, tag, pipelineId, attributes } = row;
  const chosen = variables.find(({ key }) => key === 'GIT_DEPTH')?.value;
  const depth =
    chosen !== undefined && /^\d{1,9}$/.test(chosen)
      ? Number(chosen)
      : (numberOf(attributes.ciDefaultGitDepth) ?? usualDepth);
  const own = `+refs/pipelines/${pipelineId}:refs/pipelines/${pipelineId}`;
  const full = fullRef(row);
  const named = tag ? `+${full}:${full}` : `+${full}:refs/remotes/origin/${ref}`;
  const all = ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'];
  return {
    repoUrl,
    ref,
    sha,
    beforeSha: row.beforeSha ?? noCommit,
    refType: tag ? 'tag' : 'branch',
    refspecs: depth === 0 ? [own, ...all] : isNamed ? [own, named] : [own],
    depth,
    isProtected: row.isProtected,
  };
}

function stepsOf({ script, afterScript }: PlannedJob, timeout: number): HandedJob['steps'] {
  const main = { name: 'script', script, timeout, when: 'on_success', allowFailure: false } as const;
  if (afterScript.length === 0) return [main];
  return [main, { name: 'after_script', script: afterScript, timeout, when: 'always', allowFailure: true }];
}

function hooksOf({ hooks }: PlannedJob): HandedJob['hooks'] {
  const script = hooks?.preGetSourcesScript ?? [];
  return script.length === 0 ? [] : [{ name: 'pre_get_sources_script', script }];
}

/** How reports are named, where that is more than their kind. */
const reportNames: Readonly<Record<string, string>> = {
  junit: 'junit.xml',
  dotenv: '.env',
  cobertura: 'cobertura-coverage.xml',
  jacoco: 'jacoco-coverage.xml',
};

function artifactsOf({
  name,
  paths,
  exclude,
  untracked,
  when,
  expireIn: given,
  reports,
}: PlannedArtifacts): HandedArtifacts[] {
  const expireIn = given ?? null;
  const made: HandedArtifacts[] = [];
  if (paths.length > 0 || untracked)
    made.push({ name: name ?? null, untracked, paths, exclude, when, expireIn, type: 'archive', format: 'zip' });
  for (const [type, files] of Object.entries(reports)) {
    const file = reportNames[type] ?? null;
    // Whether or not the job fails: reports say why.
    const report = { name: file, untracked: false, paths: files, exclude: [], when: 'always', expireIn } as const;
    made.push({ ...report, type, format: formatOfReport(type) });
  }
  return made;
}

/** What a runner must be able to do, by the names of its features, for a job. */
export function neededFeatures({ artifacts, allowedExitCodes }: PlannedJob): string[] {
  const needed: string[] = [];
  if (artifacts && artifacts.exclude.length > 0) needed.push('artifacts_exclude');
  if (artifacts && artifactsOf(artifacts).length > 1) needed.push('upload_multiple_artifacts');
  if (allowedExitCodes.length > 0) needed.push('return_exit_code');
  return needed;
}
