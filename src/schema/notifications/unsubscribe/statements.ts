import { statement } from '../../../database/index.ts';

/** Whether the person and the issue of an unsubscribe key are there. $1 issue, $2 person. */
export const keyedIssue = statement<{ id: number; username: string }>(
  'issue_of_unsubscribe_key',
  `select i.id, u.username from issues i join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id, users u
    where i.id = $1::int and u.id = $2::int and u.deleting_since is null and p.deleting_since is null and n.deleting_since is null`,
);
