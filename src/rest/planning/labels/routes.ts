import { largestInteger } from '../../../values/integers.ts';
import { listRoute } from '../../engine/list-route.ts';
import type { Declaration, Parameter, Values } from '../../engine/parameters.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { countFields, GroupLabel, placeLabelFields, ProjectLabel, type PlaceLabelData } from './record.ts';

const tag = 'Labels';

type Scope = 'project' | 'group';

const records = { project: ProjectLabel, group: GroupLabel } as const;

const color: Parameter = {
  name: 'color',
  type: 'string',
  description: '`#rgb`, `#rrggbb`, or a name that CSS has.',
};
const description: Parameter = { name: 'description', type: 'string', description: 'What it is for.' };
const priority: Parameter = {
  name: 'priority',
  type: 'integer',
  largest: largestInteger,
  description: 'Its priority in the project, 0 first; empty: none.',
};

const includeAncestors: Parameter = {
  name: 'include_ancestor_groups',
  type: 'boolean',
  default: true,
  description: 'Whether to include the labels of all groups above.',
};
/** Which labels a list has, and where one is looked for. */
const around: Readonly<Record<Scope, readonly Parameter[]>> = {
  project: [includeAncestors],
  group: [
    includeAncestors,
    {
      name: 'include_descendant_groups',
      type: 'boolean',
      default: false,
      description: 'Whether to include the labels of subgroups.',
    },
    {
      name: 'only_group_labels',
      type: 'boolean',
      default: true,
      description: '`false`: includes the labels of the group’s projects.',
    },
  ],
};

const aroundArgs = {
  includeAncestorGroups: 'Boolean',
  includeDescendantGroups: 'Boolean',
  onlyGroupLabels: 'Boolean',
} as const;

const aroundOf = (values: Values) => ({
  includeAncestorGroups: values.include_ancestor_groups,
  includeDescendantGroups: values.include_descendant_groups,
  onlyGroupLabels: values.only_group_labels,
});

const declared = Object.entries(aroundArgs)
  .map(([name, type]) => `, $${name}: ${type}`)
  .join('');
const passed = Object.keys(aroundArgs)
  .map((name) => `, ${name}: $${name}`)
  .join('');

/** The old form: which label, as a parameter. */
const named: readonly Declaration[] = [
  { name: 'label_id', type: 'integer', description: 'ID of the label.' },
  { name: 'name', type: 'string', description: 'Title of the label.' },
  { rule: 'exactly one', of: ['label_id', 'name'] },
];

const nameIn = (values: Values) => ({ name: String(values.label_id ?? values.name ?? '') });

