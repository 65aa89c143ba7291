import { variableTypes } from '../../../values/ci/variables.ts';
import { objectSchema, type Record } from '../../engine/record.ts';
import { flag, text, textOrNull } from '../../engine/schemas.ts';

export interface VariableData {
  readonly variableType: string;
  readonly key: string;
  readonly value: string | null;
  readonly hidden: boolean;
  readonly protected: boolean;
  readonly masked: boolean;
  readonly raw: boolean;
  readonly environmentScope: string;
  readonly description: string | null;
}

/** The fields that operations select for `Variable`. */
export const variableFields = 'variableType key value hidden protected masked raw environmentScope description';

const own = {
  variable_type: { ...text, enum: variableTypes },
  key: text,
  value: { ...textOrNull, description: 'Null if it is hidden.' },
  hidden: flag,
  protected: flag,
  masked: flag,
  raw: flag,
};

const presentOwn = (variable: VariableData) => ({
  variable_type: variable.variableType.toLowerCase(),
  key: variable.key,
  value: variable.value,
  hidden: variable.hidden,
  protected: variable.protected,
  masked: variable.masked,
  raw: variable.raw,
});

/** A variable of a project or a group. */
export const Variable: Record<VariableData> = {
  name: 'Variable',
  schema: objectSchema({ ...own, environment_scope: text, description: textOrNull }),
  present: (variable) =>
    Object.assign(presentOwn(variable), {
      environment_scope: variable.environmentScope,
      description: variable.description,
    }),
};

/** A variable of the instance: for all environments. */
export const InstanceVariable: Record<VariableData> = {
  name: 'InstanceVariable',
  schema: objectSchema({ ...own, description: textOrNull }),
  present: (variable) => Object.assign(presentOwn(variable), { description: variable.description }),
};
