import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { openSecret, sealSecret } from '../variables/sealing.ts';
import { keepMasks } from './statements.ts';

/** The secret values of a job: they are kept with its log, so that they stay secret when a variable changes later. */

type Keys = Pick<Context, 'keys' | 'files'>;

const rowOf = (job: number) => `ci_trace:${job}`;

/**
 * Keeps the values that no one reads in a job’s log, when the job is handed out.
 * @param values of its masked variables, its tokens included
 */
export async function rememberMasks(sql: Sql, keys: Keys, job: number, values: readonly string[]): Promise<void> {
  const sealed = sealSecret(keys.keys, rowOf(job), JSON.stringify([...new Set(values)]));
  await sql.rows(keepMasks, [job, keys.files.newName(), sealed]);
}

/** The values that were kept; none if no key opens them. */
export function masksOf(keys: Pick<Context, 'keys'>, job: number, sealed: Buffer | null): readonly string[] {
  const opened = sealed && openSecret(keys.keys, rowOf(job), sealed);
  return opened ? (JSON.parse(opened) as string[]) : [];
}
