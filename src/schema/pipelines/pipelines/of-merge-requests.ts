import { pipelineList } from './statements/list.ts';

/** The pipelines of a branch for the versions of a merge request. @param project of the branch */
export const pipelinesOfMergeRequest = (project: number, ref: string, mergeRequest: number) =>
  pipelineList(project, { ref, mergeRequest });
