import { featureLevel, projectAccessLevel } from '../../../../database/access/places.ts';
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
