import { liveProject, projectAccessLevel } from '../../../../database/access/places.ts';
import { statement } from '../../../../database/index.ts';

export interface LabelCounts {
  readonly id: number;
  readonly opened: number;
  readonly closed: number;
}

/**
 * How many issues that a person reads have each of some labels. $1 labels, $2 the person (or null).
 * @param variant distinguishes the conditions, in the name of the statement
 * @param conditions SQL: the person sees the project `p`; they read confidential issues of a project with this role
 */
export const labelCounts = (
  variant: string,
  visible: (columns: { visibility: string; accessLevel: string }) => string,
  confidential: (accessLevel: string) => string,
) =>
  statement<LabelCounts>(
    `label_counts_${variant}`,
    `with labelled as materialized (
       select one.id as label_id, i.project_id, i.state, i.confidential, i.author_id, i.assignee_id
         from unnest($1::int[]) one(id) join issues i on i.label_ids @> array[one.id]
     ), place as materialized (
       select p.id, ${projectAccessLevel('$2::int')} as access_level, p.visibility
         from projects p join namespaces n on n.id = p.namespace_id
        where p.id in (select project_id from labelled) and ${liveProject}
     )
     select l.label_id as id, count(*) filter (where l.state = 'OPENED')::int as opened,
            count(*) filter (where l.state = 'CLOSED')::int as closed
       from labelled l join place on place.id = l.project_id
      where ${visible({ visibility: 'place.visibility', accessLevel: 'place.access_level' })}
        and (not l.confidential or l.author_id = $2::int or l.assignee_id = $2::int or ${confidential('place.access_level')})
      group by l.label_id`,
  );
