import { takenIn } from '../../../database/index.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { writeEnvironments, writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { checkEnvironment, taken } from './input.ts';
import { makeEnvironment } from './make.ts';
import { environmentById, environmentsIn, namedEnvironment, requireWrite } from './read.ts';
import { deleteEnvironment, updateEnvironment } from './statements/change.ts';
import type { EnvironmentRecord } from './statements/reading.ts';
import { stopEnvironment } from './stop.ts';
import { AutoStopSettingEnum, DeploymentTierEnum, Environment } from './types.ts';

/** Making, changing, stopping and deleting environments. */

/** Jobs do it, too, in their own project. */
const admission = { class: 'token', scopes: writes, job: true } as const;

const settings = (t: InputsOf) => ({
  externalUrl: t.string({ description: 'Where people see it: http or https.' }),
  tier: t.field({ type: DeploymentTierEnum, description: 'If omitted for a new one, guessed from the name.' }),
  description: t.string({ description: 'At most 10,000 characters.' }),
  autoStopSetting: t.field({ type: AutoStopSettingEnum, description: 'Whether stopping by itself needs a job.' }),
});

/** GitLab’s mutations don’t name the project. */
const which = (t: InputsOf) => ({
  projectPath: t.id({
    description: 'Full path, global id or number of its project. Omitted: the project that it belongs to.',
  }),
  id: t.field({ type: 'EnvironmentID', required: true }),
});

const payload = (t: FieldsOf<{ environment: EnvironmentRecord }>) => ({
  environment: t.expose('environment', { type: Environment }),
});

mutation('environmentCreate', {
  description: 'Makes an environment. From Developer up.',
  admission,
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    name: t.string({ required: true }),
    ...settings(t),
  }),
  payload,
  resolve: async (context, { projectPath, ...given }) => {
    const place = await environmentsIn(context, projectPath, writeEnvironments);
    requireWrite(context, place);
    checkEnvironment(given);
    const id = await makeEnvironment(context.database, place.id, given);
    return { environment: (await environmentById(context, id))! };
  },
});

mutation('environmentUpdate', {
  description: 'Changes an environment. From Developer up.',
  admission,
  input: (t) => ({
    ...which(t),
    name: t.string({ description: 'Another name. The slug stays.' }),
    ...settings(t),
  }),
  payload,
  resolve: async (context, { projectPath, id, name, externalUrl, tier, description, autoStopSetting }) => {
    const { place, environment } = await namedEnvironment(context, { project: projectPath, id });
    requireWrite(context, place);
    checkEnvironment({ name, externalUrl, description });
    const values = [
      environment.id,
      name ?? null,
      externalUrl !== undefined,
      externalUrl || null,
      tier ?? null,
      description !== undefined,
      description || null,
      autoStopSetting ?? null,
    ];
    try {
      const [changed] = await context.database.rows(updateEnvironment, values);
      if (!changed) throw new NotFound('Environment');
    } catch (error) {
      throw takenIn(error) === 'environments' ? taken('name') : error;
    }
    return { environment: (await environmentById(context, environment.id))! };
  },
});

mutation('environmentStop', {
  description:
    'Stops an environment: by the job that its last deployment named for that, if it can be started, and otherwise at once. From Developer up.',
  admission,
  input: (t) => ({
    ...which(t),
    force: t.boolean({ defaultValue: false, description: 'Whether it stops without that job.' }),
  }),
  payload,
  resolve: async (context, { projectPath, id, force }) => {
    const { place, environment } = await namedEnvironment(context, { project: projectPath, id });
    requireWrite(context, place);
    const actorId = context.viewer.person?.id ?? null;
    if (environment.state !== 'stopped')
      await context.database.transaction((sql) =>
        stopEnvironment(sql, { id: environment.id, actorId, force: force ?? false }),
      );
    const stopped = await environmentById(context, environment.id);
    if (!stopped) throw new NotFound('Environment');
    return { environment: stopped };
  },
});

mutation('environmentDelete', {
  description: 'Deletes a stopped environment with its deployments. From Developer up.',
  admission,
  input: which,
  payload: (t: FieldsOf<{ deletedId: number }>) => ({
    deletedDatabaseId: t.exposeInt('deletedId', { description: 'The number of the environment.' }),
  }),
  resolve: async (context, { projectPath, id }) => {
    const { place, environment } = await namedEnvironment(context, { project: projectPath, id });
    requireWrite(context, place);
    const [gone] = await context.database.rows(deleteEnvironment, [environment.id]);
    if (gone) return { deletedId: gone.id };
    if (!(await environmentById(context, environment.id))) throw new NotFound('Environment');
    throw new Forbidden();
  },
});
