import type { Columns } from '../../../../policy/index.ts';
import { featureLevel, liveProject, projectAccessLevel } from '../../../../database/access/places.ts';
import { statement } from '../../../../database/index.ts';

export interface MilestoneCounts {
  readonly id: number;
  readonly total: number;
  readonly closed: number;
}

/**
 * How many issues that a person reads are in each of some milestones. $1 milestones, $2 the person (or null).
 * @param variant distinguishes the conditions, in the name of the statement
 * @param reads SQL condition: the person sees the project and reads the issue
 */
export const milestoneCounts = (
  variant: string,
  reads: (columns: Columns & { readonly accessLevel: string }) => string,
) =>
  statement<MilestoneCounts>(
    `milestone_counts_${variant}`,
    `with place as materialized (
       select p.id, ${projectAccessLevel('$2::int')} as access_level, p.visibility, ${featureLevel('issues')} as issues_level
         from projects p join namespaces n on n.id = p.namespace_id
        where p.id in (select i.project_id from issues i where i.milestone_id = any($1::int[])) and ${liveProject}
     )
     select i.milestone_id as id, count(*)::int as total, count(*) filter (where i.state = 'CLOSED')::int as closed
       from issues i join place on place.id = i.project_id
      where i.milestone_id = any($1::int[])
        and ${reads({
          visibility: 'place.visibility',
          accessLevel: 'place.access_level',
          level: () => 'place.issues_level',
          issue: {
            authorId: 'i.author_id',
            assigneeId: 'i.assignee_id',
            confidential: 'i.confidential',
            viewerId: '$2::int',
          },
        })}
      group by i.milestone_id`,
  );
