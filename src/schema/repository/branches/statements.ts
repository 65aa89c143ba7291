import { statement } from '../../../database/index.ts';

/** The branches of a project that open merge requests come from or go to. $1 project. */
export const findBranchesInReview = statement<{ name: string }>(
  'find_branches_in_review',
  `select source_branch as name from merge_requests where source_project_id = $1::int and state = 'OPENED'
   union select target_branch from merge_requests where project_id = $1::int and state = 'OPENED'`,
);
