import { statement } from '../../../../database/index.ts';
import { inside, type Inside } from '../../../../database/access/inside.ts';
import { readByIds, type Reading } from '../../../../database/list.ts';
import {
  levelColumns,
  liveProject,
  projectAccessLevel,
  projectStatement,
  type ByReference,
  type PlaceRow,
} from '../../../../database/access/places.ts';
import { milestoneReading, type LabelRecord, type MilestoneRecord } from '../../../../database/access/planning.ts';
import { userReading, type UserRecord } from '../../../../database/access/records.ts';
import { roles } from '../../../../policy/index.ts';
import { labelsInside, subscribedBy } from '../../../planning/issues/statements/reading.ts';

/** What a call to merge said, kept until the pipeline succeeds. */
export interface MergeParams {
  readonly message?: string;
  readonly squashMessage?: string;
  readonly squash?: boolean;
  readonly removeSource?: boolean;
  /** The head that was meant. */
  readonly sha?: string;
}

/** A merge request, with everything that is shown of it in a list. */
export interface MergeRequestRecord {
  readonly id: number;
  /** The target. */
  readonly projectId: number;
  /** The full path of the target, and the namespace that contains it. */
  readonly projectPath: string;
  readonly namespaceId: number;
  readonly iid: number;
  /** Null when the fork is gone. */
  readonly sourceProjectId: number | null;
  readonly sourceBranch: string;
  readonly targetBranch: string;
  readonly title: string;
  readonly description: string | null;
  readonly draft: boolean;
  readonly state: 'OPENED' | 'CLOSED' | 'LOCKED' | 'MERGED';
  readonly authorId: number;
  readonly assigneeId: number | null;
  readonly reviewerId: number | null;
  readonly reviewerSince: Date | null;
  readonly milestoneId: number | null;
  readonly labelIds: readonly number[];
  readonly discussionLocked: boolean | null;
  /** The current version; null while a branch is missing. */
  readonly headSha: string | null;
  readonly baseSha: string | null;
  readonly startSha: string | null;
  readonly filesCount: number | null;
  readonly commitsCount: number;
  readonly mergeStatus: 'UNCHECKED' | 'CHECKING' | 'CAN_BE_MERGED' | 'CANNOT_BE_MERGED' | 'CANNOT_BE_MERGED_RECHECK';
  readonly checkedHead: string | null;
  readonly checkedTarget: string | null;
  readonly needsRebase: boolean;
  readonly mergeError: string | null;
  readonly rebasingSince: Date | null;
  readonly squash: boolean;
  readonly forceRemoveSource: boolean | null;
  readonly allowCollaboration: boolean;
  readonly autoMerge: boolean;
  readonly mergeUserId: number | null;
  readonly mergeParams: MergeParams | null;
  /** It isn't merged before. */
  readonly mergeAfter: Date | null;
  readonly mergeCommitSha: string | null;
  readonly squashCommitSha: string | null;
  readonly mergedAt: Date | null;
  readonly closedAt: Date | null;
  readonly updatedById: number | null;
  readonly timeEstimate: number;
  readonly timeSpent: number;
  readonly upvotes: number;
  readonly downvotes: number;
  readonly notesCount: number;
  readonly internalNotes: number;
  /** Whether the person's role lets them read internal notes. False if there are none. */
  readonly readsInternal: boolean;
  /** Threads that can be resolved and aren't. */
  readonly unresolved: number;
  readonly tasks: number;
  readonly tasksCompleted: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The attributes of the target that someone set: how it merges. */
  readonly rules: ProjectRules;
  readonly author: Inside<UserRecord>;
  readonly assignee: Inside<UserRecord> | null;
  readonly reviewer: Inside<UserRecord> | null;
  readonly mergeUser: Inside<UserRecord> | null;
  readonly closedBy: Inside<UserRecord> | null;
  readonly milestone: Inside<MilestoneRecord> | null;
  /** By title. */
  readonly labels: readonly Inside<LabelRecord>[];
}

/** The attributes of a project that say how it merges. What no one set is missing. */
export interface ProjectRules {
  readonly mergeMethod?: 'merge' | 'rebase_merge' | 'ff';
  readonly squashOption?: 'never' | 'always' | 'default_on' | 'default_off';
  readonly onlyAllowMergeIfPipelineSucceeds?: boolean;
  readonly allowMergeOnSkippedPipeline?: boolean | null;
  readonly onlyAllowMergeIfAllDiscussionsAreResolved?: boolean;
  readonly printingMergeRequestLinkEnabled?: boolean;
  readonly autocloseReferencedIssues?: boolean;
  readonly mergeCommitTemplate?: string | null;
  readonly squashCommitTemplate?: string | null;
  readonly removeSourceBranchAfterMerge?: boolean;
  readonly resolveOutdatedDiffDiscussions?: boolean;
}

