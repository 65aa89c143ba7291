import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { NotFound } from '../../../errors.ts';
import {
  insertPipeline,
  lockNumbers,
  lockPipeline,
  lockPipelineOf,
  refOfNewest,
  type LockedPipeline,
} from './statements/change.ts';

/** The branch or tag of the newest pipeline of a commit, or of the pipeline with this id; undefined without one. */
export async function refOfNewestPipeline(
  { database }: Context,
  projectId: number,
  sha: string,
  id: number | null,
): Promise<string | undefined> {
  const [newest] = await database.rows(refOfNewest, [projectId, sha, id]);
  return newest?.ref;
}

export type { LockedPipeline };

/** Locks a pipeline until the transaction ends. */
export const lockPipelineById = async (sql: Sql, projectId: number, id: number): Promise<LockedPipeline | undefined> =>
  (await sql.rows(lockPipeline, [projectId, id]))[0];

/**
 * Locks the numbers of a project’s pipelines until the transaction ends: its next statement sees all of them, and no other
 * transaction makes one meanwhile.
 */
export const lockPipelineNumbers = async (sql: Sql, projectId: number): Promise<void> => {
  await sql.rows(lockNumbers, [projectId]);
};

/** Which pipeline a report belongs to. */
interface Wanted {
  readonly projectId: number;
  readonly sha: string;
  readonly ref: string;
  readonly tag: boolean;
  /** Null: the newest. */
  readonly id: number | null;
  readonly userId: number;
}

/**
 * The newest pipeline of a commit, locked; a new one if there is none. Two that report at once get the same.
 * @throws NotFound if one is named that isn't there
 */
export async function openPipelineOf(
  sql: Sql,
  { projectId, sha, ref, tag, id, userId }: Wanted,
): Promise<LockedPipeline> {
  const find = async () => (await sql.rows(lockPipelineOf, [projectId, sha, ref, id]))[0];
  const known = await find();
  if (known) return known;
  if (id !== null) throw new NotFound('Pipeline for pipeline_id, sha and ref');
  // Another process that makes one waits here, and then finds it.
  await lockPipelineNumbers(sql, projectId);
  const made = (await find()) ?? (await sql.rows(insertPipeline, [projectId, ref, tag, sha, 'external', userId]))[0];
  return made!;
}
