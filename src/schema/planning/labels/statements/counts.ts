import type { Columns } from '../../../../policy/index.ts';
import { featureLevel, liveProject, projectAccessLevel } from '../../../../database/access/places.ts';
import { statement } from '../../../../database/index.ts';
import { openWithLabels, type Reads } from '../../../reviews/merge-requests/statements/counts.ts';

export interface LabelCounts {
  readonly id: number;
  readonly opened: number;
  readonly closed: number;
  /** Open ones. */
  readonly merge_requests: number;
}

/**
 * How many issues and open merge requests that a person reads have each of some labels. $1 labels, $2 the person (or null).
 * @param variant distinguishes the conditions, in the name of the statement
 * @param reads SQL condition: the person sees the project and reads the issue
 * @param readsMergeRequests the same for its merge requests
 */
export const labelCounts = (
  variant: string,
  reads: (columns: Columns & { readonly accessLevel: string }) => string,
  readsMergeRequests: Reads,
) =>
  statement<LabelCounts>(
    `label_counts_${variant}`,
    `with labelled as materialized (
       select one.id as label_id, i.project_id, i.state, i.confidential, i.author_id, i.assignee_id
         from unnest($1::int[]) one(id) join issues i on i.label_ids @> array[one.id]
     ), place as materialized (
       select p.id, ${projectAccessLevel('$2::int')} as access_level, p.visibility, ${featureLevel('issues')} as issues_level
         from projects p join namespaces n on n.id = p.namespace_id
        where p.id in (select project_id from labelled) and ${liveProject}
     )
     select coalesce(issues.id, open.id) as id, coalesce(issues.opened, 0) as opened, coalesce(issues.closed, 0) as closed,
            coalesce(open.total, 0) as merge_requests from (
     select l.label_id as id, count(*) filter (where l.state = 'OPENED')::int as opened,
            count(*) filter (where l.state = 'CLOSED')::int as closed
       from labelled l join place on place.id = l.project_id
      where ${reads({
        visibility: 'place.visibility',
        accessLevel: 'place.access_level',
        level: () => 'place.issues_level',
        issue: {
          authorId: 'l.author_id',
          assigneeId: 'l.assignee_id',
          confidential: 'l.confidential',
          viewerId: '$2::int',
        },
      })}
      group by l.label_id) issues full join (${openWithLabels(readsMergeRequests)}) open on open.id = issues.id`,
  );
