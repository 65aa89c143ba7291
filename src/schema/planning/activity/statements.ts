import {
  featureLevel,
  hasProjectRole,
  isProjectOf,
  namespaceOfEach,
  projectAccessLevel,
} from '../../../database/access/places.ts';
import type { ShownKind } from '../../../events/activity.ts';
import { ListQuery, type Reading } from '../../../database/list.ts';
import {
  readCode,
  readInternalNote,
  readIssue,
  readMergeRequest,
  readProjectSnippet,
  roles,
  seePlace,
  toSql,
  type Columns,
  type Viewer,
} from '../../../policy/index.ts';

/** A domain event, as activity. */
export interface ActivityRecord {
  readonly id: number;
  readonly kind: ShownKind;
  readonly projectId: number;
  /** Who did it. Who joins and who leaves does that themselves. */
  readonly authorId: number;
  readonly targetType: 'DiffNote' | 'DiscussionNote' | 'Issue' | 'MergeRequest' | 'Milestone' | 'Note' | null;
  readonly targetId: number | null;
  /** Null for a target that was removed. A comment has no number of its own: it is its id, as in GitLab. */
  readonly targetIid: number | null;
  /** Of a comment: the title of what it is about. */
  readonly targetTitle: string | null;
  /** Of a push: the full name of the branch or tag, and what it was before and after. */
  readonly ref: string | null;
  readonly before: string | null;
  readonly after: string | null;
  /** How many commits it brought, and the title of the last; null until it was looked at. */
  readonly commits: number | null;
  readonly commitTitle: string | null;
  readonly createdAt: Date;
}

const author = `case e.subject_kind when 'User' then e.subject_id else e.actor_id end`;

const targets = `left join notes nt on e.subject_kind = 'Note' and nt.id = e.subject_id
  left join issues i on i.id = case e.subject_kind when 'Issue' then e.subject_id else nt.issue_id end
  left join merge_requests mr on mr.id = case e.subject_kind when 'MergeRequest' then e.subject_id else nt.merge_request_id end
  left join snippets sn on sn.id = nt.snippet_id
  left join ref_changes rc on e.subject_kind = 'RefChange' and rc.id = e.subject_id`;

const tables = `events e join projects p on p.id = e.project_id ${targets}`;

const reading: Reading<ActivityRecord> = {
  columns: `e.id::int as id, e.kind, e.project_id as "projectId", ${author} as "authorId",
    case nt.type when 'DISCUSSION' then 'DiscussionNote' when 'DIFF' then 'DiffNote' else case when e.subject_kind in ('Issue', 'MergeRequest', 'Milestone', 'Note') then e.subject_kind end end as "targetType",
    case when e.subject_kind in ('Issue', 'MergeRequest', 'Milestone', 'Note') then e.subject_id end as "targetId",
    coalesce(nt.id, i.iid, mr.iid, ms.iid) as "targetIid", coalesce(i.title, mr.title, sn.title, ms.title) as "targetTitle", e.at as "createdAt",
    rc.ref, rc.before, rc.after, rc.commits, rc.title as "commitTitle"`,
  // Seven tables: of more than eight, with the page, PostgreSQL would join these before it looks at the page.
  from: `events e ${targets} left join milestones ms on e.subject_kind = 'Milestone' and ms.id = e.subject_id`,
  id: 'e.id',
};

/** Whose activity: that of a project, of all projects in and below a group, of a person, or of everybody in the projects of a person. */
export type Whose =
  | { readonly project: number }
  | { readonly group: number }
  | { readonly person: number }
  | { readonly projectsOf: number };

/** SQL for the projects in and below a group. */
const projectsBelow = (group: string) =>
  `select inside.id from projects inside
    where inside.namespace_id = any(array(select d.id from namespaces d where d.ancestry @> array[${group}]))`;

export interface ActivityFilter {
  readonly kinds: readonly ShownKind[];
  readonly before?: Date | undefined;
  readonly after?: Date | undefined;
}

/** The activity that a viewer may read. Issues, merge requests and comments that they don't read, or that were removed, leave no trace. */
export function activityList(
  viewer: Viewer,
  whose: Whose,
  { kinds, before, after }: ActivityFilter,
): ListQuery<ActivityRecord> {
  // For what one person did, the role is looked up in the project of each event, instead of all projects that have one.
  const isOfPerson = 'person' in whose;
  const query = new ListQuery<ActivityRecord>(isOfPerson ? `${tables} ${namespaceOfEach}` : tables, 'e.id', reading);
  const me = query.personId(viewer.person?.id);
  const columns: Columns = {
    visibility: 'p.visibility',
    accessLevel: viewer.person ? (isOfPerson ? projectAccessLevel(me) : hasProjectRole(query, me)) : () => 'false',
    level: featureLevel,
    issue: { authorId: 'i.author_id', assigneeId: 'i.assignee_id', confidential: 'i.confidential', viewerId: me },
    snippet: { authorId: 'sn.author_id', visibility: 'sn.visibility', viewerId: me },
  };
  const readsIssue = toSql(readIssue, viewer, columns);
  const readsMergeRequest = toSql(readMergeRequest, viewer, columns);
  if ('project' in whose) query.where(`e.project_id = ${query.key(whose.project)}::int`);
  if ('group' in whose) query.across('e.project_id', projectsBelow(`${query.key(whose.group)}::int`));
  if ('projectsOf' in whose) query.where(isProjectOf(`${query.key(whose.projectsOf)}::int`)(roles.guest));
  if ('person' in whose) {
    const person = `${query.key(whose.person)}::int`;
    query.where(
      `((e.actor_id = ${person} and e.subject_kind <> 'User') or (e.subject_kind = 'User' and e.subject_id = ${person}))`,
    );
  }
  return query
    .where(`e.kind = any(${query.value(kinds)}::text[])`)
    .where(`${author} is not null`)
    .where(
      'p.deleting_since is null and p.namespace_id not in (select id from namespaces where deleting_since is not null)',
    )
    .where(toSql(seePlace, viewer, columns))
    .where(`(e.subject_kind <> 'Issue' or (i.id is not null and ${readsIssue}))`)
    .where(
      `(e.subject_kind <> 'RefChange' or (rc.id is not null and not rc.imported and rc.ref ~ '^refs/(heads|tags)/' and ${toSql(readCode, viewer, columns)}))`,
    )
    .where(`(e.subject_kind <> 'MergeRequest' or (mr.id is not null and ${readsMergeRequest}))`)
    .where(
      `(e.subject_kind <> 'Note' or ((not nt.internal or ${toSql(readInternalNote, viewer, columns)})
        and (case when nt.issue_id is not null then ${readsIssue} when nt.merge_request_id is not null then ${readsMergeRequest} else sn.id is not null and ${toSql(readProjectSnippet, viewer, columns)} end)))`,
    )
    .given(before, (moment) => `e.at < ${moment}::timestamptz`)
    .given(after, (moment) => `e.at >= ${moment}::timestamptz`);
}
