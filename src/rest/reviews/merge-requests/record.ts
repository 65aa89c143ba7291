import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';
import { count, flag, moment, text, textOrNull, url } from '../../engine/schemas.ts';
import { Label, labelFields, type LabelData } from '../../planning/labels/record.ts';
import { Milestone, milestoneFields, type MilestoneData } from '../../planning/milestones/record.ts';
import { Pipeline, PipelineBasic, pipelineFields, type PipelineData } from '../../pipelines/pipelines/record.ts';
import { TimeStats, timeFields, type TimeData } from '../../planning/time-tracking/record.ts';

/** The records of merge requests (contract §6.1): clients read their members in this order. */

interface SimpleData {
  readonly id: number;
  readonly iid: string;
  readonly projectId: number;
  readonly title: string;
  readonly description: string | null;
  readonly state: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly webUrl: string;
}

/** A merge request in a list. */
export interface MergeRequestBasicData extends SimpleData, TimeData {
  /** Selected if the texts are shown as HTML, too. */
  readonly titleHtml?: string;
  readonly descriptionHtml?: string | null;
  readonly mergeUser: UserBasicData | null;
  readonly mergedAt: string | null;
  readonly closedBy: UserBasicData | null;
  readonly closedAt: string | null;
  readonly targetBranch: string;
  readonly sourceBranch: string;
  readonly userNotesCount: number;
  readonly upvotes: number;
  readonly downvotes: number;
  readonly author: UserBasicData;
  readonly assignee: UserBasicData | null;
  readonly reviewer: UserBasicData | null;
  readonly sourceProjectId: number | null;
  readonly labelTitles: readonly string[];
  /** Selected if labels are shown with their details. */
  readonly labels?: { readonly nodes: readonly LabelData[] };
  readonly draft: boolean;
  readonly milestone: MilestoneData | null;
  readonly autoMergeEnabled: boolean;
  readonly mergeAfter: string | null;
  readonly mergeStatusEnum: string;
  readonly detailedMergeStatus: string;
  readonly diffHeadSha: string | null;
  readonly mergeCommitSha: string | null;
  readonly squashCommitSha: string | null;
  readonly discussionLocked: boolean | null;
  readonly shouldRemoveSourceBranch: boolean | null;
  readonly forceRemoveSourceBranch: boolean | null;
  readonly preparedAt: string | null;
  readonly allowCollaboration: boolean;
  readonly reference: string;
  /** As the list shows it; selected in lists of groups. */
  readonly relative?: string;
  readonly full: string;
  readonly squash: boolean;
  readonly squashOnMerge: boolean;
  readonly taskCompletionStatus: { readonly count: number; readonly completedCount: number };
  readonly conflicts: boolean;
  readonly mergeableDiscussionsState: boolean;
}

/** A single merge request. */
export interface MergeRequestData extends MergeRequestBasicData {
  readonly subscribed: boolean;
  readonly changesCount: string | null;
  readonly diffRefs: { readonly baseSha: string; readonly headSha: string; readonly startSha: string } | null;
  readonly mergeError: string | null;
  readonly firstDeployedToProductionAt: string | null;
  readonly headPipeline: PipelineData | null;
  readonly userPermissions: { readonly canMerge: boolean };
  /** Selected if they are asked for. */
  readonly rebaseInProgress?: boolean;
  readonly divergedCommitsCount?: number;
  /** Selected where one is read, and not written. */
  readonly firstContribution?: boolean;
}

export const simpleFields = 'id: databaseId iid projectId title description state createdAt updatedAt webUrl';

const mergeRequestBasicFields = `${simpleFields} mergeUser { ${userBasicFields} } mergedAt closedBy { ${userBasicFields} } closedAt
  targetBranch sourceBranch userNotesCount upvotes downvotes author { ${userBasicFields} } assignee { ${userBasicFields} }
  reviewer { ${userBasicFields} } sourceProjectId labelTitles draft milestone { ${milestoneFields} } autoMergeEnabled mergeAfter
  mergeStatusEnum detailedMergeStatus diffHeadSha mergeCommitSha squashCommitSha discussionLocked shouldRemoveSourceBranch
  forceRemoveSourceBranch preparedAt allowCollaboration reference full: reference(full: true) squash squashOnMerge
  ${timeFields} taskCompletionStatus { count completedCount } conflicts mergeableDiscussionsState`;

/** The fields of a merge request in a list. */
export const listedMergeRequestFields = `${mergeRequestBasicFields} labels @include(if: $details) { nodes { ${labelFields} } }
  titleHtml @include(if: $html) descriptionHtml @include(if: $html)`;

