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

/** SQL of the project from which all forks of a family come. */
export const rootOf = (project: string) =>
  `(with recursive line as (
      select id, forked_from_id from projects where id = ${project}
      union select p.id, p.forked_from_id from projects p join line on p.id = line.forked_from_id
    ) select id from line where forked_from_id is null limit 1)`;

/** Whether one project is a fork of the other, or both of a third one. $1 and $2 projects. */
export const areRelated = statement<{ related: boolean }>(
  'are_projects_related',
  `select coalesce(${rootOf('$1::int')} = ${rootOf('$2::int')}, false) as related`,
);

/** Whether a project was forked from another, directly or not, or is that one. $1 the fork, $2 the other. */
export const comesFrom = statement<{ related: boolean }>(
  'does_project_come_from',
  `with recursive line as (
     select id, forked_from_id from projects where id = $1::int
     union select p.id, p.forked_from_id from projects p join line on p.id = line.forked_from_id
   ) select exists (select from line where id = $2::int) as related`,
);

/** A programming language of the default branch. */
export interface LanguageRow {
  readonly name: string;
  readonly share: number;
  readonly color: string | null;
}

/** $1 projects. */
export const findLanguages = statement<{ readonly id: number; readonly languages: readonly LanguageRow[] }>(
  'find_languages',
  'select project_id as id, languages from repositories where project_id = any($1::int[])',
);
