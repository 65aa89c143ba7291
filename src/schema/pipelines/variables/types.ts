import type { Context } from '../../../context.ts';
import { variableTypes, type VariableScope } from '../../../values/ci/variables.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import { openSecret } from './sealing.ts';
import type { VariableRow } from './statements/reading.ts';

/** What the value of a variable is bound to. The name and the place of a variable never change. */
export function rowOf({ projectId, groupId, key }: Pick<VariableRow, 'projectId' | 'groupId' | 'key'>): string {
  const place = projectId !== null ? `project ${projectId}` : groupId !== null ? `group ${groupId}` : 'the instance';
  return `ci variable ${key} of ${place}`;
}

export const VariableTypeEnum = builder.enumType('CiVariableType', {
  description: 'What a job gets.',
  values: {
    ENV_VAR: { value: variableTypes[0], description: 'The value.' },
    FILE: { value: variableTypes[1], description: 'The name of a file with the value.' },
  },
});

export const VariableSort = builder.enumType('CiVariableSort', {
  values: {
    KEY_ASC: { value: 'key_asc' },
    KEY_DESC: { value: 'key_desc' },
    ID_ASC: { value: 'id_asc' },
    ID_DESC: { value: 'id_desc' },
  },
});

const scopeOf = ({ projectId, groupId }: VariableRow): VariableScope =>
  projectId !== null ? 'project' : groupId !== null ? 'group' : 'instance';

const globalTypes = { project: 'Ci::Variable', group: 'Ci::GroupVariable', instance: 'Ci::InstanceVariable' } as const;
const names = { project: 'CiProjectVariable', group: 'CiGroupVariable', instance: 'CiInstanceVariable' } as const;

const CiVariable = builder.interfaceRef<VariableRow>('CiVariable').implement({
  description: 'A variable that jobs get.',
  resolveType: (variable) => names[scopeOf(variable as VariableRow)],
  fields: (t) => ({
    key: t.exposeString('key', { nullable: true, description: 'Its name.' }),
    value: t.string({
      nullable: true,
      description: 'Null if it is hidden, or if no instance key opens it any more.',
      resolve: (variable: VariableRow, _args: object, { keys }: Context) =>
        variable.hidden ? null : openSecret(keys, rowOf(variable), variable.sealed),
    }),
    variableType: t.field({ type: VariableTypeEnum, nullable: true, direct: true, resolve: (one) => one.variableType }),
    raw: t.exposeBoolean('raw', {
      nullable: true,
      description: 'Whether references to other variables in the value stay as they are.',
    }),
  }),
});

identify(CiVariable, (variable) => globalTypes[scopeOf(variable)]);

const variableType = (scope: VariableScope, description: string) =>
  builder.objectRef<VariableRow>(names[scope]).implement({
    description,
    interfaces: [CiVariable],
    fields: (t) => ({
      description: t.exposeString('description', { nullable: true }),
      environmentScope: t.exposeString('environmentScope', {
        nullable: true,
        description: 'The environments whose jobs get it: a name, or a pattern with `*`.',
      }),
      masked: t.exposeBoolean('masked', {
        nullable: true,
        description: 'Whether logs show something else in place of the value.',
      }),
      hidden: t.exposeBoolean('hidden', {
        nullable: true,
        description: 'Whether its value is never shown again.',
      }),
      protected: t.exposeBoolean('protected', {
        nullable: true,
        description: 'Whether only jobs of protected branches and tags get it.',
      }),
      createdAt: t.expose('createdAt', { type: 'Time' }),
      updatedAt: t.expose('updatedAt', { type: 'Time' }),
    }),
  });

/** The types of variables, by where they are set. */
export const variableTypesOf = {
  project: variableType('project', 'A variable of a project.'),
  group: variableType('group', 'A variable of a group, for all projects below it.'),
  instance: variableType('instance', 'A variable of the instance, for all projects.'),
};
