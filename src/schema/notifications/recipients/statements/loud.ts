import { groupAccessLevel, projectAccessLevel, stillMember } from '../../../../database/access/places.ts';
import type { SubjectKind } from '../../../../notify/causes.ts';

/**
 * People whose level may bring everything: parts of the statements of `audience.ts`. All others, nearly everyone, aren't looked
 * at unless something concerns them by name.
 */

const loud = `in ('WATCH', 'CUSTOM')`;
/** Also before a level was chosen. */
const refersToGlobal = `(s.level is null or s.level = 'GLOBAL')`;

/** SQL for the ids of the groups above the place, its own included. */
export const ancestry = '(select ancestry from place)::int[]';

/** Members of `place` and of the groups above it, with their roles. */
export const members = (kind: SubjectKind) => {
  const inherited = `select m.user_id, m.access_level from group_members m where m.group_id = any(${ancestry}) and ${stillMember}`;
  if (kind === 'Epic') return inherited;
  return `select m.user_id, m.access_level from project_members m where m.project_id = $1::int and ${stillMember}
     union all ${inherited}`;
};

/** People with a setting for the place that is loud. */
export const loudHere = (kind: SubjectKind) => {
  const ofGroups = `select s.user_id from group_notification_settings s where s.group_id = any(${ancestry}) and s.level ${loud}`;
  if (kind === 'Epic') return ofGroups;
  return `select s.user_id from project_notification_settings s where s.project_id = $1::int and s.level ${loud} union all ${ofGroups}`;
};

/**
 * Everybody who belongs to `place`, with the role that this gives, if it gives one by itself: members, members of groups that
 * it is shared with, its owner, and those who have a setting for it that refers to their global level.
 * @param ofMembers SQL of the members
 */
const belonging = (kind: SubjectKind, ofMembers = members(kind)) => {
  const unknown = 'null::smallint';
  const inherited = `select m.user_id, ${unknown} from group_shares share join group_members m on m.group_id = share.invited_group_id
       where share.group_id = any(${ancestry})
     union all select s.user_id, ${unknown} from group_notification_settings s where s.group_id = any(${ancestry}) and ${refersToGlobal}`;
  const direct = `select m.user_id, ${unknown} from project_shares share join namespaces invited on invited.id = share.invited_group_id
       join group_members m on m.group_id = any(invited.ancestry) where share.project_id = $1::int
     union all select s.user_id, ${unknown} from project_notification_settings s where s.project_id = $1::int and ${refersToGlobal}
     union all select n.owner_id, 50::smallint from place join namespaces n on n.id = place.namespace_id where n.owner_id is not null`;
  return `${ofMembers} union all ${kind === 'Epic' ? inherited : `${direct} union all ${inherited}`}`;
};

/** Up to how many people who belong to a place are looked up one by one; more are compared with all who are loud. */
const fewest = 1_000;

/**
 * The CTEs `few`, those who belong to `place`, or, where they aren't few, some of them, and `loud`, the ids of all people whose
 * global level is loud, which is read only where they aren't few.
 */
export const few = (kind: SubjectKind) =>
  `few(user_id, access_level) as materialized (select * from (${belonging(kind)}) belonging limit ${fewest + 1}),
   loud(ids) as materialized (select array(select g.user_id from global_notification_settings g where g.level ${loud} order by g.user_id))`;
const areFew = `(select count(*) from few) <= ${fewest}`;

/** SQL for the ids of `loud`. An index is read once for all of them, in its order, and not once for each. */
const loudIds = '(select ids from loud)::int[]';

/** What the facts about people need of accounts, `u`, and of global settings, `g`. */
const ofAccounts = ['state', 'deleting_since', 'administrator', 'external', 'tier', 'timezone'];
const ofSettings = ['level', 'events', 'own_activity', 'muted_until'];
const asGlobal = (name: string) => `global_${name}`;
const columns = [
  'g.user_id as id',
  ...ofAccounts.map((name) => `u.${name}`),
  ...ofSettings.map((name) => `g.${name} as ${asGlobal(name)}`),
].join(', ');

/** Those who belong to the place and whose global level is loud, where few belong to it. */
const loudOfFew = `select few.access_level, ${columns} from few
         join global_notification_settings g on g.user_id = few.user_id join users u on u.id = g.user_id
        where g.level ${loud} and ${areFew} and $7::boolean`;

/**
 * The same where many do. All who are loud are read from their settings, because PostgreSQL estimates well how many these are:
 * `offset 0` and the left join keep that estimate, so that it hashes them and never looks up one after the other.
 */
const loudOfMany = (kind: SubjectKind) => `select b.access_level, everyone.*
         from (${belonging(kind, `select m.user_id, m.access_level from (${members(kind)}) m where m.user_id = any(${loudIds})`)}) b(user_id, access_level)
         join (
           select ${columns} from global_notification_settings g left join (
             select a.id, ${ofAccounts.map((name) => `a.${name}`).join(', ')} from users a where a.id = any(${loudIds}) offset 0
           ) u on u.id = g.user_id where g.level ${loud} offset 0
         ) everyone on everyone.id = b.user_id
        where not ${areFew} and $7::boolean`;

/** SQL for the role of the person `u`, of whatever gives one, in the project `p` of the namespace `n`; for epics in the group `n`. */
export const anyRole = (kind: SubjectKind) => (kind === 'Epic' ? groupAccessLevel('u.id') : projectAccessLevel('u.id'));

/** Joins to `place` of its project `p`, if it is one, and its namespace `n`. */
export const joinsOfPlace = (kind: SubjectKind) =>
  `${kind === 'Epic' ? '' : 'join projects p on p.id = place.id'} join namespaces n on n.id = place.namespace_id`;

/**
 * SQL of the people who belong to the place and whose global level is loud: `u`, `g` and `role`, as facts are read from.
 * PostgreSQL can't know how many belong to a place, so both ways are written down, and one of them runs. The role is looked up
 * only where belonging to the place doesn't say it.
 */
export const loudMembers = (kind: SubjectKind) => `(
       select u.*, case when u.access_level is null or place.shared then ${anyRole(kind)} else u.access_level end as role
         from place ${joinsOfPlace(kind)} cross join (${loudOfFew} union all ${loudOfMany(kind)}) u offset 0
     ) u cross join lateral (select u.role as level) role
     cross join lateral (select ${ofSettings.map((name) => `u.${asGlobal(name)} as ${name}`).join(', ')}) g`;

/** Those of them among some people, by `user_id`. @param people SQL that has the ids of these, as `user_id` */
export const loudMembersAmong = (kind: SubjectKind, people: string) =>
  `select b.user_id from (${belonging(kind)}) b(user_id, access_level) join global_notification_settings g on g.user_id = b.user_id
    where g.level ${loud} and $7::boolean and b.user_id in (select user_id from ${people})`;