/** The routes of labels, which projects and groups have alike. */
function ofPlace(scope: Scope): AnyRoute[] {
  const path = `/api/v4/${scope}s/:id/labels`;
  const single = `${path}/:name`;
  const selection = placeLabelFields[scope];
  const record = records[scope];
  const placeIn = ({ id }: Values) => ({ [`${scope}Path`]: id });
  const own: readonly Parameter[] = [color, description, ...(scope === 'project' ? [priority] : [])];
  const changed = ['new_name', ...own.map(({ name }) => name)];

  /** A change of one label: by its name in the path, or in the old form. */
  const update = (at: string, which: readonly Declaration[]) =>
    route<{ labelUpdate: { label: PlaceLabelData } }>({
      method: 'PUT',
      path: at,
      summary: `Change a label of a ${scope}${which.length > 0 ? ', in the old form' : ''}`,
      tag,
      parameters: [
        ...which,
        { name: 'new_name', type: 'string', description: 'New title.' },
        ...own,
        { name: 'archived', type: 'boolean', description: 'Whether it is archived.' },
        { rule: 'at least one', of: changed, unnamed: ['archived'] },
      ],
      example: { color: '#aa2211', ...(which.length > 0 && { name: 'bug' }) },
      operation: `mutation ($input: LabelUpdateInput!) { labelUpdate(input: $input) { label { ${selection} } } }`,
      variables: (values) => ({
        input: {
          ...placeIn(values),
          ...nameIn(values),
          title: values.new_name,
          color: values.color,
          description: values.description,
          priority: values.priority,
          archived: values.archived ?? undefined,
        },
      }),
      record: recordOf(record, ({ labelUpdate }) => labelUpdate.label),
      dialect: 'version 4',
    });

  const remove = (at: string, which: readonly Declaration[]) =>
    route<unknown>({
      method: 'DELETE',
      path: at,
      summary: `Remove a label of a ${scope}${which.length > 0 ? ', in the old form' : ''}`,
      tag,
      parameters: which,
      ...(which.length > 0 && { example: { name: 'bug' } }),
      operation: 'mutation ($input: LabelDeleteInput!) { labelDelete(input: $input) { label { databaseId } } }',
      variables: (values, { unmodifiedSince }) => ({
        input: { ...placeIn(values), ...nameIn(values), unmodifiedSince },
      }),
      conditional: true,
      status: 204,
      record: NoContent,
      dialect: 'version 4',
    });

  const subscription = (at: string, subscribedState: boolean) =>
    route<{ labelSetSubscription: { label: PlaceLabelData; changed: boolean } }>({
      method: 'POST',
      path: `${single}/${at}`,
      summary: `${subscribedState ? 'Subscribe to' : 'Unsubscribe from'} a label of a ${scope}`,
      tag,
      parameters: [],
      operation: `mutation ($input: LabelSetSubscriptionInput!) {
        labelSetSubscription(input: $input) { changed label { ${selection} } }
      }`,
      variables: (values) => ({ input: { ...placeIn(values), ...nameIn(values), subscribedState } }),
      status: 201,
      unchanged: ({ labelSetSubscription }) => !labelSetSubscription.changed,
      record: recordOf(record, ({ labelSetSubscription }) => labelSetSubscription.label),
      dialect: 'version 4',
    });

  return [
    listRoute<PlaceLabelData>({
      path,
      summary: `List the labels of a ${scope}`,
      tag,
      of: 'Label',
      parameters: [
        {
          name: 'with_counts',
          type: 'boolean',
          default: false,
          description: 'Whether to count issues and merge requests.',
        },
        ...around[scope],
        { name: 'search', type: 'string', description: 'Words in the title or the description.' },
        { name: 'archived', type: 'boolean', description: 'Only archived labels, or only others.' },
      ],
      field: 'labels',
      args: { [scope]: 'ID', ...aroundArgs, search: 'String', archived: 'Boolean' },
      selection: `${selection} ${countFields}`,
      selects: { counts: 'Boolean!' },
      variables: (values) => ({
        [scope]: values.id,
        ...aroundOf(values),
        search: values.search,
        archived: values.archived,
        counts: values.with_counts === true,
      }),
      record,
    }),
    route<{ label: PlaceLabelData }>({
      method: 'GET',
      path: single,
      summary: `Get a label of a ${scope}`,
      tag,
      parameters: around[scope],
      operation: `query ($place: ID!, $name: String!${declared}) {
        label(${scope}: $place, name: $name${passed}) { ${selection} }
      }`,
      variables: (values) => ({ place: values.id, name: values.name, ...aroundOf(values) }),
      record: recordOf(record, ({ label }) => label),
      dialect: 'version 4',
    }),
    route<{ labelCreate: { label: PlaceLabelData } }>({
      method: 'POST',
      path,
      summary: `Create a label in a ${scope}`,
      tag,
      parameters: [
        { name: 'name', type: 'string', required: true, description: 'Title, without commas.' },
        { ...color, required: true },
        ...own.slice(1),
      ],
      example: { name: 'bug', color: '#aa2211' },
      operation: `mutation ($input: LabelCreateInput!) { labelCreate(input: $input) { label { ${selection} } } }`,
      variables: (values) => ({
        input: {
          ...placeIn(values),
          title: values.name ?? '',
          color: values.color ?? '',
          description: values.description,
          priority: values.priority,
        },
      }),
      status: 201,
      refusals: [409],
      record: recordOf(record, ({ labelCreate }) => labelCreate.label),
      dialect: 'version 4',
    }),
    update(path, named),
    update(single, []),
    remove(path, named),
    remove(single, []),
    subscription('subscribe', true),
    subscription('unsubscribe', false),
  ];
}

const promote = (at: string, which: readonly Declaration[]) =>
  route<{ labelPromote: { label: PlaceLabelData } }>({
    method: 'PUT',
    path: at,
    summary: `Make a label of a project one of its group${which.length > 0 ? ', in the old form' : ''}`,
    tag,
    parameters: which,
    operation: `mutation ($input: LabelPromoteInput!) { labelPromote(input: $input) { label { ${placeLabelFields.group} } } }`,
    variables: (values) => ({ input: { projectPath: values.id, ...nameIn(values) } }),
    record: recordOf(GroupLabel, ({ labelPromote }) => labelPromote.label),
    refusals: [404],
    dialect: 'reasons alone',
  });

const inProject = '/api/v4/projects/:id/labels';

export const labelRoutes: readonly AnyRoute[] = [
  // Before the label with this name in its path.
  promote(`${inProject}/promote`, [
    { name: 'name', type: 'string', required: true, description: 'Title of the label.' },
  ]),
  ...ofPlace('project'),
  promote(`${inProject}/:name/promote`, []),
  ...ofPlace('group'),
];
