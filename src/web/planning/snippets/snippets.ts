import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { pageInfoFields, type PageInfo } from '../../site/records/paging.ts';
import type { Visit } from '../../site/visit.ts';
import type { visibilities } from '../../places/place/place.ts';
import { found } from '../../repository/code/found.ts';

/** A snippet as lists show it. */
export interface ListedSnippet {
  readonly id: number;
  readonly title: string;
  readonly visibility: keyof typeof visibilities;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly author: { readonly name: string; readonly username: string } | null;
  /** Null for a personal one. */
  readonly project: { readonly name: string; readonly fullPath: string } | null;
  readonly files: readonly { readonly path: string }[];
}

const listedFields = `id: databaseId title visibility: visibilityLevel createdAt updatedAt author { name username }
  project { name fullPath } files { path }`;

/** A list of snippets, with the cursor that its page has. */
export const listedSnippets = `snippets(first: $first, after: $after, last: $last, before: $before) { nodes { ${listedFields} } ${pageInfoFields} }`;
export const listVariables = '$first: Int, $after: String, $last: Int, $before: String';

export interface SnippetPage {
  readonly nodes: readonly ListedSnippet[];
  readonly pageInfo: PageInfo;
}

/** A file of a snippet, which is always text. */
export interface SnippetFile {
  readonly name: string;
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly text: string;
  readonly rawPath: string;
}

const fileFields = 'name path size text: rawPlainData rawPath';

export interface FoundSnippet extends ListedSnippet {
  readonly description: string | null;
  readonly descriptionHtml: string | null;
  readonly blobs: { readonly nodes: readonly SnippetFile[] };
}

export const snippetPath = ({ id, project }: Pick<ListedSnippet, 'id' | 'project'>): string =>
  `${project ? `/${project.fullPath}` : ''}/-/snippets/${id}`;

/** Reads the snippet of an address, and its files; null if the viewer reads none there. */
export function snippetReader(schema: GraphQLSchema) {
  const compile = <Data>(variables: string, fields: string) => {
    const read = compileOperation<{ snippet: Data | null }>(
      schema,
      `query ($id: SnippetID!, $project: ID${variables}) { snippet(id: $id, project: $project) { ${fields} } }`,
    );
    /** @param project of the address; undefined for an address that names none */
    return async ({ context, named: { id } }: Visit, project?: string, more: object = {}): Promise<Data | null> => {
      if (!isRecordNumber(id)) return null;
      return (await found(read.execute(context, { id, project, ...more })))?.snippet ?? null;
    };
  };
  return {
    read: compile<FoundSnippet>('', `${listedFields} description descriptionHtml blobs { nodes { ${fileFields} } }`),
    readFirst: compile<{ blobs: FoundSnippet['blobs'] }>('', `blobs(first: 1) { nodes { ${fileFields} } }`),
    readFile: compile<{ file: SnippetFile }>(
      ', $ref: String!, $path: String!',
      `file(ref: $ref, path: $path) { ${fileFields} }`,
    ),
  };
}
