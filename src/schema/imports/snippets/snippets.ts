import { isFilePath } from '../../../values/text/file-path.ts';
import { mostSnippetBytes } from '../../../values/text/lengths.ts';
import { builder } from '../../engine/builder.ts';
import { VisibilityLevelsEnum } from '../../places/place/types.ts';
import { checkTexts } from '../../planning/snippets/input.ts';
import { importing, NotTaken } from '../origins/importing.ts';
import { projectOf } from '../origins/place.ts';
import { authorOf } from '../people/persons.ts';
import { changeSnippet, insertSnippet, removeFiles, storeFiles } from './statements.ts';

const ImportedFile = builder.inputType('ImportedSnippetFile', {
  fields: (t) => ({ path: t.string({ required: true }), content: t.string({ required: true }) }),
});

importing('snippets', {
  description: 'Imports snippets of people and projects, with their files.',
  keeps: 'snippets',
  record: (t) => ({
    stamp: t.string({ required: true, description: 'What it has as long as it isn’t changed.' }),
    projectKey: t.string({ description: 'Omitted for one of a person.' }),
    authorKey: t.string(),
    title: t.string({ required: true }),
    description: t.string(),
    visibility: t.field({ type: VisibilityLevelsEnum, required: true }),
    files: t.field({ type: [ImportedFile], required: true }),
    createdAt: t.field({ type: 'Time', required: true }),
    updatedAt: t.field({ type: 'Time', required: true }),
  }),
  stamp: ({ stamp }) => stamp,
  refersTo: ({ projectKey, authorKey }) => [
    ['projects', projectKey],
    ['people', authorKey],
  ],
  examine: async (batch, { projectKey, title, description, files }) => {
    checkTexts(title, description);
    const wrong = files.find(({ path }) => !isFilePath(path));
    if (wrong) throw new NotTaken(`${wrong.path} is no path of a file.`);
    if (files.length === 0) throw new NotTaken('It has no files.');
    if (files.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0) > mostSnippetBytes)
      throw new NotTaken(`Its files have more than ${mostSnippetBytes} bytes.`);
    return projectKey == null ? null : projectOf(batch, projectKey);
  },
  store: async (batch, snippet, projectId, known) => {
    const { sql } = batch;
    const { title, visibility, files, createdAt, updatedAt } = snippet;
    const texts = [title, snippet.description ?? null, visibility];
    const [row] =
      known === undefined
        ? await sql.rows(insertSnippet, [
            batch.keptId(snippet.key),
            projectId,
            await authorOf(batch, snippet.authorKey),
            ...texts,
            createdAt,
            updatedAt,
          ])
        : await sql.rows(changeSnippet, [known, ...texts, updatedAt]);
    if (!row) throw new NotTaken('It was removed here.');
    await sql.rows(removeFiles, [row.id]);
    await sql.rows(storeFiles, [row.id, files.map(({ path }) => path), files.map(({ content }) => content)]);
    return row.id;
  },
});
