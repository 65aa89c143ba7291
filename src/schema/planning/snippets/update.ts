import type { Context } from '../../../context.ts';
import { BadRequest, NotFound } from '../../../errors.ts';
import { writes } from '../../../policy/index.ts';
import { mutation, type InputsOf } from '../../engine/mutation.ts';
import { VisibilityLevelsEnum } from '../../places/place/types.ts';
import { readTexts } from '../issues/changes/input.ts';
import { applyActions, SnippetBlobActionInputType, type FileAction } from './files.ts';
import { checkTexts, snippetPayload } from './input.ts';
import { lookUpProjectSnippet, lookUpSnippet, requireSnippetRight, type SeenSnippet } from './look-up.ts';
import {
  listFiles,
  lockSnippet,
  removeFiles,
  updateSnippet,
  writeFiles,
  type StoredFile,
} from './statements/changes.ts';
import { insertMentioned } from './statements/people.ts';

/** How inputs name a snippet. */
export const snippetName = (t: InputsOf) => ({
  id: t.field({ type: 'SnippetID', required: true }),
  projectPath: t.id({ description: 'The project that it must belong to.' }),
});

/** A snippet that the viewer may change and remove. @throws NotFound, Forbidden */
export async function changeable(
  context: Context,
  { id, projectPath }: { readonly id: string; readonly projectPath?: string | null | undefined },
): Promise<SeenSnippet> {
  const seen = await (projectPath == null
    ? lookUpSnippet(context, id)
    : lookUpProjectSnippet(context, projectPath, id));
  requireSnippetRight(context, seen);
  return seen;
}

interface SingleFile {
  readonly fileName?: string | null | undefined;
  readonly content?: string | null | undefined;
}

/** What a new name and content do to the only file. @throws BadRequest if there are several */
function actionsOnTheFile(stored: readonly StoredFile[], { fileName, content }: SingleFile): readonly FileAction[] {
  if (fileName == null && content == null) return [];
  if (stored.length > 1)
    throw new BadRequest('To update Snippets with multiple files, you must use the `files` parameter');
  const previousPath = stored[0]!.path;
  const filePath = fileName || previousPath;
  if (filePath !== previousPath) return [{ action: 'move', filePath, previousPath, content }];
  return content == null ? [] : [{ action: 'update', filePath, content }];
}

mutation('updateSnippet', {
  payload: snippetPayload,
  description:
    'Changes a snippet. For its author, and in a project from Maintainer up. Omitted fields stay as they are.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    ...snippetName(t),
    title: t.string(),
    description: t.string({ description: 'As Markdown. Null: none.' }),
    visibilityLevel: t.field({ type: VisibilityLevelsEnum }),
    blobActions: t.field({ type: [SnippetBlobActionInputType], description: 'What to do with its files, in order.' }),
    fileName: t.string({ description: 'Another path of the file, if there is only one.' }),
    content: t.string({ description: 'What the file contains, if there is only one.' }),
  }),
  resolve: async (context, { title, description, visibilityLevel, blobActions, fileName, content, ...name }) => {
    const { id, projectId } = (await changeable(context, name)).snippet;
    checkTexts(title, description);
    const mentioned = projectId === null ? [] : readTexts(title ?? '', description ?? null).mentioned;
    if (blobActions && (fileName != null || content != null))
      throw new BadRequest('Name actions, or the only file, not both.');
    await context.database.transaction(async (sql) => {
      const [locked] = await sql.rows(lockSnippet, [id]);
      // A concurrent request removed it.
      if (!locked) throw new NotFound('Snippet');
      if (blobActions || fileName != null || content != null) {
        const stored = await sql.rows(listFiles, [id]);
        const changes = applyActions(stored, blobActions ?? actionsOnTheFile(stored, { fileName, content }));
        const column = <T>(value: (file: (typeof changes.written)[number]) => T) => changes.written.map(value);
        if (changes.written.length > 0)
          await sql.rows(writeFiles, [
            id,
            column(({ path }) => path),
            column(({ position }) => position),
            column((file) => file.content ?? null),
            column(({ source }) => source ?? null),
          ]);
        if (changes.removed.length > 0) await sql.rows(removeFiles, [id, changes.removed]);
      }
      await sql.rows(updateSnippet, [
        id,
        title?.trim() ?? null,
        description !== undefined,
        description || null,
        visibilityLevel ?? null,
        context.viewer.person?.id ?? null,
      ]);
      if (mentioned.length > 0) await sql.rows(insertMentioned, [id, mentioned, context.viewer.person?.id ?? null]);
    });
    return { id };
  },
});