/** The fields of a single merge request. */
export const mergeRequestFields = `${mergeRequestBasicFields} subscribed changesCount diffRefs { baseSha headSha startSha }
  mergeError firstDeployedToProductionAt userPermissions { canMerge } headPipeline { ${pipelineFields} }`;

const countOrNull: JsonSchema = { type: ['integer', 'null'] };
const flagOrNull: JsonSchema = { type: ['boolean', 'null'] };
const momentOrNull: JsonSchema = { type: ['string', 'null'], format: 'date-time' };
const nothing: JsonSchema = { type: 'null' };
const orNull = (schema: JsonSchema): JsonSchema => ({ oneOf: [schema, nothing] });

const simple: { [name: string]: JsonSchema } = {
  id: count,
  iid: count,
  project_id: { ...count, description: 'The target.' },
  title: text,
  description: textOrNull,
  state: { type: 'string', enum: ['opened', 'closed', 'locked', 'merged'] },
  created_at: moment,
  updated_at: moment,
};

const basic: { [name: string]: JsonSchema } = {
  ...simple,
  merged_by: { ...orNull(UserBasic.schema), description: 'The old name of `merge_user`.' },
  merge_user: { ...orNull(UserBasic.schema), description: 'Who merged it, or set it to merge by itself.' },
  merged_at: momentOrNull,
  closed_by: orNull(UserBasic.schema),
  closed_at: momentOrNull,
  title_html: { ...text, description: 'Only with `render_html`.' },
  description_html: { ...text, description: 'Only with `render_html`.' },
  target_branch: text,
  source_branch: text,
  user_notes_count: count,
  upvotes: count,
  downvotes: count,
  author: UserBasic.schema,
  assignees: { type: 'array', items: UserBasic.schema, description: 'At most one.' },
  assignee: orNull(UserBasic.schema),
  reviewers: { type: 'array', items: UserBasic.schema, description: 'At most one.' },
  source_project_id: { ...countOrNull, description: 'Null when the fork is gone.' },
  target_project_id: count,
  labels: {
    type: 'array',
    items: { oneOf: [text, Label.schema] },
    description: 'Titles; with `with_labels_details`, records.',
  },
  draft: flag,
  work_in_progress: flag,
  imported: flag,
  imported_from: { type: 'string', const: 'none' },
  milestone: orNull(Milestone.schema),
  merge_when_pipeline_succeeds: flag,
  merge_status: text,
  detailed_merge_status: text,
  merge_after: { ...momentOrNull, description: 'The moment before which it isn’t merged.' },
  sha: { ...textOrNull, description: 'The head of its current version.' },
  merge_commit_sha: textOrNull,
  squash_commit_sha: textOrNull,
  discussion_locked: flagOrNull,
  should_remove_source_branch: { ...flagOrNull, description: 'What the call to merge said.' },
  force_remove_source_branch: { ...flagOrNull, description: 'What its author asked for.' },
  prepared_at: momentOrNull,
  allow_collaboration: { ...flag, description: 'Only of a fork.' },
  allow_maintainer_to_push: { ...flag, description: 'The old name of `allow_collaboration`.' },
  reference: text,
  references: objectSchema({ short: text, relative: text, full: text }),
  web_url: url,
  time_stats: TimeStats.schema,
  squash: flag,
  squash_on_merge: flag,
  task_completion_status: objectSchema({ count, completed_count: count }),
  has_conflicts: flag,
  blocking_discussions_resolved: flag,
};

const more: { [name: string]: JsonSchema } = {
  subscribed: flag,
  changes_count: { ...textOrNull, description: 'A number, or `1000+`; null while there is no diff.' },
  latest_build_started_at: momentOrNull,
  latest_build_finished_at: momentOrNull,
  first_deployed_to_production_at: momentOrNull,
  pipeline: orNull(PipelineBasic.schema),
  head_pipeline: orNull(Pipeline.schema),
  diff_refs: orNull(objectSchema({ base_sha: text, head_sha: text, start_sha: text })),
  merge_error: textOrNull,
  rebase_in_progress: { ...flag, description: 'Only with `include_rebase_in_progress`.' },
  diverged_commits_count: { ...count, description: 'Only with `include_diverged_commits_count`.' },
  first_contribution: { ...flag, description: 'Only where one is read.' },
  user: objectSchema({ can_merge: flag }),
};

const optionalOfBasic = ['title_html', 'description_html', 'allow_collaboration', 'allow_maintainer_to_push'];
export const mergeRequestSchema = { ...basic, ...more };
export const optionalOfMergeRequest = [
  ...optionalOfBasic,
  'rebase_in_progress',
  'diverged_commits_count',
  'first_contribution',
];

