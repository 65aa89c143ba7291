import type { Database } from '../database/index.ts';
import { endMemberships } from '../schema/places/members/statements/changes.ts';
import { forgetSettings } from '../schema/settings/notification-settings/statements.ts';
import { unseenByPerson } from '../policy/index.ts';

/** Maximum number of memberships that one transaction ends. */
const batch = 500;
const forget = forgetSettings(unseenByPerson);

/**
 * Ends expired memberships, as if the person had left, and removes the person's notification settings for places that
 * they no longer see.
 * @returns how many ended
 */
export async function endExpiredMemberships(database: Database): Promise<number> {
  for (let total = 0; ;) {
    const ended = await database.transaction(async (sql) => {
      const rows = await sql.rows(endMemberships, [batch]);
      const of = <Key extends keyof (typeof rows)[number]>(key: Key) => rows.map((row) => row[key]);
      if (rows.length > 0) await sql.rows(forget, [of('user_id'), of('group_id'), of('project_id')]);
      return rows.length;
    });
    if (ended === 0) return total;
    total += ended;
  }
}
