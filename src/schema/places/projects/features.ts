import { sshAddress } from '../../../values/ssh-address.ts';
import { holds, reportOn } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { batchedRows } from '../../engine/batched.ts';
import { Project } from '../place/types.ts';
import { factsOf } from './permissions.ts';
import { readSizes, type ProjectSizes } from './statements/sizes.ts';

/** Fields of projects for its parts. Of some there is nothing yet, and they say so. */

const sizesOf = batchedRows(readSizes);

/** Parts of which there is nothing yet. */
const empty = {
  wikiSize: 'the wiki',
  lfsObjectsSize: 'large files',
  pipelineArtifactsSize: 'artifacts of pipelines',
  packagesSize: 'packages',
  containerRegistrySize: 'the container registry',
} as const;

const ProjectStatistics = builder.objectRef<ProjectSizes>('ProjectStatistics').implement({
  description: 'The sizes of a project’s parts. That of the repository is counted soon after each write.',
  fields: (t) => ({
    commitCount: t.exposeFloat('commitCount', { description: 'Commits of the default branch.' }),
    storageSize: t.exposeFloat('storageSize', { description: 'The size of all parts together, in bytes.' }),
    repositorySize: t.exposeFloat('repositorySize', { description: 'The size of the repository, in bytes.' }),
    buildArtifactsSize: t.exposeFloat('buildArtifactsSize', {
      description: 'The size of the artifacts and logs of jobs, in bytes.',
    }),
    snippetsSize: t.exposeFloat('snippetsSize', { description: 'The size of the snippets, in bytes.' }),
    uploadsSize: t.exposeFloat('uploadsSize', { description: 'The size of uploaded files, in bytes: of its picture.' }),
    ...Object.fromEntries(
      Object.entries(empty).map(([name, part]) => [
        name,
        t.float({ description: `The size of ${part}, in bytes.`, direct: true, resolve: () => 0 }),
      ]),
    ),
  }),
});

builder.objectFields(Project, (t) => ({
  statistics: t.field({
    type: ProjectStatistics,
    nullable: true,
    description: 'For reporters and above; null for others.',
    resolve: async (project, _args, context) =>
      holds(reportOn, context.viewer, await factsOf(context, project)) ? await sizesOf(context, project.id) : null,
  }),
  importStatus: t.string({
    nullable: true,
    description: 'How far the copy of a fork’s source is: `scheduled`, `started`, `finished` or `failed`; else `none`.',
    direct: true,
    resolve: ({ importStatus }) => importStatus ?? 'none',
  }),
  httpUrlToRepo: t.string({
    nullable: true,
    description: 'The address of the repository over HTTP.',
    direct: true,
    resolve: ({ fullPath }, _args, { baseUrl }) => `${baseUrl}/${fullPath}.git`,
  }),
  sshUrlToRepo: t.string({
    nullable: true,
    description: 'The address for git over SSH; null if it isn’t served.',
    direct: true,
    resolve: ({ fullPath }, _args, { ssh, baseUrl }) => sshAddress(ssh, baseUrl, fullPath),
  }),
}));
