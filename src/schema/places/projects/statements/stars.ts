import { statement, type User } from '../../../../database/index.ts';
import { ListQuery, type Reading } from '../../../../database/list.ts';
import { userReading } from '../../../../database/access/records.ts';

/** Stars a project. $1 the person, $2 the project. One row if it wasn't starred before. */
export const star = statement<{ project_id: number }>(
  'star_project',
  `with star as (
     insert into stars (user_id, project_id) values ($1, $2) on conflict do nothing returning project_id
   )
   update projects p set star_count = star_count + 1 from star where p.id = star.project_id returning p.id as project_id`,
);

/** Removes a star. $1 the person, $2 the project. One row if it was starred before. */
export const unstar = statement<{ project_id: number }>(
  'unstar_project',
  `with star as (
     delete from stars where user_id = $1 and project_id = $2 returning project_id
   )
   update projects p set star_count = star_count - 1 from star where p.id = star.project_id returning p.id as project_id`,
);

/** A person, and when they starred something. */
export interface StarrerRecord extends User {
  readonly starredSince: Date;
}

/** The people who starred a project, the latest first. @param search in their names, if given */
export function starrerList(project: number, search: string | undefined): ListQuery<StarrerRecord> {
  const starred = 'stars s join users u on u.id = s.user_id and s.project_id = $1::int';
  const reading: Reading<StarrerRecord> = {
    columns: `${userReading.columns}, s.created_at as "starredSince"`,
    from: starred,
    id: 's.user_id',
  };
  const query = new ListQuery(starred, 's.user_id', reading);
  query.key(project);
  query.where(`u.state = 'ACTIVE' and u.deleting_since is null`);
  return query.search(search, ['u.name', 'u.username']);
}