/** SQL of the columns of a merge request `i`, except its id. @param person SQL for the viewer's id, or null */
const columns = (person: string) =>
  `i.project_id as "projectId", p.full_path as "projectPath", p.namespace_id as "namespaceId", i.iid,
    i.source_project_id as "sourceProjectId", i.source_branch as "sourceBranch", i.target_branch as "targetBranch", i.title,
    i.description, i.draft, i.state, i.author_id as "authorId", i.assignee_id as "assigneeId", i.reviewer_id as "reviewerId",
    i.reviewer_since as "reviewerSince", i.milestone_id as "milestoneId", i.label_ids as "labelIds",
    i.discussion_locked as "discussionLocked", i.head_sha as "headSha", i.base_sha as "baseSha", i.start_sha as "startSha",
    i.files_count as "filesCount", i.commits_count as "commitsCount", i.merge_status as "mergeStatus",
    i.checked_head as "checkedHead", i.checked_target as "checkedTarget", i.needs_rebase as "needsRebase",
    i.merge_error as "mergeError", i.rebasing_since as "rebasingSince", i.squash, i.force_remove_source as "forceRemoveSource",
    i.allow_collaboration as "allowCollaboration", i.auto_merge as "autoMerge", i.merge_user_id as "mergeUserId",
    i.merge_params as "mergeParams", i.merge_after as "mergeAfter", i.merge_commit_sha as "mergeCommitSha", i.squash_commit_sha as "squashCommitSha",
    i.merged_at as "mergedAt", i.closed_at as "closedAt", i.updated_by_id as "updatedById", i.time_estimate as "timeEstimate",
    i.time_spent as "timeSpent", i.upvotes, i.downvotes, i.notes_count as "notesCount", i.internal_notes as "internalNotes",
    i.internal_notes > 0 and coalesce(${projectAccessLevel(person)}, 0) >= ${roles.planner} as "readsInternal",
    i.unresolved, i.tasks, i.tasks_completed as "tasksCompleted", i.created_at as "createdAt", i.updated_at as "updatedAt",
    p.attributes as rules,
    ${inside(userReading, 'i.author_id')} as author,
    ${inside(userReading, 'i.assignee_id')} as assignee,
    ${inside(userReading, 'i.reviewer_id')} as reviewer,
    ${inside(userReading, 'i.merge_user_id')} as "mergeUser",
    ${inside(userReading, 'i.closed_by_id')} as "closedBy",
    ${inside(milestoneReading, 'i.milestone_id')} as milestone,
    ${labelsInside} as labels`;

/** Merge requests as they are shown. @param person SQL for the viewer's id, or null */
export const mergeRequestReading = (person: string): Reading<MergeRequestRecord> => ({
  columns: `i.id, ${columns(person)}`,
  from: 'merge_requests i join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id',
  id: 'i.id',
});

const subscribed = (person: string) => subscribedBy('merge_request_id', person);

const single = mergeRequestReading('$2::int');

/** Merge requests, with whether the person is subscribed. $1 ids, $2 the viewer, or null. */
export const readMergeRequests = readByIds<MergeRequestRecord & { readonly subscribed: boolean }>(
  'read_merge_requests',
  {
    columns: `${single.columns}, ${subscribed('$2::int')} as subscribed`,
    from: single.from,
    id: single.id,
  },
);

/** To which of some merge requests a person is subscribed. $1 ids, $2 the person. */
export const readSubscribed = statement<{ id: number; subscribed: boolean }>(
  'read_subscribed_merge_requests',
  `select i.id, ${subscribed('$2::int')} as subscribed from merge_requests i where i.id = any($1::int[])`,
);

/** Looks up a project for its merge requests. */
export const findProjectOfMergeRequests = projectStatement<ProjectOfMergeRequests>(
  'find_project_of_merge_requests',
  `, p.archived, p.full_path, p.attributes as rules${levelColumns('mergeRequests', 'repository')}`,
);

