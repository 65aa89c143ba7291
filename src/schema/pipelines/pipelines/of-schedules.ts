import { pipelineList } from './statements/list.ts';

/** The pipelines that a schedule started. */
export const pipelinesOfSchedule = (project: number, schedule: number) => pipelineList(project, { schedule });
