import { newToken } from '../../../auth/index.ts';
import { Forbidden } from '../../../errors.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { machineOf, noteMachine, runnerOf } from '../hand-out/machine.ts';
import { makeRunner } from './change.ts';
import { deleteManager, deleteRunner, replaceToken } from './statements/changes.ts';
import { CiRunnerAccessLevel } from './types.ts';

/** What runners do with their own record. None of it is at `/graphql`. */

const info = (t: InputsOf) => ({
  info: t.field({ type: 'JSON', description: 'What the runner says of itself and its machine.' }),
  systemId: t.string({ description: 'What the machine calls itself.' }),
});

interface Known {
  readonly id: number;
  readonly token: string;
}
const known = (t: FieldsOf<Known>) => ({ runnerDatabaseId: t.exposeInt('id'), token: t.exposeString('token') });

mutation('ciRunnerRegister', {
  description: 'Makes a runner of the place of a registration token.',
  admission: { class: 'runner', registration: true },
  input: (t) => ({
    ...info(t),
    description: t.string(),
    maintenanceNote: t.string(),
    paused: t.boolean(),
    locked: t.boolean(),
    runUntagged: t.boolean(),
    accessLevel: t.field({ type: CiRunnerAccessLevel }),
    maximumTimeout: t.int(),
    tagList: t.stringList(),
  }),
  payload: known,
  resolve: async (context, { info: _info, systemId: _systemId, ...given }) => {
    const { credential } = context.viewer;
    if (credential?.kind !== 'registration') throw new Forbidden();
    const { projectId, groupId } = credential;
    const type = projectId !== null ? 'project_type' : groupId !== null ? 'group_type' : 'instance_type';
    return await makeRunner(context, { type, projectId, groupId }, given, 'registered');
  },
});

mutation('ciRunnerVerify', {
  description: 'Whether the token of a runner is known.',
  admission: { class: 'runner' },
  input: (t) => ({
    ...info(t),
    token: t.string({ required: true, description: 'Its token, which the answer repeats.' }),
  }),
  payload: known,
  resolve: async (context, { info: said, systemId, token }) => {
    await noteMachine(context, machineOf(said, systemId));
    return { id: runnerOf(context.viewer), token };
  },
});

mutation('ciRunnerUnregister', {
  description: 'Removes a runner, by its token.',
  admission: { class: 'runner' },
  input: () => ({}),
  payload: (t: FieldsOf<{ readonly id: number }>) => ({ runnerDatabaseId: t.exposeInt('id') }),
  resolve: async (context) => {
    const id = runnerOf(context.viewer);
    await context.database.rows(deleteRunner, [id]);
    return { id };
  },
});

mutation('ciRunnerManagerRemove', {
  description: 'Removes a machine of a runner, by the token of the runner.',
  admission: { class: 'runner' },
  input: (t) => ({ systemId: t.string({ required: true }) }),
  payload: (t: FieldsOf<{ readonly id: number }>) => ({ runnerDatabaseId: t.exposeInt('id') }),
  resolve: async (context, { systemId }) => {
    const id = runnerOf(context.viewer);
    await context.database.rows(deleteManager, [id, systemId]);
    return { id };
  },
});

mutation('ciRunnerTokenReset', {
  description: 'Gives a runner another token, by its token. The former one is void at once.',
  admission: { class: 'runner' },
  input: () => ({}),
  payload: known,
  resolve: async (context) => {
    const id = runnerOf(context.viewer);
    const { secret, digest } = newToken('runner');
    const [changed] = await context.database.rows(replaceToken, [id, digest]);
    if (!changed) throw new Forbidden();
    return { id, token: secret };
  },
});
