import { statement } from '../../../database/index.ts';
import { ListQuery } from '../../../database/list.ts';
import { featureLevel, hasProjectRole } from '../../../database/access/places.ts';
import { all, readIssue, seePlace, toSql, type Viewer } from '../../../policy/index.ts';
import { issueReading, type IssueRecord } from '../issues/statements/reading.ts';

/** An issue that is linked with another one. Its `id` is that of the link. */
export interface RelatedRecord extends Omit<IssueRecord, 'id'> {
  readonly id: number;
  readonly issueId: number;
  readonly linkCreatedAt: Date;
  readonly linkUpdatedAt: Date;
}

/** The issues that are linked with an issue, and that the viewer reads. */
export function relatedList(viewer: Viewer, issue: number): ListQuery<RelatedRecord> {
  const { columns } = issueReading(viewer.person ? '$1::int' : 'null::int');
  // The values of the query begin with the viewer, if there is one, and with the issue.
  const one = viewer.person ? '$2::int' : '$1::int';
  const from = `issue_links k join issues i on i.id = case when k.source_id = ${one} then k.target_id else k.source_id end
    join projects p on p.id = i.project_id
    join namespaces n on n.id = p.namespace_id`;
  const query = new ListQuery<RelatedRecord>(from, 'k.id', {
    columns: `k.id, i.id as "issueId", ${columns.replace('i.id, ', '')}, k.created_at as "linkCreatedAt", k.updated_at as "linkUpdatedAt"`,
    from,
    id: 'k.id',
  });
  const me = query.personId(viewer.person?.id);
  query.key(issue);
  const reads = toSql(all(seePlace, readIssue), viewer, {
    visibility: 'p.visibility',
    accessLevel: viewer.person ? hasProjectRole(query, me) : () => 'false',
    level: featureLevel,
    issue: { authorId: 'i.author_id', assigneeId: 'i.assignee_id', confidential: 'i.confidential', viewerId: me },
  });
  return query
    .where(`(k.source_id = ${one} or k.target_id = ${one})`)
    .where('p.deleting_since is null and n.deleting_since is null')
    .where(reads);
}

export interface LinkRow {
  readonly id: number;
  readonly source_id: number;
  readonly target_id: number;
}

/** Links two issues. No row: they are linked already. $1 source, $2 target. */
export const insertLink = statement<LinkRow>(
  'insert_issue_link',
  `insert into issue_links (source_id, target_id)
   select $1::int, $2::int where not exists (select from issue_links where source_id = $2::int and target_id = $1::int)
   on conflict do nothing returning id, source_id, target_id`,
);

/** Marks an issue as a duplicate of another one. $1 issue, $2 the other one. */
export const markAsDuplicate = statement<object>(
  'mark_issue_as_duplicate',
  'update issues set duplicated_to_id = $2::int where id = $1::int',
);

/** A link of an issue. $1 link, $2 issue. */
export const findLink = statement<LinkRow>(
  'find_issue_link',
  'select id, source_id, target_id from issue_links where id = $1 and (source_id = $2 or target_id = $2)',
);

/** $1 link. */
export const deleteLink = statement<LinkRow>(
  'delete_issue_link',
  'delete from issue_links where id = $1 returning id, source_id, target_id',
);

/** Locks two issues, in the order of their ids, so that two links between them can't be made at once. $1 ids. */
export const lockIssues = statement<{ id: number }>(
  'lock_issues',
  'select id from issues where id = any($1::int[]) order by id for no key update',
);
