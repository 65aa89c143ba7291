import { BadRequest, InvalidFields, Unprocessable } from '../../../errors.ts';
import { isFilePath } from '../../../values/text/file-path.ts';
import { mostSnippetFiles } from '../../../values/text/lengths.ts';
import type { visibilities } from '../../places/place/place.ts';
import { isKey, type Fields } from '../../site/forms/fields.ts';
import { sentences } from '../../site/words.ts';
import { digest, readText } from '../issues/draft.ts';
import type { ChangedSnippet, SnippetFile } from './snippets.ts';

/** What the form of a snippet holds. */
export interface SnippetDraft {
  readonly title: string;
  readonly description: string;
  readonly visibility: keyof typeof visibilities;
  readonly files: readonly FileDraft[];
}

/** A file in the form. */
export interface FileDraft {
  readonly path: string;
  readonly content: string;
  /** Whether the person removes it. */
  readonly removed: boolean;
  /** The path of the stored file, and the digest of what it contained when the form was opened. Null for a new file. */
  readonly was: { readonly path: string; readonly content: string } | null;
}

/** What is wrong with a file, in sentences. */
export type FileErrors = { readonly [Field in 'path' | 'content']?: readonly string[] };

/** Error messages, in sentences. */
export interface SnippetErrors {
  readonly title?: readonly string[];
  readonly description?: readonly string[];
  /** Of all files together. */
  readonly files?: readonly string[];
  /** Of each file, by its number in the form. */
  readonly each?: readonly (FileErrors | undefined)[];
}

const emptyFile: FileDraft = { path: '', content: '', removed: false, was: null };

export const emptyDraft: SnippetDraft = { title: '', description: '', visibility: 'private', files: [emptyFile] };

/** What each visibility means for a snippet. @param isOfProject whether it belongs to a project */
export const visibilitiesOf = (isOfProject: boolean): Readonly<Record<SnippetDraft['visibility'], string>> => ({
  private: isOfProject ? 'Only members of the project see it.' : 'Only you see it.',
  internal: 'Everyone who is signed in sees it.',
  public: 'Everyone sees it.',
});

/** A snippet as its form shows it. */
export const draftOf = ({ title, description, visibility, blobs }: ChangedSnippet): SnippetDraft => ({
  title,
  description: description ?? '',
  visibility,
  files: blobs.nodes.map(({ path, text }) => ({
    path,
    content: text,
    removed: false,
    was: { path, content: digest(text) },
  })),
});

/** What a person sent. */
export function readDraft(form: Fields): SnippetDraft {
  const files: FileDraft[] = [];
  for (let number = 1; number <= mostSnippetFiles && form[`path_${number}`] !== undefined; number++) {
    const was = form[`was.path_${number}`];
    files.push({
      path: form[`path_${number}`]!.trim(),
      content: readText(form[`content_${number}`]),
      removed: form[`remove_${number}`] === 'on',
      was: was === undefined ? null : { path: was, content: form[`was.content_${number}`] ?? '' },
    });
  }
  const { visibility = '' } = form;
  return {
    title: form.title ?? '',
    description: readText(form.description),
    visibility: isKey(visibilitiesOf(true), visibility) ? visibility : 'private',
    files,
  };
}

/** The form with one more file. */
export const withAnother = (draft: SnippetDraft): SnippetDraft => ({ ...draft, files: [...draft.files, emptyFile] });

/** The hidden fields that say what a form showed. */
export const carried = ({ title, description, visibility, files }: SnippetDraft): Readonly<Record<string, string>> => ({
  'was.title': title,
  'was.description': digest(description),
  'was.visibility': visibility,
  ...Object.fromEntries(
    files.flatMap(({ was }, index) =>
      was
        ? [
            [`was.path_${index + 1}`, was.path],
            [`was.content_${index + 1}`, was.content],
          ]
        : [],
    ),
  ),
});

const isEdited = ({ content, was }: FileDraft) => was === null || digest(content) !== was.content;
/** Whether there is something to do with a file: a new one that is left empty is none. */
const counts = ({ path, content, was }: FileDraft) => was !== null || path !== '' || content.trim() !== '';

/** What is wrong with the files, before the schema sees them; null if nothing is. @param stored the files of the snippet by now */
export function mistakesIn(files: readonly FileDraft[], stored: readonly SnippetFile[]): SnippetErrors | null {
  const each = files.map((file) => (file.removed || !counts(file) ? undefined : mistakesOf(file, stored)));
  if (each.some((errors) => errors !== undefined)) return { each };
  return files.some(counts) ? null : { each: [{ content: ['A snippet has at least one file with a text.'] }] };
}

function mistakesOf(file: FileDraft, stored: readonly SnippetFile[]): FileErrors | undefined {
  const { path, content, was } = file;
  // A new file without a path gets one.
  if (!isFilePath(path) && (was || path !== ''))
    return { path: ['The path must be that of a file, such as lib/adder.py.'] };
  if (!isEdited(file)) return undefined;
  if (content.trim() === '') return { content: ['The file can’t be empty.'] };
  const now = was && stored.find((one) => one.path === was.path);
  if (was && (!now || digest(now.text) !== was.content))
    return {
      content: ['Someone else changed the file in the meantime. Copy what you typed, and edit the snippet again.'],
    };
  return undefined;
}

interface FileAction {
  readonly action: 'create' | 'update' | 'move' | 'delete';
  readonly filePath: string;
  readonly previousPath?: string;
  readonly content?: string;
}

/** What the form does to the files, as input of the schema. First it removes: then others may take the paths. */
export function actionsIn(files: readonly FileDraft[]): FileAction[] {
  const kept = files.filter((file) => !file.removed && counts(file));
  return [
    ...files.flatMap(({ removed, was }): FileAction[] =>
      removed && was ? [{ action: 'delete', filePath: was.path }] : [],
    ),
    ...kept.flatMap((file): FileAction[] => {
      const { path: filePath, content, was } = file;
      if (!was) return [{ action: 'create', filePath, content }];
      const changed = isEdited(file) ? { content } : {};
      if (filePath !== was.path) return [{ action: 'move', filePath, previousPath: was.path, ...changed }];
      return isEdited(file) ? [{ action: 'update', filePath, content }] : [];
    }),
  ];
}

/** What the schema found wrong, by field. @throws any other error */
export function errorsOf(problem: unknown): SnippetErrors {
  if (problem instanceof InvalidFields)
    return {
      title: sentences('The title', problem.fields.title),
      description: sentences('The description', problem.fields.description),
    };
  if (!(problem instanceof BadRequest || problem instanceof Unprocessable)) throw problem;
  // Clients of the API know the words before the reason.
  return { files: [problem.message.replace(/^Repository Error \w+ the snippet - /, '').replace(/\.?$/, '.')] };
}
