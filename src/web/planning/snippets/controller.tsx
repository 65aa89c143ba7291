import type { GraphQLSchema } from 'graphql';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import type { Highlighter } from '../../repository/files/highlighter.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { fileAnswer } from '../../site/records/file-answer.ts';
import { pageArguments, pagesAround } from '../../site/records/paging.ts';
import { requireVisitor, type PageRoute, type Visit } from '../../site/visit.ts';
import { snippetShower } from './show.tsx';
import {
  listedSnippets,
  listVariables,
  snippetReader,
  type SnippetFile,
  type SnippetPage as Page,
} from './snippets.ts';
import { mySnippetsPath, SnippetList, snippetsPath } from './view.tsx';

/** Snippets on a page. */
const size = 20;

/** The pages of personal snippets, and the list of one's own. */
export function snippetPages(schema: GraphQLSchema, highlight: Highlighter): PageRoute[] {
  const list = compileOperation<{ currentUser: Listed | null }>(
    schema,
    `query (${listVariables}) { currentUser { ${listedSnippets} userPermissions { createSnippet } } }`,
  );
  return [
    {
      path: mySnippetsPath,
      name: 'my snippets',
      async get(visit) {
        requireVisitor(visit);
        const query = readQuery(visit.exchange);
        const { currentUser } = await list.execute(visit.context, pageArguments(query, size));
        return listAnswer(visit, undefined, 'Your snippets', currentUser!);
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
  const list = compileOperation<{ project: Listed | null }>(
    schema,
    `query ($path: ID!, ${listVariables}) { project(fullPath: $path) { ${listedSnippets} userPermissions { createSnippet } } }`,
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
        return project && listAnswer(visit, place, 'Snippets', project);
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

interface Listed {
  readonly snippets: Page;
  readonly userPermissions: { readonly createSnippet: boolean };
}

function listAnswer(
  visit: Visit,
  place: PlaceHead | undefined,
  title: string,
  { snippets: { nodes, pageInfo }, userPermissions }: Listed,
): Answer {
  const path = place ? snippetsPath(place) : mySnippetsPath;
  return toAnswer(
    <SnippetList
      site={visit.site}
      place={place}
      title={title}
      snippets={nodes}
      mayCreate={userPermissions.createSnippet}
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
  const { readFirst, readFile } = snippetReader(schema);
  return [
    { path: '/snippets/:id', name: 'snippet', view: snippetShower(schema, highlight) },
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
