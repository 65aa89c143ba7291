import type { GraphQLSchema } from 'graphql';
import type { Answer } from '../../../http/index.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import type { Highlighter } from '../../repository/files/highlighter.ts';
import { shownBytes } from '../../repository/files/lines.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import { seeOther, type Visit } from '../../site/visit.ts';
import type { TypedBelow } from '../notes/host.ts';
import { threadsShown } from '../notes/page.ts';
import { isPart } from '../notes/thread.ts';
import { snippetPath, snippetReader, type SnippetFile } from './snippets.ts';
import { SnippetPage, type ShownFile } from './view.tsx';

/**
 * Shows the page of a snippet, again with what a person typed if it was refused. Null: there is no such snippet.
 * @param place the project of the address; undefined for an address that names none
 */
export type ShowSnippet = (visit: Visit, place: PlaceHead | undefined, typed?: TypedBelow) => Promise<Answer | null>;

export function snippetShower(schema: GraphQLSchema, highlight: Highlighter): ShowSnippet {
  const { read } = snippetReader(schema);
  return async (visit, place, typed) => {
    const found = await read(visit, place?.fullPath);
    if (!found) return null;
    if (!place && found.project) return seeOther(snippetPath(found));
    const { one: snippet, ...around } = threadsShown(visit, snippetPath(found), found);
    const scripts = isPart({ site: visit.site, ...around, threads: snippet.discussions.nodes });
    return toAnswer(
      <SnippetPage
        site={visit.site}
        place={place}
        snippet={snippet}
        {...around}
        files={await shownFiles(snippet.blobs.nodes, highlight)}
        scripts={scripts}
        typed={typed}
      />,
      typed === undefined ? 200 : 422,
      { scripts },
    );
  };
}

/** The files with their lines, as far as one page shows them: as much as the page of one file does. */
function shownFiles(files: readonly SnippetFile[], highlight: Highlighter): Promise<ShownFile[]> {
  let left = shownBytes;
  return Promise.all(
    files.map(async (file) => {
      const isShown = file.size <= left;
      if (isShown) left -= file.size;
      return { ...file, lines: isShown ? await highlight(file.name, file.text) : null };
    }),
  );
}
