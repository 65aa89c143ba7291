import type { Sql } from '../../../database/index.ts';
import type { InstanceKeys } from '../../../auth/index.ts';
import { resealTable } from './sealing.ts';
import { sealedTables } from './statements/sealed.ts';

/** Seals all secrets of pipelines under the first instance key. @returns how many were sealed again, and which can’t be */
export async function resealPipelineSecrets(
  sql: Sql,
  keys: InstanceKeys,
): Promise<{ resealed: number; unreadable: number }> {
  const counts = { resealed: 0, unreadable: 0 };
  for (const table of sealedTables) {
    const { resealed, unreadable } = await resealTable(sql, keys, table);
    counts.resealed += resealed;
    counts.unreadable += unreadable;
  }
  return counts;
}
