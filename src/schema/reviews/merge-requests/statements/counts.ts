import { statement } from '../../../../database/index.ts';
import { featureLevel, liveProject, projectAccessLevel } from '../../../../database/access/places.ts';
import type { Columns } from '../../../../policy/index.ts';

export interface Counted {
  /** What they are counted for. */
  readonly id: number;
  readonly total: number;
}

/** @param reads SQL condition: the person sees the project and reads its merge requests */
export type Reads = (columns: Columns & { readonly accessLevel: string }) => string;

/**
 * How many merge requests that a person reads belong to some records. $1 records, $2 the person, or null.
 * @param linked SQL that selects `about`, the record, and `project_id` of each merge request
 */
const counted = (reads: Reads, linked: string) =>
  `with linked as materialized (${linked}), place as materialized (
       select p.id, ${projectAccessLevel('$2::int')} as access_level, p.visibility, ${featureLevel('mergeRequests')} as merge_requests_level,
              ${featureLevel('repository')} as repository_level
         from projects p join namespaces n on n.id = p.namespace_id
        where p.id in (select project_id from linked) and ${liveProject}
     )
     select linked.about as id, count(*)::int as total from linked join place on place.id = linked.project_id
      where ${reads({
        visibility: 'place.visibility',
        accessLevel: 'place.access_level',
        level: (feature) => (feature === 'mergeRequests' ? 'place.merge_requests_level' : 'place.repository_level'),
      })} group by linked.about`;

/** SQL for the open ones with each of some labels. */
export const openWithLabels = (reads: Reads) =>
  counted(
    reads,
    `select one.id as about, i.project_id from unnest($1::int[]) one(id)
       join merge_requests i on i.label_ids @> array[one.id] and i.state = 'OPENED'`,
  );

/** Those that close each of some issues. @param variant distinguishes the conditions, in the name of the statement */
export const closingIssues = (variant: string, reads: Reads) =>
  statement<Counted>(
    `merge_requests_closing_issues_${variant}`,
    counted(
      reads,
      `select link.issue_id as about, i.project_id from merge_request_issues link join merge_requests i on i.id = link.merge_request_id
      where link.issue_id = any($1::int[]) and link.closes`,
    ),
  );

/** Counts the open merge requests of projects, in an index that has no others. $1 ids of projects. */
export const openInProjects = statement<Counted>(
  'open_merge_requests',
  `select i.project_id as id, count(*)::int as total from merge_requests i
    where i.project_id = any($1::int[]) and i.state = 'OPENED' group by i.project_id`,
);
