import type { Sql } from '../../../database/index.ts';
import { rememberDeleted } from './statements/change.ts';

/** Notes that a branch or tag was deleted: the artifacts of its latest pipeline are kept no longer. */
export async function noteDeletedRef(
  sql: Sql,
  projectId: number,
  { name, isTag }: { readonly name: string; readonly isTag: boolean },
): Promise<void> {
  await sql.rows(rememberDeleted, [projectId, isTag, name]);
}
