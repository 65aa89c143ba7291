import { statement } from '../../../database/index.ts';
import { levelColumns, projectStatement, publicJobs, type PlaceRow } from '../../../database/access/places.ts';

/** A project, as those who read or write its repository need it. */
export interface RepositoryRow extends PlaceRow {
  full_path: string;
  archived: boolean;
  default_branch: string | null;
  readme_path: string | null;
  /** Whether anything was ever written to its repository. */
  has_repository: boolean;
}

export const findRepository = projectStatement<RepositoryRow>(
  'find_repository',
  `, p.full_path, p.archived, p.default_branch, p.readme_path, stored.project_id is not null as has_repository
   ${levelColumns('repository', 'builds')}, ${publicJobs} as public_jobs`,
  'left join repositories stored on stored.project_id = p.id',
);

/** What was counted in a repository. */
export interface RepositorySizes {
  id: number;
  /** Bytes of its objects. */
  size: number;
  commits: number;
}

/** $1 projects. */
export const readSizes = statement<RepositorySizes>(
  'read_repository_sizes',
  `select project_id as id, size::float8 as size, commits from repositories where project_id = any($1::int[])`,
);
