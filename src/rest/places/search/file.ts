import { objectSchema, type Record } from '../../engine/record.ts';

export interface FoundFileData {
  readonly path: string;
  readonly ref: string;
  readonly startLine: number;
  readonly lines: readonly string[];
  readonly repository: { readonly projectId: number };
}

/** The fields that operations select for the record. */
export const foundFileFields = 'path ref startLine lines repository { projectId: projectDatabaseId }';

/** A file in which a search found a text, with the lines around its first place. */
export const FoundFile: Record<FoundFileData> = {
  name: 'FoundFile',
  schema: objectSchema({
    basename: { type: 'string', description: 'Its path without the ending.' },
    data: { type: 'string', description: 'The line with the text, and two before and after it.' },
    path: { type: 'string' },
    filename: { type: 'string', description: 'The same as `path`, for old clients.' },
    id: { type: 'null' },
    ref: { type: 'string' },
    startline: { type: 'integer', description: 'The number of the first line of `data`.' },
    project_id: { type: 'integer' },
  }),
  present: ({ path, ref, startLine, lines, repository }) => ({
    basename: path.replace(/(?<=[^/])\.[^./]*$/, ''),
    data: lines.map((line) => `${line}\n`).join(''),
    path,
    filename: path,
    id: null,
    ref,
    startline: startLine,
    project_id: repository.projectId,
  }),
};
