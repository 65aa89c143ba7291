import type { Context, PrefetchFor } from '../../../context.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import {
  holds,
  mayChange,
  readEnvironments,
  writeEnvironments,
  type Condition,
  type Facts,
} from '../../../policy/index.ts';
import { batchedRows } from '../../engine/batched.ts';
import { facts, lookUp, prefetchPlace } from '../../places/place/look-up.ts';
import {
  environmentNamed,
  findEnvironments,
  readEnvironmentsById,
  type EnvironmentRecord,
} from './statements/reading.ts';
import { environmentId } from './types.ts';

/** The project of some environments, with what the viewer may do there. */
export interface EnvironmentsPlace {
  readonly id: number;
  readonly archived: boolean;
  readonly facts: Facts;
}

/** The look-up of `environmentsIn` as a prefetch of a field with the argument `project`. */
export const prefetchEnvironments: PrefetchFor = ({ project }) => prefetchPlace(findEnvironments, 'Project', project);

/**
 * The project that a request names.
 * @throws NotFound if the viewer doesn't see it, Forbidden if they may not do that
 */
export async function environmentsIn(
  context: Context,
  project: string,
  rule: Condition = readEnvironments,
): Promise<EnvironmentsPlace> {
  const row = await lookUp(context, findEnvironments, 'Project', project);
  const place = { id: row.id, archived: row.archived, facts: facts(row) };
  if (!holds(rule, context.viewer, place.facts)) throw new Forbidden();
  return place;
}

/** Nothing changes in an archived project. @throws Forbidden */
export function requireWrite(
  { viewer }: Context,
  { archived, facts: own }: EnvironmentsPlace,
  rule = writeEnvironments,
) {
  if (!mayChange(rule, viewer, own, archived)) throw new Forbidden();
}

/** An environment by id; those of a page are read in one statement. Asks no one's rights. */
export const environmentById = batchedRows(readEnvironmentsById);

/** An environment of a project by its name. Asks no one's rights. */
export const environmentByName = async (
  { database }: Context,
  projectId: number,
  name: string,
): Promise<EnvironmentRecord | undefined> => (await database.rows(environmentNamed, [projectId, name]))[0];

/** How a request names an environment: by its id, and the project that it must belong to, if it names one. */
interface Named {
  readonly project?: string | null | undefined;
  readonly id: string;
}

interface Found {
  readonly place: EnvironmentsPlace;
  readonly environment: EnvironmentRecord;
}

/**
 * The environment that a request names.
 * @throws NotFound: a hidden project and a missing environment get the same answer, if no project is named; Forbidden
 */
export async function namedEnvironment(context: Context, { project, id }: Named): Promise<Found> {
  if (project != null) {
    const place = await environmentsIn(context, project);
    const environment = await environmentById(context, environmentId(id));
    if (environment?.projectId !== place.id) throw new NotFound(missing);
    return { place, environment };
  }
  const environment = await environmentById(context, environmentId(id));
  if (!environment) throw new NotFound(missing);
  try {
    return { environment, place: await environmentsIn(context, String(environment.projectId)) };
  } catch (error) {
    throw error instanceof NotFound ? new NotFound(missing) : error;
  }
}

const missing = 'Environment';
