import type { TestGateway } from '../../support/gateway.ts';
import { newCode } from '../../repository/support/code.ts';

/** A project with a branch `topic` one commit ahead of `main`, and a merge request from it, of the maintainer. */
export async function newTopic(gateway: TestGateway, attributes: Record<string, unknown> = {}) {
  const code = await newCode(gateway, attributes);
  const base = await code.commit({ 'a.txt': 'one\ntwo\nthree\n' });
  await code.branch('topic');
  const head = await code.commit({ 'b.txt': 'b\n' }, { branch: 'topic' });
  return { ...code, base, head };
}

/** Opens a merge request. @returns its iid and its path in the API */
export async function opened(
  { sql }: TestGateway,
  { id: project, path }: { readonly id: number; readonly path: string },
  values: Record<string, unknown> = {},
) {
  const { source_branch = 'topic', target_branch = 'main', title = 'A topic', description = null } = values;
  const [made] = await sql<{ iid: number; id: number }>(
    `insert into merge_requests (project_id, source_project_id, iid, source_branch, target_branch, title, description, author_id, force_remove_source)
     select $1::int, coalesce($6::int, $1::int), coalesce(max(iid), 0) + 1, $2, $3, $4, $5, (select id from users where username = 'maintainer'), $7::boolean
       from merge_requests where project_id = $1 returning id, iid`,
    [
      project,
      source_branch,
      target_branch,
      title,
      description,
      values.source_project_id ?? null,
      values.remove_source_branch ?? null,
    ],
  );
  return { iid: made!.iid, id: made!.id, path: `${path}/merge_requests/${made!.iid}` };
}
