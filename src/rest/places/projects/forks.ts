import {
  Project,
  projectFields,
  ProjectIdentity,
  projectIdentityFields,
  type IdentityData,
  type ProjectData,
} from './record.ts';
import { NoContent, objectSchema, recordOf, type JsonSchema, type Record } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { text } from '../../engine/schemas.ts';
import { projectListRoute } from './list.ts';

const tag = 'Forks';
const path = '/api/v4/projects/:id';

interface ImportStatusData extends IdentityData {
  readonly importStatus: string;
}

const { properties: identity } = ProjectIdentity.schema as { properties: { [name: string]: JsonSchema } };
const nothing = { type: 'null', description: 'Always null.' };

/** How far the copy of a fork is. Clients that fork a project wait for it here. */
const ImportStatus: Record<ImportStatusData> = {
  name: 'ProjectImportStatus',
  schema: objectSchema({
    ...identity,
    import_status: { ...text, description: '`none`, `scheduled`, `started`, `finished` or `failed`.' },
    import_type: nothing,
    correlation_id: nothing,
    failed_relations: { type: 'array', maxItems: 0 },
    import_error: nothing,
    stats: nothing,
  }),
  present: (project) =>
    Object.assign(ProjectIdentity.present(project) as {}, {
      import_status: project.importStatus,
      import_type: null,
      correlation_id: null,
      failed_relations: [],
      import_error: null,
      stats: null,
    }),
};

export const forkRoutes: readonly AnyRoute[] = [
  projectListRoute(`${path}/forks`, 'List the forks of a project', { forkOf: 'ID' }, ({ id: forkOf }) => ({ forkOf })),
  route<{ project: ImportStatusData }>({
    method: 'GET',
    path: `${path}/import`,
    summary: 'Get how far the copy of a fork is',
    tag,
    parameters: [],
    operation: `query ($id: ID!) { project(fullPath: $id) { ${projectIdentityFields} importStatus } }`,
    variables: ({ id }) => ({ id }),
    subject: 'Project',
    record: recordOf(ImportStatus, ({ project }) => project),
    dialect: 'version 4',
  }),
  route<{ forkProject: { project: ProjectData } }>({
    method: 'POST',
    path: `${path}/fork`,
    summary: 'Fork a project',
    tag,
    parameters: [
      {
        name: 'namespace_id',
        type: 'integer',
        description:
          'ID of the namespace for the fork. Default without any of the three namespace parameters: your own.',
      },
      { name: 'namespace_path', type: 'string', description: 'Full path of the namespace.' },
      { name: 'namespace', type: 'string', description: 'ID or full path of the namespace. Obsolete.' },
      {
        name: 'path',
        type: 'string',
        description: 'Last part of the full path. Default, as for all that follow: the source’s.',
      },
      { name: 'name', type: 'string', description: 'Display name.' },
      { name: 'description', type: 'string', description: 'Description of the fork.' },
      {
        name: 'visibility',
        type: 'string',
        allowed: ['private', 'internal', 'public'],
        description: 'At most as visible as the source.',
      },
      {
        name: 'branches',
        type: 'string',
        description: 'The only branch to copy, which becomes the default branch. Default: all of them.',
      },
      {
        name: 'mr_default_target_self',
        type: 'boolean',
        description: 'Whether the merge requests of the fork are to itself by default.',
      },
    ],
    operation: `mutation ($input: ForkProjectInput!) { forkProject(input: $input) { project { ${projectFields} } } }`,
    variables: (values) => {
      const namespace = values.namespace_id ?? values.namespace_path ?? values.namespace;
      return {
        input: {
          project: values.id,
          namespace: namespace == null ? undefined : String(namespace),
          path: values.path,
          name: values.name,
          description: values.description,
          visibility: values.visibility,
          branch: values.branches,
          mrDefaultTargetSelf: values.mr_default_target_self,
        },
      };
    },
    status: 201,
    fields: { branch: 'branches' },
    refusals: [409],
    missing: { Fork: '404 Not Found' },
    record: recordOf(Project, ({ forkProject }) => forkProject.project),
    dialect: 'version 4',
  }),
  route<{ createForkRelation: { project: ProjectData } }>({
    method: 'POST',
    path: `${path}/fork/:forked_from_id`,
    summary: 'Make a project a fork of another one (owners only)',
    tag,
    parameters: [],
    operation: `mutation ($input: CreateForkRelationInput!) { createForkRelation(input: $input) { project { ${projectFields} } } }`,
    variables: ({ id, forked_from_id: forkedFrom }) => ({ input: { project: id, forkedFrom } }),
    status: 201,
    refusals: [409],
    record: recordOf(Project, ({ createForkRelation }) => createForkRelation.project),
    dialect: 'version 4',
  }),
  route<{ removeForkRelation: { changed: boolean } }>({
    method: 'DELETE',
    path: `${path}/fork`,
    summary: 'Remove the fork relation of a project (owners only)',
    tag,
    parameters: [],
    operation: 'mutation ($input: RemoveForkRelationInput!) { removeForkRelation(input: $input) { changed } }',
    variables: ({ id }) => ({ input: { project: id } }),
    status: 204,
    unchanged: ({ removeForkRelation }) => !removeForkRelation.changed,
    record: NoContent,
    dialect: 'version 4',
  }),
];