/** A merge request with `view=simple`. */
export const MergeRequestSimple: Record<SimpleData> = {
  name: 'MergeRequestSimple',
  schema: objectSchema({ ...simple, web_url: url }),
  present: (one) => ({
    id: one.id,
    iid: Number(one.iid),
    project_id: one.projectId,
    title: one.title,
    description: one.description,
    state: one.state,
    created_at: one.createdAt,
    updated_at: one.updatedAt,
    web_url: one.webUrl,
  }),
};

function presentBasic(one: MergeRequestBasicData) {
  const assignee = one.assignee && UserBasic.present(one.assignee);
  const mergeUser = one.mergeUser && UserBasic.present(one.mergeUser);
  // `project_id` is the target: a merge request of a fork has another source.
  const ofFork = one.sourceProjectId !== one.projectId ? one.allowCollaboration : undefined;
  return {
    id: one.id,
    iid: Number(one.iid),
    project_id: one.projectId,
    title: one.title,
    description: one.description,
    state: one.state,
    created_at: one.createdAt,
    updated_at: one.updatedAt,
    merged_by: one.state === 'merged' ? mergeUser : null,
    merge_user: mergeUser,
    merged_at: one.mergedAt,
    closed_by: one.closedBy && UserBasic.present(one.closedBy),
    closed_at: one.closedAt,
    title_html: one.titleHtml,
    description_html: one.titleHtml === undefined ? undefined : (one.descriptionHtml ?? ''),
    target_branch: one.targetBranch,
    source_branch: one.sourceBranch,
    user_notes_count: one.userNotesCount,
    upvotes: one.upvotes,
    downvotes: one.downvotes,
    author: UserBasic.present(one.author),
    assignees: assignee ? [assignee] : [],
    assignee,
    reviewers: one.reviewer ? [UserBasic.present(one.reviewer)] : [],
    source_project_id: one.sourceProjectId,
    target_project_id: one.projectId,
    labels: one.labels ? one.labels.nodes.map(Label.present) : one.labelTitles,
    draft: one.draft,
    work_in_progress: one.draft,
    imported: false,
    imported_from: 'none',
    milestone: one.milestone && Milestone.present(one.milestone),
    merge_when_pipeline_succeeds: one.autoMergeEnabled,
    merge_status: one.mergeStatusEnum.toLowerCase(),
    detailed_merge_status: one.detailedMergeStatus.toLowerCase(),
    merge_after: one.mergeAfter,
    sha: one.diffHeadSha,
    merge_commit_sha: one.mergeCommitSha,
    squash_commit_sha: one.squashCommitSha,
    discussion_locked: one.discussionLocked,
    should_remove_source_branch: one.shouldRemoveSourceBranch,
    force_remove_source_branch: one.forceRemoveSourceBranch,
    prepared_at: one.preparedAt,
    allow_collaboration: ofFork,
    allow_maintainer_to_push: ofFork,
    reference: one.reference,
    references: { short: one.reference, relative: one.relative ?? one.reference, full: one.full },
    web_url: one.webUrl,
    time_stats: TimeStats.present(one),
    squash: one.squash,
    squash_on_merge: one.squashOnMerge,
    task_completion_status: {
      count: one.taskCompletionStatus.count,
      completed_count: one.taskCompletionStatus.completedCount,
    },
    has_conflicts: one.conflicts,
    blocking_discussions_resolved: one.mergeableDiscussionsState,
  };
}

/** A merge request in a list. */
export const MergeRequestBasic: Record<MergeRequestBasicData> = {
  name: 'MergeRequestBasic',
  schema: objectSchema(basic, optionalOfBasic),
  present: presentBasic,
};

/** The members of a single merge request. */
export const presentMergeRequest = (one: MergeRequestData) =>
  Object.assign(presentBasic(one), {
    subscribed: one.subscribed,
    changes_count: one.changesCount,
    latest_build_started_at: one.headPipeline && one.headPipeline.startedAt,
    latest_build_finished_at: one.headPipeline && one.headPipeline.finishedAt,
    first_deployed_to_production_at: one.firstDeployedToProductionAt,
    pipeline: one.headPipeline && PipelineBasic.present(one.headPipeline),
    head_pipeline: one.headPipeline && Pipeline.present(one.headPipeline),
    diff_refs: one.diffRefs && {
      base_sha: one.diffRefs.baseSha,
      head_sha: one.diffRefs.headSha,
      start_sha: one.diffRefs.startSha,
    },
    merge_error: one.mergeError,
    rebase_in_progress: one.rebaseInProgress,
    diverged_commits_count: one.divergedCommitsCount,
    first_contribution: one.firstContribution,
    user: { can_merge: one.userPermissions.canMerge },
  });

/** A single merge request. */
export const MergeRequest: Record<MergeRequestData> = {
  name: 'MergeRequest',
  schema: objectSchema(mergeRequestSchema, optionalOfMergeRequest),
  present: presentMergeRequest,
};
