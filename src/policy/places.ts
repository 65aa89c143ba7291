import type { ProjectCreationLevel, SubgroupCreationLevel } from '../values/attributes/group-attributes.ts';
import {
  accessLevel,
  administrator,
  all,
  any,
  seesInternal,
  signedIn,
  toSql,
  visibility,
  type Columns,
  type Condition,
} from './condition.ts';
import { roles } from './roles.ts';
import { anyPerson } from './viewer.ts';

/**
 * The visibility rule: who sees a group or a project. The other policies of a place are checked only for
 * viewers who see it.
 */
export const seePlace = any(
  administrator,
  visibility('PUBLIC'),
  all(seesInternal, visibility('INTERNAL')),
  accessLevel(roles.guest),
);

/** SQL condition: a person, not the viewer and not an administrator, doesn't see the place. */
export const unseenByPerson = (columns: { visibility: string; accessLevel: string }): string =>
  `not ${toSql(seePlace, anyPerson, columns)}`;

/** Who has a role in the place, or every right. */
export const member = any(administrator, accessLevel(roles.guest));

/**
 * Who creates projects in a group, by its `projectCreationLevel`, or in a personal namespace, which has the default.
 * `noone` refuses administrators too.
 */
export const makeProject = {
  noone: any(),
  administrator,
  owner: any(administrator, accessLevel(roles.owner)),
  maintainer: any(administrator, accessLevel(roles.maintainer)),
  developer: any(administrator, accessLevel(roles.developer)),
} as const satisfies Record<ProjectCreationLevel, Condition>;

/**
 * SQL condition: a person creates projects in the group, by a role in it. Administrators count as others do.
 * @param level SQL for its `projectCreationLevel`
 */
export const makesProjectsInGroup = (level: string, accessLevel: Exclude<Columns['accessLevel'], string>): string =>
  `(${Object.entries(makeProject)
    .map(([name, rule]) => `${level} = '${name}' and ${toSql(rule, anyPerson, { visibility: '', accessLevel })}`)
    .join(' or ')})`;

/** Who transfers a project into a group or a personal namespace. `makeProject` must hold there too. */
export const takeProject = any(administrator, accessLevel(roles.maintainer));

/** Who updates a project: name, path, description, visibility, topics. */
export const editProject = any(administrator, accessLevel(roles.maintainer));

/** Who reads the repository of a project. A guest of a private one doesn't. */
export const downloadCode = any(
  administrator,
  visibility('PUBLIC'),
  all(seesInternal, visibility('INTERNAL')),
  accessLevel(roles.planner),
);

/** Who sees the statistics of a project. */
export const reportOn = any(administrator, accessLevel(roles.reporter));

/** Who writes to the repository of a project. */
export const pushCode = any(administrator, accessLevel(roles.developer));

/** Who archives, transfers and deletes a project, and changes its fork relation. */
export const ownProject = any(administrator, accessLevel(roles.owner));

/** Who forks a project. Guests of a private one can't, and planners, who read its contents. */
export const forkProject = any(
  administrator,
  all(signedIn, visibility('PUBLIC')),
  all(seesInternal, visibility('INTERNAL')),
  accessLevel(roles.reporter),
);

/** Who reads and updates the error tracking settings of a project: maintainers only (R8). */
export const manageErrorTracking = any(administrator, accessLevel(roles.maintainer));

/** Who asks who is notified of something in a project. */
export const askRecipients = any(administrator, accessLevel(roles.maintainer));

/** Who creates a subgroup, by the group's `subgroupCreationLevel`. */
export const makeSubgroup = {
  owner: any(administrator, accessLevel(roles.owner)),
  maintainer: any(administrator, accessLevel(roles.maintainer)),
} as const satisfies Record<SubgroupCreationLevel, Condition>;

/** Who updates, transfers and deletes a group. */
export const manageGroup = any(administrator, accessLevel(roles.owner));

/** Who adds, updates and removes members of a group. */
export const manageGroupMembers = any(administrator, accessLevel(roles.owner));

/** Who adds, updates and removes members of a project, up to their own role. */
export const manageProjectMembers = any(administrator, accessLevel(roles.maintainer));
