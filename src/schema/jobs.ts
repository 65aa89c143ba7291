import { operatorContext, type Application } from '../context.ts';
import type { SchemaJobs } from '../jobs/handlers.ts';
import { linkDeployment } from './pipelines/deployments/link.ts';
import { stopEnvironmentsOfMergeRequest } from './pipelines/environments/of-merge-requests.ts';
import { stopDueEnvironments } from './pipelines/environments/stop.ts';
import { deleteOldPipelines } from './pipelines/pipelines/delete-old.ts';
import { runSchedule } from './pipelines/schedules/run.ts';
import { removeMergedBranches } from './repository/branches/remove-merged.ts';
import { releaseCommits } from './pipelines/hand-out/release.ts';
import { createForCreated } from './pipelines/creation/of-merge-requests.ts';
import { createPipelines } from './pipelines/creation/of-push.ts';
import { mergeDue, mergeWaiting } from './reviews/merging/auto-merge.ts';
import { finishMerge } from './reviews/merging/finish.ts';
import { rebaseMergeRequest } from './reviews/merging/rebase.ts';
import { checkMergeRequests } from './reviews/versions/check.ts';
import { closeOrphaned } from './reviews/versions/orphans.ts';
import { refreshVersion } from './reviews/versions/refresh.ts';
import { followReferences } from './reviews/versions/follow.ts';

/** The jobs that act through operations, with the rights of the person who caused them. */
export const schemaJobs = (application: Application): SchemaJobs => ({
  remove_merged_branches: (payload, signal) => removeMergedBranches(application, payload, signal),
  follow_references: (payload, signal) => followReferences(application, payload, signal),
  create_pipelines: (payload, signal) => createPipelines(application, payload, signal),
  create_merge_request_pipeline: (payload) => createForCreated(application, payload),
  check_merge_request: async ({ mergeRequestId }) =>
    void (await refreshVersion(operatorContext(application), mergeRequestId)),
  check_merge_requests: (payload, signal) => checkMergeRequests(application, payload, signal),
  finish_merge: (payload) => finishMerge(application, payload),
  close_orphaned_merge_request: (payload) => closeOrphaned(application, payload),
  merge_waiting: (payload) => mergeWaiting(application, payload),
  merge_due: (payload) => mergeDue(application, payload),
  link_deployment: (payload, signal) => linkDeployment(application, payload, signal),
  release_commits: (_payload, signal) => releaseCommits(application, signal),
  delete_old_pipelines: (_payload, signal) => deleteOldPipelines(application, signal),
  stop_merge_request_environments: (payload) => stopEnvironmentsOfMergeRequest(application, payload),
  stop_environments: (_payload, signal) => stopDueEnvironments(application, signal),
  run_pipeline_schedule: (payload) => runSchedule(application, payload),
  rebase_merge_request: (payload, signal) => rebaseMergeRequest(application, payload, signal),
});
