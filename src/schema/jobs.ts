import type { Application } from '../context.ts';
import type { SchemaJobs } from '../jobs/handlers.ts';
import { removeMergedBranches } from './repository/branches/remove-merged.ts';
import { mergeWaiting } from './reviews/merging/auto-merge.ts';
import { finishMerge } from './reviews/merging/finish.ts';
import { rebaseMergeRequest } from './reviews/merging/rebase.ts';
import { followReferences } from './reviews/versions/follow.ts';

/** The jobs that act through operations, with the rights of the person who caused them. */
export const schemaJobs = (application: Application): SchemaJobs => ({
  remove_merged_branches: (payload, signal) => removeMergedBranches(application, payload, signal),
  follow_references: (payload, signal) => followReferences(application, payload, signal),
  finish_merge: (payload) => finishMerge(application, payload),
  merge_waiting: (payload) => mergeWaiting(application, payload),
  rebase_merge_request: (payload, signal) => rebaseMergeRequest(application, payload, signal),
});
