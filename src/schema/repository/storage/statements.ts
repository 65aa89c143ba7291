import { statement } from '../../../database/index.ts';

/** The mark of the folder of repositories; none before the first write. */
export const findMark = statement<{ mark: string }>(
  'find_storage_mark',
  `select mark from repository_storages where name = 'default'`,
);

/** Notes the mark of the folder, unless it has one. $1 mark. */
export const storeMark = statement<object>(
  'store_storage_mark',
  `insert into repository_storages (name, mark) values ('default', $1) on conflict (name) do nothing`,
);

/** Whether the database has the tables of repositories: one of an early version doesn't. */
export const hasRepositories = statement<{ has: boolean }>(
  'has_repositories',
  `select to_regclass('ref_changes') is not null and to_regclass('repository_storages') is not null as has`,
);

/** What the references of a repository are read by, as of one moment. */
export interface KeptRow {
  id: number;
  /** The last change that was recorded. */
  last: number;
  /** Objects of changes that git may not have made yet. */
  pending: readonly string[];
}

/** All repositories of projects, with the end of their journal. */
export const findKept = statement<KeptRow>(
  'find_kept_repositories',
  `select stored.project_id as id,
      coalesce((select max(c.id) from ref_changes c where c.project_id = stored.project_id), 0) as last,
      array(select c.after from ref_changes c where c.project_id = stored.project_id and not c.applied and c.after is not null) as pending
     from repositories stored join projects p on p.id = stored.project_id order by 1`,
);

/** What each reference held before the changes that were recorded later. $1 project, $2 the last change until then. */
export const findHeldBefore = statement<{ ref: string; before: string | null }>(
  'find_held_before',
  `select distinct on (ref) ref, before from ref_changes where project_id = $1::int and id > $2::int order by ref, id`,
);

/** The repositories that have a branch, and the bytes of each as they were counted. */
export const countRepositories = statement<{ id: number; bytes: number }>(
  'count_repositories',
  `select stored.project_id as id, stored.size::float8 as bytes
     from repositories stored join projects p on p.id = stored.project_id where p.default_branch is not null`,
);
