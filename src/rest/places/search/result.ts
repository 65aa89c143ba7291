import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import type { Record } from '../../engine/record.ts';
import { Issue, listedIssueFields, type IssueData } from '../../planning/issues/record.ts';
import { Milestone, milestoneFields, type MilestoneData } from '../../planning/milestones/record.ts';
import {
  listedMergeRequestFields,
  MergeRequestBasic,
  type MergeRequestBasicData,
} from '../../reviews/merge-requests/record.ts';
import { basicFields, Project, type ProjectData } from '../projects/record.ts';

/** What a search finds: a project, a person, the membership of a person, an issue, a merge request or a milestone. */
export type ResultData =
  | ProjectData
  | UserBasicData
  | { readonly user: UserBasicData }
  | IssueData
  | MergeRequestBasicData
  | MilestoneData;

/** The fields that operations select of each kind. Those of issues and merge requests need `$details` and `$html`. */
export const projectResult = basicFields;
export const userResult = userBasicFields;
export const memberResult = `user { ${userBasicFields} }`;
export const issueResult = listedIssueFields;
export const mergeRequestResult = listedMergeRequestFields;
export const milestoneResult = milestoneFields;

/** Something that a search found, as the lists of its kind show it. */
export const SearchResult: Record<ResultData> = {
  name: 'SearchResult',
  schema: { anyOf: [Project.schema, UserBasic.schema, Issue.schema, MergeRequestBasic.schema, Milestone.schema] },
  present(found) {
    if ('fullPath' in found) return Project.present(found);
    if ('sourceBranch' in found) return MergeRequestBasic.present(found);
    if ('confidential' in found) return Issue.present(found);
    if ('expired' in found) return Milestone.present(found);
    return UserBasic.present('user' in found ? found.user : found);
  },
};
