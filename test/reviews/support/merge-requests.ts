import type { TestGateway } from '../../support/gateway.ts';
import { at } from '../../support/places/shop.ts';

/** Merge requests for tests of what belongs to them. */

interface Given {
  readonly iid?: number;
  readonly title?: string;
  readonly description?: string;
  /** A username. */
  readonly author?: string;
  readonly source?: string;
  readonly target?: string;
  /** The commits of its version. */
  readonly head?: string;
  readonly base?: string;
}

export interface NewMergeRequest {
  readonly id: number;
  readonly iid: number;
  /** Its path below `/api/v4/`. */
  readonly path: string;
}

/** A merge request of a project, from one branch to another: its row, without a look at git. */
export async function newMergeRequest(
  gateway: TestGateway,
  project: string,
  given: Given = {},
): Promise<NewMergeRequest> {
  const { title = 'Pump faster', description = null, author = 'the-developer' } = given;
  const { iid = 1, source = `source-${iid}`, target = 'main', head = null, base = null } = given;
  const [made] = await gateway.sql<{ id: number }>(
    `with made as (
       insert into merge_requests (project_id, iid, source_project_id, source_branch, target_branch, title, description, author_id, head_sha, base_sha, start_sha)
       select p.id, $2::int, p.id, $3, $4, $5, $6, u.id, $7, $8, $8 from projects p, users u where p.full_path = $1 and u.username = $9
       returning id, author_id
     ), taking as (
       insert into participants (merge_request_id, user_id) select id, author_id from made
     )
     select id from made`,
    [project, iid, source, target, title, description, head, base, author],
  );
  return { id: made!.id, iid, path: at(project, `/merge_requests/${iid}`) };
}

/** What is counted of a merge request. */
export async function rowOf(gateway: TestGateway, id: number) {
  const [row] = await gateway.sql<
    Record<'notes_count' | 'internal_notes' | 'unresolved' | 'upvotes' | 'downvotes', number>
  >('select notes_count, internal_notes, unresolved, upvotes, downvotes from merge_requests where id = $1', [id]);
  return row!;
}
