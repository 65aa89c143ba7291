import {
  featureLevel,
  groupAccessLevel,
  liveGroup,
  projectAccessLevel,
  publicJobs,
  stillMember,
  stillShared,
} from '../../../../database/access/places.ts';
import {
  manageGroupMembers,
  manageProjectMembers,
  readCode,
  readEpic,
  readInternalNote,
  readIssue,
  readMergeRequest,
  readPipelines,
  readProjectSnippet,
  seePlace,
  toSql,
  type Columns,
  type Condition,
  type Viewer,
} from '../../../../policy/index.ts';

/** A stand-in for any person: the rule as SQL. */
const anyone = (external: boolean, administrator = false): Viewer => ({
  person: { id: 0, username: '', administrator, premium: false, external },
  credential: null,
});
const usualRole = projectAccessLevel('u.id');
const columnsWith = (accessLevel: string): Columns => ({
  visibility: 'p.visibility',
  accessLevel,
  level: featureLevel,
  publicJobs,
});

/** SQL for whether a rule about the project `p` of the namespace `n`, and what is in it, holds for the person `u`. */
const holdsFor = (rule: Condition, columns: Columns) =>
  `(case when u.administrator then ${toSql(rule, anyone(false, true), columns)} when u.external then ${toSql(rule, anyone(true), columns)} else ${toSql(rule, anyone(false), columns)} end)`;

/** SQL for whether the account of the person `u` is active. */
export const personIsActive = `u.state = 'ACTIVE' and u.deleting_since is null`;

/** SQL for whether the person `u`, whose account is active, sees the project `p` of the namespace `n`. @param role SQL for their role */
export const activePersonSees = (role: string) => holdsFor(seePlace, columnsWith(role));

/** SQL for whether the person `u` sees the project `p` of the namespace `n`. */
export const personSees = `${personIsActive} and ${activePersonSees(usualRole)}`;

/** SQL for whether the person `u` sees the group `n`. @param role SQL for their role */
export const personSeesGroup = (role: string = groupAccessLevel('u.id')) =>
  holdsFor(seePlace, { visibility: 'n.visibility', accessLevel: role });

/**
 * SQL for whether the person `u` manages the members of the project `p`, or, where there is none, of the group `n`.
 * @param role SQL for their role
 */
export const personManagesMembers = (role: string) =>
  `(case when p.id is null then ${holdsFor(manageGroupMembers, { visibility: 'n.visibility', accessLevel: role })}
     else ${holdsFor(manageProjectMembers, columnsWith(role))} end)`;

/** How many members of groups one text mentions at most; further ones aren't notified. */
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
 * group that the author sees its direct members, unless it disabled mentions, and `all`, if the author is one of them, everyone who has a role in the
 * project: its members, and those of the groups above it and of the groups with which any of these are shared.
 * @param names SQL of an array, in lower case
 */
export const peopleNamed = (names: string, author: string, project: string) =>
  `select r.path, o.owner_id as id from routes r join namespaces o on o.id = r.namespace_id
    where r.path = any(${names}::text[]) and o.owner_id is not null
   union all (
     select r.path, m.user_id from routes r join namespaces n on n.id = r.namespace_id join group_members m on m.group_id = n.id
      where r.path = any(${names}::text[]) and n.owner_id is null and ${liveGroup} and n.mentions_disabled is not true and ${stillMember}
        and exists (select from users u where u.id = ${author} and ${personSeesGroup()}) limit ${maxMembers}
   ) union all (
     select 'all', m.user_id from (
       select m.user_id, m.expires_at from project_members m where m.project_id = ${project}
       union all select m.user_id, m.expires_at from (${givingRoles(project)}) g join group_members m on m.group_id = g.id
     ) m where 'all' = any(${names}::text[]) and ${stillMember}
       and exists (select from users u, projects p join namespaces n on n.id = p.namespace_id
         where u.id = ${author} and p.id = ${project} and (u.administrator or ${usualRole} is not null)) limit ${maxMembers}
   )`;

/** SQL expressions for what decides who reads an issue. */
interface IssueValues {
  readonly author: string;
  readonly assignee: string;
  readonly confidential: string;
}

/** SQL for whether the person `u`, who sees the project `p` of the namespace `n`, reads an issue of it. @param role SQL for their role */
export const personReads = (
  { author: authorId, assignee: assigneeId, confidential }: IssueValues,
  role: string = usualRole,
) => holdsFor(readIssue, { ...columnsWith(role), issue: { authorId, assigneeId, confidential, viewerId: 'u.id' } });

/** SQL for whether the person `u`, who sees the project `p` of the namespace `n`, reads the merge requests of it. */
export const personReadsMergeRequests = (role: string = usualRole) => holdsFor(readMergeRequest, columnsWith(role));

/** SQL for whether the person `u`, who sees the project `p` of the namespace `n`, reads the snippet `sn` of it. */
export const personReadsSnippet = (role: string) =>
  holdsFor(readProjectSnippet, {
    ...columnsWith(role),
    snippet: { authorId: 'sn.author_id', visibility: 'sn.visibility', viewerId: 'u.id' },
  });

/** SQL for whether the person `u`, who sees the project `p` of the namespace `n`, reads the pipelines of it. */
export const personReadsPipelines = (role: string) => holdsFor(readPipelines, columnsWith(role));

/** SQL for whether the person `u`, who sees the project `p` of the namespace `n`, reads the code of it. */
export const personReadsCode = (role: string) => holdsFor(readCode, columnsWith(role));

/** SQL for whether the person `u` reads the epics of a group. @param role SQL for their role in it */
export const personReadsEpic = (role: string) => {
  const { person, credential } = anyone(false);
  const columns = { visibility: 'n.visibility', accessLevel: role };
  return `(u.tier = 'PREMIUM' and (u.administrator or ${toSql(readEpic, { person: { ...person!, premium: true }, credential }, columns)}))`;
};

/** SQL for whether the person `u`, who sees the project `p`, reads internal notes in it. */
export const personReadsInternal = (role: string) => holdsFor(readInternalNote, columnsWith(role));
