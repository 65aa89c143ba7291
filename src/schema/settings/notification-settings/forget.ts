import type { Sql } from '../../../database/index.ts';
import { unseenByPerson } from '../../../policy/index.ts';
import { forgetSettings } from './statements.ts';

const forget = forgetSettings(unseenByPerson);

/** Removes a person's notification settings for places that they no longer see after leaving one. */
export async function forgetUnseen(
  sql: Sql,
  userId: number,
  { scope, id }: { readonly scope: 'group' | 'project'; readonly id: number },
): Promise<void> {
  await sql.rows(forget, [[userId], [scope === 'group' ? id : null], [scope === 'project' ? id : null]]);
}
