import {
  levelColumns,
  liveProject,
  projectStatement,
  type ByReference,
  type PlaceRow,
} from '../../../../database/access/places.ts';
import { statement } from '../../../../database/index.ts';
import { readByIds, type Reading } from '../../../../database/list.ts';

/** A snippet, with the names of its files, but without what they contain. */
export interface SnippetRecord {
  readonly id: number;
  /** Null for a personal one. */
  readonly projectId: number | null;
  /** The full path of its project. */
  readonly projectPath: string | null;
  readonly authorId: number;
  readonly title: string;
  readonly description: string | null;
  readonly visibility: 'PRIVATE' | 'INTERNAL' | 'PUBLIC';
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The paths of its files, in their order. */
  readonly paths: readonly string[];
}

/** The columns of a snippet `s` of the project `sp`, without its id. */
const columns = `s.project_id as "projectId", sp.full_path as "projectPath", s.author_id as "authorId", s.title, s.description,
    s.visibility, s.created_at as "createdAt", s.updated_at as "updatedAt",
    array(select f.path from snippet_files f where f.snippet_id = s.id order by f.position) as paths`;

export const snippetReading: Reading<SnippetRecord> = {
  columns: `s.id, ${columns}`,
  from: 'snippets s left join projects sp on sp.id = s.project_id',
  id: 's.id',
};

/** Snippets by id. $1 ids. */
export const readSnippets = readByIds('read_snippets', snippetReading);

/** A project, with one of its snippets if that exists. The snippet has no `id`: that of the row is the project's. */
export type FoundSnippet = PlaceRow & { readonly archived: boolean } & (
    | { readonly snippetId: null }
    | ({ readonly snippetId: number; readonly snippetVisibility: SnippetRecord['visibility'] } & Omit<
        SnippetRecord,
        'id' | 'visibility'
      >)
  );

const inProject = columns.replaceAll('sp.', 'p.').replace('s.visibility', 's.visibility::text as "snippetVisibility"');

/** Looks a snippet up in a project, with the role of the person. $1 the project, $2 the person, or null, $3 the id. */
export const findSnippet: ByReference<FoundSnippet> = projectStatement<FoundSnippet>(
  'find_snippet',
  `, s.id as "snippetId", p.archived${levelColumns('snippets')}, ${inProject}`,
  'left join snippets s on s.project_id = p.id and s.id = $3::int',
);

/** Looks up a project for its snippets. */
export const findProjectOfSnippets = projectStatement<PlaceRow & { readonly archived: boolean }>(
  'find_project_of_snippets',
  `, p.archived${levelColumns('snippets')}`,
);

/** A personal snippet, or the project of another one: then everything else is null. $1 id. */
export const findAnySnippet = statement<SnippetRecord>(
  'find_any_snippet',
  `select ${snippetReading.columns} from ${snippetReading.from} left join namespaces n on n.id = sp.namespace_id
    where s.id = $1::int and (s.project_id is null or (${liveProject.replaceAll('p.', 'sp.')}))`,
);
