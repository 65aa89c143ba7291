import { statement } from '../../../../database/index.ts';

/** What the variables of a merge request are made of. */
export interface MergeRequestRow {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly description: string | null;
  readonly draft: boolean;
  readonly squash: boolean;
  /** Where both branches parted. */
  readonly baseSha: string | null;
  readonly projectId: number;
  readonly projectPath: string;
  readonly targetBranch: string;
  /** Null when the fork is gone. */
  readonly sourceProjectId: number | null;
  readonly sourceProjectPath: string | null;
  readonly sourceBranch: string;
  /** Titles of its labels, comma-separated; null without any. */
  readonly labels: string | null;
  readonly assignee: string | null;
  readonly milestone: string | null;
}

/** $1 merge request. */
export const findMergeRequestVariables = statement<MergeRequestRow>(
  'find_merge_request_variables',
  `select i.id, i.iid, i.title, i.description, i.draft, i.squash, i.base_sha as "baseSha", i.project_id as "projectId",
          p.full_path as "projectPath", i.target_branch as "targetBranch", i.source_project_id as "sourceProjectId",
          s.full_path as "sourceProjectPath", i.source_branch as "sourceBranch",
          (select string_agg(l.title, ',' order by l.title) from labels l where l.id = any(i.label_ids)) as labels,
          u.username as assignee, m.title as milestone
     from merge_requests i
     join projects p on p.id = i.project_id
     left join projects s on s.id = i.source_project_id
     left join users u on u.id = i.assignee_id and u.deleting_since is null
     left join milestones m on m.id = i.milestone_id
    where i.id = $1::int`,
);
