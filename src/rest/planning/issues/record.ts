import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';
import { count, flag, moment, text, url } from '../../engine/schemas.ts';
import { Label, labelFields, type LabelData } from '../labels/record.ts';
import { Milestone, milestoneFields, type MilestoneData } from '../milestones/record.ts';
import { TimeStats, timeFields, type TimeData } from '../time-tracking/record.ts';

/** The part of an issue that is shown inside other records. */
export interface IssueBasicData extends TimeData {
  readonly id: number;
  readonly iid: string;
  readonly projectId: number;
  readonly title: string;
  readonly description: string | null;
  readonly state: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly closedAt: string | null;
  readonly closedBy: UserBasicData | null;
  readonly labelTitles: readonly string[];
  /** Selected if labels are shown with their details. */
  readonly labels?: { readonly nodes: readonly LabelData[] };
  readonly milestone: MilestoneData | null;
  readonly assignee: UserBasicData | null;
  readonly author: UserBasicData;
  readonly type: string;
  readonly userNotesCount: number;
  readonly mergeRequestsCount: number;
  readonly upvotes: number;
  readonly downvotes: number;
  readonly dueDate: string | null;
  readonly confidential: boolean;
  readonly discussionLocked: boolean | null;
  readonly webUrl: string;
  readonly taskCompletionStatus: { readonly count: number; readonly completedCount: number };
}

export interface IssueData extends IssueBasicData {
  readonly reference: string;
  /** As the list shows it; selected in lists of groups. */
  readonly relative?: string;
  readonly full: string;
  readonly severity: string;
  /** Selected for a single issue. */
  readonly subscribed?: boolean;
  readonly movedTo: { readonly id: number } | null;
  readonly closedAsDuplicateOf: { readonly iid: string; readonly projectId: number } | null;
}

export const issueBasicFields = `id: databaseId iid projectId title description state createdAt updatedAt closedAt
  closedBy { ${userBasicFields} } labelTitles milestone { ${milestoneFields} } assignee { ${userBasicFields} }
  author { ${userBasicFields} } type userNotesCount mergeRequestsCount upvotes downvotes dueDate confidential discussionLocked
  webUrl ${timeFields} taskCompletionStatus { count completedCount }`;

const moreFields = `reference full: reference(full: true) severity movedTo { id: databaseId } closedAsDuplicateOf { iid projectId }`;

/** The fields of an issue in a list. */
export const listedIssueFields = `${issueBasicFields} ${moreFields} labels @include(if: $details) { nodes { ${labelFields} } }`;
/** The fields of a single issue. */
export const issueFields = `${issueBasicFields} ${moreFields} subscribed`;

const orNull = (schema: JsonSchema): JsonSchema => ({ oneOf: [schema, { type: 'null' }] });

const basic: { [name: string]: JsonSchema } = {
  id: count,
  iid: count,
  project_id: count,
  title: text,
  description: { type: ['string', 'null'] },
  state: { type: 'string', enum: ['opened', 'closed'] },
  created_at: moment,
  updated_at: moment,
  closed_at: { type: ['string', 'null'], format: 'date-time' },
  closed_by: orNull(UserBasic.schema),
  labels: {
    type: 'array',
    items: { oneOf: [text, Label.schema] },
    description: 'Titles; with `with_labels_details`, records.',
  },
  milestone: orNull(Milestone.schema),
  assignees: { type: 'array', items: UserBasic.schema, description: 'At most one.' },
  author: UserBasic.schema,
  type: { type: 'string', enum: ['ISSUE', 'INCIDENT', 'TEST_CASE', 'TASK'] },
  assignee: orNull(UserBasic.schema),
  user_notes_count: count,
  merge_requests_count: count,
  upvotes: count,
  downvotes: count,
  due_date: { type: ['string', 'null'], format: 'date' },
  confidential: flag,
  discussion_locked: { type: ['boolean', 'null'] },
  issue_type: { type: 'string', enum: ['issue', 'incident', 'test_case', 'task'] },
  web_url: url,
  time_stats: TimeStats.schema,
  task_completion_status: objectSchema({ count, completed_count: count }),
};

