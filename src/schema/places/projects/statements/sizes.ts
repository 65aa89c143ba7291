import { statement } from '../../../../database/index.ts';
import { sizeOfProject, sizesOfProject } from '../../../../database/access/sizes.ts';

/** What a project stores, in bytes, and how many commits it has. Numbers: none reaches what a float can’t count. */
export interface ProjectSizes {
  readonly id: number;
  readonly commitCount: number;
  readonly storageSize: number;
  readonly repositorySize: number;
  readonly buildArtifactsSize: number;
  readonly snippetsSize: number;
  readonly uploadsSize: number;
}

/** $1 projects. */
export const readSizes = statement<ProjectSizes>(
  'read_sizes_of_projects',
  `select p.id, coalesce((select stored.commits from repositories stored where stored.project_id = p.id), 0) as "commitCount",
          ${sizeOfProject}::float8 as "storageSize", ${sizesOfProject.repository}::float8 as "repositorySize",
          ${sizesOfProject.artifacts}::float8 as "buildArtifactsSize", ${sizesOfProject.snippets}::float8 as "snippetsSize",
          ${sizesOfProject.uploads}::float8 as "uploadsSize"
     from projects p where p.id = any($1::int[])`,
);
