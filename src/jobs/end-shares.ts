import type { Database } from '../database/index.ts';
import { unseenByPerson } from '../policy/index.ts';
import { endShares, forgetSettingsIn } from '../schema/places/sharing/statements.ts';

/** Maximum number of shares that one transaction ends. */
const batch = 100;
const forget = forgetSettingsIn(unseenByPerson);

/**
 * Ends expired shares, as if someone had removed them, and removes notification settings for places that people no longer
 * see.
 * @returns how many ended
 */
export async function endExpiredShares(database: Database): Promise<number> {
  for (let total = 0; ;) {
    const ended = await database.transaction(async (sql) => {
      const rows = await sql.rows(endShares, [batch]);
      const places = (key: keyof (typeof rows)[number]) => new Set(rows.flatMap((row) => row[key] ?? []));
      for (const id of places('group_id')) await sql.rows(forget.group, [id]);
      for (const id of places('project_id')) await sql.rows(forget.project, [id]);
      return rows.length;
    });
    if (ended === 0) return total;
    total += ended;
  }
}
