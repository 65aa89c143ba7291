import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { awardsField, type Award } from '../awards/award.ts';
import type { NoteRights } from '../notes/host.ts';
import { threadsAsked, threadsDeclared, threadsOnPage, type Threads } from '../notes/page.ts';
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
  readonly awardEmoji: { readonly nodes: readonly Award[] };
  readonly userPermissions: NoteRights & { readonly updateSnippet: boolean };
  readonly discussions: Threads;
}

/** A snippet as its form shows it. */
export interface ChangedSnippet extends ListedSnippet, Pick<FoundSnippet, 'description' | 'blobs'> {
  readonly userPermissions: { readonly updateSnippet: boolean };
}

/** The address of a snippet, or of a page of it. @param page begins with a slash: `/edit` */
export const snippetPath = ({ id, project }: Pick<ListedSnippet, 'id' | 'project'>, page = ''): string =>
  `${project ? `/${project.fullPath}` : ''}/-/snippets/${id}${page}`;

/** Reads the snippet of an address, and its files; null if the viewer reads none there. */
export function snippetReader(schema: GraphQLSchema) {
  const compile = <Data>(variables: string, fields: string) => {
    const read = compileOperation<{ snippet: Data | null }>(
      schema,
      `query ($id: SnippetID!, $project: ID${variables}) { snippet(id: $id, project: $project) { ${fields} } }`,
    );
    /** @param project of the address; undefined for an address that names none */
    return async (
      // Addresses of what is below a snippet have `iid`, as those below an issue.
      { context, named: { iid, id = iid } }: Visit,
      project?: string,
      more: object = {},
    ): Promise<Data | null> => {
      if (!isRecordNumber(id)) return null;
      return (await found(read.execute(context, { id, project, ...more })))?.snippet ?? null;
    };
  };
  const readPage = compile<FoundSnippet>(
    `, ${threadsDeclared}`,
    `${listedFields} description descriptionHtml blobs { nodes { ${fileFields} } } ${awardsField}
      userPermissions { updateSnippet createNote readInternalNote adminNote resolveNote } ${threadsOnPage()}`,
  );
  return {
    readChanged: compile<ChangedSnippet>(
      '',
      `${listedFields} description blobs { nodes { ${fileFields} } } userPermissions { updateSnippet }`,
    ),
    read: (visit: Visit, project?: string) => readPage(visit, project, threadsAsked(visit)),
    readFirst: compile<{ blobs: FoundSnippet['blobs'] }>('', `blobs(first: 1) { nodes { ${fileFields} } }`),
    readFile: compile<{ file: SnippetFile }>(
      ', $ref: String!, $path: String!',
      `file(ref: $ref, path: $path) { ${fileFields} }`,
    ),
  };
}
