import { levelColumns, projectStatement, type PlaceRow } from '../../../database/access/places.ts';

/** A project, as those who read or write its repository need it. */
export interface RepositoryRow extends PlaceRow {
  full_path: string;
  archived: boolean;
  default_branch: string | null;
  /** Whether anything was ever written to its repository. */
  has_repository: boolean;
}

export const findRepository = projectStatement<RepositoryRow>(
  'find_repository',
  `, p.full_path, p.archived, p.default_branch, stored.project_id is not null as has_repository
   ${levelColumns('repository')}`,
  'left join repositories stored on stored.project_id = p.id',
);
