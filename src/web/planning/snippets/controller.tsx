import type { GraphQLSchema } from 'graphql';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import type { Highlighter } from '../../repository/files/highlighter.ts';
import { shownBytes } from '../../repository/files/lines.tsx';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { fileAnswer } from '../../site/records/file-answer.ts';
import { pageArguments, pagesAround } from '../../site/records/paging.ts';
import { requireVisitor, seeOther, type PageRoute, type Visit } from '../../site/visit.ts';
import {
  listedSnippets,
  listVariables,
  snippetPath,
  snippetReader,
  type SnippetFile,
  type SnippetPage as Page,
} from './snippets.ts';
import { mySnippetsPath, SnippetList, SnippetPage, snippetsPath, type ShownFile } from './view.tsx';

/** Snippets on a page. */
const size = 20;

/** The pages of personal snippets, and the list of one's own. */
export function snippetPages(schema: GraphQLSchema, highlight: Highlighter): PageRoute[] {
  const list = compileOperation<{ currentUser: { snippets: Page } | null }>(
    schema,
    `query (${listVariables}) { currentUser { ${listedSnippets} } }`,
  );
  return [
    {
      path: mySnippetsPath,
      name: 'my snippets',
      async get(visit) {
        requireVisitor(visit);
        const query = readQuery(visit.exchange);
        const { currentUser } = await list.execute(visit.context, pageArguments(query, size));
        return listAnswer(visit, undefined, 'Your snippets', currentUser!.snippets);
      },
    },
    ...addresses(schema, highlight).map(({ path, name, view }): PageRoute => ({
      path: `/-${path}`,
      name,
      get: (visit) => view(visit, undefined),
    })),
  ];
}

/** The pages of the snippets of projects. */
export function projectSnippetPages(schema: GraphQLSchema, highlight: Highlighter): PlaceRoute[] {
  const list = compileOperation<{ project: { snippets: Page } | null }>(
    schema,
    `query ($path: ID!, ${listVariables}) { project(fullPath: $path) { ${listedSnippets} } }`,
  );
  return [
    {
      path: '/snippets',
      name: 'snippets',
      of: 'project',
      async get(visit, place) {
        if (!place.snippetsEnabled) return null;
        const query = readQuery(visit.exchange);
        const { project } = await list.execute(visit.context, { path: place.fullPath, ...pageArguments(query, size) });
        return project && listAnswer(visit, place, 'Snippets', project.snippets);
      },
    },
    ...addresses(schema, highlight).map(({ path, name, view }): PlaceRoute => ({
      path,
      name,
      of: 'project',
      get: view,
    })),
  ];
}

function listAnswer(visit: Visit, place: PlaceHead | undefined, title: string, { nodes, pageInfo }: Page): Answer {
  const path = place ? snippetsPath(place) : mySnippetsPath;
  return toAnswer(
    <SnippetList
      site={visit.site}
      place={place}
      title={title}
      snippets={nodes}
      pages={pagesAround(path, readQuery(visit.exchange), pageInfo)}
    />,
  );
}

/** What is at the addresses of one snippet, personal or below a project. */
interface Address {
  readonly path: string;
  readonly name: string;
  readonly view: (visit: Visit, place: PlaceHead | undefined) => Promise<Answer | null>;
}

function addresses(schema: GraphQLSchema, highlight: Highlighter): Address[] {
  const { read, readFirst, readFile } = snippetReader(schema);
  return [
    {
      path: '/snippets/:id',
      name: 'snippet',
      async view(visit, place) {
        const snippet = await read(visit, place?.fullPath);
        if (!snippet) return null;
        if (!place && snippet.project) return seeOther(snippetPath(snippet));
        const files = await shownFiles(snippet.blobs.nodes, highlight);
        return toAnswer(<SnippetPage site={visit.site} place={place} snippet={snippet} files={files} />);
      },
    },
    {
      path: '/snippets/:id/raw',
      name: 'raw snippet',
      async view(visit, place) {
        const file = (await readFirst(visit, place?.fullPath))?.blobs.nodes[0];
        return file ? await rawAnswer(visit, file) : null;
      },
    },
    {
      path: '/snippets/:id/raw/:ref/*',
      name: 'raw file of a snippet',
      async view(visit, place) {
        const { ref, '*': path } = visit.named;
        const snippet = await readFile(visit, place?.fullPath, { ref, path });
        return snippet && (await rawAnswer(visit, snippet.file));
      },
    },
  ];
}

/** A file as it is: a text, whatever its name says. */
const rawAnswer = ({ exchange }: Visit, { name, text }: SnippetFile): Promise<Answer> =>
  fileAnswer(
    exchange,
    name,
    { bytes: Buffer.from(text) },
    'text/plain; charset=utf-8',
    readQuery(exchange).inline === 'false' ? 'attachment' : 'inline',
  );

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
