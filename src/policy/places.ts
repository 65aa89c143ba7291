import { accessLevel, administrator, all, any, signedIn, toSql, visibility } from './condition.ts';
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

/** SQL for what a person doesn't see who is no administrator: for whoever is not the viewer. */
export const unseenByPerson = (columns: { visibility: string; accessLevel: string }): string =>
  `not ${toSql(seePlace, { person: { id: 0, username: '', administrator: false, premium: false }, credential: null }, columns)}`;

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

/** Making a group inside of a group. */
export const makeSubgroup = any(administrator, accessLevel(roles.maintainer));

/** Changing and removing a group. */
export const manageGroup = any(administrator, accessLevel(roles.owner));

/** Making people members of a group, changing what they are, and ending it. */
export const manageGroupMembers = any(administrator, accessLevel(roles.owner));

/** The same in a project, up to one's own role. */
export const manageProjectMembers = any(administrator, accessLevel(roles.maintainer));
