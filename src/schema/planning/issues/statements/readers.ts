import {
  featureLevel,
  groupAccessLevel,
  liveGroup,
  projectAccessLevel,
  stillMember,
  stillShared,
} from '../../../../database/access/places.ts';
import { readIssue, seePlace, toSql, type Viewer } from '../../../../policy/index.ts';

/** A stand-in for any person who isn't an administrator: the rule as SQL. */
const anyone = (external: boolean): Viewer => ({
  person: { id: 0, username: '', administrator: false, premium: false, external },
  credential: null,
});
const columns = { visibility: 'p.visibility', accessLevel: projectAccessLevel('u.id'), level: featureLevel };

/** SQL for whether the person `u` sees the project `p` of the namespace `n`. */
export const personSees = `u.state = 'ACTIVE' and u.deleting_since is null and (u.administrator
  or case when u.external then ${toSql(seePlace, anyone(true), columns)} else ${toSql(seePlace, anyone(false), columns)} end)`;

const groupColumns = { visibility: 'n.visibility', accessLevel: groupAccessLevel('u.id') };

/** SQL for whether the person `u` sees the group `n`. */
const personSeesGroup = `(u.administrator or case when u.external then ${toSql(seePlace, anyone(true), groupColumns)}
  else ${toSql(seePlace, anyone(false), groupColumns)} end)`;

/** How many members of groups one text mentions at most; further ones aren't told. */
const maxMembers = 1_000;

/** SQL for the groups whose members have a role in a project: those above it, and those that it or they are shared with. */
const givingRoles = (project: string) =>
  `select unnest(n.ancestry) as id from projects p join namespaces n on n.id = p.namespace_id where p.id = ${project}
   union select share.invited_group_id from projects p join namespaces n on n.id = p.namespace_id
     join group_shares share on share.group_id = any(n.ancestry) and ${stillShared} where p.id = ${project}
   union select through.id from projects p join namespaces n on n.id = p.namespace_id and not n.share_with_group_lock
     join project_shares share on share.project_id = p.id and ${stillShared}
     join namespaces invited on invited.id = share.invited_group_id
     cross join lateral (
       select unnest(invited.ancestry) as id
       union all select share.invited_group_id from group_shares share where share.group_id = any(invited.ancestry) and ${stillShared}
     ) through where p.id = ${project}`;

/**
 * SQL for the people whom names in a text mean: `id`, and the name as `path`. A username means a person, the path of a
 * group that the author sees its direct members, and `all` everyone who has a role in the project: its members, and those of
 * the groups above it and of the groups with which any of these are shared.
 * @param names SQL of an array, in lower case
 */
export const peopleNamed = (names: string, author: string, project: string) =>
  `select r.path, o.owner_id as id from routes r join namespaces o on o.id = r.namespace_id
    where r.path = any(${names}::text[]) and o.owner_id is not null
   union all (
     select r.path, m.user_id from routes r join namespaces n on n.id = r.namespace_id join group_members m on m.group_id = n.id
      where r.path = any(${names}::text[]) and n.owner_id is null and ${liveGroup} and ${stillMember}
        and exists (select from users u where u.id = ${author} and ${personSeesGroup}) limit ${maxMembers}
   ) union all (
     select 'all', m.user_id from (
       select m.user_id, m.expires_at from project_members m where m.project_id = ${project}
       union all select m.user_id, m.expires_at from (${givingRoles(project)}) g join group_members m on m.group_id = g.id
     ) m where 'all' = any(${names}::text[]) and ${stillMember} limit ${maxMembers}
   )`;

/** SQL expressions for what decides who reads an issue. */
interface IssueValues {
  readonly author: string;
  readonly assignee: string;
  readonly confidential: string;
}

/** SQL for whether the person `u`, who sees the project `p` of the namespace `n`, reads an issue of it. */
export const personReads = ({ author: authorId, assignee: assigneeId, confidential }: IssueValues) => {
  const issue = { authorId, assigneeId, confidential, viewerId: 'u.id' };
  const rule = (external: boolean) => toSql(readIssue, anyone(external), { ...columns, issue });
  return `(u.administrator or case when u.external then ${rule(true)} else ${rule(false)} end)`;
};
