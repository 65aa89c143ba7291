import { listRoute } from '../../engine/list-route.ts';
import type { Declaration, Parameter, Values } from '../../engine/parameters.ts';
import { featureSwitches, levelAttribute } from '../../../values/attributes/project-features.ts';
import { changeableProjectAttributes, projectAttributes } from '../../../values/attributes/project-attributes.ts';
import { someOf } from '../../../values/attributes/attributes.ts';
import { attributeInput, attributeNames, attributeParameters } from '../../engine/attributes.ts';
import { snakeCase } from '../../../values/text/snake-case.ts';
import { changeable } from './changeable.ts';
import { licenseFields } from './license.ts';
import {
  Project,
  projectFields,
  projectFieldsUnlessSimple,
  ProjectWithPermissions,
  type ProjectData,
} from './record.ts';
import { Accepted, recordOf, type Record as WireRecord } from '../../engine/record.ts';
import { Starrer } from './starrer.ts';
import { userBasicFields } from '../../accounts/users/basic.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { avatarInput, avatarParameter } from '../avatars/parameter.ts';
import { aroundProjectRoutes } from './around.ts';
import { forkRoutes } from './forks.ts';
import { languageRoute } from './languages.ts';
import { contributedParameters, projectListRoute } from './list.ts';

const tag = 'Projects';
const path = '/api/v4/projects/:id';

/** The switches of features by their wire names, with the attribute of the level that they set. */
const switches = Object.entries(featureSwitches).map(
  ([at, feature]) => [snakeCase(at), levelAttribute(feature)] as const,
);

const name: Parameter = { name: 'name', type: 'string', description: 'Display name.' };
const own: readonly Parameter[] = [
  { name: 'path', type: 'string', description: 'Last part of the full path.' },
  { name: 'description', type: 'string', description: 'Description of the project.' },
  {
    name: 'visibility',
    type: 'string',
    allowed: ['private', 'internal', 'public'],
    description: 'Who can see the project.',
  },
  { name: 'topics', type: 'strings', description: 'Topics of the project.' },
  { name: 'tag_list', type: 'strings', description: 'Former name of `topics`.' },
  avatarParameter,
  ...attributeParameters(changeableProjectAttributes),
  ...switches.map(([at]): Parameter => ({
    name: at,
    type: 'boolean',
    description: 'Sets the level of this feature; a level wins.',
  })),
  {
    name: 'merge_when_pipeline_succeeds',
    type: 'boolean',
    description: 'Another name of `only_allow_merge_if_pipeline_succeeds`, which wins.',
  },
  {
    name: 'restrict_user_defined_variables',
    type: 'boolean',
    description: 'Another way to set `ci_pipeline_variables_minimum_override_role`.',
  },
];
const chosenOnce = attributeParameters(someOf(projectAttributes, ['repositoryObjectFormat']));
const nameOrPath: Declaration = { rule: 'at least one', of: ['name', 'path'] };
const anything: Declaration = {
  rule: 'at least one',
  of: changeable,
  unnamed: ['show_default_award_emojis', 'build_coverage_regex', 'import_url', 'merge_when_pipeline_succeeds'],
};

const importUrl: Parameter = {
  name: 'import_url',
  type: 'string',
  description: 'Projects can’t be imported: refused.',
};
const imports: readonly Declaration[] = [
  importUrl,
  { name: 'template_name', type: 'string', description: 'There are no templates of projects: refused.' },
  { name: 'template_project_id', type: 'integer', description: 'There are no templates of projects: refused.' },
  { rule: 'at most one', of: ['import_url', 'template_name', 'template_project_id'] },
];

const begins: readonly Declaration[] = [
  {
    name: 'initialize_with_readme',
    type: 'boolean',
    description: 'Whether the repository begins with a README, so that it can be cloned at once.',
  },
  { name: 'default_branch', type: 'string', description: 'The name of its first branch, if it begins with a README.' },
];

const beginningOf = ({ initialize_with_readme: initializeWithReadme, default_branch: defaultBranch }: Values) => ({
  initializeWithReadme,
  defaultBranch,
});