/** The merge request that a commit merged. $1 target, $2 commit. */
export const findMergedAs = statement<{ iid: number }>(
  'find_merge_request_merged_as',
  `select i.iid from merge_requests i where i.project_id = $1::int and i.merge_commit_sha = $2::text order by i.id desc limit 1`,
);

export interface ProjectOfMergeRequests extends PlaceRow {
  readonly archived: boolean;
  readonly full_path: string;
  readonly rules: ProjectRules;
}

/** A project, with one of its merge requests if that exists. The latter has no `id`: that of the row is the project's. */
export type FoundMergeRequest = PlaceRow & {
  readonly archived: boolean;
  /** Whether one of its branches may have changed since it was last brought up to date. */
  readonly behind: boolean;
  readonly subscribed: boolean;
  readonly newestPipelineId: number | null;
} & ({ readonly mergeRequestId: null } | ({ readonly mergeRequestId: number } & Omit<MergeRequestRecord, 'id'>));

/** SQL for the id of the pipeline of the head of `i`, as `headPipeline` finds it; null without one. */
const newestPipeline = `(select max(q.id) from pipelines q
  where q.project_id = i.source_project_id and q.sha = i.head_sha and q.ref = i.source_branch and not q.tag)`;

/** SQL for whether the open merge request `i` may be of the past. */
const behind = `i.state = 'OPENED' and (i.merge_status not in ('CAN_BE_MERGED', 'CANNOT_BE_MERGED') or exists (
  select from repositories stored join ref_changes c on c.project_id = stored.project_id and c.id > stored.followed and not c.imported
   where stored.project_id in (i.project_id, i.source_project_id)))`;

/** Looks a merge request up in its target. $1 the project, $2 the person, or null, $3 the iid. */
export const findMergeRequest: ByReference<FoundMergeRequest> = projectStatement<FoundMergeRequest>(
  'find_merge_request',
  `, i.id as "mergeRequestId", p.archived${levelColumns('mergeRequests', 'repository')}, ${subscribed('$2::int')} as subscribed, ${behind} as behind,
    ${newestPipeline} as "newestPipelineId", ${columns('$2::int')}`,
  'left join merge_requests i on i.project_id = p.id and i.iid = $3::int',
);

/** The target and the iid of a merge request. $1 its id. */
export const placeOfMergeRequest = statement<{ project_id: number; iid: number }>(
  'place_of_merge_request',
  `select i.project_id, i.iid from merge_requests i join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id
    where i.id = $1 and ${liveProject}`,
);

/** Which of some merge requests the viewer reads. $1 ids, $2 the viewer, or null. @param reads SQL condition */
export const readableMergeRequests = (variant: string, reads: string) =>
  statement<{ id: number }>(
    `readable_merge_requests_${variant}`,
    `select i.id from merge_requests i join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id
      where i.id = any($1::int[]) and ${liveProject} and ${reads}`,
  );

/** The merge requests of a project with some numbers. $1 project, $2 iids. */
export const findIids = statement<{ id: number; iid: number }>(
  'find_merge_requests_by_iid',
  'select i.id, i.iid from merge_requests i where i.project_id = $1 and i.iid = any($2::int[])',
);

/** When some merge requests came to a production environment first. $1 ids; those that never did have no row. */
export const firstDeployments = statement<{ id: number; at: Date | null }>(
  'first_deployments_of_merge_requests',
  `select link.merge_request_id as id, min(d.finished_at) as at from deployment_merge_requests link
     join deployments d on d.id = link.deployment_id join environments e on e.id = link.environment_id
    where link.merge_request_id = any($1::int[]) and e.tier = 'production' group by link.merge_request_id`,
);

/** SQL for whether merge requests are the first that their authors, who aren't members of the target, got into it. */
const areFirst = (which: string) =>
  `select i.id, coalesce(${projectAccessLevel('i.author_id')}, 0) <= ${roles.guest} and not exists (
       select from merge_requests before where before.project_id = i.project_id and before.author_id = i.author_id
          and before.state = 'MERGED' and before.id <> i.id) as first
     from merge_requests i join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id
    where ${which}`;

/** Whether some merge requests are first contributions. $1 ids. */
export const firstContributions = statement<{ id: number; first: boolean }>(
  'first_contributions',
  areFirst('i.id = any($1::int[])'),
);

/** Whether one is. $1 its id. PostgreSQL keeps the plan of this one; planning the other takes longer than running it. */
export const firstContribution = statement<{ id: number; first: boolean }>(
  'first_contribution',
  areFirst('i.id = $1::int'),
);
