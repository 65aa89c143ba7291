import type { InputFieldMap } from '@pothos/core';
import { writes } from '../../../policy/index.ts';
import type { VariableScope } from '../../../values/ci/variables.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { changeVariable, makeVariable, removeVariable } from './change.ts';
import { VariableFilter } from './fields.ts';
import { variablePlace } from './place.ts';
import type { VariableRow } from './statements/reading.ts';
import { variableTypesOf, VariableTypeEnum } from './types.ts';

/** Setting variables: for maintainers of a project, owners of a group, administrators. */

const path = (t: InputsOf) => t.id({ required: true, description: 'Full path, global id or number.' });
const name = (t: InputsOf) => t.string({ required: true, description: 'Its name: letters, digits and `_`.' });

/** What the input of a mutation for a place has besides: what names the place. */
const placeInputs = {
  project: (t: InputsOf) => ({ projectPath: path(t) }),
  group: (t: InputsOf) => ({ groupPath: path(t) }),
  instance: () => ({}),
} as const satisfies Record<VariableScope, (t: InputsOf) => InputFieldMap>;

const pathIn = (input: object) => {
  const { projectPath, groupPath } = input as { readonly projectPath?: string; readonly groupPath?: string };
  return projectPath ?? groupPath ?? '';
};

const attributes = (t: InputsOf) => ({
  value: t.string({ description: 'At most 10,000 characters.' }),
  variableType: t.field({ type: VariableTypeEnum, description: 'A value, if omitted.' }),
  protected: t.boolean({ description: 'Whether only jobs of protected branches and tags get it.' }),
  masked: t.boolean({ description: 'Whether logs show something else in place of the value.' }),
  raw: t.boolean({ description: 'Whether references to other variables in the value stay as they are.' }),
  description: t.string(),
});

const environments = (t: InputsOf) => ({
  environmentScope: t.string({
    description: 'The environments whose jobs get it: a name, or a pattern with `*`. All, if omitted.',
  }),
});

const hiding = (t: InputsOf) => ({
  maskedAndHidden: t.boolean({ description: 'Whether it is masked, and its value is never shown again.' }),
});

const which = (t: InputsOf) => ({ filter: t.field({ type: VariableFilter }) });

const unmodified = (t: InputsOf) => ({
  unmodifiedSince: t.field({
    type: 'Time',
    description: 'Refuses it if the variable was changed after this moment. Fractions of a second are ignored.',
  }),
});

/** Variables of the instance are for all environments, and aren’t hidden. */
const ofPlaces = <Map extends InputFieldMap>(scope: VariableScope, fields: Map): Map | Record<never, never> =>
  scope === 'instance' ? {} : fields;

for (const scope of ['project', 'group', 'instance'] as const) {
  const where = { project: 'a project', group: 'a group', instance: 'the instance' }[scope];
  const payload = (t: FieldsOf<{ variable: VariableRow }>) => ({
    variable: t.expose('variable', { type: variableTypesOf[scope] }),
  });

  mutation(`${scope}VariableCreate`, {
    description: `Sets a new variable of ${where}.`,
    admission: { class: 'token', scopes: writes },
    input: (t) =>
      ({
        ...placeInputs[scope](t),
        key: name(t),
        ...attributes(t),
        ...ofPlaces(scope, { ...environments(t), ...hiding(t) }),
      }) as { key: ReturnType<typeof name> } & ReturnType<typeof attributes> &
        ReturnType<typeof environments> &
        ReturnType<typeof hiding>,
    payload,
    resolve: async (context, input) => {
      const place = await variablePlace(context, scope, pathIn(input), 'change');
      return { variable: await makeVariable(context, place, input) };
    },
  });

  mutation(`${scope}VariableUpdate`, {
    description: `Changes a variable of ${where}. Omitted fields stay as they are.`,
    admission: { class: 'token', scopes: writes },
    input: (t) =>
      ({
        ...placeInputs[scope](t),
        key: name(t),
        ...attributes(t),
        ...ofPlaces(scope, { ...environments(t), ...which(t) }),
      }) as { key: ReturnType<typeof name> } & ReturnType<typeof attributes> &
        ReturnType<typeof environments> &
        ReturnType<typeof which>,
    payload,
    resolve: async (context, { key, filter, ...given }) => {
      const place = await variablePlace(context, scope, pathIn(given), 'change');
      return { variable: await changeVariable(context, place, { key, filter }, given) };
    },
  });

  mutation(`${scope}VariableDelete`, {
    description: `Deletes a variable of ${where}.`,
    admission: { class: 'token', scopes: writes },
    input: (t) =>
      ({ ...placeInputs[scope](t), key: name(t), ...ofPlaces(scope, which(t)), ...unmodified(t) }) as {
        key: ReturnType<typeof name>;
      } & ReturnType<typeof which> &
        ReturnType<typeof unmodified>,
    payload,
    resolve: async (context, { key, filter, unmodifiedSince, ...given }) => {
      const place = await variablePlace(context, scope, pathIn(given), 'change');
      return { variable: await removeVariable(context, place, { key, filter }, unmodifiedSince) };
    },
  });
}
