export { admit, reads, writes, type Admission } from './admission.ts';
export { holds, toSql, type Columns, type Condition, type Facts, type Visibility } from './condition.ts';
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
  ownProject,
  pushCode,
  seePlace,
  unseenByPerson,
} from './places.ts';
export { adminLabel, adminMilestone, promoteMilestone } from './planning.ts';
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
