import type { Context } from '../../../context.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { adminGroupRunners, adminRunners, holds, isAdministrator } from '../../../policy/index.ts';
import type { RunnerType } from '../../../values/ci/runners.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { batched, batchedRows } from '../../engine/batched.ts';
import { idOf } from '../../engine/global-id.ts';
import { facts, lookUp } from '../../places/place/look-up.ts';
import { administeredRunners, findGroup, findProject, readRunners, type RunnerRow } from './statements/reading.ts';

/** A place that has runners: a project, a group, or the instance. */
export interface RunnerPlace {
  readonly type: RunnerType;
  readonly projectId: number | null;
  readonly groupId: number | null;
}

/** The place that a request names. */
export interface NamedPlace {
  readonly type: RunnerType;
  readonly project?: string | null | undefined;
  readonly group?: string | null | undefined;
}

/**
 * A place whose runners the viewer administers: maintainers of a project, owners of a group, administrators.
 * @throws NotFound if the viewer doesn't see the place, Forbidden
 */
export async function runnerPlace(
  context: Context,
  { type, project, group }: NamedPlace,
  to: 'read' | 'change' = 'change',
): Promise<RunnerPlace> {
  if (type === 'instance_type') {
    requireAdministrator(context);
    return { type, projectId: null, groupId: null };
  }
  const isProject = type === 'project_type';
  const row = isProject
    ? await lookUp(context, findProject, 'Project', project ?? '')
    : await lookUp(context, findGroup, 'Group', group ?? '');
  const rule = isProject ? adminRunners : adminGroupRunners;
  if (!holds(rule, context.viewer, facts(row)) || (to === 'change' && row.archived)) throw new Forbidden();
  return { type, projectId: isProject ? row.id : null, groupId: isProject ? null : row.id };
}

/** A runner by id. */
export const runnerById = batchedRows(readRunners);

const administered = batched<true>(async ({ database, viewer }, ids) => {
  const rows = await database.rows(administeredRunners, [ids, viewer.person?.id ?? null]);
  return new Map(rows.map(({ id }) => [id, true]));
});

/** Whether the viewer administers a runner; those of a page are looked up in one statement. */
export async function mayAdminister(context: Context, { id }: Pick<RunnerRow, 'id'>): Promise<boolean> {
  if (isAdministrator(context.viewer)) return true;
  return context.viewer.person !== null && (await administered(context, id)) === true;
}

/**
 * The runner that a request names. Everybody who is signed in sees those of the instance.
 * @throws NotFound, Forbidden
 */
export async function namedRunner(context: Context, given: string, to: 'read' | 'administer'): Promise<RunnerRow> {
  const runner = await runnerById(context, idOf(given, 'Ci::Runner'));
  if (!runner) throw new NotFound('Runner');
  if (to === 'read' && runner.kind === 'instance_type') return runner;
  if (!(await mayAdminister(context, runner))) throw new Forbidden();
  return runner;
}