const more: { [name: string]: JsonSchema } = {
  has_tasks: flag,
  task_status: { type: 'string', description: 'Only if there are tasks.' },
  _links: objectSchema({
    self: url,
    notes: url,
    award_emoji: url,
    project: url,
    closed_as_duplicate_of: { type: ['string', 'null'], format: 'uri' },
  }),
  references: objectSchema({ short: text, relative: text, full: text }),
  severity: { type: 'string', enum: ['UNKNOWN', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] },
  subscribed: { type: 'boolean', description: 'Not in lists.' },
  moved_to_id: { type: ['integer', 'null'] },
  imported: flag,
  imported_from: { type: 'string', const: 'none' },
  service_desk_reply_to: { type: 'null', description: 'Always null.' },
};

const dayOf = (time: string | null) => time && time.slice(0, 10);

function presentBasic(issue: IssueBasicData) {
  const assignee = issue.assignee && UserBasic.present(issue.assignee);
  const { count: tasks, completedCount } = issue.taskCompletionStatus;
  return {
    id: issue.id,
    iid: Number(issue.iid),
    project_id: issue.projectId,
    title: issue.title,
    description: issue.description,
    state: issue.state,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    closed_by: issue.closedBy && UserBasic.present(issue.closedBy),
    labels: issue.labels ? issue.labels.nodes.map(Label.present) : issue.labelTitles,
    milestone: issue.milestone && Milestone.present(issue.milestone),
    assignees: assignee ? [assignee] : [],
    author: UserBasic.present(issue.author),
    type: issue.type,
    assignee,
    user_notes_count: issue.userNotesCount,
    merge_requests_count: issue.mergeRequestsCount,
    upvotes: issue.upvotes,
    downvotes: issue.downvotes,
    due_date: dayOf(issue.dueDate),
    confidential: issue.confidential,
    discussion_locked: issue.discussionLocked,
    issue_type: issue.type.toLowerCase(),
    web_url: issue.webUrl,
    time_stats: TimeStats.present(issue),
    task_completion_status: { count: tasks, completed_count: completedCount },
  };
}

/** An issue inside another record. */
export const IssueBasic: Record<IssueBasicData> = {
  name: 'IssueBasic',
  schema: objectSchema(basic),
  present: presentBasic,
};

function taskStatus({ count: tasks, completedCount }: IssueBasicData['taskCompletionStatus']) {
  return tasks > 0 ? `${completedCount} of ${tasks} ${tasks === 1 ? 'task' : 'tasks'} completed` : undefined;
}

/** The members of an issue. */
export function presentIssue(issue: IssueData) {
  const path = `/-/issues/${issue.iid}`;
  const project = issue.full.slice(0, -issue.reference.length);
  const api = `${issue.webUrl.slice(0, -(project.length + path.length))}api/v4/projects/`;
  const self = `${api}${issue.projectId}/issues/${issue.iid}`;
  const duplicate = issue.closedAsDuplicateOf;
  return Object.assign(presentBasic(issue), {
    has_tasks: issue.taskCompletionStatus.count > 0,
    task_status: taskStatus(issue.taskCompletionStatus),
    _links: {
      self,
      notes: `${self}/notes`,
      award_emoji: `${self}/award_emoji`,
      project: `${api}${issue.projectId}`,
      closed_as_duplicate_of: duplicate && `${api}${duplicate.projectId}/issues/${duplicate.iid}`,
    },
    references: { short: issue.reference, relative: issue.relative ?? issue.reference, full: issue.full },
    severity: issue.severity,
    subscribed: issue.subscribed,
    moved_to_id: issue.movedTo && issue.movedTo.id,
    imported: false,
    imported_from: 'none',
    service_desk_reply_to: null,
  });
}

export const issueSchema = { ...basic, ...more };
export const optionalOfIssue = ['task_status', 'subscribed'];

/** An issue; in a list without `subscribed`. */
export const Issue: Record<IssueData> = {
  name: 'Issue',
  schema: objectSchema(issueSchema, optionalOfIssue),
  present: presentIssue,
};
