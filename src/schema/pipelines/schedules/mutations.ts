import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { Forbidden, InvalidFields, NotFound, PreconditionFailed } from '../../../errors.ts';
import { audit } from '../../../oauth/index.ts';
import { runPipelines, writes } from '../../../policy/index.ts';
import type { AuditKind } from '../../../values/kinds/audit-kinds.ts';
import { tooLong } from '../../../values/text/lengths.ts';
import { builder } from '../../engine/builder.ts';
import { Problems } from '../../engine/input.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { repositoryIn, type RepositoryRecord } from '../../repository/repositories/look-up.ts';
import { VariableTypeEnum } from '../variables/types.ts';
import { nextRun, problemsOfCron, problemsOfZone } from './clock.ts';
import { scheduleFor } from './look-up.ts';
import { deleteSchedule, insertSchedule, lockSchedule, ownSchedule, updateSchedule } from './statements/changes.ts';
import { findSchedule, findScheduleVariables, type ScheduleRow } from './statements/reading.ts';
import { PipelineSchedule } from './types.ts';
import {
  changeScheduleVariable,
  makeScheduleVariable,
  removeScheduleVariable,
  type GivenScheduleVariable,
} from './variables.ts';

/** Making, changing and deleting schedules. */

/** Schedules of one project. */
const mostSchedules = 100;
const longestText = 255;

/** What a schedule says. */
interface Timetable {
  readonly description: string;
  readonly ref: string;
  readonly cron: string;
  readonly cronTimezone: string;
}

/** @throws InvalidFields */
function check({ description, ref, cron, cronTimezone }: Timetable): void {
  const problems = new Problems();
  for (const [field, value] of Object.entries({ description, ref })) {
    if (value.trim() === '') problems.add(field, ["can't be blank"]);
    if (value.length > longestText) problems.add(field, [tooLong(longestText)]);
  }
  const ofZone = problemsOfZone(cronTimezone);
  problems.add('cron', problemsOfCron(cron, ofZone.length === 0 ? cronTimezone : 'UTC'));
  problems.add('cronTimezone', ofZone);
  problems.refuse();
}

const note = (
  sql: Sql,
  { viewer, origin }: Context,
  { fullPath }: RepositoryRecord,
  kind: AuditKind & `pipeline_schedule_${string}`,
  description: string,
) => audit({ sql, origin }, { kind, actorId: viewer.person?.id ?? null, detail: `${description} of ${fullPath}` });

export const schedulePayload = (t: FieldsOf<{ schedule: ScheduleRow }>) => ({
  pipelineSchedule: t.expose('schedule', { type: PipelineSchedule }),
});

export const scheduleName = (t: InputsOf) => ({
  projectPath: t.id({
    description: 'Full path, global id or number of its project. Omitted: the project that the schedule belongs to.',
  }),
  id: t.field({ type: 'CiPipelineScheduleID', required: true }),
});

const VariableInput = builder.inputType('PipelineScheduleVariableInput', {
  description: 'A variable of the pipelines of a schedule.',
  fields: (t) => ({
    id: t.id({ description: 'The variable to change. Omitted: that of this name, or a new one.' }),
    key: t.string({ required: true, description: 'Its name: letters, digits and `_`.' }),
    value: t.string({ required: true, description: 'At most 10,000 characters.' }),
    variableType: t.field({ type: VariableTypeEnum }),
    destroy: t.boolean({ description: 'Whether to delete it.' }),
  }),
});

type GivenVariable = typeof VariableInput.$inferInput;

/** @throws InvalidFields */
async function setVariables(
  context: Context,
  sql: Sql,
  scheduleId: number,
  given: readonly GivenVariable[] | null | undefined,
): Promise<void> {
  if (!given || given.length === 0) return;
  const known = new Set((await sql.rows(findScheduleVariables, [scheduleId])).map(({ key }) => key));
  for (const { destroy, key, ...rest } of given) {
    const one: GivenScheduleVariable = { key: key.trim(), ...rest };
    if (destroy && known.has(one.key)) await removeScheduleVariable(sql, scheduleId, one.key);
    else if (known.has(one.key)) await changeScheduleVariable(context, sql, scheduleId, one);
    else if (!destroy) await makeScheduleVariable(context, sql, scheduleId, one);
  }
}

async function read(sql: Sql, { projectId, id }: { projectId: number; id: number }): Promise<ScheduleRow> {
  const [schedule] = await sql.rows(findSchedule, [projectId, id]);
  // A concurrent request deleted it.
  if (!schedule) throw new NotFound('Pipeline Schedule');
  return schedule;
}

