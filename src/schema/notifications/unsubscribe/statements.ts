import { statement } from '../../../database/index.ts';

const keyed = (name: string, table: 'issues' | 'merge_requests') =>
  statement<{ id: number; username: string }>(
    name,
    `select i.id, u.username from ${table} i join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id, users u
      where i.id = $1::int and u.id = $2::int and u.deleting_since is null and p.deleting_since is null and n.deleting_since is null`,
  );

const keyedEpic = statement<{ id: number; username: string }>(
  'epic_of_unsubscribe_key',
  `select e.id, u.username from epics e join namespaces n on n.id = e.group_id, users u
    where e.id = $1::int and u.id = $2::int and u.deleting_since is null and n.deleting_since is null`,
);

/** Whether the person and the item of an unsubscribe key are there. $1 item, $2 person. */
export const keyedItem = {
  Issue: keyed('issue_of_unsubscribe_key', 'issues'),
  Epic: keyedEpic,
  MergeRequest: keyed('merge_request_of_unsubscribe_key', 'merge_requests'),
};
