import { batchedLists, batchedRows } from '../../engine/batched.ts';
import type { Context } from '../../../context.ts';
import {
  managersOfRunners,
  projectsOfRunners,
  readManagers,
  readRunners,
  type ManagerRow,
} from './statements/reading.ts';

const projects = batchedLists(
  (context, runners) => context.database.rows(projectsOfRunners, [runners]),
  ({ runnerId }: { runnerId: number; projectId: number }) => runnerId,
);
const managers = batchedLists(
  (context, runners) => context.database.rows(managersOfRunners, [runners]),
  ({ runnerId }: ManagerRow) => runnerId,
);

/** A runner by its number. */
export const runnerById = batchedRows(readRunners);

/** A machine by its number. */
export const managerById = batchedRows(readManagers);

/** The numbers of the projects of a runner; the first is its owner. */
export const projectsOf = async (context: Context, runnerId: number): Promise<number[]> =>
  (await projects(context, runnerId, null)).map(({ projectId }) => projectId);

/** The machines of a runner, the latest first. */
export const managersOf = (context: Context, runnerId: number): Promise<readonly ManagerRow[]> =>
  managers(context, runnerId, null);
