import { listRoute } from '../../engine/list-route.ts';
import { recordOf } from '../../engine/record.ts';
import { License, licenseFields, Template, TemplateName, type LicenseData } from './record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

/** Kinds of file templates: their names in paths, in the schema and in texts. */
const kinds = [
  { path: 'gitignores', kind: 'GITIGNORE', what: '.gitignore' },
  { path: 'gitlab_ci_ymls', kind: 'GITLAB_CI_YML', what: 'pipeline' },
  { path: 'dockerfiles', kind: 'DOCKERFILE', what: 'Dockerfile' },
] as const;

const tag = 'Templates';

const files = kinds.flatMap(({ path, kind, what }) => [
  listRoute({
    path: `/api/v4/templates/${path}`,
    summary: `List the ${what} templates`,
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
    summary: `Get a ${what} template`,
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
    summary: 'List license templates, with placeholders in their texts',
    tag,
    of: 'License',
    parameters: [
      { name: 'popular', type: 'boolean', description: '`true`: only popular licenses; `false`: only the others.' },
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
    summary: 'Get a license template, with its placeholders filled in',
    tag,
    parameters: [
      { name: 'project', type: 'string', description: 'Name of the project.' },
      { name: 'fullname', type: 'string', description: 'Name of the copyright holder. Default: your name.' },
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
