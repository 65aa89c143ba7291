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
