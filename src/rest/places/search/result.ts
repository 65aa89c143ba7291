import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import type { Record } from '../../engine/record.ts';
import { Issue, listedIssueFields, type IssueData } from '../../planning/issues/record.ts';
import { Milestone, milestoneFields, type MilestoneData } from '../../planning/milestones/record.ts';
import { Note, noteFields, type NoteData } from '../../planning/notes/record.ts';
import { Snippet, snippetFields, type SnippetData } from '../../planning/snippets/record.ts';
import {
  listedMergeRequestFields,
  MergeRequestBasic,
  type MergeRequestBasicData,
} from '../../reviews/merge-requests/record.ts';
import {
  CommitDetail,
  commitFields,
  detailFields,
  statsFields,
  type CommitData,
  type CommitDetailData,
} from '../../repository/commits/record.ts';
import { basicFields, Project, type ProjectData } from '../projects/record.ts';
import { FoundFile, foundFileFields, type FoundFileData } from './file.ts';

/**
 * What a search finds: a project, a person or their membership, an issue, a merge request, a milestone, a snippet, a comment,
 * a commit, a file.
 */
export type ResultData =
  | ProjectData
  | UserBasicData
  | { readonly user: UserBasicData }
  | IssueData
  | MergeRequestBasicData
  | MilestoneData
  | SnippetData
  | NoteData
  | FoundCommitData
  | FoundFileData;

type FoundCommitData = CommitData &
  Pick<CommitDetailData, 'latestPipeline'> & { readonly repository: { readonly projectId: number } };

/** The fields that operations select of each kind. Those of issues and merge requests need `$details` and `$html`. */
export const projectResult = basicFields;
export const userResult = userBasicFields;
export const memberResult = `user { ${userBasicFields} }`;
export const issueResult = listedIssueFields;
export const mergeRequestResult = listedMergeRequestFields;
export const milestoneResult = milestoneFields;
export const snippetResult = snippetFields;
export const noteResult = noteFields;
export const commitResult = `${commitFields} ${detailFields} ${statsFields} repository { projectId: projectDatabaseId }`;
export const fileResult = foundFileFields;

/** Something that a search found, as the lists of its kind show it. */
export const SearchResult: Record<ResultData> = {
  name: 'SearchResult',
  schema: {
    anyOf: [
      Project.schema,
      UserBasic.schema,
      Issue.schema,
      MergeRequestBasic.schema,
      Milestone.schema,
      Snippet.schema,
      Note.schema,
      CommitDetail.schema,
      FoundFile.schema,
    ],
  },
  present(found) {
    if ('fullPath' in found) return Project.present(found);
    if ('sourceBranch' in found) return MergeRequestBasic.present(found);
    if ('confidential' in found) return Issue.present(found);
    if ('expired' in found) return Milestone.present(found);
    if ('rawUrl' in found) return Snippet.present(found);
    if ('noteableType' in found) return Note.present(found);
    if ('shortId' in found) return CommitDetail.present({ ...found, projectId: found.repository.projectId });
    if ('startLine' in found) return FoundFile.present(found);
    return UserBasic.present('user' in found ? found.user : found);
  },
};
