import { BadRequest, Unprocessable } from '../../../errors.ts';
import { isFilePath } from '../../../values/text/file-path.ts';
import { mostSnippetBytes, mostSnippetFiles } from '../../../values/text/lengths.ts';
import { builder } from '../../engine/builder.ts';
import type { StoredFile } from './statements/changes.ts';

/** What a request does to the files of a snippet: GitLab's actions, one after the other. */

const SnippetBlobActionEnum = builder.enumType('SnippetBlobActionEnum', {
  description: 'What to do with a file of a snippet.',
  values: { create: {}, update: {}, delete: {}, move: {} } as const,
});

export const SnippetBlobActionInputType = builder.inputType('SnippetBlobActionInputType', {
  description: 'What to do with a file of a snippet.',
  fields: (t) => ({
    action: t.field({ type: SnippetBlobActionEnum, required: true }),
    filePath: t.string({ required: true, description: 'Path of the file. Empty for a new one: it gets a name.' }),
    previousPath: t.string({ description: 'Path of the file that is moved.' }),
    content: t.string({ description: 'What it contains. A file that is moved keeps it, if omitted.' }),
  }),
});

export type FileAction = typeof SnippetBlobActionInputType.$inferInput;

/** Most actions of one request. */
const maxActions = 100;

/** A file as it shall be. */
interface File {
  readonly path: string;
  readonly position: number;
  readonly size: number;
  /** Undefined: what the file `source` contains. */
  readonly content?: string;
  /** The path of the stored file that it was. */
  readonly source?: string;
}

/** The files to write and to remove. */
export interface FileChanges {
  readonly written: readonly File[];
  readonly removed: readonly string[];
}

/** GitLab's text for an action that lacks something. */
const invalid = () => new Unprocessable('Snippet actions have invalid data');
const refused = (problem: string, isNew: boolean) =>
  new BadRequest(`Repository Error ${isNew ? 'creating' : 'updating'} the snippet - ${problem}`);

/**
 * Applies actions to the files of a snippet, in their order.
 * @param stored its files; none of a new one
 * @throws Unprocessable for an action that lacks something, BadRequest for one that doesn't fit the files
 */
export function applyActions(stored: readonly StoredFile[], actions: readonly FileAction[]): FileChanges {
  const isNew = stored.length === 0;
  const refuse = (problem: string): never => {
    throw refused(problem, isNew);
  };
  if (actions.length > maxActions) refuse(`There can be up to ${maxActions} actions.`);
  const files = new Map<string, File>(stored.map((file) => [file.path, { ...file, source: file.path }]));
  for (const given of actions) apply(files, given, isNew, refuse);
  if (files.size === 0) refuse('The repository must contain at least 1 file.');
  if (files.size > mostSnippetFiles) refuse(`The repository must contain up to ${mostSnippetFiles} files.`);
  if ([...files.values()].reduce((sum, { size }) => sum + size, 0) > mostSnippetBytes)
    refuse(`The files must have up to ${mostSnippetBytes} bytes together.`);
  const isChanged = ({ path, source, content }: File) => content !== undefined || path !== source;
  return {
    written: [...files.values()].filter(isChanged),
    removed: stored.map(({ path }) => path).filter((path) => !files.has(path)),
  };
}

/** Applies one action. */
function apply(
  files: Map<string, File>,
  { action, filePath, previousPath, content }: FileAction,
  isNew: boolean,
  refuse: (problem: string) => never,
): void {
  if (isNew && action !== 'create') throw invalid();
  const path = action === 'create' && filePath.trim() === '' ? freeName(files) : filePath;
  if (!isFilePath(path)) refuse(`${JSON.stringify(path)} should be a valid file path`);
  const lacksContent = content == null || content.trim() === '';
  if ((action === 'create' || action === 'update') && lacksContent) throw invalid();
  const written = content == null ? undefined : { content, size: Buffer.byteLength(content) };
  const file = files.get(action === 'move' ? (previousPath ?? '') : path);
  if (action === 'create') {
    if (file) refuse('A file with this name already exists');
    const position = Math.max(0, ...[...files.values()].map((one) => one.position)) + 1;
    files.set(path, { path, position, ...written! });
    return;
  }
  if (action === 'move' && (!previousPath || previousPath === path)) throw invalid();
  if (action === 'update' && previousPath && previousPath !== path) throw invalid();
  if (!file) return refuse("A file with this name doesn't exist");
  if (action === 'move' && files.has(path)) refuse('A file with this name already exists');
  files.delete(file.path);
  if (action !== 'delete') files.set(path, { ...file, path, ...written });
}

/** GitLab's name for a file without one. */
function freeName(files: ReadonlyMap<string, File>): string {
  for (let number = 1; ; number++) {
    const name = `snippetfile${number}.txt`;
    if (!files.has(name)) return name;
  }
}
