import { statement } from '../../../../database/index.ts';
import { sizesOfProject } from '../../../../database/access/sizes.ts';

/** What the projects in and below a group store, in bytes, with the pictures of these groups. */
export interface GroupSizes {
  readonly id: number;
  readonly repositorySize: number;
  readonly jobArtifactsSize: number;
  readonly snippetsSize: number;
  readonly uploadsSize: number;
}

const { repository, artifacts, snippets, uploads } = sizesOfProject;

/** $1 groups. */
export const readSizes = statement<GroupSizes>(
  'read_sizes_of_groups',
  `select given.id, coalesce(stored.repository, 0)::float8 as "repositorySize",
          coalesce(stored.artifacts, 0)::float8 as "jobArtifactsSize", coalesce(stored.snippets, 0)::float8 as "snippetsSize",
          (coalesce(stored.uploads, 0) + pictures.size)::float8 as "uploadsSize"
     from unnest($1::int[]) given(id)
    cross join lateral (
      select sum(${repository}) as repository, sum(${artifacts}) as artifacts, sum(${snippets}) as snippets, sum(${uploads}) as uploads
        from namespaces below join projects p on p.namespace_id = below.id
       where below.ancestry @> array[given.id] and p.deleting_since is null
    ) stored
    cross join lateral (
      select coalesce(sum(octet_length(picture.content)), 0) as size
        from namespaces below join avatars picture on picture.group_id = below.id where below.ancestry @> array[given.id]
    ) pictures`,
);
