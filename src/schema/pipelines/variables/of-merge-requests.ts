import type { Context } from '../../../context.ts';
import { findMergeRequestVariables } from './statements/merge-requests.ts';

/** Most characters of a description that are handed over: environments of processes are bounded. */
const longestDescription = 2_700;

/**
 * The variables of a pipeline of a merge request, for rules and for jobs. Those of merged results are empty: pipelines are of
 * the source branch.
 */
export async function variablesOfMergeRequest(
  { database, baseUrl }: Pick<Context, 'database' | 'baseUrl'>,
  id: number,
): Promise<Readonly<Record<string, string | number | null>>> {
  const [found] = await database.rows(findMergeRequestVariables, [id]);
  if (!found) return {};
  const { iid, projectPath, sourceProjectPath, description } = found;
  return {
    CI_MERGE_REQUEST_ID: found.id,
    CI_MERGE_REQUEST_IID: iid,
    CI_MERGE_REQUEST_REF_PATH: `refs/merge-requests/${iid}/head`,
    CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
    CI_MERGE_REQUEST_TITLE: found.title,
    CI_MERGE_REQUEST_DESCRIPTION: description?.slice(0, longestDescription) || null,
    CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED: String((description?.length ?? 0) > longestDescription),
    CI_MERGE_REQUEST_DRAFT: String(found.draft),
    CI_MERGE_REQUEST_SQUASH_ON_MERGE: String(found.squash),
    CI_MERGE_REQUEST_LABELS: found.labels,
    CI_MERGE_REQUEST_ASSIGNEES: found.assignee,
    CI_MERGE_REQUEST_MILESTONE: found.milestone,
    CI_MERGE_REQUEST_DIFF_BASE_SHA: found.baseSha,
    CI_MERGE_REQUEST_PROJECT_ID: found.projectId,
    CI_MERGE_REQUEST_PROJECT_PATH: projectPath,
    CI_MERGE_REQUEST_PROJECT_URL: `${baseUrl}/${projectPath}`,
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: found.targetBranch,
    CI_MERGE_REQUEST_TARGET_BRANCH_SHA: '',
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: found.sourceProjectId,
    CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: sourceProjectPath,
    CI_MERGE_REQUEST_SOURCE_PROJECT_URL: sourceProjectPath && `${baseUrl}/${sourceProjectPath}`,
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: found.sourceBranch,
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '',
  };
}
