import { accessLevel, administrator, all, any, atLevel, publicJobs, seesInternal, visibility } from './condition.ts';
import { member, ownProject, pushCode } from './places.ts';
import { roles } from './roles.ts';

/** The policies of pipelines and of reported statuses. All of them are checked only for viewers who see the project. */

/** Who has pipelines by the level of the feature. Those of scripts outside are there also where its own jobs are off. */
const pipelinesShown = atLevel('builds', { disabled: all(), private: member, enabled: all(), public: all() });

const everyone = any(visibility('PUBLIC'), all(seesInternal, visibility('INTERNAL')));

/** Who reads pipelines and their jobs. Guests do only where jobs are public. */
export const readPipelines = all(
  pipelinesShown,
  any(administrator, accessLevel(roles.reporter), all(publicJobs, any(everyone, accessLevel(roles.guest)))),
);

/** Who lists the statuses of a commit. Guests of a private project never do. */
export const readStatuses = any(administrator, accessLevel(roles.reporter), all(publicJobs, everyone));

/** Who reports statuses and cancels pipelines, on branches that they may write to. */
export const runPipelines = pushCode;

/** Who deletes pipelines. */
export const deletePipelines = ownProject;
