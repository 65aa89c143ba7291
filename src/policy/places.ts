import { accessLevel, administrator, all, any, signedIn, visibility } from './condition.ts';
import { roles } from './roles.ts';

/**
 * Who sees a group or a project: the one visibility rule. Everything else about
 * a place is asked only of those for whom this holds.
 */
export const seePlace = any(
  administrator,
  visibility('PUBLIC'),
  all(signedIn, visibility('INTERNAL')),
  accessLevel(roles.guest),
);

/** Who makes projects in a group, or in a person's own place. */
export const makeProject = any(administrator, accessLevel(roles.developer));

/** Who changes what a project says of itself: name, path, description, visibility, topics. */
export const editProject = any(administrator, accessLevel(roles.maintainer));

/** Who archives a project, removes it, and says of what it is a fork. */
export const ownProject = any(administrator, accessLevel(roles.owner));

/** Who forks a project: a guest of a private one doesn't see what it holds. */
export const forkProject = any(
  administrator,
  all(signedIn, visibility('PUBLIC')),
  all(signedIn, visibility('INTERNAL')),
  accessLevel(roles.reporter),
);

/** R8: only maintainers of a project read or change its error tracking settings. */
export const manageErrorTracking = any(administrator, accessLevel(roles.maintainer));
