import type { Context } from '../../../context.ts';
import { NotFound } from '../../../errors.ts';
import { holds, readPipelines } from '../../../policy/index.ts';
import { batchedByName, batchedRows } from '../../engine/batched.ts';
import { visibleProjectById } from '../../places/place/read.ts';
import { factsOf } from '../../places/projects/permissions.ts';
import { repositoryIn, type RepositoryRecord } from '../../repository/repositories/look-up.ts';
import {
  findPipeline,
  headsOf,
  newestOfCommits,
  readPipelinesById,
  type PipelineRecord,
} from './statements/reading.ts';
import { pipelineId } from './types.ts';
import { recordNumber } from '../../../values/integers.ts';

export type { PipelineRecord };

/** Reading pipelines: other subjects refer to them by these functions. None asks whether the viewer reads them. */

/** A pipeline by id; those of a page are read in one statement. */
export const pipelineById = batchedRows(readPipelinesById);

/** The answers of a statement at the positions that they name, from 1. */
function inOrder<Row extends { readonly position: number }>(rows: readonly Row[], length: number): (Row | undefined)[] {
  const found = new Map(rows.map((row) => [row.position, row]));
  return Array.from({ length }, (_, index) => found.get(index + 1));
}

/** A commit of a project. */
export interface NamedCommit {
  readonly projectId: number;
  /** The full name. */
  readonly sha: string;
}

/** The newest pipeline of a commit, of whatever branch; those of a page of commits are read in one statement. */
export const newestPipeline = batchedByName<NamedCommit, PipelineRecord>(async ({ database }, commits) => {
  const values = [commits.map(({ projectId }) => projectId), commits.map(({ sha }) => sha)];
  return inOrder(await database.rows(newestOfCommits, values), commits.length);
});

/** A branch or tag that is at a commit. */
interface NamedHead extends NamedCommit {
  readonly ref: string;
  /** Omitted: either. */
  readonly tag?: boolean;
}

const valuesOf = (heads: readonly NamedHead[]) => [
  heads.map(({ projectId }) => projectId),
  heads.map(({ ref }) => ref),
  heads.map(({ sha }) => sha),
  heads.map(({ tag }) => tag ?? null),
];

/**
 * The head pipeline of a branch or tag that is at a commit: the newest for exactly both. Those of a page, as of merge
 * requests, are read in one statement.
 */
export const headPipeline = batchedByName<NamedHead, PipelineRecord>(async ({ database }, heads) =>
  inOrder(await database.rows(headsOf, valuesOf(heads)), heads.length),
);

/** The status of the same, read again: after something was stored that depends on it. Undefined without one. */
export async function headStatusNow(
  { database }: Context,
  head: NamedHead,
): Promise<PipelineRecord['status'] | undefined> {
  const [found] = await database.rows(headsOf, valuesOf([head]));
  return found?.status;
}

/** A pipeline by id; null if the viewer doesn’t read it. */
export async function readablePipelineById(context: Context, id: number): Promise<PipelineRecord | null> {
  const pipeline = await pipelineById(context, id);
  const project = pipeline && (await visibleProjectById(context, pipeline.projectId));
  return project && holds(readPipelines, context.viewer, await factsOf(context, project)) ? pipeline! : null;
}

/** How a request names one pipeline of a project; at least one of these. */
interface Named {
  readonly id?: string | null | undefined;
  readonly iid?: string | null | undefined;
  /** The newest of this commit. */
  readonly sha?: string | null | undefined;
}

/** A pipeline of a project; undefined if nothing names it. */
export async function namedPipeline(
  { database }: Context,
  projectId: number,
  { id, iid, sha }: Named,
): Promise<PipelineRecord | undefined> {
  if (id == null && iid == null && sha == null) return undefined;
  const number = iid == null ? null : recordNumber(iid);
  const values = [projectId, id == null ? null : pipelineId(id), number, sha ?? null];
  const [found] = await database.rows(findPipeline, values);
  return found;
}

/**
 * A pipeline of the project that a request names.
 * @throws NotFound if the viewer doesn’t see it, Forbidden
 */
export async function pipelineIn(
  context: Context,
  project: string,
  id: string,
): Promise<{ readonly repository: RepositoryRecord; readonly pipeline: PipelineRecord }> {
  const repository = await repositoryIn(context, project, readPipelines);
  const pipeline = await namedPipeline(context, repository.id, { id });
  if (!pipeline) throw new NotFound('Pipeline');
  return { repository, pipeline };
}

/**
 * The same, by the global id or the number of a pipeline alone.
 * @throws NotFound: a hidden project and a missing pipeline get the same answer; Forbidden
 */
export async function pipelineByGlobalId(context: Context, id: string): ReturnType<typeof pipelineIn> {
  const pipeline = await pipelineById(context, pipelineId(id));
  if (!pipeline) throw new NotFound('Pipeline');
  return await pipelineIn(context, String(pipeline.projectId), id).catch((error: unknown) => {
    throw error instanceof NotFound ? new NotFound('Pipeline') : error;
  });
}
