import { liveProject } from '../../../../database/access/places.ts';
import { statement } from '../../../../database/index.ts';
import { eventsFrom } from '../../../../events/statements.ts';

/**
 * Creates a snippet with its files. No row: its project was archived or removed meanwhile. $1 project or null, $2 author,
 * $3 title, $4 description, $5 visibility, $6 paths of the files, $7 what they contain.
 */
export const insertSnippet = statement<{ id: number }>(
  'insert_snippet',
  `with place as (
     select p.id from projects p join namespaces n on n.id = p.namespace_id
      where p.id = $1::int and not p.archived and ${liveProject}
   ), snippet as (
     insert into snippets (project_id, author_id, title, description, visibility)
     select $1::int, $2::int, $3, $4, $5::"Visibility" where $1::int is null or exists (select from place)
     returning id, project_id
   ), files as (
     insert into snippet_files (snippet_id, path, position, content)
     select snippet.id, file.path, file.position, file.content
       from snippet, unnest($6::text[], $7::text[]) with ordinality file(path, content, position)
   ), ${eventsFrom('snippet.created', 'snippet', { actor: '$2', project: 'project_id', subject: 'id' })}
   select id from snippet`,
);

/** Locks a snippet until the end of the transaction. $1 id. */
export const lockSnippet = statement<object>('lock_snippet', 'select id from snippets where id = $1 for update');

/** A file of a snippet, by its path, and how large it is. */
export interface StoredFile {
  readonly path: string;
  readonly position: number;
  /** In bytes. */
  readonly size: number;
}

/** The files of a snippet, in their order. $1 id of the snippet. */
export const listFiles = statement<StoredFile>(
  'list_snippet_files',
  `select path, position, octet_length(content) as size from snippet_files where snippet_id = $1 order by position`,
);

/**
 * Changes a locked snippet. Null keeps title and visibility. $1 id, $2 title, $3 whether to set the description, $4 the
 * description, $5 visibility, $6 actor.
 */
export const updateSnippet = statement<object>(
  'update_snippet',
  `with snippet as (
     update snippets set title = coalesce($2::text, title),
            description = case when $3::boolean then $4::text else description end,
            visibility = coalesce($5::"Visibility", visibility), updated_at = now()
      where id = $1 returning id, project_id
   ), ${eventsFrom('snippet.updated', 'snippet', { actor: '$6', project: 'project_id', subject: 'id' })}
   select id from snippet`,
);

/**
 * Writes files of a locked snippet. $1 the snippet, $2 paths, $3 positions, $4 what they contain, or null to take it from
 * the file that has been at the path in $5.
 */
export const writeFiles = statement<object>(
  'write_snippet_files',
  `insert into snippet_files (snippet_id, path, position, content)
   select $1::int, file.path, file.position, coalesce(file.content,
       (select former.content from snippet_files former where former.snippet_id = $1::int and former.path = file.source))
     from unnest($2::text[], $3::int[], $4::text[], $5::text[]) file(path, position, content, source)
   on conflict (snippet_id, path) do update set content = excluded.content, position = excluded.position`,
);

/** Removes files of a locked snippet. $1 the snippet, $2 paths. */
export const removeFiles = statement<object>(
  'remove_snippet_files',
  'delete from snippet_files where snippet_id = $1 and path = any($2::text[])',
);

/**
 * Removes a snippet with everything that belongs to it. No row: it was removed already, or was changed after $2. $1
 * snippet, $2 a moment in whole seconds or null, $3 actor.
 */
export const deleteSnippet = statement<{ id: number }>(
  'delete_snippet',
  `with snippet as (
     delete from snippets where id = $1 and ($2::timestamptz is null or date_trunc('second', updated_at) <= $2::timestamptz)
     returning id, project_id
   ), ${eventsFrom('snippet.destroyed', 'snippet', { actor: '$3', project: 'project_id', subject: 'id' })}
   select id from snippet`,
);
