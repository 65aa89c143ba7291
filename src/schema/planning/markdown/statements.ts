import {
  featureLevel,
  groupAccessLevel,
  liveGroup,
  liveProject,
  projectAccessLevel,
  projectStatement,
  type PlaceRow,
} from '../../../database/access/places.ts';
import { statement } from '../../../database/index.ts';
import {
  readIssue,
  readMergeRequest,
  readProjectSnippet,
  seePlace,
  toSql,
  type Viewer,
} from '../../../policy/index.ts';
import type { Feature } from '../../../values/attributes/project-features.ts';

/** What a reference leads to. */
export interface TargetRow {
  /** The number of the reference in the question. */
  readonly n: number;
  /** Below the address of the gateway. */
  readonly path: string;
  readonly title: string;
}

/** A reference as the statement takes it. */
export interface AskedReference {
  readonly n: number;
  readonly kind: string;
  /** The project of the text, and the namespace around it. */
  readonly project: number | null;
  readonly namespace: number | null;
  /** The full path of another project, or its last part, in small letters. */
  readonly path: string | null;
  readonly name: string;
}

const viewerId = '$2::int';

/** The features that references lead to. */
const features = ['issues', 'mergeRequests', 'repository', 'snippets'] as const satisfies readonly Feature[];

/**
 * Where references lead, all of them with one statement: to what the reader sees, and nothing else. $1 the references as
 * JSON, $2 the reader or null.
 * @param variant distinguishes the readers' conditions, in the name of the statement
 */
export function findTargets(variant: string, viewer: Viewer) {
  const place = { visibility: 'place.visibility', accessLevel: 'place.access_level' };
  const level = (feature: Feature) => `place."${feature}"`;
  const readsIssue = toSql(readIssue, viewer, {
    ...place,
    level,
    issue: { authorId: 'i.author_id', assigneeId: 'i.assignee_id', confidential: 'i.confidential', viewerId },
  });
  const readsMergeRequest = toSql(readMergeRequest, viewer, { ...place, level });
  const readsSnippet = toSql(readProjectSnippet, viewer, {
    ...place,
    level,
    snippet: { authorId: 's.author_id', visibility: 's.visibility', viewerId },
  });
  const seesProject = toSql(seePlace, viewer, {
    visibility: 'p.visibility',
    accessLevel: projectAccessLevel(viewerId),
  });
  const seesGroup = toSql(seePlace, viewer, { visibility: 'n.visibility', accessLevel: groupAccessLevel(viewerId) });
  return statement<TargetRow>(
    `find_targets_${variant}`,
    `with given as materialized (
       select r.* from json_to_recordset($1::json) r(n int, kind text, project int, namespace int, path text, name text)
     ), placed as materialized (
       select g.n, g.kind, g.name, case when g.name ~ '^[0-9]{1,9}$' then g.name::int end as number, g.namespace,
              case when g.path is null then g.project else (
                select r.project_id from routes r where r.path = case when g.path like '%/%' then g.path
                  else (select lower(n.full_path) || '/' || g.path from namespaces n
                    where n.id = coalesce(g.namespace, (select sp.namespace_id from projects sp where sp.id = g.project))) end) end as project_id
         from given g
     ), place as materialized (
       select p.id, p.full_path, p.visibility, n.ancestry, ${projectAccessLevel(viewerId)} as access_level,
              ${features.map((feature) => `${featureLevel(feature)} as "${feature}"`).join(', ')}
         from projects p join namespaces n on n.id = p.namespace_id
        where p.id in (select project_id from placed) and ${liveProject} and ${seesProject}
     ), around as materialized (
       -- Where labels and milestones are looked for: a project with the groups above it, or a group.
       select placed.*, place.id as in_project, '/' || place.full_path as web, place.ancestry
         from placed join place on place.id = placed.project_id where placed.kind in ('label', 'milestone')
       union all
       select placed.*, null, '/groups/' || n.full_path, n.ancestry
         from placed join namespaces n on n.id = placed.namespace
        where placed.project_id is null and placed.kind in ('label', 'milestone') and ${liveGroup} and ${seesGroup}
     )
     select placed.n, '/' || place.full_path || '/-/issues/' || i.iid as path, i.title
       from placed join place on place.id = placed.project_id
       join issues i on i.project_id = place.id and i.iid = placed.number
      where placed.kind = 'issue' and ${readsIssue}
     union all
     select placed.n, '/' || place.full_path || '/-/merge_requests/' || i.iid, i.title
       from placed join place on place.id = placed.project_id
       join merge_requests i on i.project_id = place.id and i.iid = placed.number
      where placed.kind = 'mergeRequest' and ${readsMergeRequest}
     union all
     select placed.n, '/' || place.full_path || '/-/snippets/' || s.id, s.title
       from placed join place on place.id = placed.project_id
       join snippets s on s.project_id = place.id and s.id = placed.number
      where placed.kind = 'snippet' and ${readsSnippet}
     union all
     select * from (
       select distinct on (around.n) around.n, around.web || '/-/issues?label_name[]=' as path, l.title
         from around join labels l on (l.title = around.name or l.id = around.number)
          and (l.project_id = around.in_project or l.group_id = any(around.ancestry))
        where around.kind = 'label'
        order by around.n, l.id = around.number desc nulls last, l.project_id nulls last, l.id
     ) labels
     union all
     select * from (
       select distinct on (around.n) around.n,
              coalesce('/' || mp.full_path, '/groups/' || mg.full_path) || '/-/milestones/' || m.iid as path, m.title
         from around join milestones m on (m.title = around.name or m.iid = around.number and m.project_id is not null)
          and (m.project_id = around.in_project or m.group_id = any(around.ancestry))
         left join projects mp on mp.id = m.project_id left join namespaces mg on mg.id = m.group_id
        where around.kind = 'milestone'
        order by around.n, m.iid = around.number desc nulls last, m.project_id nulls last, m.id
     ) milestones
     union all
     select placed.n, case n.kind when 'GROUP' then '/groups/' else '/' end || n.full_path, coalesce(u.name, n.name)
       from placed join routes r on r.path = lower(placed.name) join namespaces n on n.id = r.namespace_id
       left join users u on u.id = n.owner_id
      where placed.kind = 'user' and ${liveGroup}
        and (n.owner_id is not null and u.deleting_since is null or n.owner_id is null and ${seesGroup})`,
  );
}

/** Looks up the project that a text stands in. */
export const findProjectOfText = projectStatement<PlaceRow & { readonly namespace_id: number }>(
  'find_project_of_text',
  ', p.namespace_id',
);
