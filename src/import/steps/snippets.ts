import { storable } from '../../values/text/storable.ts';
import type { Given } from '../client.ts';
import { idIn, idOf, innerList, textIn, timeIn, visibilityIn } from '../fields.ts';
import type { Importer } from '../importer.ts';

/** Snippets of people and projects, with their files. */

const epoch = new Date(0).toISOString();

export async function importSnippets(importer: Importer): Promise<void> {
  if (importer.options.group === undefined) await importList(importer, '/snippets/all', '/snippets');
  await importer.each(
    importer.projects.filter(({ record }) => record.snippets_enabled !== false),
    ({ key }) => importList(importer, `/projects/${key}/snippets`, `/projects/${key}/snippets`, key),
    'projects with their snippets',
  );
}

/** @param single the path of one, before its id */
async function importList(importer: Importer, path: string, single: string, projectKey?: string): Promise<void> {
  const { client } = importer.options;
  const what = projectKey === undefined ? 'snippets of people' : 'snippets of projects';
  await importer.orMissing(what, undefined, async () => {
    for await (const page of client.list(path)) {
      const listed = page.flatMap((record) => {
        const key = idIn(record);
        // Those of projects come with them.
        if (key === undefined || (projectKey === undefined && record.project_id != null)) return [];
        return [{ key, record, stamp: textIn(record, 'updated_at') ?? '' }];
      });
      const changed = await importer.changed('snippets', listed);
      const found = await importer.each(changed, async ({ key, record, stamp }) => ({
        key,
        name: textIn(record, 'title') ?? key,
        record: { key, projectKey, ...(await snippetFrom(importer, { record, stamp, path: `${single}/${key}` })) },
      }));
      await importer.write('snippets', found);
    }
  });
}

interface Listed {
  readonly record: Given;
  readonly stamp: string;
  readonly path: string;
}

async function snippetFrom(importer: Importer, { record, stamp, path }: Listed) {
  const { files, isWhole } = await filesOf(importer, record, path);
  const createdAt = timeIn(record, 'created_at') ?? epoch;
  return {
    authorKey: idOf(record, 'author'),
    title: textIn(record, 'title') ?? 'Snippet',
    description: textIn(record, 'description') ?? null,
    visibility: visibilityIn(record),
    files,
    // Without one, the next import reads it again.
    stamp: isWhole ? stamp : '',
    createdAt,
    updatedAt: timeIn(record, 'updated_at') ?? createdAt,
  };
}

interface File {
  readonly path: string;
  readonly content: string;
}

/** Older instances have one file in a snippet, and name it in the record. */
async function filesOf(importer: Importer, record: Given, path: string) {
  const { client } = importer.options;
  const read = (from: string) => importer.orMissing('files of snippets', undefined, () => client.text(from));
  const named = innerList(record, 'files').flatMap((file) => {
    const name = textIn(file, 'path');
    const ref = /\/raw\/([^/]+)\//.exec(textIn(file, 'raw_url') ?? '')?.[1] ?? 'main';
    return name === undefined ? [] : [{ name, from: `${path}/files/${ref}/${encodeURIComponent(name)}/raw` }];
  });
  const files =
    named.length > 0 ? named : [{ name: textIn(record, 'file_name') || 'snippet.txt', from: `${path}/raw` }];
  const found: File[] = [];
  for (const { name, from } of files) {
    const content = await read(from);
    if (content !== undefined) found.push({ path: name, content: storable(content) });
  }
  return { files: found, isWhole: found.length === files.length };
}
