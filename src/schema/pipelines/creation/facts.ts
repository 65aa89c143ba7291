import type { PipelineFacts } from '../../../ci/config/index.ts';
import type { PlannedVariable } from '../../../ci/plan.ts';
import { slug } from '../../../ci/variables.ts';
import type { Context } from '../../../context.ts';
import { changedPaths } from '../../../git/diff/index.ts';
import { mergeBase } from '../../../git/history/index.ts';
import { findFile, resolveCommit } from '../../../git/objects/index.ts';
import type { PipelineSource } from '../../../values/ci/pipeline-sources.ts';
import type { RepositoryRecord } from '../../repository/repositories/look-up.ts';
import { variablesOfMergeRequest } from '../variables/of-merge-requests.ts';
import { messageOfTag, timestampOf, variablesOfServer } from '../variables/predefined.ts';
import { pathsOf } from './configuration.ts';
import { givenVariables } from './given-variables.ts';
import type { Target } from './refs.ts';
import { nameOpenMergeRequests, type CreatingRow } from './statements.ts';

/** What a configuration is planned with. */

/** A merge request that a pipeline is made for. */
export interface OfMergeRequest {
  readonly id: number;
  /** What the changes are compared with; null if it isn’t known. */
  readonly baseSha: string | null;
}

/** The event that makes a pipeline. */
export interface Event {
  readonly source: PipelineSource;
  readonly target: Target;
  readonly isProtected: boolean;
  /** Where the branch was before; null if that isn’t known, or it is new. */
  readonly beforeSha: string | null;
  readonly mergeRequest: OfMergeRequest | null;
  readonly scheduleDescription: string | null;
  /** What the person who started it gave. */
  readonly variables: readonly PlannedVariable[];
}

const noCommit = '0'.repeat(40);

export async function factsFor(
  context: Context,
  repository: RepositoryRecord,
  settings: CreatingRow,
  event: Event,
): Promise<PipelineFacts> {
  const { source, target, mergeRequest } = event;
  const { git, ref, tag, commit } = target;
  return {
    ref,
    tag,
    source,
    mergeRequest: mergeRequest !== null,
    projectPath: repository.fullPath,
    variables: {
      predefined: await predefinedFor(context, repository, settings, event),
      given: [...(await givenVariables(context, repository.id, event.isProtected)), ...event.variables],
    },
    changedPaths: remembered((compareTo) => changesOf(event, compareTo)),
    paths: remembered(() => pathsOf(git, commit.id)),
    contents: async (path) => (await findFile(git, commit.id, path))?.id ?? null,
  };
}

/** Work that is done once for each argument: included files and jobs ask the same. */
function remembered<T>(work: (of?: string) => Promise<T>): (of?: string) => Promise<T> {
  const known = new Map<string | undefined, Promise<T>>();
  return (of) => {
    const found = known.get(of) ?? work(of);
    known.set(of, found);
    return found;
  };
}

/** The paths that an event changed; null if there is nothing to compare with. */
async function changesOf({ target, beforeSha, mergeRequest }: Event, compareTo?: string): Promise<string[] | null> {
  const { git, commit } = target;
  if (compareTo !== undefined) {
    const other = await resolveCommit(git, compareTo.replace(/^refs\/(?:heads|tags)\//, ''));
    const base = other && (await mergeBase(git, [other.id, commit.id]));
    return base === undefined ? null : await changedPaths(git, base, commit.id);
  }
  const from = mergeRequest ? mergeRequest.baseSha : beforeSha;
  if (from === null || from === noCommit) return null;
  return (await resolveCommit(git, from)) ? await changedPaths(git, from, commit.id) : null;
}

/** The variables that every pipeline has before it exists: rules and names refer to them. */
async function predefinedFor(
  context: Context,
  { id, fullPath, defaultBranch }: RepositoryRecord,
  { name, visibility, configPath }: CreatingRow,
  { source, target, isProtected, beforeSha, mergeRequest, scheduleDescription }: Event,
): Promise<PlannedVariable[]> {
  const { baseUrl, viewer } = context;
  const { git, ref, tag, commit } = target;
  const namespace = fullPath.slice(0, Math.max(0, fullPath.lastIndexOf('/')));
  const message = commit.message;
  const title = message.split('\n', 1)[0]!;
  const isBranch = !tag && mergeRequest === null;
  const values: { readonly [key: string]: string | number | null | undefined } = {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_PIPELINE_SOURCE: source,
    CI_PIPELINE_SCHEDULE_DESCRIPTION: scheduleDescription,
    CI_PIPELINE_TRIGGERED: source === 'trigger' ? 'true' : undefined,
    CI_COMMIT_SHA: commit.id,
    CI_COMMIT_SHORT_SHA: commit.id.slice(0, 8),
    CI_COMMIT_BEFORE_SHA: beforeSha ?? noCommit,
    CI_COMMIT_REF_NAME: ref,
    CI_COMMIT_REF_SLUG: slug(ref),
    CI_COMMIT_REF_PROTECTED: String(isProtected),
    CI_COMMIT_BRANCH: isBranch ? ref : undefined,
    CI_COMMIT_TAG: tag ? ref : undefined,
    CI_COMMIT_TAG_MESSAGE: tag ? await messageOfTag(git, ref) : undefined,
    CI_COMMIT_MESSAGE: message,
    CI_COMMIT_TITLE: title,
    CI_COMMIT_DESCRIPTION: message.slice(title.length).trim(),
    CI_COMMIT_TIMESTAMP: timestampOf(commit),
    CI_COMMIT_AUTHOR: `${commit.author.name} <${commit.author.email}>`,
    CI_PROJECT_ID: id,
    CI_PROJECT_NAME: fullPath.slice(fullPath.lastIndexOf('/') + 1),
    CI_PROJECT_TITLE: name,
    CI_PROJECT_PATH: fullPath,
    CI_PROJECT_PATH_SLUG: slug(fullPath),
    CI_PROJECT_NAMESPACE: namespace,
    CI_PROJECT_NAMESPACE_SLUG: slug(namespace),
    CI_PROJECT_ROOT_NAMESPACE: fullPath.split('/', 1)[0],
    CI_PROJECT_URL: `${baseUrl}/${fullPath}`,
    CI_PROJECT_VISIBILITY: visibility.toLowerCase(),
    CI_DEFAULT_BRANCH: defaultBranch ?? '',
    CI_DEFAULT_BRANCH_SLUG: slug(defaultBranch ?? ''),
    CI_CONFIG_PATH: configPath || '.gitlab-ci.yml',
    CI_SERVER: 'yes',
    ...variablesOfServer(context),
    GITLAB_USER_ID: viewer.person?.id,
    GITLAB_USER_LOGIN: viewer.person?.username,
    ...(mergeRequest && (await variablesOfMergeRequest(context, mergeRequest.id))),
    ...(tag ? {} : await openMergeRequestsOf(context, id, ref)),
  };
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : { key, value: String(value), raw: true },
  );
}

/** By this, configurations choose between the pipeline of a branch and that of its merge request. */
const openMergeRequestsOf = async ({ database }: Context, project: number, branch: string) => ({
  CI_OPEN_MERGE_REQUESTS: (await database.rows(nameOpenMergeRequests, [project, branch]))[0]?.names,
});
