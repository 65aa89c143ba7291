import { pipelineList, type PipelineFilter } from './statements/list.ts';

/** Pipelines of a branch for the versions of a merge request. @param project of the branch */
export const pipelinesOfMergeRequest = (project: number, ref: string, mergeRequest: number, filter: PipelineFilter) =>
  pipelineList(project, { ...filter, ref, mergeRequest });
