import { accessLevel, administrator, all, any, assignee, author, ordinary, signedIn } from './condition.ts';
import { roles } from './roles.ts';

/**
 * The policies of planning, with the names of GitLab's abilities. All of them are checked only for viewers who see the
 * project or the group.
 */

/** Who has the issues of a project at all. The level of this feature of the project belongs here. */
const readIssues = all();

const reporter = any(administrator, accessLevel(roles.reporter));

/** Who reads an issue: a confidential one only its author, its assignee, and reporters. */
export const readIssue = all(readIssues, any(ordinary, reporter, author, assignee));

/** Who creates issues and comments. */
export const createIssue = all(readIssues, signedIn);

/** Who sets labels, assignee, milestone and due date while creating an issue. */
export const setIssueMetadata = any(administrator, accessLevel(roles.guest));

/** Who changes title and description, closes and reopens. */
export const updateIssue = any(reporter, author, assignee);

/** Who changes everything else of an issue, moves it, tracks time; also who makes labels. */
export const adminIssue = reporter;

/** Who deletes issues, and chooses their numbers and dates. */
export const destroyIssue = any(administrator, accessLevel(roles.owner));

/** Who links issues; needed in both projects. */
export const linkIssues = any(administrator, accessLevel(roles.guest));

/** Who creates, changes, promotes and removes labels. */
export const adminLabel = any(administrator, accessLevel(roles.reporter));

/** Who creates, changes and removes milestones. */
export const adminMilestone = any(administrator, accessLevel(roles.reporter));

/** Who makes a milestone of a project one of its group: they need this role in the group. */
export const promoteMilestone = any(administrator, accessLevel(roles.developer));

/** Who reads and writes internal notes. */
export const readInternalNote = reporter;

/** Who comments and gives awards where the discussion is locked. */
export const commentLocked = any(administrator, accessLevel(roles.guest));
