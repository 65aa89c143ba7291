import { newToken } from '../../../auth/index.ts';
import type { Context } from '../../../context.ts';
import { Forbidden, InvalidFields, NotFound } from '../../../errors.ts';
import { isAdministrator, makesCredential, writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { checkedAttributes, newAttributes, type GivenAttributes } from './attributes.ts';
import { namedRunner, runnerById, runnerPlace, type RunnerPlace } from './place.ts';
import { resetRegistrationToken } from './registration.ts';
import { projectsOf } from './read.ts';
import {
  assignRunner,
  deleteRunner,
  insertRunner,
  replaceToken,
  unassignRunner,
  updateRunner,
} from './statements/changes.ts';
import { CiRunner, CiRunnerAccessLevel, CiRunnerType, runnerId as numberOf, type RunnerRecord } from './types.ts';

/** Making, changing and removing runners, for those who administer them. */

const admission = { class: 'token', scopes: writes } as const;

const attributes = (t: InputsOf) => ({
  description: t.string(),
  maintenanceNote: t.string({ description: 'For administrators.' }),
  paused: t.boolean({ description: 'Whether it gets no jobs.' }),
  locked: t.boolean({ description: 'Whether no further project gets it.' }),
  runUntagged: t.boolean({ description: 'Whether it carries out jobs without tags.' }),
  accessLevel: t.field({ type: CiRunnerAccessLevel }),
  maximumTimeout: t.int({ description: 'In seconds, from 600 on.' }),
  tagList: t.stringList({ description: 'A job that names tags goes to runners that have all of them.' }),
});

const payload = (t: FieldsOf<{ readonly runner: RunnerRecord }>) => ({
  runner: t.expose('runner', { type: CiRunner }),
});
const id = (t: InputsOf) => t.field({ type: 'CiRunnerID', required: true });

/** Makes a runner in a place that was checked. @returns it with its token */
export async function makeRunner(
  context: Context,
  { type, projectId, groupId }: RunnerPlace,
  given: GivenAttributes,
  kind: 'runner' | 'registered' = 'runner',
): Promise<RunnerRecord & { readonly token: string }> {
  const { secret, digest } = newToken(kind);
  const creatorId = context.viewer.person?.id ?? null;
  const columns = newAttributes(given);
  const [made] = await context.database.rows(insertRunner, [type, groupId, projectId, creatorId, ...columns, digest]);
  const runner = await runnerById(context, made!.id);
  return { ...runner!, token: secret };
}

mutation('runnerCreate', {
  description:
    'Makes a runner of a project, a group or the instance. Its token is in the answer, and shown only there.',
  admission: makesCredential,
  input: (t) => ({
    runnerType: t.field({ type: CiRunnerType, required: true }),
    projectId: t.id({ description: 'Full path, global id or number of its project.' }),
    groupId: t.id({ description: 'Full path, global id or number of its group.' }),
    ...attributes(t),
  }),
  payload,
  resolve: async (context, { runnerType: type, projectId, groupId, ...given }) => {
    if (type === 'project_type' && projectId == null) throw new InvalidFields({ projectId: ["can't be blank"] });
    if (type === 'group_type' && groupId == null) throw new InvalidFields({ groupId: ["can't be blank"] });
    const place = await runnerPlace(context, { type, project: projectId, group: groupId });
    return { runner: await makeRunner(context, place, given) };
  },
});

mutation('runnerUpdate', {
  description: 'Changes a runner. Omitted fields stay as they are.',
  admission,
  input: (t) => ({ id: id(t), ...attributes(t) }),
  payload,
  resolve: async (context, { id: given, ...wanted }) => {
    const runner = await namedRunner(context, given, 'administer');
    const columns = checkedAttributes(wanted, runner);
    const [changed] = await context.database.rows(updateRunner, [
      runner.id,
      ...columns,
      wanted.maximumTimeout !== undefined,
      wanted.maintenanceNote !== undefined,
    ]);
    const now = changed && (await runnerById(context, runner.id));
    if (!now) throw new NotFound('Runner');
    return { runner: now };
  },
});

mutation('runnerDelete', {
  description: 'Removes a runner. Its token is void at once.',
  admission,
  input: (t) => ({ id: id(t) }),
  payload: (t: FieldsOf<{ deletedId: number }>) => ({ deletedDatabaseId: t.exposeInt('deletedId') }),
  resolve: async (context, { id: given }) => {
    const runner = await namedRunner(context, given, 'administer');
    if (!isAdministrator(context.viewer) && (await projectsOf(context, runner.id)).length > 1)
      throw new Forbidden('Runner associated with more than one project');
    const [deleted] = await context.database.rows(deleteRunner, [runner.id]);
    if (!deleted) throw new NotFound('Runner');
    return { deletedId: deleted.id };
  },
});

mutation('runnerResetAuthenticationToken', {
  description: 'Gives a runner another token. Its former one is void at once.',
  admission: makesCredential,
  input: (t) => ({ id: id(t) }),
  payload: (t: FieldsOf<{ token: string }>) => ({ token: t.exposeString('token') }),
  resolve: async (context, { id: given }) => {
    const runner = await namedRunner(context, given, 'administer');
    const { secret, digest } = newToken('runner');
    const [changed] = await context.database.rows(replaceToken, [runner.id, digest]);
    if (!changed) throw new NotFound('Runner');
    return { token: secret };
  },
});

const projectInput = (t: InputsOf) => ({
  runnerId: id(t),
  projectPath: t.id({ required: true, description: 'Full path, global id or number of the project.' }),
});

mutation('runnerAssignToProject', {
  description: 'Gives a project a runner of another one. You administer both.',
  admission,
  input: projectInput,
  payload,
  resolve: async (context, { runnerId, projectPath }) => {
    const { projectId } = await runnerPlace(context, { type: 'project_type', project: projectPath });
    const runner = await namedRunner(context, runnerId, 'administer');
    if (runner.kind === 'instance_type') throw new Forbidden('Runner is a shared runner');
    if (runner.kind === 'group_type') throw new Forbidden('Runner is a group runner');
    if (runner.locked) throw new Forbidden('Runner is locked');
    const [assigned] = await context.database.rows(assignRunner, [runner.id, projectId]);
    if (!assigned) throw new InvalidFields({ runner: ['has already been taken'] });
    return { runner };
  },
});

mutation('runnerUnassignFromProject', {
  description: 'Takes a runner from a project. The last one is removed instead.',
  admission,
  input: projectInput,
  payload,
  resolve: async (context, { runnerId, projectPath }) => {
    const { projectId } = await runnerPlace(context, { type: 'project_type', project: projectPath });
    const runner = await runnerById(context, numberOf(runnerId));
    const projects = runner ? await projectsOf(context, runner.id) : [];
    if (!runner || !projects.includes(projectId!)) throw new NotFound('Runner');
    const [taken] = await context.database.rows(unassignRunner, [runner.id, projectId]);
    if (!taken) throw new Forbidden('Only one project associated with the runner. Please remove the runner instead');
    return { runner };
  },
});

mutation('runnersRegistrationTokenReset', {
  description: 'Gives a project, a group or the instance another token that runners register with.',
  admission: makesCredential,
  input: (t) => ({
    type: t.field({ type: CiRunnerType, required: true }),
    id: t.id({ description: 'Full path, global id or number of the project or group.' }),
  }),
  payload: (t: FieldsOf<{ token: string }>) => ({ token: t.exposeString('token') }),
  resolve: async (context, { type, id: given }) => {
    const place = await runnerPlace(context, { type, project: given, group: given });
    return { token: await resetRegistrationToken(context, place) };
  },
});