mutation('pipelineScheduleCreate', {
  description: 'Makes a schedule: pipelines that start by the clock, with your rights. From Developer up.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    description: t.string({ required: true }),
    ref: t.string({ required: true, description: 'A branch or tag.' }),
    cron: t.string({
      required: true,
      description: 'When: minute, hour, day of the month, month, day of the week. At most every ten minutes.',
    }),
    cronTimezone: t.string({ description: 'The zone of these times, as in the IANA database. UTC, if omitted.' }),
    active: t.boolean({ description: 'Whether it runs. It does, if omitted.' }),
    variables: t.field({ type: [VariableInput] }),
  }),
  payload: schedulePayload,
  resolve: async (context, { projectPath, description, ref, cron, cronTimezone, active, variables }) => {
    const repository = await repositoryIn(context, projectPath, runPipelines);
    // The operator is no one whose rights a pipeline could have.
    if (repository.archived || context.viewer.person === null) throw new Forbidden();
    const { id: owner } = context.viewer.person;
    const given = { description, ref, cron: cron.trim(), cronTimezone: cronTimezone || 'UTC' };
    check(given);
    const next = nextRun({ ...given, lastRunAt: null }, new Date());
    return await context.database.transaction(async (sql) => {
      const values = [repository.id, owner, description, ref, given.cron, given.cronTimezone, active ?? true, next];
      const [made] = await sql.rows(insertSchedule, [...values, mostSchedules]);
      if (!made)
        throw new InvalidFields({ base: [`Maximum number of pipeline schedules (${mostSchedules}) exceeded`] });
      await setVariables(context, sql, made.id, variables);
      await note(sql, context, repository, 'pipeline_schedule_created', description);
      return { schedule: await read(sql, { projectId: repository.id, id: made.id }) };
    });
  },
});

mutation('pipelineScheduleUpdate', {
  description: 'Changes a schedule. For its owner. Omitted fields stay as they are.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    ...scheduleName(t),
    description: t.string(),
    ref: t.string({ description: 'A branch or tag.' }),
    cron: t.string({ description: 'When: minute, hour, day of the month, month, day of the week.' }),
    cronTimezone: t.string({ description: 'The zone of these times.' }),
    active: t.boolean(),
    variables: t.field({ type: [VariableInput], description: 'Those that change.' }),
  }),
  payload: schedulePayload,
  resolve: async (context, { variables, description, ref, cron, cronTimezone, active, ...name }) => {
    const { repository, schedule } = await scheduleFor(context, name, 'change');
    return await context.database.transaction(async (sql) => {
      const [before] = await sql.rows(lockSchedule, [repository.id, schedule.id]);
      if (!before) throw new NotFound('Pipeline Schedule');
      const after = {
        description: description ?? before.description,
        ref: ref ?? before.ref,
        cron: cron?.trim() ?? before.cron,
        cronTimezone: cronTimezone ?? before.cronTimezone,
        active: active ?? before.active,
      };
      check(after);
      const isRetimed =
        after.cron !== before.cron || after.cronTimezone !== before.cronTimezone || (after.active && !before.active);
      const next = isRetimed ? nextRun({ ...before, ...after }, new Date()) : before.nextRunAt;
      await sql.rows(updateSchedule, [
        before.id,
        after.description,
        after.ref,
        after.cron,
        after.cronTimezone,
        after.active,
        next,
      ]);
      await setVariables(context, sql, before.id, variables);
      await note(sql, context, repository, 'pipeline_schedule_updated', after.description);
      return { schedule: await read(sql, before) };
    });
  },
});

mutation('pipelineScheduleTakeOwnership', {
  description: 'Makes a schedule yours: from now on its pipelines have your rights. For maintainers.',
  admission: { class: 'token', scopes: writes },
  input: scheduleName,
  payload: schedulePayload,
  resolve: async (context, name) => {
    const { repository, schedule } = await scheduleFor(context, name, 'takeOwnership');
    return await context.database.transaction(async (sql) => {
      await sql.rows(ownSchedule, [schedule.id, context.viewer.person!.id]);
      await note(sql, context, repository, 'pipeline_schedule_taken', schedule.description);
      return { schedule: await read(sql, schedule) };
    });
  },
});

mutation('pipelineScheduleDelete', {
  description: 'Deletes a schedule. For its owner and for maintainers.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    ...scheduleName(t),
    unmodifiedSince: t.field({
      type: 'Time',
      description: 'Refuses it if the schedule was changed after this moment. Fractions of a second are ignored.',
    }),
  }),
  payload: (t: FieldsOf<{ id: number }>) => ({
    deletedDatabaseId: t.exposeInt('id', { description: 'The number of the schedule.' }),
  }),
  resolve: async (context, { unmodifiedSince, ...name }) => {
    const { repository, schedule } = await scheduleFor(context, name, 'administer');
    return await context.database.transaction(async (sql) => {
      const [before] = await sql.rows(lockSchedule, [repository.id, schedule.id]);
      if (!before) throw new NotFound('Pipeline Schedule');
      const second = (moment: Date) => Math.floor(moment.getTime() / 1000);
      if (unmodifiedSince && second(before.updatedAt) > second(unmodifiedSince)) throw new PreconditionFailed();
      await sql.rows(deleteSchedule, [before.id]);
      await note(sql, context, repository, 'pipeline_schedule_deleted', before.description);
      return { id: before.id };
    });
  },
});
