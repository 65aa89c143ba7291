import { accessLevel, administrator, any } from './condition.ts';
import { roles } from './roles.ts';

/**
 * The policies of planning, named as GitLab's abilities. They are checked only for viewers who see the project or the
 * group.
 */

/** Who creates, changes, promotes and removes labels. */
export const adminLabel = any(administrator, accessLevel(roles.reporter));

/** Who creates, changes and removes milestones. */
export const adminMilestone = any(administrator, accessLevel(roles.reporter));

/** Who makes a milestone of a project one of its group: they need this role in the group. */
export const promoteMilestone = any(administrator, accessLevel(roles.developer));

/** Who reads confidential issues that they neither wrote nor are assigned to. */
export const readConfidentialIssues = any(administrator, accessLevel(roles.reporter));
