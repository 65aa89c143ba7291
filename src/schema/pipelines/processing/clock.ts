import { findDueSchedules } from '../schedules/run.ts';
import { startDelayedJob } from './again.ts';
import { dropStuckJobs } from './stuck.ts';

/** What a clock does with pipelines and their jobs. */
export const pipelineClock = { startDelayedJob, dropStuckJobs, findDueSchedules };
