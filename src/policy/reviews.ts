import { accessLevel, administrator, all, any, assignee, author, signedIn, visibility } from './condition.ts';
import { available } from './features.ts';
import { readCode } from './repository.ts';
import { roles } from './roles.ts';

/** The policies of merge requests. All of them are checked only for viewers who see the project. */

const developer = any(administrator, accessLevel(roles.developer));

/** Who reads the merge requests of a project: they show its code. */
export const readMergeRequest = all(available('mergeRequests'), readCode);

/** Who opens merge requests for branches of a project. */
export const openMergeRequest = all(readMergeRequest, any(administrator, accessLevel(roles.reporter)));

/** Who opens merge requests into a project, from a fork of theirs. Planners of a private one read its code, but don't. */
export const createMergeRequest = all(
  readMergeRequest,
  signedIn,
  any(administrator, visibility('PUBLIC'), visibility('INTERNAL'), accessLevel(roles.reporter)),
);

/** Who changes title, description, labels and people, closes and reopens. */
export const updateMergeRequest = any(developer, author, assignee);

/** Who sets labels, people and a milestone while opening one. */
export const setMergeRequestMetadata = any(administrator, accessLevel(roles.reporter));

/** Who approves. */
export const approveMergeRequest = developer;

/** Who deletes merge requests. */
export const destroyMergeRequest = any(administrator, accessLevel(roles.owner));
