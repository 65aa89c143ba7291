import { runnerAccessLevels, runnerStatus, runnerStatuses, runnerTypes } from '../../../values/ci/runners.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { userById } from '../../accounts/users/read.ts';
import { builder } from '../../engine/builder.ts';
import { idScalar, identify } from '../../engine/global-id.ts';
import type { ManagerRow, RunnerRow } from './statements/reading.ts';

const type = 'Ci::Runner';

/** The number in a global id of a runner. */
export const runnerId = idScalar('CiRunnerID', type);

const enumOf = <const Value extends string>(name: string, description: string, values: readonly Value[]) =>
  builder.enumType(name, {
    description,
    values: Object.fromEntries(values.map((value) => [value.toUpperCase(), { value }])) as Record<
      string,
      { value: Value }
    >,
  });

export const CiRunnerType = enumOf('CiRunnerType', 'Whose jobs a runner carries out.', runnerTypes);
export const CiRunnerStatus = enumOf('CiRunnerStatus', 'How long ago a runner asked for a job.', runnerStatuses);
export const CiRunnerAccessLevel = enumOf(
  'CiRunnerAccessLevel',
  'Whether a runner carries out all jobs, or those of protected branches and tags.',
  runnerAccessLevels,
);

/** A runner that was just made, with its token. */
export interface RunnerRecord extends RunnerRow {
  readonly token?: string;
}

export const CiRunner = builder.objectRef<RunnerRecord>('CiRunner').implement({
  description: 'A program on another machine that carries out jobs.',
  fields: (t) => ({
    description: t.exposeString('description', { nullable: true }),
    maintenanceNote: t.exposeString('maintenanceNote', { nullable: true, description: 'For administrators.' }),
    runnerType: t.expose('kind', { type: CiRunnerType }),
    active: t.boolean({ direct: true, description: 'Whether it gets jobs.', resolve: ({ paused }) => !paused }),
    paused: t.exposeBoolean('paused', { description: 'Whether it gets no jobs.' }),
    locked: t.exposeBoolean('locked', { nullable: true, description: 'Whether no further project gets it.' }),
    runUntagged: t.exposeBoolean('runUntagged', { description: 'Whether it carries out jobs without tags.' }),
    accessLevel: t.field({
      type: CiRunnerAccessLevel,
      direct: true,
      resolve: ({ isProtected }) => (isProtected ? 'ref_protected' : 'not_protected'),
    }),
    maximumTimeout: t.exposeInt('maximumTimeout', { nullable: true, description: 'In seconds.' }),
    tagList: t.field({ type: ['String'], nullable: true, direct: true, resolve: ({ tags }) => [...tags] }),
    status: t.field({
      type: CiRunnerStatus,
      direct: true,
      resolve: ({ contactedAt, createdAt }) => runnerStatus(contactedAt, createdAt),
    }),
    contactedAt: t.expose('contactedAt', { type: 'Time', nullable: true, description: 'Within a minute.' }),
    createdAt: t.expose('createdAt', { type: 'Time', nullable: true }),
    version: t.exposeString('version', {
      nullable: true,
      description: 'Of its latest machine, as are those that follow.',
    }),
    revision: t.exposeString('revision', { nullable: true }),
    platformName: t.exposeString('platform', { nullable: true }),
    architectureName: t.exposeString('architecture', { nullable: true }),
    executorName: t.exposeString('executor', { nullable: true }),
    ipAddress: t.exposeString('ipAddress', { nullable: true }),
    createdBy: t.field({
      type: UserCore,
      nullable: true,
      description: 'Who made it; null for a deleted person, and where it registered itself.',
      resolve: ({ creatorId }, _args, context) => userById(context, creatorId),
    }),
    ephemeralAuthenticationToken: t.string({
      nullable: true,
      direct: true,
      description: 'Its token, in the answer to its making. It is shown once.',
      resolve: ({ token }) => token ?? null,
    }),
  }),
});
identify(CiRunner, type);

export const CiRunnerManager = builder.objectRef<ManagerRow>('CiRunnerManager').implement({
  description: 'A machine that asks for jobs with the token of a runner.',
  fields: (t) => ({
    systemId: t.exposeString('systemId', { description: 'What it calls itself.' }),
    status: t.field({
      type: CiRunnerStatus,
      direct: true,
      resolve: ({ contactedAt, createdAt }) => runnerStatus(contactedAt, createdAt),
    }),
    contactedAt: t.expose('contactedAt', { type: 'Time', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'Time', nullable: true }),
    version: t.exposeString('version', { nullable: true }),
    revision: t.exposeString('revision', { nullable: true }),
    platformName: t.exposeString('platform', { nullable: true }),
    architectureName: t.exposeString('architecture', { nullable: true }),
    executorName: t.exposeString('executor', { nullable: true }),
    ipAddress: t.exposeString('ipAddress', { nullable: true }),
  }),
});
identify(CiRunnerManager, 'Ci::RunnerManager');
