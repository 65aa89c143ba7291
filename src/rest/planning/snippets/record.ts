import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { objectSchema, type Record } from '../../engine/record.ts';

export interface SnippetData {
  readonly id: number;
  readonly title: string;
  readonly description: string | null;
  readonly visibility: string;
  readonly author: UserBasicData | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly projectId: number | null;
  readonly webUrl: string;
  readonly rawUrl: string;
  readonly fileName: string | null;
  readonly files: readonly { readonly path: string; readonly rawUrl: string }[];
}

/** The fields that operations select for the record. */
export const snippetFields = `id: databaseId title description visibility: visibilityLevel author { ${userBasicFields} }
  createdAt updatedAt projectId: projectDatabaseId webUrl rawUrl fileName files { path rawUrl }`;

/** A snippet, without what its files contain. */
export const Snippet: Record<SnippetData> = {
  name: 'Snippet',
  schema: objectSchema({
    id: { type: 'integer' },
    title: { type: 'string' },
    description: { type: ['string', 'null'] },
    visibility: { type: 'string', enum: ['private', 'internal', 'public'] },
    author: { anyOf: [UserBasic.schema, { type: 'null' }] },
    created_at: { type: 'string', format: 'date-time' },
    updated_at: { type: 'string', format: 'date-time' },
    project_id: { type: ['integer', 'null'] },
    web_url: { type: 'string', format: 'uri' },
    raw_url: { type: 'string', format: 'uri' },
    ssh_url_to_repo: { type: ['string', 'null'] },
    http_url_to_repo: { type: ['string', 'null'] },
    file_name: { type: ['string', 'null'] },
    files: {
      type: 'array',
      items: objectSchema({ path: { type: 'string' }, raw_url: { type: 'string', format: 'uri' } }),
    },
    imported: { type: 'boolean' },
    imported_from: { type: 'string' },
  }),
  present: (snippet) => ({
    id: snippet.id,
    title: snippet.title,
    description: snippet.description,
    visibility: snippet.visibility,
    author: snippet.author && UserBasic.present(snippet.author),
    created_at: snippet.createdAt,
    updated_at: snippet.updatedAt,
    project_id: snippet.projectId,
    web_url: snippet.webUrl,
    raw_url: snippet.rawUrl,
    // Snippets have no git repository.
    ssh_url_to_repo: null,
    http_url_to_repo: null,
    file_name: snippet.fileName,
    files: snippet.files.map(({ path, rawUrl }) => ({ path, raw_url: rawUrl })),
    imported: false,
    imported_from: 'none',
  }),
};
