import {
  accessLevel,
  accessLevelFrom,
  administrator,
  all,
  any,
  assignee,
  author,
  ordinary,
  premium,
  seesInternal,
  signedIn,
  snippetVisibility,
} from './condition.ts';
import { available } from './features.ts';
import { roles } from './roles.ts';

/**
 * The policies of planning, with the names of GitLab's abilities. All of them are checked only for viewers who see the
 * project or the group.
 */

/** Who has the issues of a project at all. */
const readIssues = available('issues');

/** Who has the labels and milestones of a project: they are for its issues and its merge requests. */
export const readPlanning = any(readIssues, available('mergeRequests'));

/** Who plans the work. Of issues, labels, milestones and epics a planner has the rights of a reporter. */
const planner = any(administrator, accessLevel(roles.planner));

/** Who reads every confidential issue, as its author and assignee do. */
export const readsConfidential = planner;

/** Who reads an issue: a confidential one only its author, its assignee, and planners. */
export const readIssue = all(readIssues, any(ordinary, planner, author, assignee));

/** Who creates issues. */
export const createIssue = all(readIssues, signedIn);

/** Who comments on what they read. */
export const createNote = signedIn;

/** Who comments and gives awards where the discussion is locked. */
export const commentLocked = any(administrator, accessLevel(roles.guest));

/** Who reads and writes internal notes. */
export const readInternalNote = planner;

/** Who changes and deletes the comments of others. */
export const adminNote = any(administrator, accessLevel(roles.maintainer));

/** Who removes times that others spent. */
export const adminTimelog = any(administrator, accessLevel(roles.maintainer));

/** Who resolves threads: also the author of what is discussed. */
export const resolveNote = any(administrator, accessLevel(roles.developer), author);

/** Who chooses when a comment was written. */
export const setNoteDate = any(administrator, accessLevel(roles.owner));

/** Who sets labels, assignee, milestone and due date while creating an issue. */
export const setIssueMetadata = any(administrator, accessLevel(roles.guest));

/** Who changes title and description, closes and reopens. */
export const updateIssue = any(planner, author, assignee);

/** Who changes everything else of an issue, moves it, tracks time; also who makes labels. */
export const adminIssue = all(readIssues, planner);

/** Who deletes issues: owners, and planners, but not those between them. */
export const destroyIssue = any(
  administrator,
  accessLevelFrom(roles.planner, roles.reporter),
  accessLevel(roles.owner),
);

/** Who chooses the numbers and dates of issues. */
export const dateIssue = any(administrator, accessLevel(roles.owner));

/** Who links issues; needed in both projects. */
export const linkIssues = any(administrator, accessLevel(roles.guest));

/** Who creates, changes, promotes and removes labels. */
export const adminLabel = planner;

/** Who creates, changes and removes milestones. */
export const adminMilestone = planner;

/** Who reads and creates the epics of a group. */
export const readEpic = all(premium, planner);

/** Who makes a milestone of a project one of its group: they need this role in the group. */
export const promoteMilestone = any(administrator, accessLevel(roles.developer));

/** Who has the snippets of a project at all: its list. */
export const readSnippets = available('snippets');

/** Who reads a snippet that isn't of a project. */
export const readPersonalSnippet = any(
  administrator,
  snippetVisibility('PUBLIC'),
  all(seesInternal, snippetVisibility('INTERNAL')),
  author,
);

/** Who reads a snippet of a project: its members read the private ones, too. */
export const readProjectSnippet = all(readSnippets, any(readPersonalSnippet, accessLevel(roles.guest)));

/** Who creates snippets of their own. */
export const createPersonalSnippet = seesInternal;

/** Who creates snippets in a project. */
export const createProjectSnippet = all(readSnippets, any(administrator, accessLevel(roles.reporter)));

/** Who changes and removes a snippet that isn't of a project. */
export const adminPersonalSnippet = any(administrator, author);

/** Who changes and removes a snippet of a project. */
export const adminProjectSnippet = all(readSnippets, any(administrator, accessLevel(roles.maintainer), author));
