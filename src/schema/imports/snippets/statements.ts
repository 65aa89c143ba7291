import { idOrNext } from '../../../database/access/imported-ids.ts';
import { statement } from '../../../database/index.ts';

/**
 * Makes a snippet. $1 the id to keep or null, $2 project or null, $3 author, $4 title, $5 description, $6 visibility, $7 made,
 * $8 changed.
 */
export const insertSnippet = statement<{ id: number }>(
  'import_snippet',
  `insert into snippets (id, project_id, author_id, title, description, visibility, created_at, updated_at)
   values (${idOrNext('snippets', '$1')}, $2::int, $3::int, $4, $5, $6::"Visibility", $7::timestamptz, $8::timestamptz) returning id`,
);

/** Changes a snippet. $1 id, $2 title, $3 description, $4 visibility, $5 changed. */
export const changeSnippet = statement<{ id: number }>(
  'change_imported_snippet',
  `update snippets set title = $2, description = $3, visibility = $4::"Visibility", updated_at = $5::timestamptz
    where id = $1::int returning id`,
);

/** Takes the files of a snippet away. $1 snippet. */
export const removeFiles = statement<object>(
  'remove_imported_snippet_files',
  'delete from snippet_files where snippet_id = $1::int',
);

/** Stores the files of a snippet. $1 snippet, $2 paths, $3 contents. */
export const storeFiles = statement<object>(
  'import_snippet_files',
  `insert into snippet_files (snippet_id, path, position, content)
   select $1::int, one.path, one.place - 1, one.content from unnest($2::text[], $3::text[]) with ordinality one(path, content, place)`,
);
