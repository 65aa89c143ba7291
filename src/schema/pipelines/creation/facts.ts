import type { PipelineFacts } from '../../../ci/config/index.ts';
import type { PlannedVariable } from '../../../ci/plan.ts';
import type { Context } from '../../../context.ts';
import { changedPaths } from '../../../git/diff/index.ts';
import { mergeBase } from '../../../git/history/index.ts';
import { readWholeTree, resolveCommit } from '../../../git/objects/index.ts';
import type { PipelineSource } from '../../../values/pipeline-sources.ts';
import type { RepositoryRecord } from '../../repository/repositories/look-up.ts';
import { givenVariables } from './given-variables.ts';
import type { Target } from './refs.ts';
import type { CreatingRow } from './statements.ts';

/** What a configuration is planned with. */

/** A merge request that a pipeline is made for. */
export interface OfMergeRequest {
  readonly id: number;
  readonly iid: number;
  /** The full path of the project that it merges into. */
  readonly targetPath: string;
  readonly targetProjectId: number;
  readonly targetBranch: string;
  readonly title: string;
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
  /** What whoever started it gave. */
  readonly variables: readonly PlannedVariable[];
}

const noCommit = '0'.repeat(40);

/** A name as a part of host names: contract, §9.3. */
const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '');

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
      predefined: predefinedFor(context, repository, settings, event),
      given: [...(await givenVariables(context, repository.id, event.isProtected)), ...event.variables],
    },
    changedPaths: (compareTo) => changesOf(event, compareTo),
    paths: async () =>
      ((await readWholeTree(git, commit.id)) ?? []).flatMap(({ type, path }) => (type === 'blob' ? path : [])),
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
function predefinedFor(
  { baseUrl, viewer }: Context,
  { id, fullPath, defaultBranch }: RepositoryRecord,
  { name, visibility, configPath }: CreatingRow,
  { source, target, isProtected, beforeSha, mergeRequest }: Event,
): PlannedVariable[] {
  const { ref, tag, commit } = target;
  const slash = fullPath.lastIndexOf('/');
  const message = commit.message;
  const title = message.split('\n', 1)[0]!;
  const isBranch = !tag && mergeRequest === null;
  const url = new URL(baseUrl);
  const values: { readonly [key: string]: string | undefined } = {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_PIPELINE_SOURCE: source,
    CI_COMMIT_SHA: commit.id,
    CI_COMMIT_SHORT_SHA: commit.id.slice(0, 8),
    CI_COMMIT_BEFORE_SHA: beforeSha ?? noCommit,
    CI_COMMIT_REF_NAME: ref,
    CI_COMMIT_REF_SLUG: slugOf(ref),
    CI_COMMIT_REF_PROTECTED: String(isProtected),
    CI_COMMIT_BRANCH: isBranch ? ref : undefined,
    CI_COMMIT_TAG: tag ? ref : undefined,
    CI_COMMIT_MESSAGE: message,
    CI_COMMIT_TITLE: title,
    CI_COMMIT_DESCRIPTION: message.slice(title.length).trim(),
    CI_COMMIT_AUTHOR: `${commit.author.name} <${commit.author.email}>`,
    CI_PROJECT_ID: String(id),
    CI_PROJECT_NAME: fullPath.slice(slash + 1),
    CI_PROJECT_TITLE: name,
    CI_PROJECT_PATH: fullPath,
    CI_PROJECT_PATH_SLUG: slugOf(fullPath),
    CI_PROJECT_NAMESPACE: fullPath.slice(0, Math.max(0, slash)),
    CI_PROJECT_ROOT_NAMESPACE: fullPath.split('/', 1)[0],
    CI_PROJECT_URL: `${baseUrl}/${fullPath}`,
    CI_PROJECT_VISIBILITY: visibility.toLowerCase(),
    CI_DEFAULT_BRANCH: defaultBranch ?? '',
    CI_CONFIG_PATH: configPath || '.gitlab-ci.yml',
    CI_SERVER: 'yes',
    CI_SERVER_URL: baseUrl,
    CI_SERVER_HOST: url.hostname,
    CI_API_V4_URL: `${baseUrl}/api/v4`,
    GITLAB_USER_ID: viewer.person ? String(viewer.person.id) : undefined,
    GITLAB_USER_LOGIN: viewer.person?.username,
    ...(mergeRequest && ofMergeRequest(mergeRequest, repositoryOf(id, fullPath, ref))),
  };
  return Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : { key, value, raw: true }));
}

const repositoryOf = (id: number, fullPath: string, branch: string) => ({ id, fullPath, branch });

const ofMergeRequest = (
  { id, iid, targetPath, targetProjectId, targetBranch, title, baseSha }: OfMergeRequest,
  source: ReturnType<typeof repositoryOf>,
) => ({
  CI_MERGE_REQUEST_ID: String(id),
  CI_MERGE_REQUEST_IID: String(iid),
  CI_MERGE_REQUEST_TITLE: title,
  CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
  CI_MERGE_REQUEST_PROJECT_ID: String(targetProjectId),
  CI_MERGE_REQUEST_PROJECT_PATH: targetPath,
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: targetBranch,
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: String(source.id),
  CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: source.fullPath,
  CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: source.branch,
  CI_MERGE_REQUEST_DIFF_BASE_SHA: baseSha ?? undefined,
});
