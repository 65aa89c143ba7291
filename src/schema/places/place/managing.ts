import { manageGroupMembers, manageProjectMembers } from '../../../policy/index.ts';

/** Who manages the members of a place and what it is shared with, and what a missing place is called. */
export const managing = {
  group: { subject: 'Group', manage: manageGroupMembers },
  project: { subject: 'Project', manage: manageProjectMembers },
} as const;
