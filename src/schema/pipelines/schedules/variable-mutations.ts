import { writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { VariableTypeEnum } from '../variables/types.ts';
import { scheduleFor } from './look-up.ts';
import { scheduleName } from './mutations.ts';
import type { ScheduleVariableRow } from './statements/reading.ts';
import { ScheduleVariable } from './types.ts';
import { changeScheduleVariable, makeScheduleVariable, removeScheduleVariable } from './variables.ts';

/** Setting single variables of a schedule, for its owner. */

const payload = (t: FieldsOf<{ variable: ScheduleVariableRow }>) => ({
  variable: t.expose('variable', { type: ScheduleVariable }),
});

const key = (t: InputsOf) => t.string({ required: true, description: 'Its name: letters, digits and `_`.' });

const attributes = (t: InputsOf) => ({
  variableType: t.field({ type: VariableTypeEnum, description: 'A value, if omitted.' }),
  raw: t.boolean({ description: 'Whether references to other variables in the value stay as they are.' }),
});

mutation('pipelineScheduleVariableCreate', {
  description: 'Sets a new variable of the pipelines of a schedule.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    ...scheduleName(t),
    key: key(t),
    value: t.string({ required: true, description: 'At most 10,000 characters.' }),
    ...attributes(t),
  }),
  payload,
  resolve: async (context, { key: name, value, variableType, raw, ...which }) => {
    const { schedule } = await scheduleFor(context, which, 'change');
    const given = { key: name, value, variableType, raw };
    return {
      variable: await context.database.transaction((sql) => makeScheduleVariable(context, sql, schedule.id, given)),
    };
  },
});

mutation('pipelineScheduleVariableUpdate', {
  description: 'Changes a variable of the pipelines of a schedule. Omitted fields stay as they are.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    ...scheduleName(t),
    key: key(t),
    value: t.string({ description: 'At most 10,000 characters.' }),
    ...attributes(t),
  }),
  payload,
  resolve: async (context, { key: name, value, variableType, raw, ...which }) => {
    const { schedule } = await scheduleFor(context, which, 'change');
    const given = { key: name, value, variableType, raw };
    return {
      variable: await context.database.transaction((sql) => changeScheduleVariable(context, sql, schedule.id, given)),
    };
  },
});

mutation('pipelineScheduleVariableDelete', {
  description: 'Deletes a variable of the pipelines of a schedule.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({ ...scheduleName(t), key: key(t) }),
  payload,
  resolve: async (context, { key: name, ...which }) => {
    const { schedule } = await scheduleFor(context, which, 'change');
    return {
      variable: await context.database.transaction((sql) => removeScheduleVariable(sql, schedule.id, name)),
    };
  },
});
