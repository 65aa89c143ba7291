import { featureLevel, hasProjectRole, isProjectOf } from '../../../database/access/places.ts';
import type { ShownKind } from '../../../events/activity.ts';
import { ListQuery, type Reading } from '../../../database/list.ts';
import { readIssue, roles, seePlace, toSql, type Columns, type Viewer } from '../../../policy/index.ts';

/** A domain event, as activity. */
export interface ActivityRecord {
  readonly id: number;
  readonly kind: ShownKind;
  readonly projectId: number;
  /** Who did it. Who joins and who leaves does that themselves. */
  readonly authorId: number;
  readonly targetType: 'Issue' | 'Milestone' | null;
  readonly targetId: number | null;
  /** Null for a target that was removed. */
  readonly targetIid: number | null;
  readonly targetTitle: string | null;
  readonly createdAt: Date;
}

const author = `case e.subject_kind when 'User' then e.subject_id else e.actor_id end`;

const tables = `events e join projects p on p.id = e.project_id
  left join issues i on e.subject_kind = 'Issue' and i.id = e.subject_id`;

const reading: Reading<ActivityRecord> = {
  columns: `e.id::int as id, e.kind, e.project_id as "projectId", ${author} as "authorId",
    case when e.subject_kind in ('Issue', 'Milestone') then e.subject_kind end as "targetType",
    case when e.subject_kind in ('Issue', 'Milestone') then e.subject_id end as "targetId",
    coalesce(i.iid, ms.iid) as "targetIid", coalesce(i.title, ms.title) as "targetTitle", e.at as "createdAt"`,
  from: `${tables} left join milestones ms on e.subject_kind = 'Milestone' and ms.id = e.subject_id`,
  id: 'e.id',
};

/** Whose activity: that of a project, of a person, or of everybody in the projects of a person. */
export type Whose = { readonly project: number } | { readonly person: number } | { readonly projectsOf: number };

export interface ActivityFilter {
  readonly kinds: readonly ShownKind[];
  readonly before?: Date | undefined;
  readonly after?: Date | undefined;
}

/** The activity that a viewer may read. Issues that they don't read, or that were removed, leave no trace. */
export function activityList(
  viewer: Viewer,
  whose: Whose,
  { kinds, before, after }: ActivityFilter,
): ListQuery<ActivityRecord> {
  const query = new ListQuery<ActivityRecord>(tables, 'e.id', reading);
  const me = viewer.person ? `${query.key(viewer.person.id)}::int` : 'null::int';
  const columns: Columns = {
    visibility: 'p.visibility',
    accessLevel: viewer.person ? hasProjectRole(me) : () => 'false',
    level: featureLevel,
    issue: { authorId: 'i.author_id', assigneeId: 'i.assignee_id', confidential: 'i.confidential', viewerId: me },
  };
  if ('project' in whose) query.where(`e.project_id = ${query.key(whose.project)}::int`);
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
    .where(`(e.subject_kind <> 'Issue' or (i.id is not null and ${toSql(readIssue, viewer, columns)}))`)
    .given(before, (moment) => `e.at < ${moment}::timestamptz`)
    .given(after, (moment) => `e.at >= ${moment}::timestamptz`);
}
