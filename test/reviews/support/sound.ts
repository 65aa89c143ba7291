import { expect, vi } from 'vitest';
import { plainGit } from '../../git/support/engine.ts';
import { folderOf } from '../../repository/support/journal.ts';
import type { TestGateway } from '../../support/gateway.ts';

/** A merge request as its record says. */
export interface Stored {
  readonly state: string;
  readonly target_branch: string;
  readonly head_sha: string;
  readonly merge_commit_sha: string | null;
  readonly auto_merge: boolean;
  readonly merge_user_id: number | null;
}

/** What git says in the repository of a project. */
export const gitIn = (gateway: TestGateway, project: { id: number }, ...args: string[]): string =>
  plainGit(folderOf(gateway, project), args);

/** Waits until everything that changes of branches and events set off has happened. */
export async function quiet({ sql }: TestGateway, { id }: { readonly id: number }): Promise<void> {
  const kinds = ['follow_references', 'finish_merge', 'merge_waiting', 'rebase_merge_request'];
  await vi.waitFor(
    async () => {
      const [left] = await sql<{ jobs: string[]; changes: number; behind: boolean; dead: string[] }>(
        `select (select coalesce(array_agg(name), '{}') from jobs where name = any($2) and dead_at is null) as jobs,
         (select coalesce(array_agg(name || ': ' || last_error), '{}') from jobs where dead_at is not null) as dead,
         (select count(*)::int from ref_changes where project_id = $1 and not applied) as changes,
         (select followed < (select max(id) from ref_changes where project_id = $1) from repositories where project_id = $1) as behind`,
        [id, kinds],
      );
      expect(left).toEqual({ jobs: [], dead: [], changes: 0, behind: false });
    },
    { timeout: 20_000, interval: 20 },
  );
}

/**
 * What holds of a merge request once everything has happened: git and the record agree, and what was merged was a version.
 * @param former where the branches were that it may be merged into; nothing else moved them since
 * @returns the record
 */
export async function expectAgreed(
  gateway: TestGateway,
  project: { readonly id: number },
  one: { readonly id: number },
  former: Readonly<Record<string, string>>,
): Promise<Stored> {
  const [stored] = await gateway.sql<Stored & { versions: string[] }>(
    `select state, target_branch, head_sha, merge_commit_sha, auto_merge, merge_user_id,
       (select array_agg(head_sha) from merge_request_versions where merge_request_id = i.id) as versions
       from merge_requests i where id = $1`,
    [one.id],
  );
  const { versions, ...record } = stored!;
  const isMerged = record.state === 'MERGED';
  for (const [branch, tip] of Object.entries(former)) {
    const added = gitIn(gateway, project, 'rev-list', '--first-parent', '--parents', `${tip}..refs/heads/${branch}`);
    const isTarget = isMerged && record.target_branch === branch;
    expect(added, branch).toBe(isTarget ? `${record.merge_commit_sha} ${tip} ${record.head_sha}` : '');
  }
  if (isMerged) {
    expect(former).toHaveProperty(record.target_branch);
    expect(versions).toContain(record.head_sha);
    expect(record.auto_merge).toBe(false);
  } else expect(record.merge_commit_sha).toBeNull();
  return record;
}

/** Where branches are. */
export const tipsOf = (gateway: TestGateway, project: { id: number }, ...branches: string[]): Record<string, string> =>
  Object.fromEntries(branches.map((branch) => [branch, gitIn(gateway, project, 'rev-parse', `refs/heads/${branch}`)]));
