import { sshAddress } from '../../../values/ssh-address.ts';
import { holds, reportOn } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { sizesOf, type RepositorySizes } from '../../repository/repositories/sizes.ts';
import { Project } from '../place/types.ts';
import { factsOf } from './permissions.ts';

/** Fields of projects for its parts. Of some there is nothing yet, and they say so. */

const sizes = {
  wikiSize: 'the wiki',
  lfsObjectsSize: 'large files',
  buildArtifactsSize: 'artifacts of jobs',
  pipelineArtifactsSize: 'artifacts of pipelines',
  packagesSize: 'packages',
  snippetsSize: 'snippets',
  uploadsSize: 'uploaded files',
  containerRegistrySize: 'the container registry',
} as const;

const ProjectStatistics = builder.objectRef<Pick<RepositorySizes, 'size' | 'commits'>>('ProjectStatistics').implement({
  description: 'The sizes of a project’s parts. They are counted soon after each write.',
  fields: (t) => ({
    commitCount: t.float({
      description: 'Commits of the default branch.',
      direct: true,
      resolve: ({ commits }) => commits,
    }),
    storageSize: t.float({
      description: 'The size of all parts together, in bytes.',
      direct: true,
      resolve: ({ size }) => size,
    }),
    repositorySize: t.float({
      description: 'The size of the repository, in bytes.',
      direct: true,
      resolve: ({ size }) => size,
    }),
    ...Object.fromEntries(
      Object.entries(sizes).map(([name, part]) => [
        name,
        t.float({ description: `The size of ${part}, in bytes.`, direct: true, resolve: () => 0 }),
      ]),
    ),
  }),
});

const nothing = { size: 0, commits: 0 };

builder.objectFields(Project, (t) => ({
  statistics: t.field({
    type: ProjectStatistics,
    nullable: true,
    description: 'For reporters and above; null for others.',
    resolve: async (project, _args, context) =>
      holds(reportOn, context.viewer, await factsOf(context, project))
        ? ((await sizesOf(context, project.id)) ?? nothing)
        : null,
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
