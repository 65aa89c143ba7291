export { admit, reads, writes, type Admission } from './admission.ts';
export {
  administrator,
  all,
  holds,
  toSql,
  type Columns,
  type Condition,
  type Facts,
  type IssueFacts,
  type Visibility,
} from './condition.ts';
export { featureAvailable, featureAvailableSql } from './features.ts';
export {
  downloadCode,
  editProject,
  forkProject,
  makeProject,
  makeSubgroup,
  manageErrorTracking,
  manageGroup,
  manageGroupMembers,
  manageProjectMembers,
  member,
  ownProject,
  pushCode,
  reportOn,
  seePlace,
  takeProject,
  unseenByPerson,
} from './places.ts';
export {
  adminIssue,
  adminLabel,
  adminMilestone,
  createIssue,
  destroyIssue,
  linkIssues,
  promoteMilestone,
  readIssue,
  setIssueMetadata,
  updateIssue,
} from './planning.ts';
export { roles, type Role } from './roles.ts';
export {
  anonymous,
  client,
  covers,
  isAdministrator,
  operator,
  scopes,
  type Credential,
  type Origin,
  type Person,
  type Scope,
  type TokenApplication,
  type Viewer,
} from './viewer.ts';
