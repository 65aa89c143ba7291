import { builder } from '../../engine/builder.ts';
import { identify, idScalar } from '../../engine/global-id.ts';
import { listOfEach, nestedList } from '../../engine/list.ts';
import { parent } from '../../../database/list.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { userById } from '../../accounts/users/read.ts';
import { Project } from '../../places/place/types.ts';
import { projectById } from '../../places/place/read.ts';
import { factsOf } from '../../places/projects/permissions.ts';
import type { Context } from '../../../context.ts';
import { readablePipelineById } from '../pipelines/read.ts';
import { Pipeline } from '../pipelines/types.ts';
import { VariableTypeEnum } from '../variables/types.ts';
import { may } from './rights.ts';
import {
  scheduleVariableList,
  scheduleVariableOrders,
  type ScheduleRow,
  type ScheduleVariableRow,
} from './statements/reading.ts';
import { valueOf } from './variables.ts';

const type = 'Ci::PipelineSchedule';

/** The number in a global id of a schedule. */
export const scheduleId = idScalar('CiPipelineScheduleID', type);

/** The name of a branch or tag without the folder of its full name. */
const shortRef = (ref: string): string => ref.replace(/^refs\/(?:heads|tags)\//, '');

const isTag = (ref: string) => ref.startsWith('refs/tags/');

const can = async (context: Context, schedule: ScheduleRow, to: keyof typeof may): Promise<boolean> => {
  const project = await projectById(context, schedule.projectId);
  return project !== null && !project.archived && may[to](context.viewer, await factsOf(context, project), schedule);
};

const SchedulePermissions = builder.objectRef<ScheduleRow>('PipelineSchedulePermissions').implement({
  description: 'What you may do with a schedule.',
  fields: (t) => {
    const field = (to: keyof typeof may, description: string) =>
      t.boolean({ description, resolve: (schedule, _args, context) => can(context, schedule, to) });
    return {
      updatePipelineSchedule: field('change', 'Whether you change it.'),
      adminPipelineSchedule: field('administer', 'Whether you delete it.'),
      takeOwnershipPipelineSchedule: field('takeOwnership', 'Whether you make it yours.'),
      playPipelineSchedule: field('play', 'Whether you run it now, if you may on its branch.'),
    };
  },
});

export const ScheduleVariable = builder.objectRef<ScheduleVariableRow>('PipelineScheduleVariable').implement({
  description: 'A variable of the pipelines of a schedule.',
  fields: (t) => ({
    key: t.exposeString('key', { nullable: true, description: 'Its name.' }),
    value: t.string({
      nullable: true,
      description: 'Null if no instance key opens it any more.',
      resolve: (variable, _args, { keys }) => valueOf(keys, variable),
    }),
    variableType: t.field({ type: VariableTypeEnum, nullable: true, direct: true, resolve: (one) => one.variableType }),
    raw: t.exposeBoolean('raw', { nullable: true }),
  }),
});

identify(ScheduleVariable, 'Ci::PipelineScheduleVariable');

export const PipelineSchedule = builder.objectRef<ScheduleRow>('PipelineSchedule').implement({
  description: 'When pipelines of a branch or tag start by the clock, with the rights of its owner.',
  fields: (t) => ({
    description: t.exposeString('description', { nullable: true }),
    ref: t.exposeString('ref', { nullable: true, description: 'A branch or tag.' }),
    refForDisplay: t.string({ nullable: true, direct: true, resolve: ({ ref }) => shortRef(ref) }),
    refPath: t.string({
      nullable: true,
      description: 'The path of its page.',
      direct: true,
      resolve: ({ projectPath, ref }) => `/${projectPath}/-/commits/${shortRef(ref)}`,
    }),
    forTag: t.boolean({ direct: true, resolve: ({ ref }) => isTag(ref) }),
    cron: t.exposeString('cron', { description: 'When: minute, hour, day of the month, month, day of the week.' }),
    cronTimezone: t.exposeString('cronTimezone', { nullable: true, description: 'The zone of these times.' }),
    active: t.exposeBoolean('active'),
    nextRunAt: t.expose('nextRunAt', { type: 'Time', nullable: true, description: 'When it runs next, if active.' }),
    realNextRun: t.expose('nextRunAt', { type: 'Time', nullable: true, description: 'The same.' }),
    lastProblem: t.exposeString('lastProblem', {
      nullable: true,
      description: 'Why the last attempt made no pipeline; null if it made one.',
    }),
    owner: t.field({
      type: UserCore,
      nullable: true,
      description: 'Null for a deleted person: it starts nothing any more.',
      resolve: ({ ownerId }, _args, context) => userById(context, ownerId),
    }),
    project: t.field({
      type: Project,
      nullable: true,
      resolve: ({ projectId }, _args, context) => projectById(context, projectId),
    }),
    lastPipeline: t.field({
      type: Pipeline,
      nullable: true,
      description: 'The newest that it started; null if it was deleted.',
      resolve: ({ lastPipelineId }, _args, context) =>
        lastPipelineId === null ? null : readablePipelineById(context, lastPipelineId),
    }),
    userPermissions: t.field({ type: SchedulePermissions, resolve: (schedule) => schedule }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    updatedAt: t.expose('updatedAt', { type: 'Time' }),
  }),
});

identify(PipelineSchedule, type);

const variablesOfEach = listOfEach(() => scheduleVariableList(parent));

nestedList(PipelineSchedule, 'variables', {
  type: ScheduleVariable,
  orders: scheduleVariableOrders,
  by: 'id_asc',
  nullable: true,
  description: 'The variables of its pipelines; null for those who may not delete it.',
  rows: async (context, _asked, _info, schedule) =>
    (await can(context, schedule, 'administer')) ? variablesOfEach(context, schedule.id, null) : null,
});
