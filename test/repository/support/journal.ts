import { expect } from 'vitest';
import { plainGit } from '../../git/support/engine.ts';
import type { TestGateway } from '../../support/gateway.ts';

/** The folder of a project's repository. */
export const folderOf = ({ gateway }: TestGateway, { id }: { id: number }): string =>
  gateway.application.git.repository(id).path;

/** The branches and tags of a project, as git has them. */
export function refsIn(gateway: TestGateway, project: { id: number }): Record<string, string> {
  const listed = plainGit(folderOf(gateway, project), ['for-each-ref', '--format=%(refname) %(objectname)']);
  return Object.fromEntries(
    listed
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ') as [string, string]),
  );
}

/** The journal says of each branch and tag what git says, everything is made, and every object is sound. */
export async function expectSound(gateway: TestGateway, project: { id: number }): Promise<void> {
  const rows = await gateway.sql<{ ref: string; before: string | null; after: string | null; applied: boolean }>(
    'select ref, before, after, applied from ref_changes where project_id = $1 order by id',
    [project.id],
  );
  const journal = new Map<string, string>();
  for (const { ref, before, after, applied } of rows) {
    expect(applied).toBe(true);
    expect(journal.get(ref) ?? null).toBe(before);
    if (after === null) journal.delete(ref);
    else journal.set(ref, after);
  }
  expect(Object.fromEntries(journal)).toEqual(refsIn(gateway, project));
  const folder = folderOf(gateway, project);
  expect(plainGit(folder, ['fsck', '--strict', '--no-dangling'])).toBe('');
  const [{ branch }] = (await gateway.sql<{ branch: string | null }>(
    'select default_branch as branch from projects where id = $1',
    [project.id],
  )) as [{ branch: string | null }];
  if (branch !== null) expect(plainGit(folder, ['symbolic-ref', 'HEAD'])).toBe(`refs/heads/${branch}`);
}
