import { featureLevel, liveProject, projectAccessLevel } from '../../../../database/access/places.ts';
import { statement, type Statement } from '../../../../database/index.ts';
import { ListQuery, type Parent, type Reading } from '../../../../database/list.ts';
import {
  manageGroupMembers,
  manageProjectMembers,
  readInternalNote,
  readIssue,
  readMergeRequest,
  seePlace,
  toSql,
  type Columns,
  type Viewer,
} from '../../../../policy/index.ts';

export type TodoAction =
  | 'ASSIGNED'
  | 'MENTIONED'
  | 'DIRECTLY_ADDRESSED'
  | 'MARKED'
  | 'REVIEW_REQUESTED'
  | 'UNMERGEABLE'
  | 'MEMBER_ACCESS_REQUESTED';
type TodoState = 'PENDING' | 'DONE';

export interface TodoRecord {
  readonly id: number;
  readonly authorId: number;
  /** The project that it is about, or that has what it is about; otherwise the group that it is about. */
  readonly projectId: number | null;
  readonly groupId: number | null;
  /** What it is about: one of these; neither, if that is the project or the group itself. */
  readonly issueId: number | null;
  readonly mergeRequestId: number | null;
  readonly noteId: number | null;
  readonly action: TodoAction;
  readonly state: TodoState;
  /** The text of the comment, otherwise the title of what it is about, or the full path of a project or a group. */
  readonly body: string;
  /** Of an issue or a merge request. */
  readonly iid: number | null;
  /** The full path of the project or the group. */
  readonly placePath: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Of an issue or a merge request, what to-dos read. */
const columnsOf = (confidential: string) =>
  `project_id, iid, title, label_ids, author_id, assignee_id, ${confidential} as confidential`;

/** The issue or the merge request `i` of each to-do. Those about a place have none. */
const item = `left join lateral (
    select ${columnsOf('confidential')} from issues where id = t.issue_id
    union all select ${columnsOf('false')} from merge_requests where id = t.merge_request_id
  ) i on true`;

/** The project `p` and the group or namespace `n` of each, looked up one by one: a person has few of them. */
const from = `todos t ${item}
  left join lateral (select * from projects its where its.id = coalesce(i.project_id, t.project_id) offset 0) p on true
  join lateral (select * from namespaces its where its.id = coalesce(p.namespace_id, t.group_id) offset 0) n on true`;

const reading: Reading<TodoRecord> = {
  columns: `t.id, t.author_id as "authorId", p.id as "projectId", t.group_id as "groupId", t.issue_id as "issueId", t.merge_request_id as "mergeRequestId", t.note_id as "noteId", t.action, t.state,
    coalesce((select nt.body from notes nt where nt.id = t.note_id), i.title, p.full_path, n.full_path) as body, i.iid, coalesce(p.full_path, n.full_path) as "placePath",
    t.created_at as "createdAt", t.updated_at as "updatedAt"`,
  from,
  id: 't.id',
};

/** SQL for whether the viewer still reads what the to-do `t` is about. @param me SQL for their id */
function stillReads(viewer: Viewer, me: string): string {
  const columns: Columns = {
    visibility: 'coalesce(p.visibility, n.visibility)',
    // The role in the project or the group of each to-do: who has few of them would otherwise wait for all that they see.
    accessLevel: projectAccessLevel(me),
    level: featureLevel,
    issue: { authorId: 'i.author_id', assigneeId: 'i.assignee_id', confidential: 'i.confidential', viewerId: me },
  };
  return `${liveProject}
    and ${toSql(seePlace, viewer, columns)}
    and case when t.issue_id is not null then ${toSql(readIssue, viewer, columns)}
      when t.merge_request_id is not null then ${toSql(readMergeRequest, viewer, columns)}
      when t.group_id is not null then ${toSql(manageGroupMembers, viewer, columns)} else ${toSql(manageProjectMembers, viewer, columns)} end
    and (t.note_id is null or exists (select from notes nt where nt.id = t.note_id and (not nt.internal or ${toSql(readInternalNote, viewer, columns)})))`;
}

/** Filters of a list of to-dos. Omitted ones match everything, except `states`. */
export interface TodoFilter {
  readonly actions?: readonly TodoAction[] | undefined;
  readonly states?: readonly TodoState[] | undefined;
  readonly authors?: readonly number[] | undefined;
  readonly projects?: readonly number[] | undefined;
  readonly groups?: readonly number[] | undefined;
  /** About which types; by default about all. */
  readonly about?: readonly TodoSubject[] | undefined;
  /** About one issue or merge request. */
  readonly item?: TodoItem;
}

/** An issue or a merge request that to-dos are about. */
export interface TodoItem {
  readonly column: 'issue_id' | 'merge_request_id';
  readonly id: Parent;
}

/** The types of what there are to-dos about, and how to find these. */
const subjects = {
  ISSUE: 't.issue_id is not null',
  MERGEREQUEST: 't.merge_request_id is not null',
  PROJECT: 't.project_id is not null and t.issue_id is null and t.merge_request_id is null',
  NAMESPACE: 't.group_id is not null',
} as const;
export type TodoSubject = keyof typeof subjects;

/** The to-dos of a person about what they still read. @param person who is the viewer */
export function todoList(viewer: Viewer, person: number, filter: TodoFilter): ListQuery<TodoRecord> {
  const query = new ListQuery<TodoRecord>(from, 't.id', reading);
  const me = `${query.key(person)}::int`;
  const { states = ['PENDING'], about, item: one } = filter;
  query.where(`t.user_id = ${me}`).where(stillReads(viewer, me));
  query.where(`t.state in (${states.map((state) => `'${state}'`).join(', ') || 'null'})`);
  if (about) query.where(`(${about.map((one) => `(${subjects[one]})`).join(' or ') || 'false'})`);
  if (one) query.where(`t.${one.column} = ${one.id}`);
  return query
    .given(filter.actions, (actions) => `t.action = any(${actions}::"TodoAction"[])`)
    .given(filter.authors, (ids) => `t.author_id = any(${ids}::int[])`)
    .given(filter.projects, (ids) => `p.id = any(${ids}::int[])`)
    .given(
      filter.groups,
      (ids) => `n.id = any(array(select inside.id from namespaces inside where inside.ancestry && ${ids}::int[]))`,
    );
}

/** The to-dos of a person with some ids, about what they still read. $1 ids, $2 the person. */
export const findTodos = (variant: string, viewer: Viewer): Statement<TodoRecord> =>
  statement(
    `find_todos_${variant}`,
    `select ${reading.columns} from ${from} where t.id = any($1::int[]) and t.user_id = $2::int and ${stillReads(viewer, '$2::int')} order by t.id desc`,
  );
