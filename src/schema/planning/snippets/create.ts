import type { Context } from '../../../context.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { createPersonalSnippet, createProjectSnippet, holds, mayChange, writes } from '../../../policy/index.ts';
import type { Sql } from '../../../database/index.ts';
import { mutation } from '../../engine/mutation.ts';
import { facts, lookUp, prefetchPlace } from '../../places/place/look-up.ts';
import { VisibilityLevelsEnum } from '../../places/place/types.ts';
import { readTexts } from '../issues/changes/input.ts';
import { applyActions, SnippetBlobActionInputType } from './files.ts';
import { checkTexts, snippetPayload } from './input.ts';
import { insertSnippet } from './statements/changes.ts';
import { insertMentioned } from './statements/people.ts';
import { findProjectOfSnippets } from './statements/reading.ts';

/**
 * The project of a new snippet; null for a personal one.
 * @throws NotFound for the project; Forbidden
 */
async function placeOf(context: Context, given: string | null | undefined): Promise<number | null> {
  const { viewer } = context;
  if (given == null) {
    if (!holds(createPersonalSnippet, viewer, { visibility: 'PUBLIC', accessLevel: 0 })) throw new Forbidden();
    return null;
  }
  const row = await lookUp(context, findProjectOfSnippets, 'Project', given);
  if (!mayChange(createProjectSnippet, viewer, facts(row), row.archived)) throw new Forbidden();
  return row.id;
}

mutation('createSnippet', {
  payload: snippetPayload,
  description: 'Creates a snippet: of a project, from Reporter up, or a personal one.',
  admission: { class: 'token', scopes: writes },
  prefetch: ({ input }) =>
    prefetchPlace(findProjectOfSnippets, 'Project', (input as { projectPath?: unknown } | undefined)?.projectPath),
  input: (t) => ({
    title: t.string({ required: true }),
    description: t.string({ description: 'As Markdown.' }),
    visibilityLevel: t.field({ type: VisibilityLevelsEnum, required: true }),
    projectPath: t.id({ description: 'Full path or id of its project. Omitted: a personal snippet.' }),
    blobActions: t.field({ type: [SnippetBlobActionInputType], description: 'Its files: at least one.' }),
  }),
  resolve: async (context, { title, description, visibilityLevel, projectPath, blobActions }) => {
    const project = await placeOf(context, projectPath);
    const author = context.viewer.person?.id;
    if (author === undefined) throw new Forbidden('Only a person can do this.');
    checkTexts(title, description);
    const { written } = applyActions([], blobActions ?? []);
    const values = [
      project,
      author,
      title.trim(),
      description || null,
      visibilityLevel,
      written.map(({ path }) => path),
      written.map(({ content }) => content),
    ];
    const insert = async (sql: Sql) => {
      const [made] = await sql.rows(insertSnippet, values);
      // Its project was archived or removed meanwhile.
      if (!made) throw new NotFound('Project');
      return made;
    };
    const mentioned = project === null ? [] : readTexts(title, description ?? null).mentioned;
    if (mentioned.length === 0) return await insert(context.database);
    return await context.database.transaction(async (sql) => {
      const made = await insert(sql);
      await sql.rows(insertMentioned, [made.id, mentioned, author]);
      return made;
    });
  },
});
