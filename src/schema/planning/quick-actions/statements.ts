import { statement } from '../../../database/index.ts';
import { personSees } from '../issues/statements/readers.ts';

/** A record that a command names. */
export interface NamedRecord {
  readonly kind: 'user' | 'label' | 'milestone';
  /** A username in lower case, or a title. */
  readonly name: string;
  readonly id: number;
}

/**
 * What commands name: people who see the project, and its labels and milestones, those of the groups above included. $1
 * project, $2 usernames in lower case, $3 titles of labels, $4 titles of milestones.
 */
export const findNamed = statement<NamedRecord>(
  'find_named_in_commands',
  `with place as (
     select p.id, n.ancestry from projects p join namespaces n on n.id = p.namespace_id where p.id = $1::int
   )
   select 'user' as kind, r.path as name, u.id from routes r join namespaces o on o.id = r.namespace_id join users u on u.id = o.owner_id,
       projects p join namespaces n on n.id = p.namespace_id
    where r.path = any($2::text[]) and p.id = $1::int and ${personSees}
   union all select 'label', l.title, l.id from (
     select distinct on (l.title) l.title, l.id from place, labels l
      where l.title = any($3::text[]) and not l.archived and (l.project_id = place.id or l.group_id = any(place.ancestry))
      order by l.title, l.project_id nulls last
   ) l
   union all select 'milestone', m.title, m.id from (
     select distinct on (m.title) m.title, m.id from place, milestones m
      where m.title = any($4::text[]) and (m.project_id = place.id or m.group_id = any(place.ancestry))
      order by m.title, m.project_id nulls last
   ) m`,
);
