import type { Sql } from '../../../database/index.ts';
import { InvalidFields, PlainBadRequest } from '../../../errors.ts';
import {
  environmentSlug,
  guessedTier,
  type AutoStopSetting,
  type DeploymentTier,
} from '../../../values/ci/environments.ts';
import { checkEnvironment, taken } from './input.ts';
import { findTaken, insertEnvironment, lockEnvironmentNamed, type LockedEnvironment } from './statements/change.ts';

/** Environments of one project. */
const mostEnvironments = 20_000;

export interface NewEnvironment {
  readonly name: string;
  readonly externalUrl?: string | null | undefined;
  readonly tier?: DeploymentTier | null | undefined;
  readonly description?: string | null | undefined;
  readonly autoStopSetting?: AutoStopSetting | null | undefined;
}

/** Makes an environment. @throws InvalidFields, PlainBadRequest for one too many */
export async function makeEnvironment(sql: Sql, projectId: number, given: NewEnvironment): Promise<number> {
  checkEnvironment(given);
  const made = await insert(sql, projectId, given);
  if (made !== undefined) return made;
  const [other] = await sql.rows(findTaken, [projectId, given.name, environmentSlug(given.name)]);
  if (!other) throw new PlainBadRequest(`A project has at most ${mostEnvironments} environments`);
  throw taken(other.isName ? 'name' : 'slug');
}

async function insert(
  sql: Sql,
  projectId: number,
  { name, externalUrl, tier, description, autoStopSetting }: NewEnvironment,
): Promise<number | undefined> {
  const [made] = await sql.rows(insertEnvironment, [
    projectId,
    name,
    environmentSlug(name),
    externalUrl || null,
    tier ?? guessedTier(name),
    description || null,
    autoStopSetting ?? 'always',
    mostEnvironments,
  ]);
  return made?.id;
}

/**
 * The environment of a name, locked until the transaction ends; a new one if there is none. Two requests at once get the
 * same.
 * @throws InvalidFields for a name that an environment can't have
 */
export async function environmentOf(sql: Sql, projectId: number, given: NewEnvironment): Promise<LockedEnvironment> {
  const find = async () => (await sql.rows(lockEnvironmentNamed, [projectId, given.name]))[0];
  const known = await find();
  if (known) return known;
  checkEnvironment(given);
  await insert(sql, projectId, given);
  const made = await find();
  if (!made) throw new InvalidFields({ slug: ['has already been taken'] });
  return made;
}
