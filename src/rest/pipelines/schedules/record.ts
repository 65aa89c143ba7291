import { variableTypes } from '../../../values/ci/variables.ts';
import { objectSchema, type Record } from '../../engine/record.ts';
import { moment, text } from '../../engine/schemas.ts';
import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';

export interface ScheduleData {
  readonly id: number;
  readonly description: string;
  readonly ref: string;
  readonly cron: string;
  readonly cronTimezone: string;
  readonly nextRunAt: string | null;
  readonly active: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly owner: UserBasicData | null;
}

export interface ScheduleVariableData {
  readonly variableType: string;
  readonly key: string;
  readonly value: string | null;
  readonly raw: boolean;
}

export interface ScheduleDetailsData extends ScheduleData {
  readonly lastPipeline: {
    readonly id: number;
    readonly sha: string;
    readonly ref: string;
    readonly status: string;
  } | null;
  /** Null for those who don't see them. */
  readonly variables: { readonly nodes: readonly ScheduleVariableData[] } | null;
}

export const scheduleFields = `id: databaseId description ref cron cronTimezone nextRunAt active createdAt updatedAt
  owner { ${userBasicFields} }`;
export const scheduleVariableFields = 'variableType key value raw';
/** The fields that operations select for `ScheduleDetails`. A schedule has no more variables than a page. */
export const scheduleDetailFields = `${scheduleFields} lastPipeline { id: databaseId sha ref status }
  variables(first: 100) { nodes { ${scheduleVariableFields} } }`;

const own = {
  id: { type: 'integer' },
  description: text,
  ref: { ...text, description: 'A branch or tag.' },
  cron: { ...text, description: 'Minute, hour, day of the month, month, day of the week.' },
  cron_timezone: text,
  next_run_at: { ...moment, type: ['string', 'null'] },
  active: { type: 'boolean' },
  created_at: moment,
  updated_at: moment,
  owner: { ...UserBasic.schema, type: ['object', 'null'] },
} as const;

const presentOwn = (schedule: ScheduleData) => ({
  id: schedule.id,
  description: schedule.description,
  ref: schedule.ref,
  cron: schedule.cron,
  cron_timezone: schedule.cronTimezone,
  next_run_at: schedule.nextRunAt,
  active: schedule.active,
  created_at: schedule.createdAt,
  updated_at: schedule.updatedAt,
  owner: schedule.owner && UserBasic.present(schedule.owner),
});

/** A schedule, as lists show it. */
export const Schedule: Record<ScheduleData> = {
  name: 'PipelineSchedule',
  schema: objectSchema(own),
  present: presentOwn,
};

/** A variable of the pipelines of a schedule. */
export const ScheduleVariable: Record<ScheduleVariableData> = {
  name: 'PipelineScheduleVariable',
  schema: objectSchema({
    variable_type: { ...text, enum: variableTypes },
    key: text,
    value: { type: ['string', 'null'] },
    raw: { type: 'boolean' },
  }),
  present: ({ variableType, key, value, raw }) => ({ variable_type: variableType.toLowerCase(), key, value, raw }),
};

/** A schedule with its last pipeline; with its variables for those who may delete it. */
export const ScheduleDetails: Record<ScheduleDetailsData> = {
  name: 'PipelineScheduleDetails',
  schema: objectSchema(
    {
      ...own,
      last_pipeline: {
        ...objectSchema({ id: { type: 'integer' }, sha: text, ref: text, status: text }),
        type: ['object', 'null'],
      },
      variables: { type: 'array', items: ScheduleVariable.schema },
    },
    ['variables'],
  ),
  present: (schedule) => {
    const { lastPipeline: last, variables } = schedule;
    return Object.assign(presentOwn(schedule), {
      last_pipeline: last && { id: last.id, sha: last.sha, ref: last.ref, status: last.status.toLowerCase() },
      ...(variables && { variables: variables.nodes.map(ScheduleVariable.present) }),
    });
  },
};
