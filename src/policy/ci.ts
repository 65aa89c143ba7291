import { accessLevel, administrator, all, any, atLevel, publicJobs, seesInternal, visibility } from './condition.ts';
import { available } from './features.ts';
import { editProject, manageGroup, member, ownProject, pushCode } from './places.ts';
import { roles } from './roles.ts';

/** The policies of pipelines and of reported statuses. All of them are checked only for viewers who see the project. */

/**
 * Who has pipelines and reported statuses by the levels of the features. Those of scripts outside are there also where its own
 * jobs are off, but none without a repository.
 */
const pipelinesShown = all(
  available('repository'),
  atLevel('builds', { disabled: all(), private: member, enabled: all(), public: all() }),
);

const everyone = any(visibility('PUBLIC'), all(seesInternal, visibility('INTERNAL')));

/** Who reads pipelines. Guests do only where jobs are public. */
export const readPipelines = all(
  pipelinesShown,
  any(administrator, accessLevel(roles.reporter), all(publicJobs, any(everyone, accessLevel(roles.guest)))),
);

/** Who reads jobs, what they left, and schedules: no one where the project’s own jobs are off. */
export const readJobs = all(available('builds'), readPipelines);

/** Who lists the statuses of a commit. Guests of a private project never do. */
export const readStatuses = all(
  pipelinesShown,
  any(administrator, accessLevel(roles.reporter), all(publicJobs, everyone)),
);

/** Who reports statuses and cancels pipelines, on branches that they may write to. */
export const runPipelines = pushCode;

/** Who reads the log of a job that wrote everything it does, and artifacts that aren’t for everyone. */
export const readPrivateJobFiles = any(administrator, accessLevel(roles.developer));

/** Who deletes the artifacts of jobs. */
export const deleteArtifacts = editProject;

/** Who deletes pipelines. */
export const deletePipelines = ownProject;

/** Who sees and sets the variables of a project, and its triggers. */
export const adminVariables = editProject;

/** Who deletes schedules of others, and makes them their own. */
export const adminSchedules = editProject;

/** Who sees and sets the variables of a group. */
export const adminGroupVariables = manageGroup;

/** Who gives a project runners, and sees them. */
export const adminRunners = editProject;

/** Who gives a group runners, and sees them. */
export const adminGroupRunners = manageGroup;
