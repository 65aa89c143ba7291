import { variableTypes, type VariableScope } from '../../../values/ci/variables.ts';
import { flag, upper } from '../../engine/declared.ts';
import { listRoute } from '../../engine/list-route.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute, type Guard } from '../../engine/route.ts';
import { InstanceVariable, Variable, variableFields, type VariableData } from './record.ts';

/** The variables of projects, of groups and of the instance. */

const tag = 'CI variables';

interface Scope {
  readonly name: VariableScope;
  readonly path: string;
  readonly of: string;
  /** The connection of the schema. */
  readonly list: string;
  /** The argument of queries that names the place, and that of mutations. */
  readonly argument?: string;
  readonly input?: string;
}

const scopes: readonly Scope[] = [
  {
    name: 'project',
    path: '/api/v4/projects/:id/variables',
    of: 'a project',
    list: 'projectVariables',
    argument: 'project',
    input: 'projectPath',
  },
  {
    name: 'group',
    path: '/api/v4/groups/:id/variables',
    of: 'a group',
    list: 'groupVariables',
    argument: 'group',
    input: 'groupPath',
  },
  { name: 'instance', path: '/api/v4/admin/ci/variables', of: 'the instance', list: 'ciVariables' },
];

const value: Parameter = { name: 'value', type: 'string', verbatim: true, description: 'At most 10,000 characters.' };
const scopeDescription = 'The environments whose jobs get it: a name, or a pattern with `*`.';
const environment: Parameter = { name: 'environment_scope', type: 'string', description: scopeDescription };

const attributes: readonly Parameter[] = [
  {
    name: 'variable_type',
    type: 'string',
    allowed: variableTypes,
    description: '`file`: the job gets the name of a file with the value.',
  },
  flag('protected', 'Whether only jobs of protected branches and tags get it.'),
  flag('masked', 'Whether logs show something else in place of the value.'),
  flag('raw', 'Whether references to other variables in the value stay as they are.'),
  { name: 'description', type: 'string', description: 'At most 255 characters.' },
];

const filter: Parameter = {
  name: 'filter[environment_scope]',
  type: 'string',
  description: 'Of several variables of the name, the one for exactly these environments.',
};

const attributesIn = (values: Values) => ({
  variableType: upper(values.variable_type),
  protected: values.protected,
  masked: values.masked,
  raw: values.raw,
  description: values.description,
});

const filterIn = (values: Values) => ({ environmentScope: values[filter.name] });

function routesOf({ name, path, of, list, argument, input }: Scope): AnyRoute[] {
  const inPlace = argument !== undefined;
  const record = inPlace ? Variable : InstanceVariable;
  const single = `${path}/:key`;
  const field = (verb: string) => `${name}Variable${verb}`;
  const typeOf = (verb: string) => `${name[0]!.toUpperCase()}${name.slice(1)}Variable${verb}Input`;
  const filters = inPlace ? [filter] : [];
  const placeIn = ({ id }: Values) => (inPlace ? { [input!]: id } : {});

  /** Whether the caller may set variables: refused before a wrong parameter is. */
  const guard: Guard = {
    operation: inPlace
      ? `query ($place: ID!) { ${list}(${argument}: $place, first: 1) { count } }`
      : `query { ${list}(first: 1) { count } }`,
    variables: ({ id }) => (inPlace ? { place: id } : {}),
    before: 'every problem',
  };
  const mutates = (verb: string) =>
    `mutation ($input: ${typeOf(verb)}!) { ${field(verb)}(input: $input) { variable { ${variableFields} } } }`;
  type Changed = Record<string, { readonly variable: VariableData }>;

  return [
    listRoute<VariableData>({
      path,
      summary: `List the variables of ${of}`,
      tag,
      of: 'Variable',
      parameters: [],
      field: list,
      ...(inPlace && { args: { [argument]: 'ID!' } }),
      selection: variableFields,
      variables: ({ id }) => (inPlace ? { [argument]: id } : {}),
      record,
    }),
    route<Record<string, VariableData>>({
      method: 'GET',
      path: single,
      summary: `Get a variable of ${of}`,
      tag,
      parameters: filters,
      operation: inPlace
        ? `query ($place: ID!, $key: String!, $filter: CiVariableFilterInput) {
            ${name}Variable(${argument}: $place, key: $key, filter: $filter) { ${variableFields} }
          }`
        : `query ($key: String!) { instanceVariable(key: $key) { ${variableFields} } }`,
      variables: (values) => ({
        key: values.key,
        ...(inPlace && { place: values.id, filter: filterIn(values) }),
      }),
      record: recordOf(record, (data) => data[`${name}Variable`]!),
      refusals: inPlace ? [404, 409] : [404],
      dialect: 'version 4',
    }),
    route<Changed>({
      method: 'POST',
      path,
      summary: `Set a new variable of ${of}`,
      tag,
      parameters: [
        { name: 'key', type: 'string', required: true, description: 'Its name: letters, digits and `_`.' },
        { ...value, required: true },
        ...attributes,
        ...(inPlace
          ? [flag('masked_and_hidden', 'Whether it is masked, and its value is never shown again.'), environment]
          : []),
      ],
      example: { key: 'DEPLOY_TARGET', value: 'staging' },
      operation: mutates('Create'),
      variables: (values) => ({
        input: {
          ...placeIn(values),
          key: values.key ?? '',
          value: values.value ?? '',
          ...attributesIn(values),
          ...(inPlace && {
            maskedAndHidden: values.masked_and_hidden,
            environmentScope: values.environment_scope === null ? '' : values.environment_scope,
          }),
        },
      }),
      guard,
      status: 201,
      record: recordOf(record, (data) => data[field('Create')]!.variable),
      refusals: [404],
      dialect: 'version 4',
    }),
    route<Changed>({
      method: 'PUT',
      path: single,
      summary: `Change a variable of ${of}`,
      tag,
      parameters: [value, ...attributes, ...(inPlace ? [environment, filter] : [])],
      operation: mutates('Update'),
      variables: (values) => ({
        input: {
          ...placeIn(values),
          key: values.key,
          value: values.value === null ? '' : values.value,
          ...attributesIn(values),
          ...(inPlace && {
            environmentScope: values.environment_scope === null ? '' : values.environment_scope,
            filter: filterIn(values),
          }),
        },
      }),
      guard,
      record: recordOf(record, (data) => data[field('Update')]!.variable),
      refusals: inPlace ? [404, 409] : [404],
      dialect: 'version 4',
    }),
    route<unknown>({
      method: 'DELETE',
      path: single,
      summary: `Delete a variable of ${of}`,
      tag,
      parameters: filters,
      operation: `mutation ($input: ${typeOf('Delete')}!) { ${field('Delete')}(input: $input) { errors } }`,
      variables: (values, { unmodifiedSince }) => ({
        input: {
          ...placeIn(values),
          key: values.key,
          ...(inPlace && { filter: filterIn(values) }),
          unmodifiedSince,
        },
      }),
      // As with GitLab: a variable of a project is deleted unconditionally.
      ...(name !== 'project' && { conditional: true as const }),
      status: 204,
      record: NoContent,
      refusals: inPlace ? [404, 409] : [404],
      dialect: 'version 4',
    }),
  ];
}

export const variableRoutes: readonly AnyRoute[] = scopes.flatMap(routesOf);