const importOf = ({ import_url: importUrl, template_name: name, template_project_id: id }: Values) => ({
  importUrl,
  templateName: name ?? (id == null ? undefined : String(id)),
});

/** The sent fields of a project; undefined if omitted. */
const description = (values: Values) => ({
  ...Object.fromEntries(switches.map(([at, level]) => [level, levelFor(values[at])])),
  ...sentOnly({ onlyAllowMergeIfPipelineSucceeds: values.merge_when_pipeline_succeeds }),
  ...sentOnly(attributeInput(projectAttributes, values)),
  restrictUserDefinedVariables: values.restrict_user_defined_variables,
  name: values.name,
  path: values.path,
  description: values.description,
  visibility: values.visibility,
  topics: values.topics ?? values.tag_list,
  ...avatarInput(values),
});

/** The level for a switch. */
const levelFor = (value: Values[string]) => (typeof value === 'boolean' ? (value ? 'enabled' : 'disabled') : value);

const sentOnly = (input: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

type Payload<Field extends string> = {
  readonly [F in Field]: { readonly project: ProjectData; readonly changed?: boolean };
};

const record = <Field extends string>(field: Field): WireRecord<Payload<Field>> =>
  recordOf(Project, (data) => data[field].project);

const createOperation = `mutation ($input: CreateProjectInput!) { createProject(input: $input) { project { ${projectFields} } } }`;

/** A change that takes no parameters besides the project. */
function simpleChange(field: string, at: string, summary: string): AnyRoute {
  const type = `${field[0]!.toUpperCase()}${field.slice(1)}Input`;
  return route<Payload<string>>({
    method: 'POST',
    path: `${path}/${at}`,
    summary,
    tag,
    parameters: [],
    operation: `mutation ($input: ${type}!) { ${field}(input: $input) { project { ${projectFields} } } }`,
    variables: ({ id }) => ({ input: { project: id } }),
    status: 201,
    record: record(field),
    dialect: 'version 4',
  });
}

const starRoute = (at: string, starred: boolean, summary: string): AnyRoute =>
  route<Payload<'starProject'>>({
    method: 'POST',
    path: `${path}/${at}`,
    summary,
    tag,
    parameters: [],
    operation: `mutation ($input: StarProjectInput!) { starProject(input: $input) { changed project { ${projectFields} } } }`,
    variables: ({ id }) => ({ input: { projectId: id, starred } }),
    status: 201,
    unchanged: ({ starProject }) => !starProject.changed,
    record: record('starProject'),
    dialect: 'version 4',
  });

export const projectRoutes: readonly AnyRoute[] = [
  {
    ...projectListRoute('/api/v4/projects', 'List projects that you can see'),
    limits: { name: 'projects_api', anonymous: { most: 400, seconds: 600 }, viewer: { most: 2_000, seconds: 600 } },
  },
  route<Payload<'createProject'>>({
    method: 'POST',
    path: '/api/v4/projects',
    summary: 'Create a project in a group or in your own namespace',
    tag,
    parameters: [
      name,
      ...own.slice(0, 1),
      nameOrPath,
      {
        name: 'namespace_id',
        type: 'integer',
        description: 'ID of a group, or of your own namespace, which is the default.',
      },
      ...own.slice(1),
      ...chosenOnce,
      ...begins,
      ...imports,
    ],
    example: { name: 'My shop', visibility: 'internal' },
    operation: createOperation,
    variables: (values) => ({
      input: {
        ...description(values),
        namespace: values.namespace_id == null ? undefined : String(values.namespace_id),
        ...beginningOf(values),
        ...importOf(values),
      },
    }),
    status: 201,
    fields: attributeNames(projectAttributes),
    record: record('createProject'),
    dialect: 'version 4',
  }),
  route<Payload<'createProject'>>({
    method: 'POST',
    path: '/api/v4/projects/user/:user_id',
    summary: 'Create a project in a user’s namespace (administrators only)',
    tag,
    parameters: [{ ...name, required: true }, ...own, ...chosenOnce, ...begins, ...imports],
    operation: createOperation,
    variables: (values) => ({
      input: { ...description(values), ...beginningOf(values), ...importOf(values), user: values.user_id },
    }),
    status: 201,
    fields: attributeNames(projectAttributes),
    record: record('createProject'),
    dialect: 'version 4',
  }),
  route<{ project: ProjectData }>({
    method: 'GET',
    path,
    summary: 'Get a project',
    tag,
    parameters: [
      { name: 'simple', type: 'boolean', default: false, description: 'Return only the basic fields.' },
      {
        name: 'statistics',
        type: 'boolean',
        default: false,
        description: 'Return the sizes of the project, for reporters and above.',
      },
      {
        name: 'license',
        type: 'boolean',
        default: false,
        description: 'Return the licence in the repository, for readers of the code.',
      },
    ],
    operation: `query ($id: ID!, $simple: Boolean!, $statistics: Boolean!, $license: Boolean!) { project(fullPath: $id) {
      ${projectFieldsUnlessSimple} runnersToken @skip(if: $simple) repository { license @include(if: $license) { ${licenseFields} } }
    } }`,
    variables: ({ id, simple, statistics, license }) => ({
      id,
      simple: simple === true,
      statistics: statistics === true,
      license: license === true,
    }),
    subject: 'Project',
    record: recordOf(ProjectWithPermissions, ({ project }) => project),
    dialect: 'version 4',
  }),
  route<Payload<'updateProject'>>({
    method: 'PUT',
    path,
    summary: 'Change a project (maintainers and above; the visibility: owners)',
    tag,
    parameters: [
      name,
      ...own,
      {
        name: 'default_branch',
        type: 'string',
        description: 'A branch that exists: `HEAD` of the repository from now on.',
      },
      importUrl,
      anything,
    ],
    example: { description: 'The shop.' },
    operation: `mutation ($input: UpdateProjectInput!) { updateProject(input: $input) {
      project { ${projectFields} runnersToken }
    } }`,
    variables: (values) => ({
      input: {
        project: values.id,
        defaultBranch: values.default_branch,
        importUrl: values.import_url,
        ...description(values),
      },
    }),
    record: record('updateProject'),
    fields: attributeNames(projectAttributes),
    refusals: [404],
    dialect: 'reasons alone',
  }),
  route<unknown>({
    method: 'DELETE',
    path,
    summary: 'Delete a project (owners only)',
    tag,
    parameters: [],
    operation: 'mutation ($input: DeleteProjectInput!) { deleteProject(input: $input) { projectId } }',
    variables: ({ id }, { unmodifiedSince }) => ({ input: { project: id, unmodifiedSince } }),
    conditional: true,
    status: 202,
    record: Accepted,
    dialect: 'version 4',
  }),
  simpleChange('archiveProject', 'archive', 'Archive a project (owners only)'),
  simpleChange('unarchiveProject', 'unarchive', 'Unarchive a project (owners only)'),
  starRoute('star', true, 'Star a project'),
  starRoute('unstar', false, 'Unstar a project'),
  listRoute({
    path: `${path}/starrers`,
    summary: 'List the users who starred a project',
    tag,
    of: 'User',
    parameters: [{ name: 'search', type: 'string', description: 'Only users whose name contains every word of this.' }],
    field: 'starrers',
    args: { project: 'ID!', search: 'String' },
    selection: `starredSince user { ${userBasicFields} }`,
    variables: ({ id, search }) => ({ project: id, search }),
    record: Starrer,
  }),
  projectListRoute(
    '/api/v4/users/:user_id/projects',
    'List the projects in a user’s own namespace',
    { ownedBy: 'ID' },
    ({ user_id: ownedBy }) => ({ ownedBy }),
  ),
  projectListRoute(
    '/api/v4/users/:user_id/starred_projects',
    'List the projects that a user starred',
    { starredBy: 'ID' },
    ({ user_id: starredBy }) => ({ starredBy }),
  ),
  projectListRoute(
    '/api/v4/users/:user_id/contributed_projects',
    'List the projects to which a user contributed in the last year',
    { contributedBy: 'ID' },
    ({ user_id: contributedBy }) => ({ contributedBy }),
    contributedParameters,
  ),
  ...aroundProjectRoutes,
  languageRoute,
  ...forkRoutes,
];
