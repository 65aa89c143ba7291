import { statement } from '../../../../database/index.ts';

/** A file of a snippet. */
export interface SnippetFileRecord {
  readonly snippet_id: number;
  readonly path: string;
  readonly content: string;
}

/** The files of snippets, in their order. $1 ids of the snippets, $2 only those with these paths, or null for all. */
export const readFiles = statement<SnippetFileRecord>(
  'read_snippet_files',
  `select f.snippet_id, f.path, f.content from snippet_files f
    where f.snippet_id = any($1::int[]) and ($2::text[] is null or f.path = any($2::text[]))
    order by f.snippet_id, f.position`,
);
