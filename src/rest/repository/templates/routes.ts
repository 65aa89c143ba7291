import { listRoute } from '../../engine/list-route.ts';
import { recordOf } from '../../engine/record.ts';
import { License, licenseFields, Template, TemplateName, type LicenseData } from './record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

/** Templates that are files: their names in paths, in the schema and for people. */
const kinds = [
  { path: 'gitignores', kind: 'GITIGNORE', what: '.gitignore' },
  { path: 'gitlab_ci_ymls', kind: 'GITLAB_CI_YML', what: 'pipeline' },
  { path: 'dockerfiles', kind: 'DOCKERFILE', what: 'Dockerfile' },
] as const;

const tag = 'Templates';

const files = kinds.flatMap(({ path, kind, what }) => [
  listRoute({
    path: `/api/v4/templates/${path}`,
    summary: `Names of the ${what} templates`,
    tag,
    of: 'Template',
    parameters: [],
    field: 'fileTemplates',
    args: { kind: 'FileTemplateKind!' },
    selection: 'name',
    variables: () => ({ kind }),
    record: TemplateName,
  }),
  route<{ fileTemplate: { name: string; content: string } }>({
    method: 'GET',
    path: `/api/v4/templates/${path}/:name`,
    summary: `A ${what} template`,
    tag,
    parameters: [],
    operation: `query ($name: String!) { fileTemplate(kind: ${kind}, name: $name) { name content } }`,
    variables: ({ name }) => ({ name }),
    record: recordOf(Template, ({ fileTemplate }) => fileTemplate),
    dialect: 'version 4',
  }),
]);

export const templateRoutes: AnyRoute[] = [
  listRoute({
    path: '/api/v4/templates/licenses',
    summary: 'Licences, with placeholders in their texts',
    tag,
    of: 'License',
    parameters: [
      { name: 'popular', type: 'boolean', description: 'Only those that are chosen most; `false`: only the others.' },
    ],
    field: 'licenseTemplates',
    args: { popular: 'Boolean' },
    selection: licenseFields,
    variables: ({ popular }) => ({ popular }),
    record: License,
  }),
  route<{ licenseTemplate: LicenseData }>({
    method: 'GET',
    path: '/api/v4/templates/licenses/:name',
    summary: 'A licence, filled in',
    tag,
    parameters: [
      { name: 'project', type: 'string', description: 'What the project is called.' },
      { name: 'fullname', type: 'string', description: 'Who holds the copyright; otherwise whoever asks.' },
    ],
    operation: `query ($name: String!, $project: String, $fullname: String) {
      licenseTemplate(key: $name, project: $project, fullName: $fullname) { ${licenseFields} }
    }`,
    variables: ({ name, project, fullname }) => ({ name, project, fullname }),
    record: recordOf(License, ({ licenseTemplate }) => licenseTemplate),
    dialect: 'version 4',
  }),
  ...files,
];
