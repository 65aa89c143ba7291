import { statement } from '../index.ts';
import { stillMember } from './places.ts';

export interface LeavingRow {
  left: boolean;
  /** Nobody else could run the instance. */
  last_administrator: boolean;
  /** Nobody else could run a group: not even an owner of one above it. */
  sole_owner: boolean;
}

/**
 * Marks an account for removal, unless somebody is needed in its place; its password
 * and personal access tokens work no more from then on. $1 the user.
 */
export const leaveForGood = statement<LeavingRow>(
  'leave_for_good',
  `with reasons as (
     select u.administrator and not exists (
              select from users o where o.administrator and o.state = 'ACTIVE' and o.deleting_since is null and o.id <> u.id
            ) as last_administrator,
            exists (
              select from group_members mine join namespaces n on n.id = mine.group_id
               where mine.user_id = u.id and mine.access_level = 50 and n.deleting_since is null
                 and not exists (
                   select from group_members m join users o on o.id = m.user_id
                    where m.group_id = any(n.ancestry) and m.access_level = 50 and ${stillMember}
                      and o.id <> u.id and o.deleting_since is null
                 )
            ) as sole_owner
       from users u where u.id = $1
   ), leaving as (
     update users u set deleting_since = clock_timestamp(), password_hash = null
       from reasons r where u.id = $1 and u.deleting_since is null and not r.last_administrator and not r.sole_owner
     returning u.id
   ), revoked as (
     update personal_access_tokens t set revoked_at = clock_timestamp() from leaving l where t.user_id = l.id and t.revoked_at is null
   )
   select exists (select from leaving) as left, r.last_administrator, r.sole_owner from reasons r`,
);
