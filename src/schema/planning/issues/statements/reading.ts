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
import {
  labelReading,
  milestoneReading,
  type LabelRecord,
  type MilestoneRecord,
} from '../../../../database/access/planning.ts';
import { userReading, type UserRecord } from '../../../../database/access/records.ts';
import { roles } from '../../../../policy/index.ts';
import type { columnOf } from '../../notes/statements/item.ts';

/** An issue, with everything that is shown of it in a list. */
export interface IssueRecord {
  readonly id: number;
  readonly projectId: number;
  /** The full path of its project, and the namespace that contains the project. */
  readonly projectPath: string;
  readonly namespaceId: number;
  readonly iid: number;
  readonly title: string;
  readonly description: string | null;
  readonly type: 'ISSUE' | 'INCIDENT' | 'TEST_CASE' | 'TASK';
  readonly severity: 'UNKNOWN' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';
  readonly state: 'OPENED' | 'CLOSED';
  readonly authorId: number;
  readonly assigneeId: number | null;
  readonly milestoneId: number | null;
  readonly labelIds: readonly number[];
  /** A day, as in `2026-06-28`. */
  readonly dueDate: string | null;
  readonly confidential: boolean;
  readonly discussionLocked: boolean | null;
  readonly relativePosition: number | null;
  readonly closedAt: Date | null;
  readonly updatedById: number | null;
  readonly movedToId: number | null;
  readonly duplicatedToId: number | null;
  readonly timeEstimate: number;
  readonly timeSpent: number;
  readonly upvotes: number;
  readonly downvotes: number;
  readonly notesCount: number;
  readonly internalNotes: number;
  /** Whether the person's role lets them read internal notes. False if there are none. */
  readonly readsInternal: boolean;
  /** Whether merge requests close it once they are merged. */
  readonly hasClosing: boolean;
  readonly tasks: number;
  readonly tasksCompleted: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly author: Inside<UserRecord>;
  readonly assignee: Inside<UserRecord> | null;
  readonly closedBy: Inside<UserRecord> | null;
  readonly milestone: Inside<MilestoneRecord> | null;
  /** By title. */
  readonly labels: readonly Inside<LabelRecord>[];
}

/** SQL of the labels of the issue or merge request `i` as JSON, by title. */
export const labelsInside = `case when i.label_ids = '{}' then '[]'::json else
  (select coalesce(json_agg(shown order by shown.title), '[]') from (select ${labelReading.columns} from ${labelReading.from} where l.id = any(i.label_ids)) shown) end`;

/** SQL of the columns of an issue `i`, except its id. @param person SQL for the viewer's id, or null */
const columns = (person: string) =>
  `i.project_id as "projectId", p.full_path as "projectPath", p.namespace_id as "namespaceId", i.iid, i.title, i.description, i.type,
    i.severity, i.state, i.author_id as "authorId", i.assignee_id as "assigneeId", i.milestone_id as "milestoneId", i.label_ids as "labelIds",
    i.due_date::text as "dueDate", i.confidential, i.discussion_locked as "discussionLocked", i.relative_position as "relativePosition",
    i.closed_at as "closedAt", i.updated_by_id as "updatedById", i.moved_to_id as "movedToId", i.duplicated_to_id as "duplicatedToId",
    i.time_estimate as "timeEstimate", i.time_spent as "timeSpent", i.upvotes, i.downvotes, i.notes_count as "notesCount",
    i.internal_notes as "internalNotes",
    i.internal_notes > 0 and coalesce(${projectAccessLevel(person)}, 0) >= ${roles.planner} as "readsInternal",
    exists (select from merge_request_issues link where link.issue_id = i.id and link.closes) as "hasClosing",
    i.tasks, i.tasks_completed as "tasksCompleted", i.created_at as "createdAt", i.updated_at as "updatedAt",
    ${inside(userReading, 'i.author_id')} as author,
    ${inside(userReading, 'i.assignee_id')} as assignee,
    ${inside(userReading, 'i.closed_by_id')} as "closedBy",
    ${inside(milestoneReading, 'i.milestone_id')} as milestone,
    ${labelsInside} as labels`;

/** Issues as they are shown. @param person SQL for the viewer's id, or null */
export const issueReading = (person: string): Reading<IssueRecord> => ({
  columns: `i.id, ${columns(person)}`,
  from: 'issues i join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id',
  id: 'i.id',
});

/**
 * SQL for whether a person is subscribed to the issue or merge request `i`: as they decided, otherwise as a participant.
 * @param column that names it
 */
export const subscribedBy = (column: ReturnType<typeof columnOf>, person: string) =>
  `coalesce((select s.subscribed from subscriptions s where s.${column} = i.id and s.user_id = ${person}),
     exists (select from participants pt where pt.${column} = i.id and pt.user_id = ${person}))`;

const subscribed = (person: string) => subscribedBy('issue_id', person);

const single = issueReading('$2::int');

/** Issues, with whether the person is subscribed. $1 ids, $2 the viewer, or null. */
export const readIssues = readByIds<IssueRecord & { readonly subscribed: boolean }>('read_issues', {
  columns: `${single.columns}, ${subscribed('$2::int')} as subscribed`,
  from: single.from,
  id: single.id,
});

/** To which of some issues a person is subscribed. $1 ids, $2 the person. */
export const readSubscribed = statement<{ id: number; subscribed: boolean }>(
  'read_subscribed_issues',
  `select i.id, ${subscribed('$2::int')} as subscribed from issues i where i.id = any($1::int[])`,
);

/** A project, for its issues. */
export type ProjectOfIssues = PlaceRow & { readonly archived: boolean; readonly full_path: string };

/** Looks up a project for its issues. */
export const findProjectOfIssues = projectStatement<ProjectOfIssues>(
  'find_project_of_issues',
  `, p.archived, p.full_path${levelColumns('issues')}`,
);

/** A project, with one of its issues if that exists. The issue has no `id`: that of the row is the project's. */
export type FoundIssue = PlaceRow & {
  readonly archived: boolean;
  readonly subscribed: boolean;
} & ({ readonly issueId: null } | ({ readonly issueId: number } & Omit<IssueRecord, 'id'>));

/** Looks an issue up in a project, with the role of the person. $1 the project, $2 the person, or null, $3 the iid. */
export const findIssue: ByReference<FoundIssue> = projectStatement<FoundIssue>(
  'find_issue',
  `, i.id as "issueId", p.archived${levelColumns('issues')}, ${subscribed('$2::int')} as subscribed, ${columns('$2::int')}`,
  'left join issues i on i.project_id = p.id and i.iid = $3::int',
);

/** The project and the iid of an issue. $1 its id. */
export const placeOfIssue = statement<{ project_id: number; iid: number }>(
  'place_of_issue',
  `select i.project_id, i.iid from issues i join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id
    where i.id = $1 and ${liveProject}`,
);

/** Which of some issues the viewer reads. $1 ids, $2 the viewer, or null. @param reads SQL condition */
export const readableIssues = (variant: string, reads: string) =>
  statement<{ id: number }>(
    `readable_issues_${variant}`,
    `select i.id from issues i join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id
      where i.id = any($1::int[]) and ${liveProject} and ${reads}`,
  );

/** The issues of a project with some numbers. $1 project, $2 iids. */
export const findIids = statement<{ id: number; iid: number }>(
  'find_issues_by_iid',
  'select i.id, i.iid from issues i where i.project_id = $1 and i.iid = any($2::int[])',
);
