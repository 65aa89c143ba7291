import { holds, reportOn } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { Project } from '../place/types.ts';
import { factsOf } from './permissions.ts';

/** Fields of projects for parts that a project doesn't have yet. Each says that there is nothing. */

const nothing = {};

const sizes = {
  storageSize: 'all parts together',
  repositorySize: 'the repository',
  wikiSize: 'the wiki',
  lfsObjectsSize: 'large files',
  buildArtifactsSize: 'artifacts of jobs',
  pipelineArtifactsSize: 'artifacts of pipelines',
  packagesSize: 'packages',
  snippetsSize: 'snippets',
  uploadsSize: 'uploaded files',
  containerRegistrySize: 'the container registry',
} as const;

const ProjectStatistics = builder.objectRef<object>('ProjectStatistics').implement({
  description: 'The sizes of a project’s parts.',
  fields: (t) => ({
    commitCount: t.float({ direct: true, resolve: () => 0 }),
    ...Object.fromEntries(
      Object.entries(sizes).map(([name, part]) => [
        name,
        t.float({ description: `The size of ${part}, in bytes.`, direct: true, resolve: () => 0 }),
      ]),
    ),
  }),
});

let known = { baseUrl: '', host: '' };

/** The host of the gateway. Remembered: parsing an address costs more than the rest of a field. */
function hostOf(baseUrl: string): string {
  if (known.baseUrl !== baseUrl) known = { baseUrl, host: new URL(baseUrl).hostname };
  return known.host;
}

builder.objectFields(Project, (t) => ({
  statistics: t.field({
    type: ProjectStatistics,
    nullable: true,
    description: 'For reporters and above; null for others.',
    resolve: async (project, _args, context) =>
      holds(reportOn, context.viewer, await factsOf(context, project)) ? nothing : null,
  }),
  importStatus: t.string({ nullable: true, description: 'Always `none`.', direct: true, resolve: () => 'none' }),
  httpUrlToRepo: t.string({
    nullable: true,
    description: 'The address of the repository over HTTP.',
    direct: true,
    resolve: ({ fullPath }, _args, { baseUrl }) => `${baseUrl}/${fullPath}.git`,
  }),
  sshUrlToRepo: t.string({
    nullable: true,
    description: 'The address of the repository over SSH.',
    direct: true,
    resolve: ({ fullPath }, _args, { baseUrl }) => `git@${hostOf(baseUrl)}:${fullPath}.git`,
  }),
}));
