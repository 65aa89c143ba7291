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

/** R8: only maintainers of a project read or change its error tracking settings. */
export const manageErrorTracking = any(administrator, accessLevel(roles.maintainer));
